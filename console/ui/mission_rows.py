"""The rows that tell of a mission: its plan, step by step, with what is done of it."""

from __future__ import annotations

from console.contracts.events import ChecklistChanged

from .rows import Row


def checklist_rows(event: ChecklistChanged, depth: int) -> list[Row]:
    """One for each step of the plan."""
    return [
        Row(
            "note",
            item.text,
            "✓" if item.done else "○",
            "ok" if item.done else "",
            item.note or ("done" if item.done else "not done yet"),
            event=event,
            depth=depth,
        )
        for item in event.items
    ]
