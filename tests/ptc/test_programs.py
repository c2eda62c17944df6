"""Programs in a real run on a pretended desktop: tools by label, approvals one by one, memory, journal, failures."""

from __future__ import annotations

from typing import Any

import pytest

from console.contracts import actions as act
from console.contracts.base import Json
from console.contracts.events import ActionIntended, MemoryChanged, RunEnded
from console.contracts.geometry import Rect
from console.contracts.moves import StepOk
from console.contracts.outcome import RunLimits
from console.contracts.view import AdapterActionRef, AdapterFactRef
from console.core.control import RunControl
from console.core.gate import Gate
from console.core.permits import PermitBook
from console.core.policy import Policy
from console.core.run import Run
from console.planning import entry
from console.planning.parts import PlannerParts
from console.ptc.desk_tools import tool_names
from console.ptc.programs import ProgramAdapter
from console.testing.doubles import FakeDesktop, MemoryStore, ScriptedOperator
from tests.core.scenes import element, scene, window

FORM = scene(
    element("ax:name", "Name", "input", settable=True, value="Ada"),
    element("ax:ok", "OK", bounds=Rect(x=10, y=60, width=80, height=24)),
    element("ax:delete", "Delete", bounds=Rect(x=10, y=100, width=80, height=24)),
    windows=(window(),),
)


class Shop:
    """Another adapter."""

    name = "shop"

    async def facts(self, goal: str) -> list[AdapterFactRef]:
        return []

    def actions(self) -> list[AdapterActionRef]:
        return [AdapterActionRef(adapter="shop", action="find_price", description="Finds a price.")]

    async def call(self, action: str, params: Json) -> StepOk:
        return StepOk(data=5)


async def carried_out(
    source: str,
    *,
    approvals: tuple[str, ...] = (),
    results: tuple[Any, ...] = (),
    signature: str = "",
    **limits: Any,
) -> tuple[RunEnded, FakeDesktop, list[Any]]:
    office, operator = PermitBook(), ScriptedOperator(approvals=list(approvals))
    desktop = FakeDesktop(FORM, office=office, results=list(results))
    one = entry("program")
    assert one is not None
    planner = one.make(one.settings.model_validate({"signature": signature}), PlannerParts())
    shop = Shop()
    run = Run(
        planner,
        desktop,
        Gate(office, Policy(), operator),
        operator,
        MemoryStore(),
        RunControl(),
        limits=RunLimits(**limits),
        adapters=[ProgramAdapter([shop]), shop],
    )
    events = [event async for event in run.events(source)]
    assert isinstance(events[-1], RunEnded)
    return events[-1], desktop, events


async def test_a_program_fills_in_a_form_and_answers_with_a_typed_value() -> None:
    ended, desktop, _ = await carried_out(
        """(tool/set-value {:label "name" :value "Grace"})
           (tool/click {:label "OK" :role "button" :in "Notes"})
           (def seen (count (:elements (tool/look))))
           {:name (tool/read {:label "Name"}) :seen seen :ok (some? (tool/find {:contains "dele"}))}"""
    )
    assert ended.end == "succeeded", ended.outcome
    assert desktop.performed == [act.SetValue(target_id="ax:name", value="Grace"), act.Click(target_id="ax:ok")]
    assert ended.step.return_ == {"name": "Ada", "seen": 3, "ok": True}
    assert ended.step.memory["ptc.memory"] == {"seen": 3}


async def test_a_step_says_what_it_is_for_with_the_label_of_its_target() -> None:
    _, _, events = await carried_out('(tool/click {:label "OK"}) (tool/key {:key "a" :purpose "Begin"})')
    intents = [event.purpose for event in events if isinstance(event, ActionIntended) and event.parent_id]
    assert intents == ["Click “OK”", "Begin"]


