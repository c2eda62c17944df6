"""Missions in a real run on a pretended desktop: the gate, the purse, the plan, chaining, nesting, interruption."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from console.contracts import actions as act
from console.contracts.actions import Custom
from console.contracts.base import Json
from console.contracts.events import (
    ActionIntended,
    Attempted,
    ChecklistChanged,
    ClarifyAsked,
    MemoryChanged,
    ModelCalled,
    RunEnded,
)
from console.contracts.geometry import Rect
from console.contracts.model_use import ModelCall, Report
from console.contracts.moves import AttemptRecord, Batch, BatchStep, Done, Fail, StepOk
from console.contracts.operator import ClarifyAnswer
from console.contracts.outcome import RunLimits
from console.contracts.planner import AcceptingGrader
from console.contracts.view import AdapterActionRef, AdapterFactRef, PlanningView
from console.core.control import RunControl
from console.core.gate import Gate
from console.core.permits import PermitBook
from console.core.policy import Policy
from console.core.run import Run
from console.core.state import fold
from console.ptc.answers import ANSWERS, LONGEST
from console.ptc.lisp import Found
from console.ptc.mission_adapter import JOURNALS, WITHOUT_MODEL, MissionAdapter
from console.ptc.missions import LlmError, LlmInput
from console.ptc.programs import ProgramAdapter
from console.testing.doubles import FakeDesktop, MemoryStore, ScriptedOperator
from tests.core.scenes import element, scene, window

FORM = scene(
    element("ax:name", "Name", "input", settable=True, value="Ada"),
    element("ax:ok", "OK", bounds=Rect(x=10, y=60, width=80, height=24)),
    element("ax:delete", "Delete", bounds=Rect(x=10, y=100, width=80, height=24)),
    windows=(window(),),
)
COST = ModelCall(purpose="mission", model="test:m", latency_ms=5, input_tokens=100, output_tokens=20, cost_usd=0.01)


class Model:
    """Says what it is told to say, and reports each call as a real one does."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[LlmInput] = []
        self.closed = 0

    def open(self, report: Report) -> Model:
        self._report = report
        return self

    async def __call__(self, given: LlmInput) -> str:
        self.asked.append(given)
        answer = self.answers.pop(0)
        await self._report(COST)
        if isinstance(answer, Exception):
            raise answer
        return f"```clojure\n{answer}\n```"

    async def close(self) -> None:
        self.closed += 1


class Steps(AcceptingGrader):
    """Does the steps one by one, and then says what the last one gave."""

    wants_screenshot = False

    def __init__(self, *steps: Custom) -> None:
        self._steps = list(steps)

    async def decide_next(
        self,
        goal: str,
        history: Sequence[AttemptRecord],
        shared_memory: Mapping[str, Json],
        view: PlanningView,
        screenshot_png: bytes | None,
    ) -> Batch | Done | Fail:
        if self._steps and (not history or history[-1].succeeded):
            return Batch(purpose="work", steps=(BatchStep(purpose="a part", action=self._steps.pop(0)),))
        last = history[-1]
        return Done(summary="done", extracted_data=last.data) if last.succeeded else Fail(reason=last.error or "")


def mission(prompt: str = "Do it", **params: Any) -> Custom:
    return Custom(adapter="mission", action="run", params={"prompt": prompt, **params})


async def carried_out(
    model: Model | None,
    *steps: Custom,
    approvals: tuple[str, ...] = (),
    answers: tuple[ClarifyAnswer, ...] = (),
    **limits: Any,
) -> tuple[RunEnded, FakeDesktop, list[Any]]:
    office, operator = PermitBook(), ScriptedOperator(approvals=list(approvals), answers=list(answers))
    desktop = FakeDesktop(FORM, office=office)
    missions = MissionAdapter(model.open if model else lambda report: None, lambda: "RULES")
    run = Run(
        Steps(*steps),
        desktop,
        Gate(office, Policy(), operator),
        operator,
        MemoryStore(),
        RunControl(),
        limits=RunLimits(**limits),
        adapters=[ProgramAdapter([missions]), missions],
    )
    events = [event async for event in run.events("the goal")]
    assert isinstance(events[-1], RunEnded)
    return events[-1], desktop, events


