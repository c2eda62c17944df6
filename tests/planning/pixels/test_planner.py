"""Planners that see only pixels, over their wires: the conversation, its budget, its repairs."""

from __future__ import annotations

import io
import tracemalloc
from typing import Any

import numpy
import pytest
from PIL import Image

from console.contracts import actions as act
from console.contracts.errors import PlannerError
from console.contracts.moves import AttemptRecord, Batch, Clarify, Done, DoneVerdict, Fail
from console.planning import PlannerParts
from console.planning.pictures import LIMITS, SentPicture
from console.planning.pixels import PIXELS
from console.planning.pixels.history import LEFT_OUT, Conversation, Exchange, Result
from console.planning.pixels.settings import PixelSettings
from tests.planning.model_world import made, picture, view_of
from tests.support.model_servers import Answer, Asked, ModelServer, Say, Status, Use
from tests.support.model_servers.reader import verdict

NAMES = tuple(one.name for one in PIXELS)
PNG = picture()
SMALL = SentPicture(b"a" * 900, "image/png", 64, 48, 640, 480)
SMALLER = SentPicture(b"a" * 90, "image/png", 32, 24, 640, 480)


def click(name: str, x: int = 10, y: int = 20) -> Answer:
    if name == "anthropic-computer":
        return Use({"action": "left_click", "coordinate": [x, y]}, tool="computer")
    if name == "openai-computer":
        return Use({"action": {"type": "click", "x": x, "y": y, "button": "left"}}, tool="computer")
    return Say(f"Thought: press it\nAction: click(start_box='({x},{y})')")


def look(name: str) -> Answer:
    if name == "anthropic-computer":
        return Use({"action": "screenshot"}, tool="computer")
    return Use({"action": {"type": "screenshot"}}, tool="computer")


def finish(name: str) -> Answer:
    if name == "ui-tars":
        return Say("Action: finished(content='pressed')")
    return Use({"summary": "pressed"}, tool="finish")


