"""The timeline column: a heading, and the rows of the run."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListView,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from console.contracts.events import RunEvent

from ..run_model import Row
from .delegate import ROW_HEIGHT, RowDelegate
from .model import TimelineModel

FLUSH_MS, TICK_MS = 30, 1000
EMPTY = "Nothing has been run yet.\n\nWrite a goal above, one instruction a line, and press Run."


class TimelinePanel(QFrame):
    """Takes events, says which row is chosen. Follows the tail only while one is there."""

    row_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("column")
        self.model = TimelineModel(self)
        self._waiting: list[RunEvent] = []
        self._heading = QLabel("Timeline", self)
        self._heading.setProperty("kind", "heading")
        self.view = QListView(self)
        self.view.setModel(self.model)
        self.view.setItemDelegate(RowDelegate(self.view))
        self.view.setUniformItemSizes(True)
        self.view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setAccessibleName("Timeline of attempts")
        self.view.verticalScrollBar().setSingleStep(ROW_HEIGHT)
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
        self._flush = QTimer(self, interval=FLUSH_MS, singleShot=True)
        self._flush.timeout.connect(self.flush)
        self._tick = QTimer(self, interval=TICK_MS)
        self._tick.timeout.connect(self._say_now)
        self.view.selectionModel().currentChanged.connect(self._chosen)
        self._tail = True
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
            self._flush.start()

    def flush(self) -> None:
        """Show everything that has come in."""
        if not self._waiting:
            return
        follow = self._tail and self.following
        events, self._waiting = self._waiting, []
        self.model.take(events)
        self._say()
        if follow:
            self.to_latest()
        else:
            self.latest.setVisible(True)

    def load(self, events: Iterable[RunEvent]) -> None:
        """Show another run, from its first event."""
        self._waiting = []
        self.model.reset()
        self.model.take(events)
        self._say()
        self.to_latest()

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
        layout.addLayout(head)
        layout.addWidget(self._empty, 1)
        layout.addWidget(self.view, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(14, 0, 14, 0)
        foot.addStretch(1)
        foot.addWidget(self.latest)
        layout.addLayout(foot)