def of(kind: type, events: list[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


async def test_a_mission_acts_through_the_gate_and_gives_its_result() -> None:
    model = Model(
        '(tool/set-value {:label "Name" :value "Grace"}) (def seen (tool/read {:label "Name"}))',
        '(tool/click {:label "OK"}) (return {:name seen})',
    )
    ended, desktop, events = await carried_out(model, mission("Fill in {{who}}", context={"who": "Grace"}))
    assert ended.end == "succeeded", ended.outcome
    assert ended.step.return_ == {"name": "Ada"}
    assert desktop.performed == [act.SetValue(target_id="ax:name", value="Grace"), act.Click(target_id="ax:ok")]
    own = next(event for event in of(ActionIntended, events) if event.program)
    inside = [event for event in of(Attempted, events) if event.parent_id == own.attempt_id]
    assert [event.record.action.type for event in inside] == ["set_value", "click"]
    assert own.sentence == "Hand over “Fill in Grace”"
    assert model.closed == 1
    assert model.asked[0].system.startswith("RULES")
    assert "tool/set-value" in str(model.asked[0].messages[0]["content"])


async def test_a_mission_finds_out_what_there_is_and_of_many_tools_only_some_are_listed() -> None:
    model = Model('(return [(apropos "price") (count (tool/shop-find-139))])')
    shop, office = Shop(), PermitBook()
    names: dict[tuple[str, str], str] = {}

    def discovery(given: Mapping[tuple[str, str], str]) -> Any:
        names.update(given)
        return lambda operation, args: Found("ok", [f"{operation} {args['query']}"])

    missions = MissionAdapter(model.open, adapters=[shop], discovery=discovery)
    run = Run(
        Steps(mission()),
        FakeDesktop(FORM, office=office, adapters=[shop]),
        Gate(office, Policy(), None),
        None,
        MemoryStore(),
        RunControl(),
        adapters=[missions, shop],
    )
    ended = [event async for event in run.events("the goal")][-1]
    assert isinstance(ended, RunEnded)
    assert ended.step.return_ == [["apropos price"], LONGEST]
    assert names["shop", "find_139"] == "shop-find-139"
    told = str(model.asked[0].messages[0]["content"])
    assert "tool/shop-find-99" in told
    assert "tool/shop-find-139" not in told
    assert "more tools are not listed" in told


class Shop:
    """Another adapter, with many tools; the answer of the last is long."""

    name = "shop"

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def facts(self, goal: str) -> list[AdapterFactRef]:
        return []

    def actions(self) -> list[AdapterActionRef]:
        return [AdapterActionRef(adapter="shop", action=f"find_{number}", cacheable=True) for number in range(140)]

    async def call(self, action: str, params: Json) -> StepOk:
        self.asked.append(action)
        return StepOk(data="x" * LONGEST if action == "find_139" else 5)


async def test_programs_and_missions_share_the_answers_that_last_and_long_ones_are_asked_for_again() -> None:
    look = "[(tool/shop-find-1 {:a 1}) (count (tool/shop-find-139)) (count (tool/shop-find-139))]"
    model, shop, office = Model(f"(return {look})"), Shop(), PermitBook()
    run = Run(
        Steps(Custom(adapter="ptc", action="run", params={"source": look}), mission()),
        FakeDesktop(FORM, office=office, adapters=[shop]),
        Gate(office, Policy(), None),
        None,
        MemoryStore(),
        RunControl(),
        adapters=[ProgramAdapter([shop]), MissionAdapter(model.open, adapters=[shop]), shop],
    )
    ended = [event async for event in run.events("the goal")][-1]
    assert isinstance(ended, RunEnded)
    assert ended.step.return_ == [5, LONGEST, LONGEST]
    assert shop.asked == ["find_1", "find_139", "find_139"]
    assert len(ended.step.memory[ANSWERS]) == 1


async def test_its_model_is_paid_for_by_the_run() -> None:
    model = Model("(def a 1)", "(return a)")
    ended, _, events = await carried_out(model, mission())
    own = next(event for event in of(ActionIntended, events) if event.program)
    assert [event.parent_id for event in of(ModelCalled, events)] == [own.attempt_id] * 2
    assert ended.step.usage is not None
    assert (ended.step.usage.total_tokens, ended.step.usage.cost_usd) == (240, 0.02)


@pytest.mark.parametrize(("answer", "end"), [("Go on, up to as much again", "succeeded"), ("End the run", "failed")])
async def test_a_limit_on_tokens_asks_in_the_middle_of_a_mission(answer: str, end: str) -> None:
    model = Model("(def a 1)", "(return a)", "(return 1)")
    ended, _, events = await carried_out(
        model, mission(), answers=tuple(ClarifyAnswer(text=answer) for _ in range(2)), max_tokens=120
    )
    assert ended.end == end
    assert "120 of its 120 tokens" in of(ClarifyAsked, events)[0].request.question
    if end == "failed":
        assert len(model.asked) == 1


@pytest.mark.parametrize(("answer", "clicked"), [("approve", 1), ("deny", 0)])
async def test_what_is_destructive_asks_although_a_mission_does_it(answer: str, clicked: int) -> None:
    model = Model('(tool/click {:label "Delete"}) (return 1)', '(fail "refused")')
    ended, desktop, _ = await carried_out(model, mission(), approvals=(answer,))
    assert len(desktop.performed) == clicked
    assert ended.end == ("succeeded" if clicked else "failed")
    if not clicked:
        assert "denied" in str(model.asked[1].messages[-1]["content"])


async def test_the_plan_is_shown_and_ticked_off() -> None:
    model = Model('(step-done "1" "there it is")', '(step-done "b" "saved") (step-done "x" "more") (return 1)')
    _, _, events = await carried_out(model, mission(plan=["find it", ["b", "save it"]]))
    lists = of(ChecklistChanged, events)
    told = [[(item.id, item.text, item.done, item.note) for item in event.items] for event in lists]
    assert told == [
        [("1", "find it", False, ""), ("b", "save it", False, "")],
        [("1", "find it", True, "there it is"), ("b", "save it", False, "")],
        [("1", "find it", True, "there it is"), ("b", "save it", True, "saved"), ("x", "x", True, "more")],
    ]
    own = next(event for event in of(ActionIntended, events) if event.program)
    assert {event.parent_id for event in lists} == {own.attempt_id}
    assert [event.headline() for event in lists] == ["0 of 2 steps done", "1 of 2 steps done", "3 of 3 steps done"]


async def test_a_mission_follows_another() -> None:
    model = Model("(return {:n 4})", "(return (+ data/n data/more))")
    ended, _, _ = await carried_out(
        model,
        mission(name="first"),
        mission(after="first", context={"more": 3}, signature="(n :int, more :int) -> :int"),
    )
    assert ended.step.return_ == 7


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ((mission(after="gone"),), "there was no mission “gone” in this run; there is none yet"),
        ((mission(signature="nonsense("),), "signature"),
        ((mission("{{x}}", signature="(y :int) -> :int"),), "no parameter of the signature"),
        ((mission(tools=["click", "fly"]),), "there is no tool fly"),
        ((mission(plan=["a", ["1", "b"]]),), "the same id"),
        ((mission(prompt=""),), "mission.run: prompt"),
        ((mission(max_turns=0),), "mission.run: max_turns"),
        ((Custom(adapter="mission", action="fly", params={"prompt": "x"}),), "no tool mission.fly"),
    ],
)
async def test_what_cannot_be_a_mission_is_refused_in_words(steps: tuple[Custom, ...], words: str) -> None:
    ended, desktop, _ = await carried_out(Model(), *steps)
    assert ended.end == "failed"
    assert words in ended.outcome.sentence()
    assert desktop.performed == []


