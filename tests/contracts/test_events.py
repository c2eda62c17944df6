"""Every event keeps its place, says its headline, and survives the journal."""

from __future__ import annotations

from typing import Any

import pytest

from console.contracts.events import RUN_EVENT, RunPhase
from console.contracts.step import Step

WAIT = {"type": "wait", "ms": 1}
TARGET: dict[str, Any] = {"print": {}}
RISK = {"level": "destructive", "category": "delete", "reasons": ["r"]}
VIEW = {"goal": "g", "budget": {}, "screen": {"active_app": "Files"}, "elements": [], "omitted_counts": {}}
REQUEST = {
    "request_id": "q",
    "attempt_id": "a",
    "action": WAIT,
    "sentence": "Wait",
    "purpose": "p",
    "risk": RISK,
    "target": TARGET,
    "scene_id": "s",
    "frame_id": "f",
}
STEP = Step.ok(None, {}).to_json()


@pytest.mark.parametrize(
    ("fields", "headline"),
    [
        ({"event": "run_started", "goal": "g", "planner": "p", "limits": {}, "trace_id": "t"}, "Goal: g"),
        ({"event": "phase_changed", "phase": "Looking"}, "Looking"),
        ({"event": "phase_changed", "phase": "Paused", "detail": "you moved the mouse"}, "Paused: you moved the mouse"),
        (
            {"event": "observed", "turn": 1, "scene_id": "s", "frame_id": "f", "view": VIEW, "duration_ms": 1},
            "Looked at Files: 0 elements",
        ),
        ({"event": "decided", "turn": 1, "move": {"kind": "fail", "reason": "r"}, "duration_ms": 1}, "Gave up: r"),
        ({"event": "approval_asked", "request": REQUEST}, "Needs your approval: Wait"),
        (
            {
                "event": "approval_given",
                "request_id": "q",
                "attempt_id": "a",
                "decision": {"verdict": "deny", "reason": "no"},
            },
            "Denied: no",
        ),
        (
            {
                "event": "action_intended",
                "attempt_id": "a",
                "turn": 1,
                "batch_purpose": "b",
                "purpose": "p",
                "action": WAIT,
                "sentence": "Wait",
                "risk": RISK,
                "target": TARGET,
                "step_number": 1,
            },
            "Wait",
        ),
        (
            {
                "event": "attempted",
                "attempt_id": "a",
                "turn": 1,
                "batch_purpose": "b",
                "sentence": "Wait",
                "record": {"step_purpose": "p", "action": WAIT, "succeeded": True},
            },
            "Wait",
        ),
        (
            {
                "event": "attempted",
                "attempt_id": "a",
                "turn": 1,
                "batch_purpose": "b",
                "sentence": "Wait",
                "record": {"step_purpose": "p", "action": WAIT, "succeeded": False},
            },
            "Wait — failed",
        ),
        (
            {
                "event": "recorded",
                "turn": 1,
                "record": {"step_purpose": "p", "action": WAIT, "succeeded": False, "error": "e"},
            },
            "e",
        ),
        ({"event": "memory_changed", "key": "k", "value": 1}, "Noted k"),
        ({"event": "clarify_asked", "request": {"request_id": "q", "question": "Which?"}}, "Asks: Which?"),
        ({"event": "clarify_answered", "request_id": "q", "answer": {"text": "that"}}, "You answered: that"),
        ({"event": "clarify_answered", "request_id": "q", "answer": {"declined": True}}, "Question declined"),
        ({"event": "done_checked", "summary": "s", "verdict": {"verified": True}}, "Checked: it holds"),
        (
            {"event": "done_checked", "summary": "s", "verdict": {"verified": False, "reason": "r"}},
            "Checked: not yet — r",
        ),
        ({"event": "done_checked", "summary": "s", "problem": "no grader"}, "Could not check: no grader"),
        ({"event": "verify_asked", "request": {"request_id": "q", "summary": "s", "problem": "p"}}, "Is it done? s"),
        ({"event": "verify_answered", "request_id": "q", "decision": {"verdict": "accept"}}, "Verify answered"),
        ({"event": "noticed", "severity": "info", "text": "t", "hint": "h"}, "t h"),
        (
            {
                "event": "run_ended",
                "end": "succeeded",
                "outcome": {"status": "succeeded", "summary": "s"},
                "step": STEP,
                "unverified": True,
            },
            "Done (unverified): s",
        ),
    ],
)
def test_headline_and_round_trip(fields: dict[str, Any], headline: str) -> None:
    event = RUN_EVENT.validate_python({"run_id": "r", "seq": 1, "at_ms": 2, **fields})
    assert event.headline() == headline
    again = RUN_EVENT.validate_json(RUN_EVENT.dump_json(event))
    assert again == event


def test_phases_know_whether_the_run_is_over() -> None:
    assert {p.value for p in RunPhase if p.ended} == {"Done", "Failed", "Refused", "Stopped", "Interrupted"}
