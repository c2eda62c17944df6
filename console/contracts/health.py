"""What was found out about a part of the machine that a run needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Health = Literal["ok", "warn", "bad"]
MARKS: dict[Health, str] = {"ok": "✓", "warn": "!", "bad": "✕"}


@dataclass(frozen=True)
class Finding:
    """One line of the doctor. `bad` means that a run could not work; `mend` says what to do."""

    part: str
    health: Health
    text: str
    mend: str = ""

    @property
    def mark(self) -> str:
        return MARKS[self.health]
