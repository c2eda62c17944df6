"""The compact bar: always on top while the agent works, with the state, the step, Pause and Stop."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QMouseEvent, QPainterPath, QRegion
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from console.contracts.events import RunPhase
from console.contracts.geometry import Point

from .elided import ElidedLabel
from .pill import Pill

WIDTH, MARGIN, CLEARANCE, RADIUS = 600, 12, 24, 12


class CompactBar(QWidget):
    """A window of its own that takes no focus, and moves aside when the agent needs the place."""

    pause_clicked = Signal()
    stop_clicked = Signal()
    review_clicked = Signal()

    def __init__(self) -> None:
        flags = Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint | Qt.WindowType.Tool
        super().__init__(None, flags | Qt.WindowType.WindowDoesNotAcceptFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_AlwaysShowToolTips)  # it is never the active window
        self.setWindowTitle("Operator Console")
        self._frame = QFrame(self)
        self._frame.setObjectName("bar")
        self.pill = Pill(self._frame)
        self.sentence = ElidedLabel("", "strong", self._frame)
        self.purpose = ElidedLabel("", "small", self._frame)
        self._pause, self._review, self._stop = (
            QPushButton(text, self._frame) for text in ("Pause", "Review…", "Stop")
        )
        self._stop.setProperty("kind", "stop")
        self._pause.clicked.connect(self.pause_clicked)
        self._review.clicked.connect(self.review_clicked)
        self._stop.clicked.connect(self.stop_clicked)
        self._grabbed: QPoint | None = None
        self._lay_out()

    def show_phase(self, phase: RunPhase) -> None:
        self.pill.show_phase(phase)
        self._pause.setText("Resume" if phase is RunPhase.PAUSED else "Pause")
        waiting = phase is RunPhase.WAITING
        self._review.setText("Review…" if waiting else "Open")
        self._pause.setVisible(not waiting)
        self._frame.setProperty("tone", "warn" if waiting else "")
        self._frame.style().polish(self._frame)

    def show_step(self, sentence: str, purpose: str) -> None:
        self.sentence.say(sentence)
        self.purpose.say(purpose)
        self.setAccessibleName(f"{sentence}. {purpose}")

    def come_up(self) -> None:
        """Show it at the top of the primary screen."""
        if not self.isVisible():
            self._place(top=True)
            self.show()

    def make_way(self, point: Point) -> bool:
        """Go to the other edge if the bar is at or near the point (physical pixels). True if it moved."""
        ratio = self.devicePixelRatioF()
        near = self.geometry().adjusted(-CLEARANCE, -CLEARANCE, CLEARANCE, CLEARANCE)
        physical = QRect(
            int(near.x() * ratio), int(near.y() * ratio), int(near.width() * ratio), int(near.height() * ratio)
        )
        if not self.isVisible() or not physical.contains(QPoint(point.x, point.y)):
            return False
        available = QGuiApplication.primaryScreen().availableGeometry()
        self._place(top=self.geometry().center().y() > available.center().y())
        return True

    def _place(self, *, top: bool) -> None:
        available = QGuiApplication.primaryScreen().availableGeometry()
        width = min(WIDTH, available.width() - 2 * MARGIN)
        self.resize(width, self.sizeHint().height())
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(self.rect()), RADIUS, RADIUS)
        self.setMask(QRegion(outline.toFillPolygon().toPolygon()))  # round corners without a compositor
        x = available.x() + (available.width() - width) // 2
        y = available.y() + MARGIN if top else available.bottom() - self.height() - MARGIN
        self.move(x, y)

    def _lay_out(self) -> None:
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._frame)
        row = QHBoxLayout(self._frame)
        row.setContentsMargins(10, 8, 10, 8)
        row.setSpacing(10)
        row.addWidget(self.pill)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self.sentence)
        words.addWidget(self.purpose)
        row.addLayout(words, 1)
        for button in (self._pause, self._review, self._stop):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            row.addWidget(button)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._grabbed = event.globalPosition().toPoint() - self.pos()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grabbed is not None:
            self.move(event.globalPosition().toPoint() - self._grabbed)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grabbed = None
