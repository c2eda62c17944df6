"""A line of the timeline as a value; no Qt in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from console.contracts.events import ActionIntended, Observed, Stamp

Tone = Literal["", "ok", "warn", "danger", "ask", "accent"]
RowKind = Literal["group", "attempt", "note"]
EFFECTS: dict[str, Tone] = {"observed": "ok", "timed_out": "danger", "contradicted": "danger", "not_checked": ""}
WENT_WELL: tuple[str, Tone] = ("✓", "ok")
MISSED: tuple[str, Tone] = ("!", "warn")
FAILED: tuple[str, Tone] = ("✕", "danger")
_SPOKEN = {
    "✓": "Done",
    "✕": "Failed",
    "?": "Question",
    "!": "Attention",
    "■": "Stopped",
    "▸": "Now",
    "…": "Busy",
    "○": "To do",
}
ENDS: dict[str, tuple[str, Tone]] = {
    "succeeded": ("✓", "ok"),
    "failed": ("✕", "danger"),
    "refused": ("?", "ask"),
    "stopped": ("■", "warn"),
}


@dataclass(frozen=True)
class Chip:
    text: str
    tone: Tone = ""


@dataclass(frozen=True)
class Row:
    """One line of the timeline, `depth` levels inside a program. `event` is what the details show, `seen` what the
    planner saw when it was decided; `waits` says that the operator is asked right now."""

    kind: RowKind
    title: str
    mark: str = ""
    tone: Tone = ""
    detail: str = ""
    chips: tuple[Chip, ...] = ()
    right: str = ""
    clock: str = ""
    attempt_id: str = ""
    event: Stamp | None = None
    intent: ActionIntended | None = None
    seen: Observed | None = None
    waits: bool = False
    depth: int = 0

    def spoken(self) -> str:
        """The row for a screen reader."""
        chips = ", ".join(chip.text for chip in self.chips)
        parts = (_SPOKEN.get(self.mark, ""), self.title, self.detail, chips, self.right, self.clock)
        return ". ".join(part for part in parts if part)
