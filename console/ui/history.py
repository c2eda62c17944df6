"""Past runs: find one, look at it again, go on with it, write a report."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from console.contracts.errors import ConsoleError
from console.contracts.events import RunPhase
from console.contracts.store import RunSummary

from .lines_model import LinesModel
from .tips import plain_tip

Finder = Callable[[str], Awaitable[Sequence[RunSummary]]]
HEADINGS = ("When", "Goal", "State", "Attempts", "Result")
SEARCH_MS, SHOWN = 180, 90


def runs_model(parent: QObject | None = None) -> LinesModel[RunSummary]:
    """Lines of the history."""
    return LinesModel(HEADINGS, _words, lambda run: plain_tip(run.goal, run.summary), parent)


def _words(_: int, run: RunSummary) -> tuple[str, ...]:
    when = datetime.fromtimestamp(run.started_at_ms / 1000).astimezone().strftime("%d %b %H:%M")
    goal = " · ".join(line.strip() for line in run.goal.splitlines() if line.strip())
    return when, goal, run.phase.value, str(run.attempts), " ".join(run.summary.split())


def shortened(words: str) -> str:
    return words if len(words) <= SHOWN else f"{words[: SHOWN - 1]}…"


class HistoryDialog(QDialog):
    """Opened, not executed. Says what the operator wants to do with a run."""

    open_wanted = Signal(str)
    resume_wanted = Signal(str)
    export_wanted = Signal(str)
    delete_wanted = Signal(str)

    def __init__(self, find: Finder, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Past runs")
        self.resize(820, 460)
        self._find = find
        self._task: asyncio.Task[None] | None = None
        self.search = QLineEdit(self)
        self.search.setPlaceholderText("Search in goals and results")
        self.search.setClearButtonEnabled(True)
        self.model = runs_model(self)
        self.table = QTableView(self)
        self.table.setModel(self.model)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.verticalHeader().hide()
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.setAccessibleName("Past runs")
        header = self.table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(4, QHeaderView.ResizeMode.Stretch)
        self._empty = QLabel("No run is recorded yet. Every run is kept here, with its pictures.", self)
        self._empty.setProperty("kind", "muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._open, self._resume, self._export = (QPushButton(t, self) for t in ("Open", "Resume", "Export…"))
        self._open.setProperty("kind", "primary")
        self._delete = QPushButton("Delete…", self)
        self._timer = QTimer(self, interval=SEARCH_MS, singleShot=True)
        self._timer.timeout.connect(self.refresh)
        self.search.textChanged.connect(lambda _: self._timer.start())
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._choose())
        self.table.doubleClicked.connect(lambda _: self._say(self.open_wanted))
        self._open.clicked.connect(lambda: self._say(self.open_wanted))
        self._resume.clicked.connect(lambda: self._say(self.resume_wanted))
        self._export.clicked.connect(lambda: self._say(self.export_wanted, close=False))
        self._delete.clicked.connect(self._ask_to_delete)
        self._lay_out()
        self._choose()

    def refresh(self) -> None:
        """Look again, by what is in the search field."""
        if self._task is not None:
            self._task.cancel()
        self._task = asyncio.ensure_future(self._load(self.search.text()))

    def chosen(self) -> RunSummary | None:
        rows = self.table.selectionModel().selectedRows()
        return self.model.items[rows[0].row()] if rows else None

    async def _load(self, words: str) -> None:
        try:
            runs = await self._find(words)
        except ConsoleError as error:
            self._empty.setText(error.sentence())
            runs = ()
        else:
            self._empty.setText("Nothing matches." if words else "No run is recorded yet. Every run is kept here.")
        self.model.show(runs)
        self.table.setVisible(bool(runs))
        self._empty.setVisible(not runs)
        if runs:
            self.table.selectRow(0)
        self._choose()

    def _choose(self) -> None:
        run = self.chosen()
        self._open.setEnabled(run is not None)
        self._export.setEnabled(run is not None)
        self._delete.setEnabled(run is not None and run.phase.ended)
        self._resume.setEnabled(run is not None and run.phase is RunPhase.INTERRUPTED)

    def _say(self, signal: Any, close: bool = True) -> None:
        run = self.chosen()
        if run is not None:
            signal.emit(run.run_id)
            if close:
                self.accept()

    def _ask_to_delete(self) -> None:
        """Asks first; nothing waits for the answer."""
        run = self.chosen()
        if run is None:
            return
        box = QMessageBox(QMessageBox.Icon.NoIcon, "Delete a run", "Delete this run and its pictures?", parent=self)
        box.setTextFormat(Qt.TextFormat.PlainText)
        when, goal, *_ = _words(0, run)
        box.setInformativeText(f"{when} · {shortened(goal)}\n\nIt cannot be brought back.")
        delete = box.addButton("Delete", QMessageBox.ButtonRole.DestructiveRole)
        delete.setProperty("kind", "stop")
        delete.style().polish(delete)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        delete.clicked.connect(lambda: self.delete_wanted.emit(run.run_id))
        box.open()

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addWidget(self.search)
        layout.addWidget(self.table, 1)
        layout.addWidget(self._empty, 1)
        row = QHBoxLayout()
        row.addWidget(self._delete)
        row.addStretch(1)
        for button in (self._export, self._resume, self._open):
            row.addWidget(button)
        for button in (self._delete, self._export, self._resume, self._open):
            button.setAutoDefault(False)
        layout.addLayout(row)
