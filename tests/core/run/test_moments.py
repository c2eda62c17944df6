"""A past decision with what its planner was given, put to another planner."""

from __future__ import annotations

import pytest

from console.contracts.errors import ConsoleError, PlannerError
from console.contracts.events import Observed
from console.core.moments import ask_again, moment_of, moments, move_lines
from console.testing.doubles import ScriptedOperator, ScriptedPlanner

from .stories import Story, ask, batch, click, done
from .test_planner_news import Telling


async def told() -> Story:
    story = Story(
        batch(click()), ask("Which?"), batch(click("ax:name")), done(), operator=ScriptedOperator(answers=["b"])
    )
    await story.tell("tidy")
    return story


async def test_each_decision_is_there_with_what_was_known_then() -> None:
    story = await told()
    found = moments(story.events)
    assert [moment.turn for moment in found] == [1, 2, 3, 4]
    assert [len(moment.history) for moment in found] == [0, 1, 2, 3]
    third = found[2]
    assert third.goal == "tidy"
    assert third.memory["operator_answers"][0]["answer"] == "b"  # type: ignore[index,call-overload]
    seen = [event for event in story.events if isinstance(event, Observed)]
    assert third.view == seen[2].view
    assert third.screenshot == seen[2].screenshot


async def test_another_planner_is_given_the_same_and_nothing_is_done() -> None:
    moment = moment_of((await told()).events, 3)
    planner = Telling(done("I would stop"))
    opinion = await ask_again(moment, planner, "other", b"png")
    assert opinion.move == done("I would stop")
    assert (opinion.planner, opinion.problem, opinion.spent.calls) == ("other", "", 1)
    history, memory, view = planner.asked[0]
    assert (history, memory, view) == (tuple(moment.history), dict(moment.memory), moment.view)
    assert planner.closed == 1


@pytest.mark.parametrize(
    ("failure", "words"),
    [(PlannerError("No key.", "Enter one."), "No key. Enter one."), (ValueError("x"), "The planner failed: x")],
)
async def test_a_planner_that_fails_says_why(failure: Exception, words: str) -> None:
    moment = moment_of((await told()).events, None)
    assert moment.turn == 4
    opinion = await ask_again(moment, ScriptedPlanner(failure), "other", None)
    assert (opinion.move, opinion.problem) == (None, words)


async def test_a_turn_that_is_not_there_is_said() -> None:
    events = (await told()).events
    with pytest.raises(ConsoleError, match="no decision in turn 9"):
        moment_of(events, 9)
    with pytest.raises(ConsoleError, match="Nothing was decided"):
        moment_of([], None)


async def test_a_move_is_said_with_the_labels_of_its_view() -> None:
    view = moment_of((await told()).events, 1).view
    assert move_lines(batch(click(), click("ax:gone"), purpose="go"), view) == [
        "go",
        "1. Click “Save”",
        "2. Click “ax:gone”",
    ]
    assert move_lines(done("fine"), view) == ["Done: fine"]
