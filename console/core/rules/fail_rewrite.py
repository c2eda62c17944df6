"""Reads a Fail whose words claim success as a Done, which the grader then judges."""

from __future__ import annotations

import re
from collections.abc import Sequence

from console.contracts.moves import AttemptRecord

_COMPLETED = re.compile(
    r"\b(the )?(goal|task|request|objective)( has( already)? been| is| was)( now| already)? "
    r"(successfully )?(accomplished|completed?|done|achieved|fulfilled|finished)\b"
    r"|\bsuccessfully (completed|accomplished|finished) the (goal|task|request)\b"
    r"|\bnothing (more|else|left) to do\b",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\b(not|never|cannot|can't|could ?n[o']t|unable|fail(ed|s)?|denied|error|isn't|wasn't|hasn't|without)\b",
    re.IGNORECASE,
)


def reads_as_success(reason: str, history: Sequence[AttemptRecord]) -> bool:
    """Only an explicit claim of completion counts, and only if something has succeeded."""
    if not any(record.succeeded for record in history):
        return False
    return bool(_COMPLETED.search(reason)) and not _DENIES.search(reason)
