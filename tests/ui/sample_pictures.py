"""The pictures of the sample run: a file manager, with and without a dialog, painted at 1280×800."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QBuffer, QIODevice, QRect, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPen

from console.contracts.errors import StorageError

from .sample_events import DELETE

FILES = ("invoice-0417.pdf", "setup-2.1.run", "setup-2.0.run", "חשבונית 2024 — טיוטה.pdf")


def picture(name: str) -> QImage:
    """`files` is the file manager, `dialog` the same with the question on top."""
    image = QImage(1280, 800, QImage.Format.Format_RGB888)
    image.fill(QColor("#dfe4ec"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    font = QFont("DejaVu Sans")
    font.setPixelSize(17)
    painter.setFont(font)
    _window(painter, QRect(92, 62, 840, 540), "Downloads — Thunar")
    _field(painter, QRect(118, 160, 246, 40), "/home/ada/Downloads")
    for place, text in enumerate(FILES):
        _field(painter, QRect(118, 214 + 54 * place, 788, 44), text)
    if name == "dialog":
        _window(painter, QRect(530, 276, 606, 286), "Delete File?")
        painter.drawText(556, 380, "Permanently delete “setup-2.1.run”?")
        painter.drawText(556, 414, "If you delete a file, it is permanently lost.")
        _field(painter, QRect(752, 486, 156, 52), "Cancel", Qt.AlignmentFlag.AlignCenter)
        box = QRect(DELETE.x, DELETE.y, DELETE.width, DELETE.height)
        _field(painter, box, "Delete", Qt.AlignmentFlag.AlignCenter)
    painter.end()
    return image


async def load(name: str) -> bytes:
    """Stands for the store: a picture by its name."""
    if name not in ("files", "dialog"):
        raise StorageError("The picture is not there any more.", "It may have been removed by hand.")
    return stored(name)


@cache
def stored(name: str) -> bytes:
    return encoded(picture(name))


def encoded(image: QImage) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data().data())


def _window(painter: QPainter, box: QRect, title: str) -> None:
    painter.setPen(QPen(QColor("#b8c0cc"), 1))
    painter.setBrush(QColor("#ffffff"))
    painter.drawRoundedRect(box, 8, 8)
    painter.fillRect(QRect(box.x() + 1, box.y() + 1, box.width() - 2, 56), QColor("#e8eaee"))
    painter.setPen(QColor("#1a1e26"))
    painter.drawText(box.x() + 22, box.y() + 36, title)


def _field(painter: QPainter, box: QRect, text: str, align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignVCenter) -> None:
    painter.setPen(QPen(QColor("#d4d9e1"), 1))
    painter.setBrush(QColor("#ffffff"))
    painter.drawRoundedRect(box, 6, 6)
    painter.setPen(QColor("#1a1e26"))
    painter.drawText(box.adjusted(14, 0, -14, 0), align, text)
