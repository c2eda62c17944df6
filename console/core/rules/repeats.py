"""Refuses to repeat exactly what failed while nothing has changed, and ends a planner that offers nothing else."""

from __future__ import annotations

from console.contracts.actions import AnyAction, Key, KeyCombo, TypeText, Wait
from console.contracts.moves import AttemptRecord, NextActionHint

GIVE_UP_AFTER = 3


class BannedRepeats:
    """Remembers, for each failed action, how the screen looked when it failed."""

    def __init__(self) -> None:
        self._failed: dict[str, str] = {}
        self._idle_turns = 0

    def failed(self, action: AnyAction, looks: str) -> None:
        if not _exempt(action):
            self._failed[action.model_dump_json()] = looks

    def refusal(self, action: AnyAction, purpose: str, looks: str) -> AttemptRecord | None:
        """The record that refuses the action, or None. It costs no step."""
        if self._failed.get(action.model_dump_json()) != looks:
            return None
        return AttemptRecord(
            step_purpose=purpose,
            action=action,
            succeeded=False,
            error="This exact action has failed and nothing has changed since, so it is refused. Do something else.",
            next_action_hint=NextActionHint.DIFFERENT_ACTION,
        )

    def turn_over(self, *, anything_done: bool) -> bool:
        """Whether the planner has now offered nothing that could be done for three turns in a row."""
        self._idle_turns = 0 if anything_done else self._idle_turns + 1
        return self._idle_turns >= GIVE_UP_AFTER


def _exempt(action: AnyAction) -> bool:
    return isinstance(action, Key | KeyCombo | Wait) or (isinstance(action, TypeText) and not action.target_id)
