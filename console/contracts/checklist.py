"""A plan as a list of steps that are ticked off while it is carried out."""

from __future__ import annotations

from .base import Value


class ChecklistItem(Value):
    """One step of a plan; `note` says what came of it, once it is done."""

    id: str
    text: str
    done: bool = False
    note: str = ""
