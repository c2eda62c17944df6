"""The rows of a run as a Qt model; new ones arrive in bunches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from console.contracts.events import RunEvent

from ..run_model import Row, RunModel

ROW = Qt.ItemDataRole.UserRole + 1
_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class TimelineModel(QAbstractListModel):
    """Holds nothing that the events could not rebuild."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.run = RunModel()
        self._shown = 0

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else self._shown

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= self._shown:
            return None
        row = self.run.rows[index.row()]
        if role == ROW:
            return row
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.DisplayRole):
            return row.spoken()
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join(part for part in (row.title, row.detail, row.clock) if part)
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        row = self.run.rows[index.row()] if index.isValid() else None
        if row is None or row.kind == "group":
            return Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def row(self, place: int) -> Row | None:
        return self.run.rows[place] if 0 <= place < self._shown else None

    def take(self, events: Iterable[RunEvent]) -> None:
        """Take the events in and show what they add, at once."""
        changed: set[int] = set()
        for event in events:
            changed.update(self.run.apply(event))
        for place in changed:
            if place < self._shown:
                index = self.index(place)
                self.dataChanged.emit(index, index)
        if len(self.run.rows) > self._shown:
            self.beginInsertRows(QModelIndex(), self._shown, len(self.run.rows) - 1)
            self._shown = len(self.run.rows)
            self.endInsertRows()

    def reset(self) -> None:
        self.beginResetModel()
        self.run = RunModel()
        self._shown = 0
        self.endResetModel()
