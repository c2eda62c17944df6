"""Reminds the planner, at half and at three quarters of the steps, that the result belongs into the terminal app."""

from __future__ import annotations

from console.contracts.actions import ActivateApp, Wait, WriteCells
from console.contracts.moves import AttemptRecord, NextActionHint
from console.contracts.outcome import RunLimits

from ..state import RunState


class PhaseGate:
    """Fires once at 50 % and once at 75 %, while another app is in front and no cells have been written."""

    def __init__(self, limits: RunLimits) -> None:
        self._limits = limits
        self._fired = 0

    def check(self, state: RunState, active_app: str) -> AttemptRecord | None:
        """The record that the planner is to see, or None. It costs one step."""
        app = self._limits.terminal_app
        share = state.steps_used / self._limits.max_steps
        due = 2 if share >= 0.75 else 1 if share >= 0.5 else 0
        if not app or due <= self._fired or _names_match(app, active_app) or _cells_written(state):
            return None
        self._fired = due
        return AttemptRecord(
            step_purpose="phase_gate",
            action=Wait(ms=0),
            succeeded=False,
            error=f"{int(share * 100)} % of the steps are used and {active_app or 'no app'} is in front. "
            f"Switch to {app} now and write the result there before anything else.",
            next_action_hint=NextActionHint.DIFFERENT_ACTION,
        )

    def takes_over(self) -> ActivateApp | None:
        """After the second reminder the run brings the terminal app to the front itself."""
        return ActivateApp(app_name=self._limits.terminal_app or "") if self._fired == 2 else None


def _names_match(wanted: str, active: str) -> bool:
    a, b = wanted.casefold(), active.casefold()
    return bool(b) and (a in b or b in a)


def _cells_written(state: RunState) -> bool:
    return any(isinstance(record.action, WriteCells) and record.succeeded for record in state.history)
