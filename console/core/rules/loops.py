"""Notices that the same action is done again and again without getting anywhere."""

from __future__ import annotations

from enum import Enum

from console.contracts.actions import AnyAction, Scroll, Wait
from console.contracts.moves import AttemptRecord, NextActionHint

SAME_FAILURES = 3
WARN_AFTER, ASK_AFTER = 3, 5


class LoopVerdict(Enum):
    FINE = "fine"
    WARN = "warn"
    ASK = "ask"
    END = "end"


class LoopWatch:
    """Counts equal dispatched actions in a row: three equal failures end the run; equal successes on a screen
    that stays the same are warned of after three and put to the operator after five."""

    def __init__(self) -> None:
        self._last_failure = ""
        self._failures = 0
        self._last_success = ("", "")
        self._successes = 0

    def saw(self, action: AnyAction, *, succeeded: bool, looks: str) -> LoopVerdict:
        key = action.model_dump_json()
        if not succeeded:
            self._failures = self._failures + 1 if key == self._last_failure else 1
            self._last_failure = key
            return LoopVerdict.END if self._failures >= SAME_FAILURES else LoopVerdict.FINE
        self._failures, self._last_failure = 0, ""
        if isinstance(action, Wait | Scroll):
            return LoopVerdict.FINE
        self._successes = self._successes + 1 if (key, looks) == self._last_success else 1
        self._last_success = (key, looks)
        if self._successes == WARN_AFTER:
            return LoopVerdict.WARN
        return LoopVerdict.ASK if self._successes and self._successes % ASK_AFTER == 0 else LoopVerdict.FINE

    def forget_failures(self) -> None:
        """An abandoned extraction is no loop."""
        self._failures, self._last_failure = 0, ""

    @property
    def successes(self) -> int:
        return self._successes


def warning(action: AnyAction, times: int) -> AttemptRecord:
    """What the planner reads when it repeats itself."""
    return AttemptRecord(
        step_purpose="loop_warning",
        action=action,
        succeeded=False,
        error=f"The same action was done {times} times and the screen stays the same. Do something else.",
        next_action_hint=NextActionHint.DIFFERENT_ACTION,
    )
