"""The elements of a view as lines of a table."""

from __future__ import annotations

from PySide6.QtCore import QObject

from console.contracts.view import PlanningElement

from ..lines_model import LinesModel
from ..tips import plain_tip

HEADINGS = ("", "Kind", "Label and state")


def elements_model(parent: QObject | None = None) -> LinesModel[PlanningElement]:
    """Number, kind, and what it is called, in the order in which the planner was given them."""
    return LinesModel(HEADINGS, lambda place, e: (str(place), e.element_type, words(e)), _tip, parent)


def _tip(element: PlanningElement) -> str:
    return plain_tip(words(element), element.context or "", element.window or "", element.id)


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
