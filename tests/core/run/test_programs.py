"""Steps that are made of steps: each passes the gate by itself, and an interruption loses nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from console.contracts import actions as act
from console.contracts.adapter import Hands
from console.contracts.base import Json
from console.contracts.errors import TargetError
from console.contracts.events import ActionIntended, Attempted, RunEvent
from console.contracts.moves import StepErr
from console.contracts.operator import ClarifyAnswer
from console.contracts.step import Step
from console.contracts.view import AdapterActionRef, AdapterFactRef
from console.core.state import fold
from console.testing.doubles import ScriptedOperator

from .stories import Story, batch, click, done, limits


class Program:
    """Clicks what it is told, one after the other, and notes each; `fails` is raised before the first."""

    name = "program"

    def __init__(self, fails: Exception | None = None) -> None:
        self.fails = fails
        self.records: list[Any] = []
        self.on_click: Callable[[], None] = lambda: None

    async def facts(self, goal: str) -> Sequence[AdapterFactRef]:
        return ()

    def actions(self) -> Sequence[AdapterActionRef]:
        return (AdapterActionRef(adapter=self.name, action="run"),)

    async def call(self, action: str, params: Json) -> StepErr:
        return StepErr(message="never called")

    async def run(self, action: str, params: Json, hands: Hands) -> Step:
        if self.fails is not None:
            raise self.fails
        view = await hands.view()
        for target in params if isinstance(params, list) else []:
            if f"clicked {target}" in hands.kept:
                continue
            record = (await hands.act(click(str(target)), f"press {target}")).record
            self.records.append(record)
            if not record.succeeded:
                return Step.error("stopped", f"at {target}: {record.error}", {})
            await hands.keep(f"clicked {target}", True)
            self.on_click()
        return Step.ok({"seen": len(view.elements)}, {})


def program(*targets: str) -> act.Custom:
    return act.Custom(adapter="program", action="run", params=list(targets))


def told(story: Story, kind: type[RunEvent]) -> list[Any]:  # type: ignore[valid-type]
    return [event for event in story.events if isinstance(event, kind)]  # type: ignore[arg-type]


async def test_each_step_of_a_program_is_a_step_of_its_own_under_it() -> None:
    story = Story(batch(program("ax:save", "ax:name")), done(), adapters=[Program()])
    ended = await story.tell()
    assert [action.type for action in story.desktop.performed] == ["click", "click"]
    intents = told(story, ActionIntended)
    outer = intents[0].attempt_id
    assert [(i.program, i.parent_id) for i in intents] == [(True, None), (False, outer), (False, outer)]
    attempts = told(story, Attempted)
    assert [a.parent_id for a in attempts] == [outer, outer, None]
    assert [record.action.type for record in story.history] == ["custom"]
    assert story.history[0].data == {"seen": 3}
    assert ended.steps_used == 3
    assert [call.name for call in ended.step.tool_calls] == ["click", "click", "custom"]


async def test_the_gate_is_asked_for_each_and_a_no_reaches_the_program() -> None:
    operator, own = ScriptedOperator(approvals=["deny"]), Program()
    story = Story(batch(program("ax:save", "ax:delete", "ax:name")), done(), operator=operator, adapters=[own])
    await story.tell()
    assert [request.sentence for request in operator.approvals] == ["Click “Delete” in “Notes”"]
    assert [action.targets()[0] for action in story.desktop.performed] == ["ax:save"]
    assert story.history[0].error is not None
    assert story.history[0].error.startswith("stopped: at ax:delete: The operator denied it")


async def test_a_program_cannot_use_more_steps_than_the_run_has() -> None:
    own = Program()
    story = Story(batch(program("ax:save", "ax:name")), adapters=[own], limits=limits(max_steps=2))
    await story.tell()
    assert [record.succeeded for record in own.records] == [True, False]
    assert own.records[-1].error == "All steps of the run are used up."


async def test_a_program_that_raises_what_a_person_can_act_on_has_failed() -> None:
    story = Story(batch(program("x")), done(), adapters=[Program(TargetError("It is gone.", "Look again."))])
    await story.tell()
    assert story.history[0].error == "It is gone. Look again."


async def interrupted(story: Story, *, after_intents: int) -> list[RunEvent]:
    """The events up to the intent of that number, as a kill would have left them."""
    await story.tell()
    seen, kept = 0, []
    for event in story.events:
        kept.append(event)
        seen += isinstance(event, ActionIntended)
        if seen == after_intents:
            return kept
    raise AssertionError("there were not so many")


async def test_after_an_interruption_it_begins_anew_and_repeats_nothing_that_it_noted() -> None:
    first = Story(batch(program("ax:save", "ax:name")), done(), adapters=[Program()])
    state = fold(await interrupted(first, after_intents=3))
    assert state.unfinished_program is not None
    assert state.unfinished is not None
    operator = ScriptedOperator(answers=["It did not happen"])
    again = Story(done(), adapters=[Program()], resume=state, operator=operator)
    await again.tell()
    assert [action.targets()[0] for action in again.desktop.performed] == ["ax:name"]
    assert operator.questions[0].question.startswith("The console was interrupted during “Click “Name”")


async def test_what_is_said_to_have_happened_is_not_done_again_by_beginning_anew() -> None:
    first = Story(batch(program("ax:save", "ax:name")), done(), adapters=[Program()])
    state = fold(await interrupted(first, after_intents=2))
    operator = ScriptedOperator(answers=[ClarifyAnswer(text="It happened")])
    again = Story(done(), adapters=[Program()], resume=state, operator=operator)
    await again.tell()
    assert again.desktop.performed == []
    assert again.history[-1].error is not None
    assert "which happened" in again.history[-1].error


async def test_a_harmless_step_that_was_interrupted_is_not_asked_about() -> None:
    class Waiting(Program):
        async def run(self, action: str, params: Json, hands: Hands) -> Step:
            await hands.act(act.Wait(ms=1), "wait")
            return Step.ok(None, {})

    first = Story(batch(program()), done(), adapters=[Waiting()])
    state = fold(await interrupted(first, after_intents=2))
    again = Story(done(), adapters=[Waiting()], resume=state)
    assert (await again.tell()).end == "succeeded"
    assert [action.type for action in again.desktop.performed] == ["wait"]


@pytest.mark.parametrize("name", ["program", "other"])
async def test_a_program_that_the_run_does_not_have_is_refused(name: str) -> None:
    adapters = [Program()] if name == "other" else []
    story = Story(batch(act.Custom(adapter=name, action="run")), done(), adapters=adapters)
    await story.tell()
    assert story.history[0].error is not None
    assert story.desktop.performed == []
