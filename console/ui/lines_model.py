"""Lines of words under headings, as a Qt model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

T = TypeVar("T")
_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class LinesModel(QAbstractTableModel, Generic[T]):
    """Shows `items`; `words` gives the texts of one for its columns (with its place from 1), `tip` more about it."""

    def __init__(
        self,
        headings: Sequence[str],
        words: Callable[[int, T], Sequence[str]],
        tip: Callable[[T], str],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.items: Sequence[T] = ()
        self._headings, self._words, self._tip = headings, words, tip

    def show(self, items: Sequence[T]) -> None:
        self.beginResetModel()
        self.items = items
        self.endResetModel()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.items)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return len(self._headings)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return self._headings[section]
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        item = self.items[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._words(index.row() + 1, item)[index.column()]
        return self._tip(item) if role == Qt.ItemDataRole.ToolTipRole else None
