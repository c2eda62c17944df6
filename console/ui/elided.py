"""A label on one line that is shortened to the room it has, and says the rest in its tip."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from .tips import plain_tip


class ElidedLabel(QLabel):
    """Plain text only. Of several wordings, longest first, it takes the first that fits, else it cuts the last.
    `whole` is what it would say with all the room in the world."""

    def __init__(self, text: str = "", kind: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        if kind:
            self.setProperty("kind", kind)
        self.whole = ""
        self._wordings: tuple[str, ...] = ("",)
        self.say(text)

    def say(self, *wordings: str) -> None:
        self._wordings = tuple(" ".join(text.split()) for text in wordings)
        self.whole = self._wordings[0]
        self.setAccessibleName(self.whole)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        self._fit()
        super().paintEvent(event)

    def _fit(self) -> None:
        metrics, width = self.fontMetrics(), self.width()
        fitting = (text for text in self._wordings if metrics.horizontalAdvance(text) <= width)
        shown = next(fitting, "") or metrics.elidedText(self._wordings[-1], Qt.TextElideMode.ElideRight, width)
        if shown != self.text():
            self.setText(shown)
            self.setToolTip(plain_tip(self.whole) if shown != self.whole else "")
