"""The rows of a run as a Qt model; new ones arrive in bunches, and the last one may say what is going on now."""

from __future__ import annotations

import time
from collections import deque
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from console.contracts.events import RunEvent, RunPhase

from ..model_rows import latest, waiting
from ..rows import Row
from ..run_model import RunModel
from ..tips import plain_tip

ROW = Qt.ItemDataRole.UserRole + 1
_BUSY = (RunPhase.LOOKING, RunPhase.PLANNING, RunPhase.CHECKING, RunPhase.SETTLING)
_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class TimelineModel(QAbstractListModel):
    """Holds nothing that the events could not rebuild."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.run = RunModel()
        self._shown = 0
        self.now: Row | None = None

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else self._shown + (self.now is not None)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index.row()) if index.isValid() else None
        if row is None:
            return None
        if role == ROW:
            return row
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.DisplayRole):
            return row.spoken()
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(row.title, row.detail, row.clock)
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        row = self.row(index.row()) if index.isValid() else None
        if row is None:
            return Qt.ItemFlag.NoItemFlags
        if row.kind == "group" or row is self.now:
            return Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def row(self, place: int) -> Row | None:
        if place == self._shown:
            return self.now
        return self.run.rows[place] if 0 <= place < self._shown else None

    @property
    def last_attempt(self) -> int:
        """The place of the last row that can be chosen, -1 if there is none."""
        place = self._shown - 1
        while place >= 0 and self.run.rows[place].kind == "group":
            place -= 1
        return place

    def take(self, events: deque[RunEvent], seconds: float) -> deque[RunEvent]:
        """Take events in for so long, and show what they add at once. The answer is the rest."""
        changed: set[int] = set()
        end = time.monotonic() + seconds
        while events:
            changed.update(self.run.apply(events.popleft()))
            if time.monotonic() > end:
                break
        self._show(changed)
        return events

    def close(self) -> None:
        """No more events will come."""
        if not self.run.phase.ended:
            self.run.phase = RunPhase.INTERRUPTED
        self._show(set(self.run.close_open()))
        self._set_now(None)

    def tick(self) -> None:
        """Say what is going on now, and for how long."""
        run = self.run
        if run.phase not in _BUSY:
            self._set_now(None)
            return
        seconds = max(0, int(time.time() - run.phase_since_ms / 1000))
        words = f"{run.phase.value}…" + (f" {seconds} s" if seconds else "")
        self._set_now(waiting(run.wait) or Row("note", words, "…", "accent", latest(run.words) or run.phase_detail))

    def reset(self) -> None:
        self.beginResetModel()
        self.run = RunModel()
        self._shown, self.now = 0, None
        self.endResetModel()

    def _show(self, changed: set[int]) -> None:
        for place in changed:
            if place < self._shown:
                index = self.index(place)
                self.dataChanged.emit(index, index)
        if len(self.run.rows) > self._shown:
            self.beginInsertRows(QModelIndex(), self._shown, len(self.run.rows) - 1)
            self._shown = len(self.run.rows)
            self.endInsertRows()

    def _set_now(self, row: Row | None) -> None:
        had = self.now is not None
        if row is None and had:
            self.beginRemoveRows(QModelIndex(), self._shown, self._shown)
            self.now = None
            self.endRemoveRows()
        elif row is not None and not had:
            self.beginInsertRows(QModelIndex(), self._shown, self._shown)
            self.now = row
            self.endInsertRows()
        elif row != self.now:
            self.now = row
            index = self.index(self._shown)
            self.dataChanged.emit(index, index)
