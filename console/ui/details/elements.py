"""The elements of a view as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from console.contracts.view import PlanningElement

from ..tips import plain_tip

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
HEADINGS = ("", "Kind", "Label and state")


class ElementsModel(QAbstractTableModel):
    """Number, kind, and what it is called, in the order in which the planner was given them."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.elements: Sequence[PlanningElement] = ()

    def show(self, elements: Sequence[PlanningElement]) -> None:
        self.beginResetModel()
        self.elements = elements
        self.endResetModel()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.elements)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return len(HEADINGS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return HEADINGS[section]
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        element = self.elements[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return (str(index.row() + 1), element.element_type, words(element))[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(words(element), element.context or "", element.window or "", element.id)
        return None


def words(element: PlanningElement) -> str:
    """The label, the value and what is special about its state."""
    state = element.state
    parts = [element.label or "", f"= {element.value}" if element.value else ""]
    parts += [
        word
        for word, on in (("focused", state.focused), ("selected", state.selected), ("greyed out", not state.enabled))
        if on
    ]
    if state.checked is not None:
        parts.append("ticked" if state.checked else "not ticked")
    return " · ".join(" ".join(part.split()) for part in parts if part)
