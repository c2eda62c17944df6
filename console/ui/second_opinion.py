"""Puts a past decision to another planner and shows both answers side by side. Nothing is done on the desktop."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from console.contracts.errors import ConsoleError
from console.core.moments import Moment, SecondOpinion, move_lines

from .goal_bar import PlannerChoice

Ask = Callable[[Moment, str], Awaitable[SecondOpinion]]
Spawn = Callable[[Coroutine[Any, Any, None]], None]
NOTE = "The planner is given what was on the screen then. Nothing is done on the desktop."


class SecondOpinionDialog(QDialog):
    """Opened, not executed. The moment can be changed to any decision of the run."""

    def __init__(
        self,
        moments: Sequence[Moment],
        chosen: int,
        planners: Sequence[PlannerChoice],
        ask: Ask,
        spawn: Spawn,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Ask another planner")
        self.resize(860, 480)
        self._moments, self._ask, self._spawn = moments, ask, spawn
        self.turn = QComboBox(self)
        self.turn.setAccessibleName("Decision")
        for moment in moments:
            self.turn.addItem(f"Turn {moment.turn}: {_short(moment.move.headline())}")
        self.planner = QComboBox(self)
        self.planner.setAccessibleName("Planner to ask")
        for choice in planners:
            self.planner.addItem(choice.title, choice.name)
        self.button = QPushButton("Ask", self)
        self.button.setProperty("kind", "primary")
        self.then_head, self.then = QLabel(self), _text("What was decided then", self)
        self.now_head, self.now = QLabel("Now", self), _text("What the planner says now", self)
        self._lay_out()
        self.turn.currentIndexChanged.connect(self._show_then)
        self.button.clicked.connect(lambda: self._spawn(self.put()))
        self.turn.setCurrentIndex(max(0, min(chosen, len(moments) - 1)))
        self._show_then()

    @property
    def moment(self) -> Moment:
        return self._moments[self.turn.currentIndex()]

    async def put(self) -> None:
        """Ask the chosen planner; the window goes on meanwhile."""
        moment, name = self.moment, self.planner.currentData()
        self.button.setEnabled(False)
        self._say_now(f"{self.planner.currentText()} · asking…", "")
        try:
            opinion = await self._ask(moment, name)
        except ConsoleError as error:
            opinion = SecondOpinion(name, None, error.sentence())
        if not isValid(self):
            return
        self.button.setEnabled(True)
        if moment is self.moment:
            self._show_now(moment, opinion)

    def _show_then(self) -> None:
        moment = self.moment
        self.then_head.setText(f"Then · {moment.planner or 'planner'} · {moment.duration_ms / 1000:.1f} s")
        self.then.setPlainText("\n".join(move_lines(moment.move, moment.view)))
        self._say_now("Now", "")

    def _show_now(self, moment: Moment, opinion: SecondOpinion) -> None:
        parts = ["Now", opinion.planner, f"{opinion.duration_ms / 1000:.1f} s", opinion.spent.words()]
        if opinion.move is not None and opinion.move == moment.move:
            parts.append("the same")
        words = "\n".join(move_lines(opinion.move, moment.view)) if opinion.move else opinion.problem
        self._say_now(" · ".join(part for part in parts if part), words)

    def _say_now(self, head: str, words: str) -> None:
        self.now_head.setText(head)
        self.now.setPlainText(words)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 16)
        layout.setSpacing(10)
        top = QHBoxLayout()
        top.addWidget(self.turn, 1)
        top.addWidget(self.planner)
        top.addWidget(self.button)
        layout.addLayout(top)
        note = QLabel(NOTE, self)
        note.setProperty("kind", "small")
        layout.addWidget(note)
        sides = QHBoxLayout()
        sides.setSpacing(12)
        for head, text in ((self.then_head, self.then), (self.now_head, self.now)):
            side = QFrame(self)
            column = QVBoxLayout(side)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(4)
            head.setProperty("kind", "heading")
            head.setTextFormat(Qt.TextFormat.PlainText)
            column.addWidget(head)
            column.addWidget(text, 1)
            sides.addWidget(side, 1)
        layout.addLayout(sides, 1)


def _text(name: str, parent: QWidget) -> QPlainTextEdit:
    text = QPlainTextEdit(parent)
    text.setReadOnly(True)
    text.setAccessibleName(name)
    return text


def _short(words: str) -> str:
    flat = " ".join(words.split())
    return flat if len(flat) <= 70 else flat[:69] + "…"
