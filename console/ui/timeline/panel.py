"""The timeline column: a heading, and the rows of the run."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Iterable

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from console.contracts.events import RunEvent

from ..rows import Row
from .delegate import ROW_HEIGHT, RowDelegate
from .model import TimelineModel

FLUSH_MS, BEHIND_MS, FLUSH_S, TICK_MS, MANY = 30, 4, 0.008, 1000, 200
SPARE_EVERY = 500
EMPTY = """Nothing has been run yet.

Write a goal above and press Run: one instruction a line, or, if a model plans, in words of your own."""


class TimelinePanel(QFrame):
    """Takes events, says which row is chosen. Follows the tail only while one is there."""

    row_chosen = Signal(object)
    caught_up = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("column")
        self.model = TimelineModel(self)
        self._waiting: deque[RunEvent] = deque()
        self._heading = QLabel("Timeline", self)
        self._heading.setProperty("kind", "heading")
        self._spent = QLabel("", self)
        self._spent.setProperty("kind", "small")
        self._spent.setToolTip("What the models of this run have used so far")
        self.view = _rows_view(self)
        self.view.setModel(self.model)
        self._empty = QLabel(EMPTY, self)
        self._empty.setProperty("kind", "muted")
        self._empty.setWordWrap(True)
        self._empty.setContentsMargins(14, 6, 14, 0)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.latest = QPushButton("Jump to latest ↓", self)
        self.latest.setProperty("kind", "link")
        self.latest.clicked.connect(self.to_latest)
        self.latest.hide()
        self._lay_out()
        self._flush = QTimer(self, singleShot=True)
        self._flush.timeout.connect(self._slice)
        self._tick = QTimer(self, interval=TICK_MS)
        self._tick.timeout.connect(self._say_now)
        self.view.selectionModel().currentChanged.connect(self._chosen)
        self._tail = True
        self._spared = 0
        self.view.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.view.verticalScrollBar().rangeChanged.connect(self._keep_tail)
        self._say()

    @property
    def at_tail(self) -> bool:
        bar = self.view.verticalScrollBar()
        return bar.value() >= bar.maximum() - ROW_HEIGHT

    @property
    def following(self) -> bool:
        """The last row is the chosen one."""
        return self.view.currentIndex().row() >= self.model.last_attempt

    def show_event_of_run(self, event: RunEvent) -> None:
        """Take one event; rows are added in bunches."""
        self._waiting.append(event)
        if not self._flush.isActive():
            self._flush.start(FLUSH_MS)

    def flush(self) -> None:
        """Show everything that has come in, at once."""
        self._flush.stop()
        while self._waiting:
            self._take(FLUSH_S * 100)
        self.caught_up.emit()

    def load(self, events: Iterable[RunEvent]) -> None:
        """Show another run from its first event, a slice at a time; `caught_up` says when all is there."""
        self.model.reset()
        self._tail = True
        self._waiting = deque(events)
        self._slice()

    @property
    def behind(self) -> bool:
        """Whether there are events that are not shown yet."""
        return bool(self._waiting)

    def _slice(self) -> None:
        """As much as keeps the window moving."""
        self._take(FLUSH_S)
        if self._waiting:
            self._flush.start(BEHIND_MS)
        else:
            self.caught_up.emit()

    def _take(self, seconds: float) -> None:
        follow = self._tail and self.following
        self._waiting = self.model.take(self._waiting, seconds)
        self._spare_the_collector()
        self._say()
        if self._waiting and len(self._waiting) > MANY:
            return
        if follow:
            self.to_latest()
        else:
            self.latest.setVisible(True)

    def _spare_the_collector(self) -> None:
        """The events of a run stay for as long as the window: looking through all of them again and again for
        garbage would hold the window up for a third of a second at twenty thousand rows."""
        rows = self.model.rowCount()
        if abs(rows - self._spared) >= SPARE_EVERY:
            self._spared = rows
            gc.freeze()

    def close_run(self) -> None:
        """No more events will come."""
        self.flush()
        self.model.close()
        self._say()

    def to_latest(self) -> None:
        self.view.scrollToBottom()
        self.latest.hide()
        last = self.model.last_attempt
        if last >= 0:
            index = self.model.index(last)
            same = self.view.currentIndex() == index
            self.view.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.view.scrollToBottom()  # what is current was scrolled to, and there may be a row after it
            if same:
                self._chosen(index)

    def chosen(self) -> Row | None:
        return self.model.row(self.view.currentIndex().row())

    def _chosen(self, index: QModelIndex, _: QModelIndex | None = None) -> None:
        row = self.model.row(index.row())
        if row is not None and row.kind != "group" and row is not self.model.now:
            self.row_chosen.emit(row)

    def _scrolled(self) -> None:
        self._tail = self.at_tail
        if self._tail and self.following:
            self.latest.hide()

    def _keep_tail(self) -> None:
        """Rows came, or the column got another height: whoever was at the tail stays there."""
        if self._tail:
            self.view.scrollToBottom()

    def _say(self) -> None:
        run = self.model.run
        count = run.attempts
        self._heading.setText(f"Timeline · {count} attempt{'' if count == 1 else 's'}" if count else "Timeline")
        spent = run.spent.words()
        self._spent.setText(spent)
        self._spent.setVisible(bool(spent))
        self._empty.setVisible(not run.goal)
        self.view.setVisible(bool(run.goal))
        self._say_now()

    def _say_now(self) -> None:
        self.model.tick()
        if self.model.now is None:
            self._tick.stop()
        elif not self._tick.isActive():
            self._tick.start()

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 6)
        layout.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(14, 10, 14, 2)
        head.addWidget(self._heading)
        head.addStretch(1)
        head.addWidget(self._spent)
        layout.addLayout(head)
        layout.addWidget(self._empty, 1)
        layout.addWidget(self.view, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(14, 0, 14, 0)
        foot.addStretch(1)
        foot.addWidget(self.latest)
        layout.addLayout(foot)


def _rows_view(parent: QWidget) -> QTableView:
    """A table of one column: unlike a list it does not ask the model about every row when one is added."""
    view = QTableView(parent)
    view.setItemDelegate(RowDelegate(view))
    view.horizontalHeader().hide()
    view.horizontalHeader().setStretchLastSection(True)
    view.verticalHeader().hide()
    view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    view.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
    view.setShowGrid(False)
    view.setTabKeyNavigation(False)
    view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.verticalScrollBar().setSingleStep(ROW_HEIGHT)
    view.setAccessibleName("Timeline of attempts")
    return view