@pytest.mark.parametrize(
    ("answers", "params", "words"),
    [
        ((LlmError("Anthropic is overloaded."),), {}, "llm_error: the model call failed: Anthropic is overloaded."),
        (("(def a 1)", "(def b 2)"), {"max_turns": 2, "signature": "() -> :string"}, "max_turns_exceeded"),
        (("(def a 1)",), {"max_turns": 1, "completion_mode": "explicit"}, "must_return_missing"),
        (('(fail "there is no such file")',), {}, 'failed: "there is no such file"'),
        (("(def a 1)",) * 3, {"turn_budget": 2, "signature": "() -> :string"}, "turn_budget_exhausted"),
        (("(def a (range 1000))",), {"memory_limit": 100}, "memory_limit_exceeded"),
    ],
)
async def test_a_mission_without_a_result_says_its_reason(answers: Any, params: dict[str, Any], words: str) -> None:
    model = Model(*answers)
    ended, _, _ = await carried_out(model, mission(**params))
    assert ended.end == "failed"
    assert words in ended.outcome.sentence()
    assert model.closed == 1


async def test_without_a_model_it_says_where_to_name_one() -> None:
    ended, _, _ = await carried_out(None, mission())
    assert WITHOUT_MODEL in ended.outcome.sentence()


async def test_a_mission_inside_a_mission_draws_from_its_turns_and_stands_below_it() -> None:
    model = Model(
        '(tool/mission-run {:prompt "inner" :context {:n 2}})',
        '(tool/click {:label "OK"}) (return (* 2 data/n))',
        "(return {:inner *1 :left (:turns (budget/remaining))})",
    )
    ended, _, events = await carried_out(model, mission("outer", turn_budget=5))
    assert ended.step.return_ == {"inner": 4, "left": 2}
    outer, inner = (event for event in of(ActionIntended, events) if event.program)
    assert inner.parent_id == outer.attempt_id
    click = next(event for event in of(Attempted, events) if event.record.action.type == "click")
    assert click.parent_id == inner.attempt_id


