"""A picture of the screen with outlines and the target; one transform serves the picture and all that lies on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.contracts.geometry import Point, Rect

from ..theme import theme

MIN_ZOOM, MAX_ZOOM, STEP = 0.05, 8.0, 1.25
STAYS_IN_VIEW, PAN_STEP = 48, 40
_RED, _BLUE = QColor(192, 54, 44), QColor(47, 111, 237)


@dataclass(frozen=True)
class Picture:
    """An image of `bounds` of the virtual screen (physical pixels); it may have another size than that."""

    image: QImage
    bounds: Rect


class Canvas(QWidget):
    """Fits the picture unless it was zoomed; drag or arrow keys move it, the wheel or + and − zoom."""

    zoomed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(160, 120)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName("Screen")
        self.picture: Picture | None = None
        self._outlines: Sequence[Rect] = ()
        self._highlight: Rect | None = None
        self._target: Rect | None = None
        self._point: Point | None = None
        self._zoom: float | None = None
        self._offset = QPointF(0, 0)
        self._grabbed: QPointF | None = None
        self._empty = ""
        self._outlined = True
        self._small: tuple[tuple[int, int, int], QPixmap] | None = None

    def show_picture(self, picture: Picture | None, empty: str = "") -> None:
        """Another picture; the zoom stays. `empty` is what stands there without one."""
        self.picture, self._empty = picture, empty
        self._describe()
        self.update()

    def mark(self, outlines: Sequence[Rect], target: Rect | None, point: Point | None) -> None:
        """What to outline, and where the input goes, in physical pixels of the screen."""
        self._outlines, self._target, self._point, self._highlight = outlines, target, point, None
        self._describe()
        self.update()

    def set_outlines(self, on: bool) -> None:
        self._outlined = on
        self.update()

    def highlight(self, bounds: Rect | None) -> None:
        self._highlight = bounds
        self.update()

    @property
    def scale(self) -> float:
        """Widget pixels for each pixel of the screen."""
        if self._zoom is not None or self.picture is None:
            return self._zoom or 1.0
        bounds = self.picture.bounds
        return min((self.width() - 2) / max(bounds.width, 1), (self.height() - 2) / max(bounds.height, 1))

    @property
    def fits(self) -> bool:
        return self._zoom is None

    def fit(self) -> None:
        self._zoom, self._offset = None, QPointF(0, 0)
        self._changed()

    def larger(self) -> None:
        self.zoom_to(self.scale * STEP)

    def smaller(self) -> None:
        self.zoom_to(self.scale / STEP)

    def zoom_to(self, zoom: float, at: QPointF | None = None) -> None:
        """Zoom with the point of the widget kept in its place."""
        at = at or QPointF(self.width() / 2, self.height() / 2)
        kept = self.to_screen(at)
        self._zoom = min(max(zoom, MIN_ZOOM), MAX_ZOOM)
        self._pan(at - self.to_widget(kept))
        self._changed()

    def to_widget(self, point: QPointF) -> QPointF:
        """Where a point of the screen is shown."""
        bounds = self.picture.bounds if self.picture else Rect(x=0, y=0, width=1, height=1)
        origin = self._origin(bounds)
        return QPointF(
            origin.x() + (point.x() - bounds.x) * self.scale, origin.y() + (point.y() - bounds.y) * self.scale
        )

    def to_screen(self, point: QPointF) -> QPointF:
        """The point of the screen that is shown there."""
        bounds = self.picture.bounds if self.picture else Rect(x=0, y=0, width=1, height=1)
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
        """A picture that fits stands at the top, under its controls."""
        width, height = bounds.width * self.scale, bounds.height * self.scale
        top = 1 if self.fits else (self.height() - height) / 2
        return QPointF((self.width() - width) / 2, top) + self._offset

    def _box(self, rect: Rect) -> QRectF:
        top_left = self.to_widget(QPointF(rect.x, rect.y))
        return QRectF(top_left.x(), top_left.y(), rect.width * self.scale, rect.height * self.scale)

    def _pan(self, by: QPointF) -> None:
        """Move it, but never out of sight."""
        self._offset += by
        if self.picture is not None:
            box = self._box(self.picture.bounds)
            self._offset += QPointF(
                max(STAYS_IN_VIEW - box.right(), 0) - max(box.left() - self.width() + STAYS_IN_VIEW, 0),
                max(STAYS_IN_VIEW - box.bottom(), 0) - max(box.top() - self.height() + STAYS_IN_VIEW, 0),
            )
        self.update()

    def _changed(self) -> None:
        self.update()
        self.zoomed.emit(self.scale)

    def _describe(self) -> None:
        words = self._empty.replace("\n\n", " ") if self.picture is None else f"{len(self._outlines)} elements."
        if self.picture is not None and self._point is not None:
            words += f" The target is at {self._point.x}, {self._point.y}."
        self.setAccessibleDescription(words)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.picture is None:
            self._paint_empty(painter)
            return
        box = self._box(self.picture.bounds)
        painter.setClipRect(self.rect())
        self._paint_picture(painter, box)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(theme.tokens.accent if self.hasFocus() else theme.tokens.line), 1))
        painter.drawRect(box)
        if self._outlined:
            painter.setPen(QPen(QColor(47, 111, 237, 130), 1.2))
            for outline in self._outlines:
                painter.drawRoundedRect(self._box(outline), 2, 2)
        if self._highlight is not None:
            painter.setPen(QPen(_BLUE, 2.5))
            painter.setBrush(QColor(47, 111, 237, 40))
            painter.drawRoundedRect(self._box(self._highlight), 3, 3)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        self._paint_target(painter)

    def _paint_empty(self, painter: QPainter) -> None:
        tokens = theme.tokens
        painter.setPen(QPen(QColor(tokens.line), 1))
        painter.setBrush(QColor(tokens.canvas))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        painter.setPen(QColor(tokens.muted))
        box = self.rect().adjusted(24, 24, -24, -24)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._empty)

    def _paint_picture(self, painter: QPainter, box: QRectF) -> None:
        """A smaller one is made once and kept: it reads better than what the painter makes, and costs nothing."""
        assert self.picture is not None
        image, ratio = self.picture.image, self.devicePixelRatioF()
        size = QSize(max(round(box.width() * ratio), 1), max(round(box.height() * ratio), 1))
        if size.width() >= image.width():
            painter.drawImage(box, image)
            return
        key = (image.cacheKey(), size.width(), size.height())
        if self._small is None or self._small[0] != key:
            scaled = image.scaled(
                size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
            )
            self._small = (key, QPixmap.fromImage(scaled))
        painter.drawPixmap(box, self._small[1], QRectF(self._small[1].rect()))

    def _paint_target(self, painter: QPainter) -> None:
        if self._target is not None and self._target.width > 1:
            box = self._box(self._target)
            painter.setPen(QPen(QColor(192, 54, 44, 60), 8))
            painter.drawRoundedRect(box, 5, 5)
            painter.setPen(QPen(_RED, 2.5))
            painter.drawRoundedRect(box, 4, 4)
        center = self.marker()
        if center is not None:
            painter.setPen(QPen(QColor(255, 255, 255, 220), 4))
            _cross(painter, center)
            painter.setPen(QPen(_RED, 2))
            _cross(painter, center)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.zoomed.emit(self.scale)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.picture is not None:
            self.zoom_to(self.scale * 1.2 ** (event.angleDelta().y() / 120), event.position())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        ways = {
            Qt.Key.Key_Left: QPointF(PAN_STEP, 0),
            Qt.Key.Key_Right: QPointF(-PAN_STEP, 0),
            Qt.Key.Key_Up: QPointF(0, PAN_STEP),
            Qt.Key.Key_Down: QPointF(0, -PAN_STEP),
        }
        acts = {Qt.Key.Key_Plus: self.larger, Qt.Key.Key_Minus: self.smaller, Qt.Key.Key_0: self.fit}
        key = Qt.Key(event.key())
        if key in acts:
            acts[key]()
        elif key in ways and not self.fits:
            self._pan(ways[key])
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._grabbed = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grabbed is not None and not self.fits:
            self._pan(event.position() - self._grabbed)
            self._grabbed = event.position()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grabbed = None


def _cross(painter: QPainter, at: QPointF) -> None:
    painter.drawLine(at - QPointF(6, 0), at + QPointF(6, 0))
    painter.drawLine(at - QPointF(0, 6), at + QPointF(0, 6))
