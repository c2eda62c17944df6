"""Where the goal is written: it grows with its lines and remembers earlier goals."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

MOST_LINES, MOST_LINES_RUNNING = 6, 2
PLACEHOLDER = "What should be done?"
ROOM = 20


class GoalEntry(QPlainTextEdit):
    """Up in the first line and Down in the last walk through earlier goals; Ctrl+Enter runs."""

    run_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("goal")
        self.setPlaceholderText(PLACEHOLDER)
        self.setAccessibleName("Goal")
        self.setAccessibleDescription("Ctrl+Enter runs it, Up brings earlier goals back.")
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.past: Sequence[str] = ()
        self._place = -1
        self._draft = ""
        self.document().documentLayout().documentSizeChanged.connect(self._grow)
        self._grow()

    def set_past(self, goals: Sequence[str]) -> None:
        """Earlier goals, the newest first."""
        self.past, self._place = goals, -1

    def write(self, goal: str) -> None:
        """Put a goal in, with the cursor after it."""
        self.setPlainText(goal)
        self.moveCursor(self.textCursor().MoveOperation.End)

    def lock(self, locked: bool) -> None:
        """During a run it can be read and takes less room."""
        self.setReadOnly(locked)
        self._grow()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width wraps the lines anew."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._grow()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.run_wanted.emit()
                return
        elif not event.modifiers() and self._walk(self._way(Qt.Key(event.key()))):
            return
        super().keyPressEvent(event)

    def _way(self, key: Qt.Key) -> int:
        """1 for earlier, -1 for later, 0 if the key only moves the cursor."""
        line = self.textCursor().blockNumber()
        if key == Qt.Key.Key_Up and line == 0:
            return 1
        return -1 if key == Qt.Key.Key_Down and line == self.blockCount() - 1 else 0

    def _walk(self, by: int) -> bool:
        place = self._place + by
        if not by or self.isReadOnly() or not -1 <= place < len(self.past):
            return False
        if self._place == -1:
            self._draft = self.toPlainText()
        self._place = place
        self.write(self.past[place] if place >= 0 else self._draft)
        return True

    def _grow(self) -> None:
        """As high as its lines, wrapped ones too (the layout of plain text counts its height in lines)."""
        most = MOST_LINES_RUNNING if self.isReadOnly() else MOST_LINES
        wanted = max(int(self.document().size().height()), 1)
        lines = min(wanted, most)
        rest = wanted > most
        self.setVerticalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAsNeeded if rest else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        )
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + ROOM)
