"""The exit codes, and which one the end of a run is."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from console.contracts.events import RunEnded


class Exit(IntEnum):
    """What the shell is told."""

    SUCCEEDED = 0
    FAILED = 1
    WRONG_USE = 2
    REFUSED = 3
    STOPPED = 4
    NO_DESKTOP = 5


def exit_of(ended: RunEnded) -> Exit:
    """A run that failed because the operator denied what it needed counts as refused."""
    if ended.end == "failed" and ended.denied:
        return Exit.REFUSED
    return {
        "succeeded": Exit.SUCCEEDED,
        "failed": Exit.FAILED,
        "refused": Exit.REFUSED,
        "stopped": Exit.STOPPED,
    }[ended.end]


class WrongUse(Exception):
    """The arguments cannot be used; the sentence says which and what would do."""