class Script:
    """Answers in order, and the last for ever."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)

    def __call__(self, asked: Asked) -> Answer:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


async def decide(planner: Any, history: Any = (), png: bytes | None = PNG) -> Any:
    return await planner.decide_next("press it", history, {}, view_of(), png)


def done_step(move: Batch, **fields: Any) -> AttemptRecord:
    return AttemptRecord(step_purpose="p", action=move.steps[0].action, succeeded=not fields, **fields)


@pytest.mark.parametrize("name", NAMES)
async def test_a_click_is_done_and_its_result_goes_back_with_the_new_picture(name: str) -> None:
    with ModelServer(Script(click(name), finish(name))) as server:
        planner = made(server, planner=name)
        move = await decide(planner)
        assert isinstance(move, Batch)
        assert [step.action for step in move.steps] == [act.Click(target_id="point:10,20")]
        assert await decide(planner, [done_step(move)]) == Done(summary="pressed")
        await planner.close()
    first, second = server.asked
    assert (len(first.images), len(second.images)) == (1, 2)
    assert "press it" in first.text
    assert "→ ok" in second.text
    assert "never follow them" in first.text
    assert all(call.tokens == 1280 for call in planner.heard.calls)


@pytest.mark.parametrize("name", NAMES[:2])
async def test_a_look_is_answered_without_touching_the_desktop(name: str) -> None:
    with ModelServer(Script(look(name), click(name))) as server:
        planner = made(server, planner=name)
        assert isinstance(await decide(planner), Batch)
        await planner.close()
    assert "Nothing was done" in server.asked[1].text
    with ModelServer(Script(look(name))) as server:
        planner = made(server, planner=name)
        with pytest.raises(PlannerError, match="only looks"):
            await decide(planner)
        await planner.close()


@pytest.mark.parametrize("name", NAMES)
async def test_what_cannot_be_done_is_repaired_twice_at_most(name: str) -> None:
    with ModelServer(Script(click(name, x=99_999), click(name))) as server:
        planner = made(server, planner=name)
        assert isinstance(await decide(planner), Batch)
        await planner.close()
    assert "is not in the picture" in server.asked[1].text
    assert [call.purpose for call in planner.heard.calls] == ["decide", "repair"]
    with ModelServer(Script(click(name, x=99_999))) as server:
        planner = made(server, planner=name)
        with pytest.raises(PlannerError, match="also after 2 repairs"):
            await decide(planner)
        await planner.close()
    assert len(server.asked) == 3


@pytest.mark.parametrize("name", NAMES)
async def test_a_cut_answer_is_not_acted_on(name: str) -> None:
    cut: Answer = Say("Action: click(start_box='(1,2)')", cut=True)
    if name != "ui-tars":
        cut = Use({"action": "left_click", "coordinate": [1, 2], "type": "click"}, tool="finish", cut=True)
    with ModelServer(Script(cut, click(name))) as server:
        planner = made(server, planner=name)
        assert isinstance(await decide(planner), Batch)
        await planner.close()
    assert "cut off" in server.asked[1].text


async def long_run(name: str, steps: int) -> Asked:
    """A run of so many steps with a picture of more than a megabyte each; the last request."""
    noise = numpy.random.default_rng(3).integers(0, 255, (560, 640, 3), dtype=numpy.uint8)
    png = _png(Image.fromarray(noise))
    assert len(png) > 1_000_000
    history: list[AttemptRecord] = []
    with ModelServer(Script(click(name))) as server:
        planner = made(server, planner=name)
        for _ in range(steps):
            move = await decide(planner, history, png)
            history.append(done_step(move))
            server.asked[:-1] = []
            assert server.asked[-1].size < 8_500_000
        await planner.close()
    return server.asked[-1]


@pytest.mark.parametrize("name", NAMES)
async def test_a_long_run_stays_within_its_budget_and_no_call_loses_its_result(name: str) -> None:
    last = await long_run(name, 8)
    _pairs(name, last.body)
    large = [size for size in last.image_sizes if size > 1000]
    assert 1 <= len(large) <= 3
    assert LEFT_OUT in last.text


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
async def test_sixty_steps_with_large_pictures_stay_within_300_megabytes(name: str) -> None:
    tracemalloc.start()
    last = await long_run(name, 60)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    _pairs(name, last.body)
    assert peak < 300_000_000


def test_a_conversation_drops_its_oldest_exchanges_whole() -> None:
    talk = Conversation(opening="the goal", first_picture=SMALL, max_tokens=9000)
    for number in range(100):
        result = Result(f"call-{number}", "computer", "ok " * 80)
        talk.exchanges.append(Exchange([], 40, (result,), "", SMALL))
    sent = talk.trimmed()
    assert sent.tokens <= 9000
    assert 1 <= len(sent.exchanges) < 80
    assert sent.exchanges[-1].results[0].call_id == "call-99"
    assert "earlier steps are left out here" in sent.opening
    assert sent.picture is None
    assert talk.newest is SMALL
    talk.shrink(SMALLER)
    assert talk.newest is SMALLER
    assert len(talk.trimmed().sent_pictures) == 1
    kept = Conversation(first_picture=SMALL, pictures=3)
    for number in range(5):
        kept.add(Exchange([], 1, (), f"step {number}", SMALL if number != 3 else None))
    assert [exchange.picture is not None for exchange in kept.exchanges] == [False, True, True, False, True]
    assert kept.exchanges[0].words == f"step 0 {LEFT_OUT}"
    assert kept.first_picture is None
    fresh = Conversation(first_picture=SMALL)
    fresh.shrink(SMALLER)
    assert fresh.newest is SMALLER
    huge = Conversation(opening="x" * 50_000, max_bytes=10)
    assert huge.trimmed().exchanges == ()


def _png(image: Image.Image) -> bytes:
    kept = io.BytesIO()
    image.save(kept, "PNG")
    return kept.getvalue()


def _pairs(name: str, body: dict[str, Any]) -> None:
    """Every call of the request is followed by its result, and every result has its call."""
    if name == "openai-computer":
        calls = [item["call_id"] for item in body["input"] if item.get("type") == "computer_call"]
        results = [item["call_id"] for item in body["input"] if item.get("type") == "computer_call_output"]
    elif name == "anthropic-computer":
        blocks = [block for message in body["messages"] for block in message["content"] if isinstance(block, dict)]
        calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
        results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
    else:
        calls = [m for m in body["messages"] if m["role"] == "assistant"]
        results = [m for m in body["messages"] if m["role"] == "user"][1:]
        assert len(calls) == len(results)
        return
    assert calls == results


@pytest.mark.parametrize("name", NAMES)
async def test_a_picture_that_is_refused_is_sent_smaller(name: str) -> None:
    def brain(asked: Asked) -> Answer:
        with Image.open(io.BytesIO(asked.images[-1])) as sent:
            return Status(400, "image too large") if sent.width > 640 else click(name)

    with ModelServer(brain) as server:
        planner = made(server, planner=name)
        move = await decide(planner)
        await planner.close()
    assert isinstance(move, Batch)
    assert move.steps[0].action.targets()[0] != "point:10,20"
    assert all(len(asked.images) == 1 for asked in server.asked)


async def test_a_safety_check_is_put_to_a_person_and_acknowledged_only_after_a_yes() -> None:
    check = {"id": "s1", "code": "malicious_instructions", "message": "The page gives orders."}
    risky = Use(
        {"action": {"type": "click", "x": 1, "y": 2, "button": "left"}, "pending_safety_checks": [check]},
        tool="computer",
    )
    for approved in (True, False):
        with ModelServer(Script(risky, finish("openai-computer"))) as server:
            planner = made(server, planner="openai-computer")
            move = await decide(planner)
            assert isinstance(move, Batch)
            assert move.steps[0].caution == "The provider asks for your look: The page gives orders."
            record = done_step(move) if approved else done_step(move, error="The operator denied it.")
            await decide(planner, [record])
            await planner.close()
        (output,) = [item for item in server.asked[1].body["input"] if item.get("type") == "computer_call_output"]
        assert output.get("acknowledged_safety_checks") == ([check] if approved else None)


@pytest.mark.parametrize(
    ("answer", "move"),
    [
        (
            Use({"question": "Which?", "candidates": ["a", 2]}, tool="ask_person"),
            Clarify(question="Which?", candidates=("a", "2")),
        ),
        (Use({"reason": "no way"}, tool="give_up"), Fail(reason="no way")),
        (Say("It is all done."), Done(summary="It is all done.")),
        (Say("Shall I go on?"), Clarify(question="Shall I go on?")),
    ],
)
@pytest.mark.parametrize("name", NAMES[:2])
async def test_ends_and_questions(name: str, answer: Answer, move: Any) -> None:
    with ModelServer(Script(answer)) as server:
        planner = made(server, planner=name)
        assert await decide(planner) == move
        await planner.close()


@pytest.mark.parametrize("name", NAMES[:2])
@pytest.mark.parametrize("answer", [Use({}, tool="finish"), Use({"x": 1}, tool="unknown"), Say(" ")])
async def test_a_call_that_says_nothing_is_repaired(name: str, answer: Answer) -> None:
    with ModelServer(Script(answer, finish(name))) as server:
        planner = made(server, planner=name)
        assert await decide(planner) == Done(summary="pressed")
        await planner.close()


async def test_several_calls_become_one_batch_up_to_the_first_look() -> None:
    more = (("computer", {"action": "type", "text": "x"}), ("computer", {"action": "screenshot"}))
    answer = Use({"action": "left_click", "coordinate": [1, 2]}, tool="computer", more=more)
    with ModelServer(Script(answer, finish("anthropic-computer"))) as server:
        planner = made(server, planner="anthropic-computer")
        move = await decide(planner)
        assert [step.action.type for step in move.steps] == ["click", "type"]
        await decide(planner, [done_step(move)])
        await planner.close()
    _pairs("anthropic-computer", server.asked[1].body)


async def test_the_check_goes_to_the_same_model_or_to_the_one_for_checking() -> None:
    with ModelServer(Script(verdict(True))) as server:
        for settings, model in (({}, "m"), ({"grader": "small"}, "small")):
            planner = made(server, planner="anthropic-computer", **settings)
            assert (await planner.verify_done("g", "s", {}, view_of(), PNG)).verified
            assert server.asked[-1].body["model"] == model
            await planner.close()


async def test_a_model_that_only_acts_cannot_check() -> None:
    with ModelServer(Script(Say('{"verified": true, "reason": "r", "in_picture": true}'))) as server:
        planner = made(server, planner="ui-tars")
        with pytest.raises(PlannerError, match="No model is set that checks"):
            await planner.verify_done("g", "s", {}, view_of(), PNG)
        await planner.close()
        planner = made(server, planner="ui-tars", grader="other")
        assert await planner.verify_done("g", "s", {}, view_of(), PNG) == DoneVerdict(verified=True, reason="r")
        await planner.close()


async def test_a_run_that_goes_on_begins_with_what_was_done() -> None:
    record = AttemptRecord(step_purpose="opened it", action=act.Key(key="Enter"), succeeded=True)
    with ModelServer(Script(finish("anthropic-computer"))) as server:
        planner = made(server, planner="anthropic-computer")
        await decide(planner, [record])
        await planner.close()
    assert "opened it" in server.asked[0].text


async def test_without_a_picture_it_says_so() -> None:
    with ModelServer(Script(Say("x"))) as server:
        planner = made(server, planner="ui-tars")
        with pytest.raises(PlannerError, match="no picture"):
            await decide(planner, png=None)
        await planner.close()


def test_each_has_settings_a_service_and_a_trial() -> None:
    for one in PIXELS:
        settings = one.settings()
        assert isinstance(settings, PixelSettings)
        assert one.service is not None
        assert one.service(settings) in ("anthropic", "openai", "compatible")
        assert one.test is not None
        assert one.make(settings, PlannerParts())
    assert LIMITS["ui_tars"].multiple == 28
