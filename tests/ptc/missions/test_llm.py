"""Asking the model: the shapes of its answers, its failures, and who it is."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from console.ptc.missions import LlmError, LlmInput, LlmReply, LlmRetry, Mission, run
from console.ptc.missions.llm import classified

from .script import Script, block

QUICK = {"max_attempts": 3, "backoff": "linear", "base_delay": 1}


@pytest.mark.parametrize(
    "reply",
    [
        "(return 1)",
        {"content": "(return 1)", "tokens": None},
        ("ok", {"content": "(return 1)"}),
        LlmReply("(return 1)", {"input": 1}, cost_usd=0.5),
    ],
)
async def test_every_form_of_an_answer_is_read(reply: Any) -> None:
    step = await run("Say one", llm=Script(reply))

    assert step.return_ == 1
    assert step.usage is not None
    assert step.usage.cost_usd == (0.5 if isinstance(reply, LlmReply) else None)


async def test_a_plain_function_does_not_hold_up_the_loop() -> None:
    def plain(given: LlmInput) -> str:
        with pytest.raises(RuntimeError):
            asyncio.get_running_loop()
        return "(return 1)"

    def lazy(given: LlmInput) -> Any:
        return Script("(return 2)")(given)

    assert (await run("p", llm=plain)).return_ == 1
    assert (await run("p", llm=lazy)).return_ == 2


@pytest.mark.parametrize(
    ("failure", "calls"),
    [
        (("error", "rate_limit"), 3),
        (("error", ("http_error", 503, "busy")), 3),
        (LlmError("slow", "timeout"), 3),
        (TimeoutError(), 3),
        ({"error": "no such model"}, 1),
        (ValueError("broken"), 1),
        (None, 1),
    ],
)
async def test_only_failures_that_pass_are_tried_again(failure: Any, calls: int) -> None:
    script = Script(failure, failure, failure)
    step = await run(Mission(prompt="p", llm_retry=QUICK), llm=script)

    assert step.fail is not None
    assert step.fail.reason == "llm_error"
    assert len(script.asked) == calls
    assert step.usage is not None
    assert (step.usage.llm_requests, step.usage.turns) == (calls, 0)


def test_the_waits_grow_as_they_are_told_to() -> None:
    delays = {
        name: [LlmRetry(backoff=name).delay(n) for n in (1, 2, 3)] for name in ("exponential", "linear", "constant")
    }

    assert delays == {"exponential": [1, 2, 4], "linear": [1, 2, 3], "constant": [1, 1, 1]}
    assert LlmRetry.of(LlmRetry(2)) == LlmRetry(2)
    assert classified(("http_error", 404, "")) == "client_error"


async def test_a_model_is_found_by_its_name() -> None:
    script = Script("(return 1)")

    assert (await run(Mission(prompt="p", llm="small"), llm_registry={"small": script})).return_ == 1


@pytest.mark.parametrize(
    ("options", "reason", "text"),
    [
        ({}, "llm_required", "needs a model"),
        ({"llm": "x"}, "llm_registry_required", "needs a registry"),
        ({"llm": "x", "llm_registry": {}}, "llm_not_found", "not in the registry"),
        ({"llm": 5}, "invalid_llm", "neither a callable nor a name"),
        ({"llm": "x", "llm_registry": {"x": 5}}, "invalid_llm_registry", "registry"),
        ({"llm": "x", "llm_registry": [1]}, "invalid_llm_registry", "registry"),
    ],
)
async def test_without_a_model_there_is_no_mission(options: dict[str, Any], reason: str, text: str) -> None:
    step = await run(Mission(prompt="p"), **options)

    assert step.fail is not None
    assert step.fail.reason == reason
    assert text in step.fail.message
    assert step.usage is not None


@pytest.mark.parametrize(
    ("given", "whole"),
    [
        ("mine", "mine"),
        ({"prefix": "a", "language_spec": "b", "output_format": "c", "suffix": "d"}, "a\n\nb\n\nc\n\nd"),
    ],
)
async def test_the_system_prompt_can_be_ones_own(given: Any, whole: str) -> None:
    script = Script(block("(return 1)"))
    step = await run(Mission(prompt="p", system_prompt=given), llm=script, cache=True)

    assert script.asked[0].system == whole
    assert script.asked[0].cache is True
    assert step.usage is not None
    assert step.usage.system_prompt_tokens == len(whole) // 4


async def test_the_system_prompt_can_be_a_change_of_the_usual_one() -> None:
    script = Script(block("(return 1)"))
    await run(Mission(prompt="p", system_prompt=lambda usual: usual.upper()), llm=script)

    assert "PTC-LISP" in script.asked[0].system


async def test_a_conversation_can_be_gone_on_with() -> None:
    script = Script(block("(return (inc n))"))
    before = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "yes?"}]
    step = await run("p", llm=script, initial_messages=before, initial_memory={"n": 1})

    assert step.return_ == 2
    assert [one["role"] for one in script.asked[0].messages] == ["user", "assistant", "user"]


@pytest.mark.parametrize("answer", [{"content": "(return 1)", "tokens": 5}, {"content": "(return 1)", "cost_usd": -1}])
async def test_numbers_that_are_none_are_not_counted(answer: Any) -> None:
    step = await run("p", llm=Script(answer))

    assert step.usage is not None
    assert (step.return_, step.usage.input_tokens, step.usage.cost_usd) == (1, None, None)


async def test_halves_of_letters_end_up_in_no_text() -> None:
    half = r'(json/parse-string "\"\\ud800\"")'
    script = Script("\ud800", block(f"(do (def a {half}) (println a) (tool/t {{:a a}}))"), block("(return [a data/x])"))
    step = await run(Mission(prompt="p", tools={"t": lambda args: args}), llm=script, context={"x": "\ud800"})

    assert step.return_ == ["?", "?"]
    assert json.loads(step.model_dump_json())["memory"] == {"a": "?"}
    assert all(str(one["content"]).encode() for one in script.asked[-1].messages)
