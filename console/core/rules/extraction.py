"""Gives up on a value that could not be read three times, so that the run lives."""

from __future__ import annotations

from collections import Counter

from console.contracts.actions import AnyAction, ExtractWithFallback
from console.contracts.moves import AttemptRecord, NextActionHint

TRIES = 3


class ExtractionBudget:
    """Counts failures for each name over the whole run."""

    def __init__(self) -> None:
        self._failures: Counter[str] = Counter()
        self._abandoned: set[str] = set()

    def failed(self, action: AnyAction) -> AttemptRecord | None:
        """The record that says to stop, once, or None."""
        if not isinstance(action, ExtractWithFallback):
            return None
        self._failures[action.name] += 1
        if self._failures[action.name] < TRIES or action.name in self._abandoned:
            return None
        self._abandoned.add(action.name)
        return AttemptRecord(
            step_purpose=f"extraction_budget:{action.name}",
            action=action,
            succeeded=False,
            error=f"“{action.name}” could not be read {TRIES} times. It is left empty; go on without it.",
            next_action_hint=NextActionHint.DIFFERENT_ACTION,
        )
