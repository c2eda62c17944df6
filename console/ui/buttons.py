"""Buttons of the house: one that shows its key beside its words, and a group of which one is pressed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPaintEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QWidget,
)

from .theme import mono_font, theme

KEY_PX, GAP = 11, 9


class KeyButton(QPushButton):
    """Words, and its key in small letters after them. `kind` is "", "primary" or "stop"."""

    def __init__(self, words: str, key: str = "", kind: str = "", parent: QWidget | None = None) -> None:
        super().__init__(words, parent)
        self.key = key
        self._kind = kind
        self._key_font = mono_font()
        self._key_font.setPixelSize(KEY_PX)
        self.setAutoDefault(False)
        self.setAccessibleName(words)
        if kind:
            self.setProperty("kind", kind)

    def show_words(self, words: str) -> None:
        self.setText(words)
        self.setAccessibleName(words)

    def sizeHint(self) -> QSize:
        size = super().sizeHint()
        return size + QSize(self._key_width() + GAP, 0) if self.key else size

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        words, key = self.fontMetrics().horizontalAdvance(self.text()), self._key_width()
        left = (self.width() - words - (key + GAP if self.key else 0)) // 2
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setFont(self.font())
        painter.setPen(QColor(self._colour()))
        painter.drawText(QRect(left, 0, words + 2, self.height()), middle, self.text())
        painter.setFont(self._key_font)
        if not self._kind:
            painter.setPen(QColor(theme.tokens.muted))
        painter.drawText(QRect(left + words + GAP, 1, key + 2, self.height()), middle, self.key)

    def _key_width(self) -> int:
        return QFontMetrics(self._key_font).horizontalAdvance(self.key)

    def _colour(self) -> str:
        tokens = theme.tokens
        if not self.isEnabled():
            return tokens.muted
        return {"primary": tokens.on_accent, "stop": tokens.danger}.get(self._kind, tokens.text)


class Segments(QFrame):
    """Buttons side by side, one of them pressed. `chosen` says which, when a person presses it."""

    chosen = Signal(str)

    def __init__(self, rows: Sequence[tuple[str, str, str]], name: str, parent: QWidget | None = None) -> None:
        """`rows` are key, words and tip."""
        super().__init__(parent)
        self.setObjectName("segments")
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        self._buttons: dict[str, QPushButton] = {}
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for key, words, tip in rows:
            button = QPushButton(words, self)
            button.setProperty("kind", "segment")
            button.setCheckable(True)
            button.setToolTip(tip)
            button.clicked.connect(lambda _=False, key=key: self.chosen.emit(key))
            self._group.addButton(button)
            self._buttons[key] = button
            layout.addWidget(button)

    def button(self, key: str) -> QPushButton:
        return self._buttons[key]

    @property
    def current(self) -> str:
        return next((key for key, button in self._buttons.items() if button.isChecked()), "")

    def press(self, key: str) -> None:
        """Show it as pressed; nothing is said about it."""
        self._buttons[key].setChecked(True)
