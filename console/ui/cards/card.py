"""What the cards have in common: a title, a text, buttons that show their keys, and one answer."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QStyleOptionButton, QVBoxLayout, QWidget

from ..tips import plain_tip

NARROWEST, PADDING = 120, 12


class CardButton(QPushButton):
    """It would rather shorten its words than stand out of the card; its tip has all of them. `key` stays whole."""

    key = ""

    def __init__(self, words: str, parent: QWidget | None = None) -> None:
        super().__init__(words, parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        size = self.sizeHint()
        return QSize(min(size.width(), NARROWEST), size.height())

    def initStyleOption(self, option: QStyleOptionButton) -> None:
        super().initStyleOption(option)
        metrics, words = self.fontMetrics(), option.text.removesuffix(self.key)
        room = self.width() - 2 * PADDING - (metrics.horizontalAdvance(f"   {self.key}") if self.key else 0)
        if metrics.horizontalAdvance(words.rstrip()) > room:
            option.text = f"{metrics.elidedText(words.rstrip(), Qt.TextElideMode.ElideRight, room)}   {self.key}"


class PatientButton(CardButton):
    """A button that neither Enter nor Space alone can press, so that nobody approves by typing on."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if (
            event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Select)
            and not event.modifiers()
        ):
            event.accept()
            return
        super().keyPressEvent(event)


class Card(QFrame):
    """Emits `answered` once; a card that goes away without an answer emits `abandoned`."""

    answered = Signal(object)
    abandoned = Signal()

    def __init__(self, tone: str, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.setProperty("tone", tone)
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(14, 12, 14, 12)
        self.body.setSpacing(8)
        self.title = _label(title, "title", self)
        self.text = _label(text, "muted", self)
        self._done = False

    @property
    def done(self) -> bool:
        return self._done

    def answer(self, value: object) -> None:
        if not self._done:
            self._done = True
            self.answered.emit(value)

    def abandon(self) -> None:
        """Gone without an answer, which is never a yes."""
        if not self._done:
            self._done = True
            self.abandoned.emit()

    def button(
        self, text: str, key: str, act: Callable[[], None], kind: str = "", *, patient: bool = False
    ) -> QPushButton:
        """A button with its key, which works while the card is in the active window.

        A patient one is deaf to Enter and Space alone.
        """
        shown = key.replace("Return", "↵")
        words = (f"{text}   {shown}" if key else text).replace("&", "&&")
        button = PatientButton(words, self) if patient else CardButton(words, self)
        button.setAccessibleName(text)
        button.setAutoDefault(False)
        button.key = shown
        if kind:
            button.setProperty("kind", kind)
        button.clicked.connect(lambda _=False: act())
        button.setToolTip(plain_tip(f"{text} ({shown})" if key else text))
        if key:
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
            shortcut.activated.connect(act)
        return button


def _label(text: str, kind: str, parent: QWidget) -> QLabel:
    label = QLabel(text, parent)
    label.setProperty("kind", kind)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setVisible(bool(text))
    return label
