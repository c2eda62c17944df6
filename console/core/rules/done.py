"""What the planner reads when its Done was rejected."""

from __future__ import annotations

from console.contracts.actions import DoneAction
from console.contracts.moves import AttemptRecord, DoneVerdict, NextActionHint

MARKER = "runtime rejected Done:"
_PARAGRAPHS = {
    NextActionHint.RETRY_LAST_ACTION: (
        "Repeat the last action exactly. Do not spend a batch on looking whether it worked: that has been done. "
        "Consider giving it an expect_after."
    ),
    NextActionHint.DIFFERENT_ACTION: "The intent is right, the way is not: try another kind of action.",
    NextActionHint.DIFFERENT_TARGET: "The action is right, its target is not: read the view and choose the right id.",
    NextActionHint.GIVE_UP: "This seems out of reach from here: consider seriously to answer Fail.",
}


def rejected(summary: str, verdict: DoneVerdict) -> AttemptRecord:
    """The failed record of the claim, with the grader's reason and what to make of its hint. It costs one step."""
    advice = _PARAGRAPHS[verdict.next_action_hint] if verdict.next_action_hint else ""
    return AttemptRecord(
        step_purpose="verify_done",
        action=DoneAction(summary=summary),
        succeeded=False,
        error=f"{MARKER} {verdict.reason} Gather evidence on the screen, or fail honestly. {advice}".strip(),
        next_action_hint=verdict.next_action_hint,
    )
