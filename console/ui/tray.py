"""The icon in the tray: the state as a tip, and a message when the operator is needed."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from console.contracts.events import RunPhase

from .theme import LIGHT


class Tray(QObject):
    """Silent where the desktop has no tray."""

    open_clicked = Signal()
    stop_clicked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._icon: QSystemTrayIcon | None = None
        self._menu = QMenu()
        self._menu.addAction("Open the console", self.open_clicked.emit)
        self._menu.addAction("Stop", self.stop_clicked.emit)
        if QSystemTrayIcon.isSystemTrayAvailable():
            self._icon = QSystemTrayIcon(icon(), self)
            self._icon.setContextMenu(self._menu)
            self._icon.activated.connect(lambda _: self.open_clicked.emit())
            self._icon.show()

    def show_phase(self, phase: RunPhase) -> None:
        if self._icon is not None:
            self._icon.setToolTip(f"Operator Console: {phase.value}")
            self._icon.setIcon(icon(needed=phase is RunPhase.WAITING))

    def call(self, text: str) -> None:
        """The operator is needed."""
        if self._icon is not None:
            self._icon.showMessage("Operator Console needs you", text)

    def close(self) -> None:
        if self._icon is not None:
            self._icon.hide()
        self._menu.deleteLater()


def icon(needed: bool = False) -> QIcon:
    """A pointer in a ring; the ring is amber and has a dot when the operator is needed."""
    made = QIcon()
    for size in (16, 24, 32, 64, 128):
        pixmap = QPixmap(size, size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        color = QColor(LIGHT.warn if needed else LIGHT.accent)
        painter.setBrush(color)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRoundedRect(0, 0, size, size, size * 0.24, size * 0.24)
        painter.setBrush(QColor("#ffffff"))
        unit = size / 16
        points = [(5, 3.4), (5, 12), (7.3, 9.9), (8.8, 13), (10.3, 12.3), (8.8, 9.3), (11.8, 9.2)]
        from PySide6.QtCore import QPointF
        from PySide6.QtGui import QPolygonF

        painter.drawPolygon(QPolygonF([QPointF(x * unit, y * unit) for x, y in points]))
        if needed:
            painter.drawEllipse(QPointF(12.6 * unit, 3.6 * unit), 2 * unit, 2 * unit)
        painter.end()
        made.addPixmap(pixmap)
    return made
