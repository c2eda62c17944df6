"""Paints a screenshot with outlines and the target; one transform serves the picture and all that lies on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.contracts.geometry import Point, Rect

from ..theme import theme

MIN_ZOOM, MAX_ZOOM = 0.05, 8.0


@dataclass(frozen=True)
class Picture:
    """An image of `bounds` of the virtual screen (physical pixels); it may have another size than that."""

    image: QImage
    bounds: Rect


class Canvas(QWidget):
    """Fits the picture unless it was zoomed; drag moves it, the wheel zooms at the pointer."""

    zoomed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(160, 120)
        self.setAccessibleName("Screen")
        self._picture: Picture | None = None
        self._outlines: Sequence[Rect] = ()
        self._highlight: Rect | None = None
        self._target: Rect | None = None
        self._point: Point | None = None
        self._zoom: float | None = None
        self._offset = QPointF(0, 0)
        self._grabbed: QPointF | None = None
        self._empty = ""
        self.show_outlines = True

    def show_picture(self, picture: Picture | None, empty: str = "") -> None:
        """Another picture; the zoom stays. `empty` is what stands there without one."""
        self._picture, self._empty = picture, empty
        self.update()

    def mark(self, outlines: Sequence[Rect], target: Rect | None, point: Point | None) -> None:
        """What to outline, and where the input goes, in physical pixels of the screen."""
        self._outlines, self._target, self._point = outlines, target, point
        self.update()

    def highlight(self, bounds: Rect | None) -> None:
        self._highlight = bounds
        self.update()

    @property
    def scale(self) -> float:
        """Widget pixels for each pixel of the screen."""
        if self._zoom is not None or self._picture is None:
            return self._zoom or 1.0
        bounds = self._picture.bounds
        return min((self.width() - 2) / max(bounds.width, 1), (self.height() - 2) / max(bounds.height, 1))

    @property
    def fits(self) -> bool:
        return self._zoom is None

    def fit(self) -> None:
        self._zoom, self._offset = None, QPointF(0, 0)
        self._changed()

    def zoom_to(self, zoom: float, at: QPointF | None = None) -> None:
        """Zoom with the point of the widget kept in its place."""
        at = at or QPointF(self.width() / 2, self.height() / 2)
        kept = self.to_screen(at)
        self._zoom = min(max(zoom, MIN_ZOOM), MAX_ZOOM)
        self._offset += at - self.to_widget(kept)
        self._changed()

    def to_widget(self, point: QPointF) -> QPointF:
        """Where a point of the screen is shown."""
        bounds = self._picture.bounds if self._picture else Rect(x=0, y=0, width=1, height=1)
        origin = self._origin(bounds)
        return QPointF(
            origin.x() + (point.x() - bounds.x) * self.scale, origin.y() + (point.y() - bounds.y) * self.scale
        )

    def to_screen(self, point: QPointF) -> QPointF:
        """The point of the screen that is shown there."""
        bounds = self._picture.bounds if self._picture else Rect(x=0, y=0, width=1, height=1)
        origin = self._origin(bounds)
        return QPointF(
            bounds.x + (point.x() - origin.x()) / self.scale, bounds.y + (point.y() - origin.y()) / self.scale
        )

    def marker(self) -> QPointF | None:
        """The middle of the target mark, in widget pixels."""
        if self._point is None:
            return None
        return self.to_widget(QPointF(self._point.x + 0.5, self._point.y + 0.5))

    def _origin(self, bounds: Rect) -> QPointF:
        width, height = bounds.width * self.scale, bounds.height * self.scale
        return QPointF((self.width() - width) / 2, (self.height() - height) / 2) + self._offset

    def _box(self, rect: Rect) -> QRectF:
        top_left = self.to_widget(QPointF(rect.x, rect.y))
        return QRectF(top_left.x(), top_left.y(), rect.width * self.scale, rect.height * self.scale)

    def _changed(self) -> None:
        self.update()
        self.zoomed.emit(self.scale)

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = theme.tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(tokens.line), 1))
        painter.setBrush(QColor(tokens.canvas))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        if self._picture is None:
            painter.setPen(QColor(tokens.muted))
            box = self.rect().adjusted(24, 24, -24, -24)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._empty)
            return
        painter.setClipRect(self.rect().adjusted(1, 1, -1, -1))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, self.scale < 2)
        painter.drawImage(self._box(self._picture.bounds), self._picture.image)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.show_outlines:
            painter.setPen(QPen(QColor(47, 111, 237, 130), 1.2))
            for outline in self._outlines:
                painter.drawRoundedRect(self._box(outline), 2, 2)
        if self._highlight is not None:
            painter.setPen(QPen(QColor(47, 111, 237), 2.5))
            painter.drawRoundedRect(self._box(self._highlight), 3, 3)
        self._paint_target(painter)

    def _paint_target(self, painter: QPainter) -> None:
        if self._target is not None and self._target.width > 1:
            box = self._box(self._target)
            painter.setPen(QPen(QColor(192, 54, 44, 60), 8))
            painter.drawRoundedRect(box, 5, 5)
            painter.setPen(QPen(QColor(192, 54, 44), 2.5))
            painter.drawRoundedRect(box, 4, 4)
        center = self.marker()
        if center is not None:
            painter.setPen(QPen(QColor(255, 255, 255, 220), 4))
            _cross(painter, center)
            painter.setPen(QPen(QColor(192, 54, 44), 2))
            _cross(painter, center)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.zoomed.emit(self.scale)

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / 120
        self.zoom_to(self.scale * 1.2**steps, event.position())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._grabbed = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grabbed is not None and not self.fits:
            self._offset += event.position() - self._grabbed
            self._grabbed = event.position()
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grabbed = None


def _cross(painter: QPainter, at: QPointF) -> None:
    painter.drawLine(at - QPointF(6, 0), at + QPointF(6, 0))
    painter.drawLine(at - QPointF(0, 6), at + QPointF(0, 6))
