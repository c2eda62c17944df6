"""What one call of a computer-use model means: steps to do, a look, an end, a question, or something not possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from console.contracts.actions import AnyAction


@dataclass(frozen=True)
class Acts:
    """To be done on the desktop. `caution` is a check of the provider that a person has to see first."""

    actions: Sequence[AnyAction]
    caution: str | None = None


@dataclass(frozen=True)
class Looks:
    """Answered with the present picture and `words`; nothing is done."""

    words: str = "This is the screen now."


@dataclass(frozen=True)
class Ends:
    """The model says that the goal is reached."""

    summary: str


@dataclass(frozen=True)
class GivesUp:
    reason: str


@dataclass(frozen=True)
class Asks:
    """A question to the person."""

    question: str
    candidates: tuple[str, ...] = ()


Said = Acts | Looks | Ends | GivesUp | Asks
