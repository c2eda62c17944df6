"""The one place where problems are shown."""

from __future__ import annotations

import logging

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from console.contracts.errors import ConsoleError

log = logging.getLogger(__name__)
AT_MOST = 3


class Notices(QWidget):
    """A stack of dismissable lines; the newest on top, the same one only once."""

    changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(14, 8, 14, 8)
        self._layout.setSpacing(6)
        self._texts: list[str] = []
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.hide()

    @property
    def texts(self) -> list[str]:
        """What is shown, newest first."""
        return list(self._texts)

    def show_error(self, error: BaseException) -> None:
        """A `ConsoleError` is a sentence with a hint; anything else is a bug and goes to the log with its trace."""
        if isinstance(error, ConsoleError):
            self.show_text(error.sentence())
            return
        log.error("Unexpected error in the window", exc_info=error)
        self.show_text(f"Something went wrong in the console: {error}. The log has the details.")

    def show_text(self, text: str) -> None:
        if text in self._texts:
            return
        self._texts.insert(0, text)
        self._layout.insertWidget(0, _Line(text, self))
        while len(self._texts) > AT_MOST:
            self._drop(self._texts[-1])
        self.setVisible(True)
        self.changed.emit(len(self._texts))

    def dismiss(self, text: str) -> None:
        if text in self._texts:
            self._drop(text)
            self.setVisible(bool(self._texts))
            self.changed.emit(len(self._texts))

    def clear(self) -> None:
        for text in self.texts:
            self.dismiss(text)

    def _drop(self, text: str) -> None:
        place = self._texts.index(text)
        self._texts.pop(place)
        item = self._layout.takeAt(place)
        widget = item.widget() if item else None
        if widget is not None:
            widget.hide()
            widget.deleteLater()


class _Line(QFrame):
    def __init__(self, text: str, owner: Notices) -> None:
        super().__init__(owner)
        self.setObjectName("notice")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 6, 6, 6)
        label = QLabel(text, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        button = QPushButton("Dismiss", self)
        button.setProperty("kind", "link")
        button.clicked.connect(lambda: owner.dismiss(text))
        layout.addWidget(label, 1)
        layout.addWidget(button)
