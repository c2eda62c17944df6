"""The gate asks where it must, denies when in doubt, and alone issues permits."""

from __future__ import annotations

import ast
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import console
from console.contracts import actions as act
from console.contracts.errors import TargetError
from console.contracts.events import ApprovalAsked, ApprovalGiven
from console.contracts.operator import ClarifyAnswer, ClarifyRequest, VerifyDecision, VerifyRequest
from console.contracts.safety import ApprovalDecision, ApprovalRequest
from console.contracts.settings import SafetySettings
from console.core.gate import Admitted, Denied, Gate, GateQuestion
from console.core.permits import PermitBook
from console.core.policy import Policy

from .scenes import element, scene

SCENE = scene(element("ax:1", "Delete"), element("ax:2", "Save"))


class Person:
    """Answers as told and keeps what it was asked."""

    def __init__(self, *decisions: ApprovalDecision | Exception) -> None:
        self.decisions = list(decisions)
        self.asked: list[ApprovalRequest] = []

    async def approve(self, request: ApprovalRequest) -> ApprovalDecision:
        self.asked.append(request)
        decision = self.decisions.pop(0)
        if isinstance(decision, Exception):
            raise decision
        return decision

    async def answer(self, request: ClarifyRequest) -> ClarifyAnswer:
        raise AssertionError

    async def judge(self, request: VerifyRequest) -> VerifyDecision:
        raise AssertionError


class Desk:
    """A gate with its surroundings."""

    def __init__(self, operator: Person | None, ask_for: str = "destructive") -> None:
        self.book = PermitBook()
        self.gate = Gate(self.book, Policy(SafetySettings(ask_for=ask_for)), operator)
        self.events: list[tuple[type, dict[str, Any]]] = []
        self.waited = 0

    async def emit(self, event_type: type[Any], /, **fields: Any) -> None:
        self.events.append((event_type, fields))

    @asynccontextmanager
    async def waiting(self) -> AsyncIterator[None]:
        self.waited += 1
        yield

    async def ask(self, action: act.AnyAction, **fields: Any) -> Admitted | Denied:
        question = GateQuestion(attempt_id="a1", action=action, purpose="tidy up", scene=SCENE, **fields)
        return await self.gate.admit(question, emit=self.emit, waiting=self.waiting)


def approve(verdict: str = "approve", **fields: Any) -> ApprovalDecision:
    return ApprovalDecision(verdict=verdict, **fields)


async def test_an_ordinary_step_passes_without_a_question() -> None:
    desk = Desk(Person())
    admitted = await desk.ask(act.Click(target_id="ax:2"))
    assert isinstance(admitted, Admitted)
    assert admitted.sentence == "Click “Save” in “Notes”"
    assert not admitted.permit.approved
    assert desk.events == []
    desk.book.redeem(admitted.permit, admitted.action, admitted.target.print)


async def test_a_destructive_step_is_asked_and_the_permit_says_so() -> None:
    person = Person(approve())
    desk = Desk(person)
    admitted = await desk.ask(act.Click(target_id="ax:1"), changed=True)
    assert isinstance(admitted, Admitted)
    assert admitted.permit.approved
    assert desk.waited == 1
    assert [kind for kind, _ in desk.events] == [ApprovalAsked, ApprovalGiven]
    assert person.asked[0].sentence == "Click “Delete” in “Notes”"
    assert person.asked[0].changed_since_asked


async def test_deny_carries_the_reason() -> None:
    denied = await Desk(Person(approve("deny", reason="not that one"))).ask(act.Click(target_id="ax:1"))
    assert isinstance(denied, Denied)
    assert (denied.reason, denied.by_operator) == ("not that one", True)


@pytest.mark.parametrize("operator", [None, Person(RuntimeError("the card is gone"))])
async def test_nobody_there_or_a_broken_handler_is_a_denial(
    operator: Person | None, caplog: pytest.LogCaptureFixture, expected_log: Any
) -> None:
    expected_log("could not be asked")
    assert isinstance(await Desk(operator).ask(act.Click(target_id="ax:1")), Denied)


async def test_a_kind_approved_for_the_run_is_not_asked_again_but_another_kind_is() -> None:
    person = Person(approve("approve_kind"), approve("deny"))
    desk = Desk(person)
    assert isinstance(await desk.ask(act.Click(target_id="ax:1")), Admitted)
    assert isinstance(await desk.ask(act.Click(target_id="ax:1")), Admitted)
    assert len(person.asked) == 1
    assert isinstance(await desk.ask(act.Key(key="Delete")), Denied)


async def test_a_tool_approved_for_the_run_is_no_approval_of_another_tool_of_the_same_box() -> None:
    person = Person(approve("approve_kind"), approve("deny"))
    desk = Desk(person)
    for params in ({"title": "a"}, {"title": "b"}):
        assert isinstance(await desk.ask(act.Custom(adapter="notes", action="add", params=params)), Admitted)
    assert isinstance(await desk.ask(act.Custom(adapter="notes", action="delete")), Denied)
    assert [request.sentence for request in person.asked] == ["notes: add “title: a”", "notes: delete"]


async def test_an_edit_is_approved_as_written() -> None:
    desk = Desk(Person(approve("edit", edited=act.Click(target_id="ax:2"))))
    admitted = await desk.ask(act.Click(target_id="ax:1"))
    assert isinstance(admitted, Admitted)
    assert admitted.edited
    assert admitted.permit.approved
    assert admitted.sentence == "Click “Save” in “Notes”"


async def test_an_edit_cannot_make_the_forbidden_possible_and_an_empty_one_is_a_denial() -> None:
    forbidden = act.KeyCombo(keys=("ctrl", "alt", "backspace"))
    assert isinstance(await Desk(Person(approve("edit", edited=forbidden))).ask(act.Click(target_id="ax:1")), Denied)
    assert isinstance(await Desk(Person(approve("edit"))).ask(act.Click(target_id="ax:1")), Denied)


async def test_the_forbidden_is_not_even_asked() -> None:
    desk = Desk(Person())
    denied = await desk.ask(act.KeyCombo(keys=("ctrl", "alt", "F1")))
    assert isinstance(denied, Denied)
    assert not denied.by_operator
    assert desk.events == []


@pytest.mark.parametrize(("ask_for", "asked"), [("every_change", 1), ("everything", 2)])
async def test_the_setting_widens_what_is_asked(ask_for: str, asked: int) -> None:
    person = Person(approve(), approve())
    desk = Desk(person, ask_for)
    await desk.ask(act.Click(target_id="ax:2"))
    await desk.ask(act.Wait(ms=1))
    assert len(person.asked) == asked


async def test_a_target_that_is_not_there_is_an_error() -> None:
    with pytest.raises(TargetError):
        await Desk(None).ask(act.Click(target_id="nope"))


def test_only_the_gate_issues_permits() -> None:
    """One door: no other module of the package calls `issue` or builds a `Permit`."""
    offenders = []
    root = Path(console.__file__).parent
    for path in root.rglob("*.py"):
        if path.parts[-2:] in {("core", "gate.py"), ("core", "permits.py")}:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if name in ("issue", "Permit"):
                    offenders.append(f"{path.relative_to(root)}:{node.lineno}")
    assert offenders == []
