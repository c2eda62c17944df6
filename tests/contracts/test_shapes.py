"""Moves, outcomes, receipts, views and results in their published JSON."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from console.contracts.effects import ObservedEffect
from console.contracts.errors import ConsoleError
from console.contracts.geometry import Point, Rect
from console.contracts.moves import (
    NEXT_MOVE,
    AttemptRecord,
    BatchStep,
    DoneVerdict,
    NextActionHint,
    StepKind,
    StepResult,
)
from console.contracts.outcome import Failed, FailureReport, GoalOutcome, Refused, RunLimits, RuntimeCaps, Succeeded
from console.contracts.planner import AcceptingGrader, PlanProducer
from console.contracts.receipt import ActionRecord, ExecutionReceipt
from console.contracts.safety import ApprovalDecision
from console.contracts.scene import Frame, Scene
from console.contracts.step import Step
from console.contracts.view import PlanningView, RunProgress, ViewBudget

WAIT = {"type": "wait", "ms": 1}
STEP = {"purpose": "p", "kind": "deterministic", "action": WAIT}
RECORD = {"step_purpose": "p", "action": WAIT, "succeeded": False, "error": "e", "next_action_hint": "give_up"}
EFFECT = {"kind": "selector_appears", "timeout_ms": 5, "selector": "s"}
RECEIPT = {
    "receipt_id": "r",
    "action_kind": "click",
    "route": {"route": "adapter", "name": "n", "op": "o"},
    "observed_effect": {
        "status": "timed_out",
        "kind": {"kind": "selector_effect", "expectation": EFFECT},
        "detail": "d",
    },
    "evidence": [{"source": "s", "id": "i", "summary": "x"}],
    "requested_at_ms": 1,
    "completed_at_ms": 2,
    "duration_ms": 1,
    "status": "ok",
}
VIEW = {
    "goal": "g",
    "budget": {
        "max_tokens": 8000,
        "max_elements": 80,
        "max_memories": 8,
        "max_adapter_facts": 12,
        "max_knowledge": 8,
        "max_recent_events": 10,
    },
    "screen": {"active_app": "a", "window": "w"},
    "elements": [
        {
            "id": "e",
            "element_type": "button",
            "label": "l",
            "state": {"focused": True, "selected": False, "enabled": True, "checked": None, "expanded": None},
            "clickable": True,
            "settable": False,
            "select_options": "v|L",
        }
    ],
    "omitted_counts": {"elements": 1, "memories": 0, "knowledge": 0, "adapter_facts": 0, "recent_events": 0},
    "adapter_facts": [{"adapter": "a", "kind": "k", "payload": {"x": [1]}}],
    "adapter_actions": [
        {
            "adapter": "a",
            "action": "b",
            "params_schema": {},
            "description": "d",
            "mutates_state": True,
            "requires_verification": False,
            "returns_data": True,
        }
    ],
    "capabilities": [{"id": "c"}],
    "run_progress": {"steps_used": 1, "max_steps": 2},
    "memories": [{"id": 1, "kind": "prior", "summary": "s", "content": "c"}],
    "knowledge": [{"id": "k", "source": "s", "content": "c", "tags": ["t"]}],
    "recent_events": [{"id": "obs:1", "kind": "observation:low", "summary": "s"}],
    "blockers": [{"kind": "modal_dialog", "description": "d"}],
    "anomalies": [{"kind": "k", "description": "d"}],
    "evidence": [],
}


@pytest.mark.parametrize(
    ("type_", "shape"),
    [
        (NEXT_MOVE, {"kind": "batch", "purpose": "p", "steps": [STEP]}),
        (NEXT_MOVE, {"kind": "done", "summary": "s", "extracted_data": {"a": 1}}),
        (NEXT_MOVE, {"kind": "done", "summary": "s", "extracted_data": None}),
        (NEXT_MOVE, {"kind": "fail", "reason": "r"}),
        (NEXT_MOVE, {"kind": "clarify", "question": "q"}),
        (NEXT_MOVE, {"kind": "clarify", "question": "q", "candidates": ["a", "b"]}),
        (TypeAdapter(StepResult), {"status": "ok", "data": [1]}),
        (TypeAdapter(StepResult), {"status": "err", "message": "m", "recoverable": True}),
        (TypeAdapter(GoalOutcome), {"status": "succeeded", "summary": "s", "extracted_data": {}}),
        (
            TypeAdapter(GoalOutcome),
            {"status": "failed", "failing_sub_goal": "g", "failing_step": "s", "attempts": [RECORD]},
        ),
        (TypeAdapter(GoalOutcome), {"status": "refused", "summary": "q"}),
        (AttemptRecord, RECORD),
        (AttemptRecord, {"step_purpose": "p", "action": WAIT, "succeeded": True, "error": None, "data": {"a": None}}),
        (DoneVerdict, {"verified": False, "reason": "r", "next_action_hint": "different_target"}),
        (RunLimits, {"max_steps": 1, "timeout_ms": 2, "max_step_retries": 3, "terminal_app": "t"}),
        (RuntimeCaps, {"cdp_bound": False, "native_input": True, "steps_used": 1, "max_steps": 2}),
        (ExecutionReceipt, RECEIPT),
        (ActionRecord, {"step_index": 0, "kind": "k", "succeeded": True, "verified": False, "latency_ms": 1}),
        (PlanningView, VIEW),
    ],
)
def test_a_published_shape_comes_back_unchanged(type_: Any, shape: dict[str, Any]) -> None:
    adapter = TypeAdapter(type_) if isinstance(type_, type) and issubclass(type_, BaseModel) else type_
    assert adapter.dump_python(adapter.validate_python(shape), mode="json") == shape


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ("cdp_eval", "deterministic"),
        (None, "deterministic"),
        ("LlmAssisted", "llm_assisted"),
        ("llm_assisted", "llm_assisted"),
        (7, "deterministic"),
    ],
)
def test_any_unknown_step_kind_is_deterministic(given: object, kind: str) -> None:
    assert BatchStep.model_validate({"purpose": "p", "kind": given, "action": WAIT}).kind == kind
    assert BatchStep.model_validate({"purpose": "p", "action": WAIT}).kind is StepKind.DETERMINISTIC


@pytest.mark.parametrize(
    "bad",
    [{"kind": "done", "summary": None}, {"kind": "fail"}, {"kind": "clarify", "question": 3}, {}, {"kind": "batch"}],
)
def test_moves_are_strict(bad: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        NEXT_MOVE.validate_python(bad)


def test_headlines_and_sentences() -> None:
    moves = [
        {"kind": "batch", "purpose": "p", "steps": []},
        {"kind": "done", "summary": "s"},
        {"kind": "fail", "reason": "r"},
        {"kind": "clarify", "question": "q"},
    ]
    assert [NEXT_MOVE.validate_python(m).headline() for m in moves] == ["p", "Done: s", "Gave up: r", "q"]
    outcomes = [Succeeded(summary="s"), Failed(failing_sub_goal="g", failing_step="x"), Refused(summary="q")]
    assert [o.sentence() for o in outcomes] == ["s", "g", "q"]
    assert NextActionHint.DIFFERENT_TARGET.words() == "different target"
    assert ObservedEffect(status="timed_out").words() == "timed out"
    assert ConsoleError("No.", "Do this.").sentence() == "No. Do this."
    assert ApprovalDecision(verdict="approve_kind").approves
    assert not ApprovalDecision(verdict="deny").approves
    assert FailureReport(failing_sub_goal="g", failing_step="s").attempts == ()


def test_budgets() -> None:
    assert RunProgress(steps_used=100, max_steps=80).remaining == 0
    assert RunProgress(steps_used=3, max_steps=80).remaining == 77
    assert ViewBudget().max_elements == 80
    assert RunLimits().timeout_ms == 900_000


def test_rectangles() -> None:
    a, b = Rect(x=-10, y=0, width=20, height=10), Rect(x=0, y=5, width=20, height=10)
    assert a.intersection(b) == Rect(x=0, y=5, width=10, height=5)
    assert a.union(b) == Rect(x=-10, y=0, width=30, height=15)
    assert a.intersection(Rect(x=50, y=50, width=5, height=5)).empty
    empty = Rect(x=0, y=0, width=0, height=5)
    assert empty.area == 0
    assert (a.union(empty), empty.union(a)) == (a, a)
    assert a.area == 200
    assert a.center == Point(x=0, y=5)
    assert a.contains(Point(x=-10, y=9))
    assert not a.contains(Point(x=10, y=0))


def test_a_scene_finds_its_things() -> None:
    frame = Frame(
        id="f", bounds=Rect(x=0, y=0, width=10, height=10), image_width=10, image_height=10, taken_at_ms=0, pixels=b"x"
    )
    box = {"x": 0, "y": 0, "width": 8, "height": 8}
    windows = [{"id": 2, "bounds": box, "minimized": True}, {"id": 1, "bounds": box, "active": True}]
    elements = [
        {"id": "a", "element_type": "panel", "bounds": box, "window_id": 1},
        {"id": "b", "element_type": "button", "bounds": {**box, "width": 4}},
    ]
    scene = Scene.model_validate(
        {"id": "s", "taken_at_ms": 0, "frame": frame, "windows": windows, "elements": elements}
    )
    inside = Point(x=2, y=2)
    assert scene.element_at(inside) == scene.element("b")
    assert scene.element_at(Point(x=9, y=9)) is None
    assert scene.window_at(inside) == scene.active_window
    assert scene.window_of(scene.elements[0]) == scene.active_window
    assert "pixels" not in scene.model_dump(mode="json")["frame"]


async def test_the_default_grader_accepts() -> None:
    class Planner(AcceptingGrader):
        async def decide_next(self, *_: Any) -> Any: ...

    assert isinstance(Planner(), PlanProducer)
    view = PlanningView.model_validate(VIEW)
    assert view.element("e") is view.elements[0]
    assert await Planner().verify_done("g", "s", {}, view, None) == DoneVerdict(verified=True)


def test_step_ok_and_error() -> None:
    ok = Step.ok({"count": 5}, {"a": 1})
    assert (ok.return_, ok.fail, ok.memory, ok.prints) == ({"count": 5}, None, {"a": 1}, ())
    error = Step.error("timeout", "timed out", {}, journal={"a": 1}, tool_cache={"t": 2})
    assert error.fail is not None
    assert error.fail.model_dump() == {"reason": "timeout", "message": "timed out", "details": {}}
    assert (error.return_, error.journal, error.tool_cache) == (None, {"a": 1}, {"t": 2})
    assert Step.error("validation_failed", "Invalid input", {}, {"field": "name"}).fail.details == {"field": "name"}  # type: ignore[union-attr]


def test_a_step_has_all_its_fields_under_their_names() -> None:
    shape = Step.ok(1, {}).to_json()
    assert list(shape)[:2] == ["return", "fail"]
    assert len(shape) == 23
    assert shape["return"] == 1
    assert Step.model_validate(shape) == Step.ok(1, {})
