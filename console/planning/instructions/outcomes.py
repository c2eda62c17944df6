"""What planning one instruction can come to."""

from __future__ import annotations

from dataclasses import dataclass

from console.contracts.moves import BatchStep, Clarify


@dataclass(frozen=True)
class Act:
    """Steps to take now. After `quiet` ones the screen is still as it was seen, so more may follow in the batch."""

    steps: tuple[BatchStep, ...]
    quiet: bool = False


@dataclass(frozen=True)
class Finished:
    """Nothing is left to do for it."""


@dataclass(frozen=True)
class Lacking:
    """Something is not there yet. `near` and `alike` are labels for “did you mean”; `limit_ms` replaces the usual
    wait; with `ask` false the end of the wait is a failure with the sentence `otherwise`."""

    words: str
    near: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()
    limit_ms: int | None = None
    ask: bool = True
    otherwise: str = ""


@dataclass(frozen=True)
class Query:
    """Only the operator knows."""

    clarify: Clarify


@dataclass(frozen=True)
class GiveUp:
    reason: str


Outcome = Act | Finished | Lacking | Query | GiveUp


class Halt(Exception):
    """Ends the planning of an instruction with this outcome."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome)
        self.outcome = outcome
