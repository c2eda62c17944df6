"""The program pane: a program is written, checked while it is written, run on the desktop, and its Step shown."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from PySide6.QtCore import QStringListModel, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import (
    QCompleter,
    QDialog,
    QHBoxLayout,
    QLabel,
    QListView,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from console.contracts.events import RunEnded

from .backstage import ProgramDesk
from .theme import mono_font

CHECK_MS, LONGEST_NAME = 300, 2
EMPTY = '; (tool/click {:label "OK"})  Ctrl+Space lists what there is.\n'
Spawn = Callable[[Coroutine[Any, Any, None]], None]


class ProgramDialog(QDialog):
    """`run_wanted` starts a run like any other: the timeline shows its steps, and the gate asks as always."""

    run_wanted = Signal(str)

    def __init__(self, source: str, desk: ProgramDesk, spawn: Spawn, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Program")
        self.resize(900, 560)
        self._desk, self._spawn = desk, spawn
        self.editor = ProgramEditor(desk.names(), self)
        self.editor.setPlainText(source or EMPTY)
        self.told = QPlainTextEdit(self)
        self.told.setReadOnly(True)
        self.told.setFont(mono_font())
        self.told.setPlaceholderText("The value, what was printed, and the Step stand here after a run.")
        self.told.setAccessibleName("Result")
        self.problem = QLabel("", self)
        self.problem.setProperty("kind", "small")
        self.problem.setWordWrap(True)
        self.problem.setTextFormat(Qt.TextFormat.PlainText)
        self.run = QPushButton("Run on the desktop", self)
        self.run.setProperty("kind", "primary")
        self.run.setToolTip("Each step passes the gate, as in any run (Ctrl+Return)")
        self.run.clicked.connect(self._want_run)
        self._pause = QTimer(self, singleShot=True, interval=CHECK_MS)
        self._pause.timeout.connect(lambda: self._spawn(self.look_over()))
        self.editor.textChanged.connect(self._pause.start)
        self.editor.run_wanted.connect(self._want_run)
        self._lay_out()
        self._pause.start()
        self._spawn(self._learn())

    async def look_over(self) -> None:
        """Say what is wrong with the program as it stands, without running it."""
        said = await self._desk.check(self.editor.toPlainText())
        if isValid(self):
            self.problem.setText(said or "It can be run.")
            self.run.setEnabled(not said)

    async def _learn(self) -> None:
        """The tools of servers can be completed once the servers have told them."""
        names = await self._desk.server_names()
        if isValid(self):
            self.editor.learn(names)

    def show_end(self, event: RunEnded) -> None:
        """The value first, then the whole Step."""
        step = event.step
        lines = [f"{step.fail.reason}: {step.fail.message}" if step.fail else _shown(step.return_), ""]
        lines.append(json.dumps(step.to_json(), indent=2, ensure_ascii=False))
        self.told.setPlainText("\n".join(lines))

    def _want_run(self) -> None:
        if self.run.isEnabled() and self.editor.toPlainText().strip():
            self.run_wanted.emit(self.editor.toPlainText())

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 16)
        layout.setSpacing(10)
        sides = QSplitter(Qt.Orientation.Horizontal, self)
        sides.setChildrenCollapsible(False)
        sides.addWidget(self.editor)
        sides.addWidget(self.told)
        sides.setSizes([520, 340])
        layout.addWidget(sides, 1)
        foot = QHBoxLayout()
        foot.addWidget(self.problem, 1)
        foot.addWidget(self.run)
        layout.addLayout(foot)


class ProgramEditor(QPlainTextEdit):
    """Completes the names of functions and tools; Ctrl+Space lists them, Ctrl+Return runs."""

    run_wanted = Signal()

    def __init__(self, names: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFont(mono_font())
        self.setTabChangesFocus(True)
        self.setAccessibleName("Program")
        self._names = QStringListModel(list(names), self)
        self.completer = QCompleter(self._names, self)
        self.completer.setWidget(self)
        self.completer.activated.connect(self._complete)
        self.popup = QListView(self)
        self.completer.setPopup(self.popup)

    def learn(self, names: Sequence[str]) -> None:
        """Complete these as well."""
        self._names.setStringList([*self._names.stringList(), *names])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        popup, key = self.popup, event.key()
        enter = key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if popup.isVisible() and (enter or key in (Qt.Key.Key_Escape, Qt.Key.Key_Tab)):
            event.ignore()
            return
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if enter:
                self.run_wanted.emit()
                return
            if key == Qt.Key.Key_Space:
                self._offer(0)
                return
        super().keyPressEvent(event)
        if event.text().strip():
            self._offer(LONGEST_NAME)
        else:
            popup.hide()

    def word(self) -> str:
        """What stands before the cursor, back to the last bracket or space."""
        cursor = self.textCursor()
        line = cursor.block().text()[: cursor.positionInBlock()]
        place = max(line.rfind(mark) for mark in "([{ '#\"")
        return line[place + 1 :]

    def _offer(self, least: int) -> None:
        word = self.word()
        self.completer.setCompletionPrefix(word)
        if len(word) < least or self.completer.completionCount() == 0 or self.completer.currentCompletion() == word:
            self.popup.hide()
            return
        area = self.cursorRect()
        area.setWidth(260)
        self.completer.complete(area)

    def _complete(self, name: str) -> None:
        cursor = self.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, len(self.word()))
        cursor.insertText(name)
        self.setTextCursor(cursor)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
