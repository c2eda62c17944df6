"""What came of one step."""

from __future__ import annotations

from dataclasses import dataclass

from console.contracts.moves import AttemptRecord
from console.contracts.step import Step


@dataclass(frozen=True)
class StepOutcome:
    """The record of a step and what it means for the rest of the batch; `step` is the answer of a program."""

    record: AttemptRecord
    recoverable: bool = True
    denied: bool = False
    focus_moved: str | None = None
    step: Step | None = None
