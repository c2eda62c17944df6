"""`operator-console ask`: a past decision, put to planners again."""

from __future__ import annotations

from typing import Any

import pytest

from console.cli.wiring import RunOrder
from console.contracts.errors import PlannerError
from console.contracts.moves import Done
from console.core.moments import ask_again, moment_of
from console.testing.doubles import ScriptedPlanner

from .fakes import FakeWiring, say


class Opinions(FakeWiring):
    """Each planner answers with its own name; `sad` fails."""

    async def second_opinion(
        self, store: Any, run_id: str, turn: int | None, planner: str | None, options: Any
    ) -> tuple[Any, Any]:
        moment = moment_of(await store.events(run_id), turn)
        answer: Any = (
            PlannerError("No key.", "Enter one.") if planner == "sad" else Done(summary=f"{planner} {options}")
        )
        return moment, await ask_again(moment, ScriptedPlanner(answer), planner or moment.planner, None)


@pytest.fixture
def opinions(tmp_path: Any) -> Opinions:
    wiring = Opinions(tmp_path)
    assert say(wiring, "run", "save it").code == 0
    return wiring


def test_both_answers_stand_below_each_other(opinions: Opinions) -> None:
    told = say(opinions, "ask", "last", "--turn", "1", "--planner", "replay", "--set", "model=m")
    assert told.code == 0
    lines = told.out.splitlines()
    assert lines[0].startswith("Turn 1, as ")
    assert lines[1].strip() == "press"
    assert any(line.startswith("replay now (") for line in lines)
    assert lines[-1].strip() == "Done: replay {'model': 'm'}"
    assert opinions.orders == [opinions.orders[0]]
    assert isinstance(opinions.orders[0], RunOrder)


def test_several_planners_are_asked_and_one_that_fails_says_why(opinions: Opinions) -> None:
    told = say(opinions, "ask", "last", "--planner", "sad", "--planner", "replay", "--json")
    assert told.code == 0
    then, sad, replay = told.lines
    assert (then["then"], then["turn"]) == (True, 2)
    assert (sad["move"], sad["problem"]) == (None, "No key. Enter one.")
    assert replay["move"]["kind"] == "done"
    assert say(opinions, "ask", "last", "--planner", "sad").code == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(("last", "--turn", "99"), "no decision in turn 99"), (("nobody",), "nobody")],
)
def test_what_is_not_there_is_said(opinions: Opinions, arguments: tuple[str, ...], words: str) -> None:
    told = say(opinions, "ask", *arguments)
    assert told.code != 0
    assert words in told.err