@pytest.mark.parametrize(("answer", "clicked"), [("approve", 2), ("deny", 1)])
async def test_what_is_destructive_asks_although_a_program_does_it(answer: str, clicked: int) -> None:
    source = '(tool/click {:label "OK"}) (tool/click {:label "Delete"}) :done'
    ended, desktop, _ = await carried_out(source, approvals=(answer,))
    assert len(desktop.performed) == clicked
    assert ended.end == ("succeeded" if answer == "approve" else "failed")
    if answer == "deny":
        assert "denied" in ended.outcome.sentence()


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ('(tool/clck {:label "OK"})', "unknown_tool"),
        ('(tool/click {:label "OK"}) (tool/nothing)', "unknown_tool"),
        ("(+ 1", "parse_error"),
        ('(tool/click {:label "Gone"})', "There is no Gone on the screen"),
        ('(tool/read {:role "slider"})', "There is no slider on the screen"),
        ('(tool/wait-for {:label "Gone" :seconds 0})', "did not come within 0 s"),
        ('(tool/wait-for {:label "Gone" :seconds "x"})', ":seconds is a number"),
        ('(tool/scroll {:dy "far"})', "must be a whole number"),
        ('(fail {:reason :no :message "not now"})', "no: not now"),
        ("(fail 1)", "failed: 1"),
        ("(loop [] (recur))", "loop_limit_exceeded"),
    ],
)
async def test_what_fails_says_why_and_nothing_is_done_on_a_mistake_that_can_be_seen(source: str, words: str) -> None:
    ended, desktop, _ = await carried_out(source)
    assert ended.end == "failed"
    assert words in ended.outcome.sentence()
    assert desktop.performed == []


async def test_a_finished_task_is_in_the_journal_of_the_run_before_the_next_begins() -> None:
    _, _, events = await carried_out(
        '(task "one" (do (tool/click {:label "OK"}) 1)) (task "two" (tool/key {:key "a"}))'
    )
    kinds = [
        (event.event, sorted(event.value) if isinstance(event, MemoryChanged) and isinstance(event.value, dict) else "")
        for event in events
        if event.event in ("attempted",) or (isinstance(event, MemoryChanged) and event.key == "ptc.journal")
    ]
    assert kinds[:4] == [
        ("attempted", ""),
        ("memory_changed", ["one"]),
        ("attempted", ""),
        ("memory_changed", ["one", "two"]),
    ]


def test_no_two_tools_are_called_alike_and_none_like_one_of_the_desktop() -> None:
    class Odd(Shop):
        name = "wait"

        def actions(self) -> list[AdapterActionRef]:
            return [AdapterActionRef(adapter="wait", action=name) for name in ("for", "for_", "_for-it__now")]

    assert tool_names([Shop(), Odd()]) == {
        ("shop", "find_price"): "shop-find-price",
        ("wait", "for"): "wait-for-2",
        ("wait", "for_"): "wait-for-3",
        ("wait", "_for-it__now"): "wait-for-it-now",
    }


async def test_other_adapters_are_tools_and_their_calls_are_steps() -> None:
    ended, desktop, _ = await carried_out(
        '(tool/shop-find-price {:of "tea"})', approvals=("approve",), results=(StepOk(data=5),)
    )
    assert ended.step.return_ == 5
    assert desktop.performed == [act.Custom(adapter="shop", action="find_price", params={"of": "tea"})]


async def test_prints_come_with_the_value() -> None:
    ended, _, _ = await carried_out('(println "hello") 42')
    assert ended.step.return_ == {"return": 42, "prints": "hello"}


async def test_early_ends_of_a_program() -> None:
    ended, _, _ = await carried_out('(return {:a 1}) (tool/click {:label "OK"})')
    assert ended.step.return_ == {"a": 1}


@pytest.mark.parametrize(
    ("action", "params", "words"),
    [("run", {}, "source"), ("run", "text", "params"), ("walk", {"source": "1"}, "no action “walk”")],
)
async def test_a_call_that_is_none_is_refused(action: str, params: Json, words: str) -> None:
    result = await ProgramAdapter().run(action, params, None)  # type: ignore[arg-type]
    assert result.fail is not None
    assert words in result.fail.message
    assert "step of a run" in (await ProgramAdapter().call("run", {})).message
    assert await ProgramAdapter().facts("g") == ()


async def test_what_cannot_be_kept_ends_with_its_program() -> None:
    ended, _, _ = await carried_out("(def f (fn [x] x)) (def n 1) (f 2)")
    assert ended.step.return_ == 2
    assert ended.step.memory["ptc.memory"] == {"n": 1}


@pytest.mark.parametrize(
    ("signature", "words"),
    [
        ("() -> {total :int}", "{'total': 3}"),
        ("() -> {total :string}", "total"),
        ("() -> {total", "signature"),
    ],
)
async def test_a_program_keeps_the_type_that_is_set_for_it_or_fails(signature: str, words: str) -> None:
    ended, desktop, _ = await carried_out('(tool/click {:label "OK"}) {:total 3}', signature=signature)
    fits = signature.endswith(":int}")
    assert (ended.end == "succeeded") == fits
    assert words in (str(ended.step.return_) if fits else ended.outcome.sentence())
    assert len(desktop.performed) == (0 if signature.endswith("total") else 1)  # no signature at all: nothing is done
