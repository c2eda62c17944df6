"""The planner in the real run: questions, approvals, results and budgets go through the core."""

from __future__ import annotations

from typing import Any

from console.contracts.actions import Click
from console.contracts.events import RunEnded
from console.contracts.geometry import Rect
from console.contracts.outcome import RunLimits
from console.contracts.scene import Frame, Scene, SceneElement, WindowInfo
from console.core.control import RunControl
from console.core.gate import Gate
from console.core.permits import PermitBook
from console.core.policy import Policy
from console.core.run import Run
from console.planning import SHIPPED, PlannerParts
from console.testing.doubles import FakeDesktop, MemoryStore, ScriptedOperator

SCREEN = Rect(x=0, y=0, width=1280, height=800)


def link(id_: str, label: str, context: str, y: int) -> SceneElement:
    return SceneElement(
        id=id_,
        element_type="link",
        label=label,
        context=context,
        bounds=Rect(x=10, y=y, width=80, height=20),
        clickable=True,
        window_id=1,
        window="Invoices",
        app="chromium",
    )


def invoices() -> Scene:
    window = WindowInfo(id=1, title="Invoices", app="chromium", bounds=SCREEN, active=True)
    frame = Frame(id="f", bounds=SCREEN, image_width=1280, image_height=800, taken_at_ms=0)
    elements = (link("ax:7", "Delete", "Invoice 7 · Ada", 100), link("ax:8", "Delete", "Invoice 8 · Bob", 130))
    return Scene(id="s", taken_at_ms=0, frame=frame, windows=(window,), elements=elements)


async def run(goal: str, operator: ScriptedOperator | None, **limits: Any) -> tuple[RunEnded, FakeDesktop]:
    book = PermitBook()
    desktop = FakeDesktop(invoices(), office=book)
    entry = SHIPPED[0]
    planner = entry.make(entry.settings(), PlannerParts())
    gate = Gate(book, Policy(), operator)
    run = Run(
        planner, desktop, gate, operator, MemoryStore(), RunControl(), budget=entry.budget, limits=RunLimits(**limits)
    )
    events = [event async for event in run.events(goal)]
    end = events[-1]
    assert isinstance(end, RunEnded)
    return end, desktop


async def test_the_answer_picks_and_the_approval_lets_it_happen() -> None:
    operator = ScriptedOperator(approvals=["approve"], answers=["Delete in the row “Invoice 8 · Bob”"])
    end, desktop = await run("click Delete", operator)
    assert end.end == "succeeded"
    assert desktop.performed == [Click(target_id="ax:8")]
    assert operator.questions[0].candidates[:2] == (
        "Delete in the row “Invoice 7 · Ada”",
        "Delete in the row “Invoice 8 · Bob”",
    )


async def test_a_denied_step_ends_the_run_and_says_so() -> None:
    operator = ScriptedOperator(approvals=["deny"])
    end, desktop = await run("click the Delete next to “Invoice 8”; press F5", operator)
    assert end.end == "failed"
    assert end.denied
    assert "The operator denied it" in end.outcome.sentence()
    assert desktop.performed == []
    assert len(operator.approvals) == 1


async def test_without_an_operator_a_question_refuses_the_goal() -> None:
    end, desktop = await run("click Delete", None)
    assert end.end == "refused"
    assert "Invoice 7" in end.outcome.sentence()
    assert desktop.performed == []


async def test_what_was_read_is_the_return_of_the_step() -> None:
    operator = ScriptedOperator(answers=["42"])
    end, _ = await run("ask me “How many?” as n; return n", operator)
    assert end.step.return_ == "42"


async def test_the_budget_ends_what_is_not_done() -> None:
    end, _ = await run("press F5; press F6; press F7", ScriptedOperator(), max_steps=2)
    assert end.end == "failed"
    assert "Instruction 3 is not carried out." in end.outcome.sentence()


async def test_all_done_with_the_last_step_is_done() -> None:
    end, _ = await run("press F5; press F6; expect “Delete”", ScriptedOperator(), max_steps=2)
    assert end.end == "succeeded"
