"""Calls over every wire: what goes out, what comes back, and what is said when it goes wrong."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from console.contracts.errors import PlannerError
from console.contracts.moves import Done
from console.planning.models.failures import ModelTrouble
from tests.planning.model_world import made, picture, view_of
from tests.support.model_goals import CANARY, WIRES
from tests.support.model_servers import Answer, Asked, Broken, Hang, ModelServer, Refusal, Say, Status, Use
from tests.support.model_servers.reader import done

OVER = "{} does not "


class Sleeps:
    """Takes the place of sleeping; keeps how long it would have been."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


async def ask(planner: Any, png: bytes | None = None) -> Any:
    try:
        return await planner.decide_next("save it", (), {}, view_of(), png)
    finally:
        await planner.close()


def without_waiting(planner: Any) -> Sleeps:
    sleeps = Sleeps()
    planner._deciding.caller._sleep = sleeps
    return sleeps


@pytest.mark.parametrize("provider", WIRES)
async def test_a_move_comes_back_with_words_and_costs(provider: str) -> None:
    answer = Use({"thought": "I see that it is saved.", "kind": "done", "summary": "saved"}, pause_s=0.04)
    with ModelServer(lambda _: answer) as server:
        planner = made(server, provider)
        assert await ask(planner, picture()) == Done(summary="saved")
    (asked,) = server.asked
    assert asked.stream
    assert len(asked.images) == 1
    assert "<screen>" in asked.text
    assert "You carry out a goal" in asked.text
    (call,) = planner.heard.calls
    assert (call.input_tokens, call.output_tokens, call.problem) == (1200, 80, None)
    assert call.words == "I see that it is saved."
    assert call.model == f"{provider}:m"
    assert planner.heard.words
    keys = [asked.headers.get("x-api-key"), asked.headers.get("authorization"), asked.headers.get("x-goog-api-key")]
    assert any(key and CANARY in key for key in keys)


@pytest.mark.parametrize(
    ("status", "words", "hint"),
    [
        (Status(401, f"bad key {CANARY}"), "does not accept the key", "press Test"),
        (Status(403, f"not for {CANARY}"), "does not let this key use “m”", "another key"),
        (Status(404, "no such model"), "does not know the model “m”", "Check its name"),
        (Status(400, "something about a field"), "did not take the request (400)", "Check the settings"),
        (Status(402, "pay first"), "is used up", "Top it up"),
    ],
)
@pytest.mark.parametrize("provider", WIRES)
async def test_an_error_that_will_not_pass_is_one_sentence_and_one_call(
    provider: str, status: Status, words: str, hint: str
) -> None:
    with ModelServer(lambda _: status) as server:
        planner = made(server, provider)
        with pytest.raises(ModelTrouble) as told:
            await ask(planner)
    assert words in told.value.message
    assert hint in told.value.hint
    assert len(server.asked) == 1
    assert CANARY not in told.value.sentence()
    assert not any(CANARY in str(news) for news in planner.heard.news)


@pytest.mark.parametrize("code", [429, 500, 503, 529])
@pytest.mark.parametrize("provider", WIRES)
async def test_what_may_pass_is_tried_again_with_growing_waits_and_an_end(provider: str, code: int) -> None:
    with ModelServer(lambda _: Status(code, "busy")) as server:
        planner = made(server, provider, tries=4)
        sleeps = without_waiting(planner)
        with pytest.raises(ModelTrouble):
            await ask(planner)
    assert len(server.asked) == 4
    assert sleeps.seconds == sorted(sleeps.seconds)
    assert [wait.seconds for wait in planner.heard.waits] == sleeps.seconds
    assert [(wait.attempt, wait.attempts) for wait in planner.heard.waits] == [(2, 4), (3, 4), (4, 4)]
    assert [call.problem is not None for call in planner.heard.calls] == [True] * 4


@pytest.mark.parametrize("provider", WIRES)
async def test_the_wait_is_as_long_as_the_provider_asks(provider: str) -> None:
    answers: list[Answer] = [Status(429, "slow down", {"retry-after": "7"}), Status(529), done("saved")]
    with ModelServer(lambda _: answers.pop(0)) as server:
        planner = made(server, provider)
        sleeps = without_waiting(planner)
        assert await ask(planner) == Done(summary="saved")
    assert sleeps.seconds[0] == 7
    assert 1.4 < sleeps.seconds[1] < 2.6


async def test_a_wait_that_is_too_long_is_an_error() -> None:
    with ModelServer(lambda _: Status(429, "come back", {"retry-after": "3600"})) as server:
        with pytest.raises(ModelTrouble, match="limits how often"):
            await ask(made(server))
        assert len(server.asked) == 1


@pytest.mark.parametrize("provider", ["anthropic", "openai", "google"])
async def test_an_answer_that_breaks_off_is_not_used_and_asked_for_again(provider: str) -> None:
    answers: list[Answer] = [Broken(), done("saved")]
    with ModelServer(lambda _: answers.pop(0)) as server:
        planner = made(server, provider)
        without_waiting(planner)
        assert await ask(planner) == Done(summary="saved")
    assert planner.heard.calls[0].problem is not None


@pytest.mark.parametrize("provider", WIRES)
async def test_a_refusal_is_said(provider: str) -> None:
    with ModelServer(lambda _: Refusal()) as server:
        with pytest.raises(ModelTrouble, match="The model refused"):
            await ask(made(server, provider))
        assert len(server.asked) == 1


