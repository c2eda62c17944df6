"""What a planner tells while it works: kept, shown, added up, and held against the limits."""

from __future__ import annotations

from typing import Any

import pytest

from console.contracts.events import RUN_EVENT, ModelCalled, ModelSays, ModelWaits
from console.contracts.model_use import ModelCall, ModelSpent, ModelWait, ModelWords, Report, spent_words
from console.contracts.operator import ClarifyAnswer
from console.core.recorder import Recorder
from console.core.state import fold
from console.testing.doubles import ScriptedOperator, ScriptedPlanner

from .stories import Story, batch, click, done, limits

CALL = ModelCall(purpose="decide", model="m:1", latency_ms=5, input_tokens=900, output_tokens=100, cost_usd=0.25)


class Telling(ScriptedPlanner):
    """Tells `news` before each move; `closes` may fail."""

    def __init__(self, *moves: Any, news: Any = (CALL,), closes: Exception | None = None) -> None:
        super().__init__(*moves)
        self.news, self.closes, self.closed = news, closes, 0
        self.tell: Report | None = None

    def report_to(self, report: Report) -> None:
        self.tell = report

    async def decide_next(self, *given: Any, **named: Any) -> Any:
        assert self.tell is not None
        for one in self.news:
            await self.tell(one)
        return await super().decide_next(*given, **named)

    async def close(self) -> None:
        self.closed += 1
        if self.closes is not None:
            raise self.closes


async def test_words_are_shown_and_calls_and_waits_are_kept() -> None:
    wait = ModelWait(reason="Busy.", seconds=2.5, attempt=2, attempts=5)
    planner = Telling(done(), news=(ModelWords(text="I see"), wait, CALL))
    story = Story(planner=planner)
    await story.tell()
    (says,), (waits,), (called,) = story.of("model_says"), story.of("model_waits"), story.of("model_called")
    assert (says.seq, says.text, says.headline()) == (0, "I see", "I see")
    assert (waits.until_ms, waits.headline()) == (1_002_500, "Busy. Next try in 2 s (2 of 5).")
    assert called.headline() == "m:1 answered: 1,000 tokens · $0.25"
    kept = await story.store.events("r")
    assert [event.event for event in kept if event.event.startswith("model")] == ["model_waits", "model_called"]
    assert planner.closed == 1


async def test_the_cost_stands_in_the_step_and_survives_an_interruption() -> None:
    failed = ModelCall(purpose="repair", model="m:1", latency_ms=1, input_tokens=10, cache_read_tokens=4, problem="No.")
    story = Story(planner=Telling(batch(click()), done(), news=(CALL, failed)))
    usage = (await story.tell()).step.usage
    assert usage is not None
    assert (usage.llm_requests, usage.input_tokens, usage.output_tokens, usage.total_tokens) == (4, 1820, 200, 2020)
    assert (usage.cost_usd, usage.cache_read_tokens) == (0.5, 8)
    kept = [event for event in await story.store.events("r") if event.event != "run_ended"]
    assert fold(kept).spent == ModelSpent(
        calls=4, input_tokens=1820, output_tokens=200, cache_read_tokens=8, cost_usd=0.5, unpriced=2
    )


async def test_without_a_model_the_step_has_no_tokens() -> None:
    usage = (await Story(done()).tell()).step.usage
    assert usage is not None
    assert "llm_requests" not in usage.model_dump()


@pytest.mark.parametrize(
    ("limit", "question"),
    [
        ({"max_cost_usd": 0.2}, "The run has used $0.25 of its $0.20 for models. Go on?"),
        ({"max_tokens": 1000}, "The run has used 1,000 of its 1,000 tokens. Go on?"),
    ],
)
async def test_a_limit_asks_and_a_yes_allows_as_much_again(limit: dict[str, Any], question: str) -> None:
    operator = ScriptedOperator(answers=["Go on, up to as much again", "End the run"])
    planner = Telling(batch(click()), batch(click()), batch(click()), done())
    story = Story(planner=planner, operator=operator, limits=limits(**limit))
    ended = await story.tell()
    assert operator.questions[0].question == question
    assert ended.end == "failed"
    assert ended.step.fail is not None
    assert ended.step.fail.reason == "budget_exhausted"
    assert len(operator.questions) == 2


@pytest.mark.parametrize("operator", [None, ScriptedOperator(answers=[ClarifyAnswer(declined=True)])])
async def test_nobody_who_allows_it_is_a_no(operator: ScriptedOperator | None) -> None:
    planner = Telling(batch(click()), done())
    ended = await Story(planner=planner, operator=operator, limits=limits(max_cost_usd=0.1)).tell()
    assert ended.end == "failed"
    assert "$0.25" in ended.outcome.sentence()


async def test_one_yes_raises_every_limit_that_was_reached() -> None:
    operator = ScriptedOperator(answers=["Go on, up to as much again"])
    planner = Telling(batch(click()), done())
    ended = await Story(planner=planner, operator=operator, limits=limits(max_cost_usd=0.1, max_tokens=10)).tell()
    assert ended.end == "succeeded"
    assert len(operator.questions) == 1


async def test_a_planner_that_cannot_be_closed_does_not_change_the_end(expected_log: Any) -> None:
    expected_log("could not be closed")
    planner = Telling(done(), closes=RuntimeError("stuck"))
    assert (await Story(planner=planner).tell()).end == "succeeded"


async def test_news_after_the_end_is_dropped() -> None:
    planner = Telling(done())
    story = Story(planner=planner)
    await story.tell()
    assert planner.tell is not None
    count = len(await story.store.events("r"))
    await planner.tell(CALL)
    assert len(await story.store.events("r")) == count


async def test_a_key_is_blotted_out_of_every_event() -> None:
    keys: set[str] = set()
    planner = Telling(done("the key is sk-1234"), news=(ModelWords(text="sk-1234"), CALL))
    story = Story(planner=planner, keys=keys)
    keys.add("sk-1234")
    await story.tell()
    assert not any("sk-1234" in event.model_dump_json() for event in story.events)
    assert isinstance(story.run._recorder, Recorder)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (CALL.model_copy(update={"problem": "It is busy."}), "It is busy."),
        (CALL.model_copy(update={"cost_usd": None}), "m:1 answered: 1,000 tokens"),
        (ModelCall(purpose="test", model="m:1", latency_ms=1), "m:1 answered: 1 call"),
    ],
)
def test_a_call_says_what_it_cost(call: ModelCall, words: str) -> None:
    assert ModelCalled(run_id="r", seq=1, at_ms=1, turn=1, call=call).headline() == words


def test_money_is_said_as_far_as_it_is_known() -> None:
    assert ModelSpent().words() == ""
    assert ModelSpent().plus(CALL).words() == "1,000 tokens · $0.25"
    assert ModelSpent(calls=1, input_tokens=5, cost_usd=0.00123).words() == "5 tokens · $0.0012"
    assert spent_words(5, 0.5, unpriced=1) == "5 tokens · at least $0.50"
    assert spent_words(0, 0, calls=3) == "3 calls"


@pytest.mark.parametrize("kind", [ModelCalled, ModelWaits, ModelSays])
def test_events_of_models_survive_the_journal(kind: Any) -> None:
    fields = {
        ModelCalled: {"call": CALL},
        ModelWaits: {"wait": ModelWait(reason="r", seconds=1, attempt=1, attempts=2), "until_ms": 5},
        ModelSays: {"text": "t"},
    }[kind]
    event = kind(run_id="r", seq=1, at_ms=1, turn=1, **fields)
    assert RUN_EVENT.validate_json(RUN_EVENT.dump_json(event)) == event