async def test_missions_are_nested_only_so_deep() -> None:
    model = Model(
        '(tool/mission-run {:prompt "in"})', '(tool/mission-run {:prompt "deeper"})', "(return data/fail)", "(return 1)"
    )
    ended, _, _ = await carried_out(model, mission("out", max_depth=2))
    assert ended.end == "succeeded"
    told = str(model.asked[2].messages[-1]["content"])
    assert "max_depth_exceeded" in told


async def test_a_program_hands_a_part_to_a_mission() -> None:
    model = Model("(return {:total (+ data/a data/b)})")
    source = '(:total (tool/mission-run {:prompt "add" :context {:a 1 :b 2}}))'
    ended, _, _ = await carried_out(model, Custom(adapter="ptc", action="run", params={"source": source}))
    assert ended.step.return_ == 3


async def test_missions_do_not_run_side_by_side() -> None:
    source = '(pmap (fn [n] (tool/mission-run {:prompt "x"})) [1 2])'
    ended, _, _ = await carried_out(Model(), Custom(adapter="ptc", action="run", params={"source": source}))
    assert "must not run in parallel" in ended.outcome.sentence()


async def test_an_interrupted_mission_finds_what_it_had_finished() -> None:
    """The events up to the kill are read back; the mission is begun anew, and its finished task is not done again."""
    first = Model('(task "send" (tool/click {:label "OK"})) (tool/set-value {:label "Name" :value "x"})', "(return 1)")
    _, _, events = await carried_out(first, mission())
    saved = next(event for event in of(MemoryChanged, events) if event.key == JOURNALS)
    state = fold(events[: events.index(saved) + 1])
    assert state.unfinished_program is not None
    assert state.unfinished is None

    office = PermitBook()
    desktop = FakeDesktop(FORM, office=office)
    second = Model('(task "send" (tool/click {:label "OK"})) (tool/key {:key "a"}) (return :ok)')
    missions = MissionAdapter(second.open)
    run = Run(
        Steps(),
        desktop,
        Gate(office, Policy(), None),
        None,
        MemoryStore(),
        RunControl(),
        adapters=[missions],
        resume=state,
    )
    ended = [event async for event in run.events("the goal")][-1]
    assert isinstance(ended, RunEnded)
    assert ended.end == "succeeded", ended.outcome
    assert desktop.performed == [act.Key(key="a")]
    assert "[done] send" in second.asked[0].system
    assert ended.step.memory[JOURNALS] == {}
    assert "step of a run" in (await missions.call("run", {})).message
    assert await missions.facts("g") == ()