@pytest.mark.parametrize("provider", WIRES)
async def test_silence_ends_after_its_time(provider: str) -> None:
    with ModelServer(lambda _: Hang(20)) as server:
        planner = made(server, provider, tries=5)
        planner._deciding.caller._timeout_s = 0.3
        sleeps = without_waiting(planner)
        with pytest.raises(ModelTrouble, match=r"did not answer within 0\.3 s"):
            await ask(planner)
    assert len(sleeps.seconds) == 1


@pytest.mark.parametrize("provider", WIRES)
async def test_stop_ends_the_call_at_the_server(provider: str) -> None:
    with ModelServer(lambda _: Hang(20)) as server:
        planner = made(server, provider)
        await planner._deciding.caller.connection()
        task = asyncio.create_task(ask(planner))
        while not server.asked:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        end = time.monotonic() + 5
        while not server.gone:
            assert time.monotonic() < end
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("provider", WIRES)
async def test_a_cut_answer_is_never_acted_on(provider: str) -> None:
    cut = Use({"thought": "t", "kind": "done", "summary": "saved"}, cut=True)
    answers: list[Answer] = [cut, done("saved again")]
    with ModelServer(lambda _: answers.pop(0)) as server:
        planner = made(server, provider)
        assert await ask(planner) == Done(summary="saved again")
    assert "cut off" in server.asked[1].text
    assert [call.purpose for call in planner.heard.calls] == ["decide", "repair"]


@pytest.mark.parametrize("provider", WIRES)
@pytest.mark.parametrize("body", ["I cannot do that", "{}", '{"kind":"batch","steps":[{}]}'])
async def test_repairs_are_bounded(provider: str, body: str) -> None:
    with ModelServer(lambda _: Say(body)) as server:
        planner = made(server, provider)
        with pytest.raises(PlannerError, match="also after 2 repairs"):
            await ask(planner)
    assert len(server.asked) == 3
    assert "Nothing was done" in server.asked[2].text


@pytest.mark.parametrize("provider", WIRES)
async def test_a_repair_keeps_call_and_result_together(provider: str) -> None:
    answers: list[Answer] = [Use({"thought": "t", "kind": "batch", "steps": []}), done("saved")]
    with ModelServer(lambda _: answers.pop(0)) as server:
        assert await ask(made(server, provider)) == Done(summary="saved")
    assert "at least one step" in server.asked[1].text


@pytest.mark.parametrize("provider", ["openai_chat", "compatible", "google", "anthropic", "openai"])
async def test_a_model_without_tools_is_asked_for_text(provider: str) -> None:
    def brain(asked: Asked) -> Answer:
        if asked.body.get("tools"):
            return Status(400, "m does not support tools")
        return Say('Here: {"kind": "done", "summary": "saved"}')

    with ModelServer(brain) as server:
        planner = made(server, provider)
        assert await planner.decide_next("g", (), {}, view_of(), None) == Done(summary="saved")
        assert await ask(planner) == Done(summary="saved")
    assert [bool(asked.body.get("tools")) for asked in server.asked] == [True, False, False]
    assert "JSON schema" in server.asked[1].text


async def test_the_fallback_is_asked_when_the_first_stays_busy() -> None:
    def brain(asked: Asked) -> Answer:
        return Status(529) if asked.body["model"] == "m" else done("saved")

    with ModelServer(brain) as server:
        planner = made(server, fallback="anthropic:spare", tries=2)
        without_waiting(planner)
        assert await ask(planner) == Done(summary="saved")
    assert [asked.body["model"] for asked in server.asked] == ["m", "m", "spare"]
    assert planner.heard.calls[-1].model == "anthropic:spare"


async def test_the_fallback_does_not_hide_a_wrong_key() -> None:
    with ModelServer(lambda _: Status(401)) as server:
        with pytest.raises(ModelTrouble, match="does not accept the key"):
            await ask(made(server, fallback="anthropic:spare"))
        assert len(server.asked) == 1


async def test_a_server_that_is_not_there_is_said() -> None:
    with ModelServer(lambda _: done("x")) as server:
        planner = made(server, "compatible", tries=2)
    without_waiting(planner)
    with pytest.raises(ModelTrouble, match="could not be reached"):
        await ask(planner)


@pytest.mark.parametrize("provider", WIRES)
async def test_a_picture_that_is_refused_is_sent_smaller_then_left_out(provider: str) -> None:
    def brain(asked: Asked) -> Answer:
        return Status(400, "image exceeds the limit") if asked.images else done("saved")

    with ModelServer(brain) as server:
        planner = made(server, provider)
        assert await planner.decide_next("g", (), {}, view_of(), picture()) == Done(summary="saved")
        assert await ask(planner, picture()) == Done(summary="saved")
    sizes = [len(asked.images) for asked in server.asked]
    assert sizes == [1, 1, 0, 0]
    assert server.asked[1].image_sizes[0] != server.asked[0].image_sizes[0]


async def test_the_price_list_knows_hosted_models() -> None:
    with ModelServer(lambda _: done("saved")) as server:
        planner = made(server, model="claude-sonnet-4-5")
        await ask(planner)
    (call,) = planner.heard.calls
    assert call.cost_usd is not None
    assert call.cost_usd > 0


@pytest.mark.parametrize(
    ("settings", "words"),
    [({"model": ""}, "No model is chosen"), ({"address": "", "provider": "compatible"}, "no address")],
)
async def test_what_is_missing_is_said_before_anything_is_sent(settings: dict[str, str], words: str) -> None:
    with ModelServer(lambda _: done("x")) as server:
        with pytest.raises(PlannerError, match=words):
            await ask(made(server, **settings))
        assert not server.asked
