"""Missions whose result is a text or JSON."""

from __future__ import annotations

import time
from typing import Any

import pytest

from console.ptc.lisp import Tool
from console.ptc.missions import LlmToolCall, Mission, run
from console.ptc.missions.text import found_json

from .script import Script


async def test_json_is_asked_for_with_its_schema_and_corrected() -> None:
    script = Script("hm", '{"n": "x"}', 'Well: {"n": 3} I think')
    step = await run(Mission(prompt="p", output="text", signature="() -> {n :int}"), llm=script)

    assert step.return_ == {"n": 3}
    assert script.asked[0].schema == step_schema()
    assert '"additionalProperties": false' in script.user_texts[0]
    assert "the answer holds no JSON" in script.user_texts[1]
    assert "n: expected int, got string" in script.user_texts[2]
    assert step.usage is not None
    assert step.usage.schema_used is True
    assert step.turns is not None
    assert [turn["success?"] for turn in step.turns] == [False, False, True]


def step_schema() -> dict[str, Any]:
    """The schema of `{n :int}`."""
    return {
        "type": "object",
        "properties": {"n": {"type": "integer"}},
        "required": ["n"],
        "additionalProperties": False,
    }


async def test_a_list_is_asked_for_as_items() -> None:
    script = Script('```json\n{"items": [1, 2]}\n```')
    step = await run(Mission(prompt="p", output="text", signature="() -> [:int]"), llm=script)

    assert step.return_ == [1, 2]


async def test_sections_are_filled() -> None:
    script = Script("ok")
    prompt = (
        "{{#people}}{{name}} of {{town.name}};{{/people}}{{^none}}nobody{{/none}}{{#tags}}<{{.}}>{{/tags}} {{gone}}"
    )
    context = {
        "people": [{"name": "Ann"}, {"name": "{{gone}}"}],
        "town": {"name": "Ulm"},
        "none": [],
        "tags": ["a", 1],
    }
    await run(Mission(prompt=prompt, output="text", signature=None), llm=script, context=context)

    assert script.user_texts == ["Ann of Ulm;{{gone}} of Ulm;nobody<a><1> {{gone}}"]


async def test_sections_are_left_out_and_maps_are_entered() -> None:
    script = Script("ok")
    prompt = "{{^user}}none{{/user}}{{#user}}{{first-name}}{{/user}}{{#gone}}never{{/gone}}"
    await run(Mission(prompt=prompt, output="text"), llm=script, context={"user": {"first_name": "Ann"}})

    assert script.user_texts == ["Ann"]


async def test_the_calls_of_the_provider_are_answered_until_there_is_a_text() -> None:
    async def add(args: dict[str, Any]) -> int:
        return int(args["a"]) + 1

    def crash(args: dict[str, Any]) -> None:
        raise RuntimeError("broken")

    tools = {
        "add": (add, "(a :int) -> :int"),
        "crash": crash,
        "left": Tool(lambda args, seconds: seconds > 0, deadline=True),
    }
    calls = [
        {"id": "1", "name": "add", "args": {"a": 1}},
        {"id": "2", "name": "crash"},
        {"id": "3", "name": "nothing"},
        LlmToolCall("left"),
        {"id": "5", "name": "add", "args": {"a": 1}},
    ]
    script = Script({"content": "", "tool_calls": calls}, "It is two")
    mission = Mission(prompt="p", output="text", tools=tools, max_tool_calls=3)
    step = await run(mission, llm=script, collect_messages=True)

    assert step.return_ == "It is two"
    assert [(one.result, one.error) for one in step.tool_calls] == [
        (2, None),
        (None, "broken"),
        (None, "Unknown tool: nothing. Available tools: add, crash, left"),
        (True, None),
        (None, "tool_call_limit_exceeded: more than 3 tool calls"),
    ]
    assert script.asked[0].tools[0]["parameters"]["properties"] == {"a": {"type": "integer"}}
    assert [one["role"] for one in script.asked[1].messages] == ["user", "assistant", *["tool"] * 5]
    assert step.messages is not None
    assert {one.role for one in step.messages} == {"system", "user", "assistant"}


async def test_a_tool_that_hangs_is_given_up() -> None:
    async def hang(args: dict[str, Any]) -> None:
        import asyncio

        await asyncio.sleep(60)

    started = time.monotonic()
    script = Script({"tool_calls": [{"name": "hang"}]}, "done")
    step = await run(Mission(prompt="p", output="text", tools={"hang": hang}, timeout=50), llm=script)

    assert step.tool_calls[0].error == "no answer in time"
    assert time.monotonic() - started < 5


async def test_calls_without_end_use_up_the_turns() -> None:
    script = Script(*[{"tool_calls": [{"name": "t"}]}] * 2)
    step = await run(Mission(prompt="p", output="text", tools={"t": lambda args: 1}, max_turns=2), llm=script)

    assert step.fail is not None
    assert step.fail.reason == "max_turns_exceeded"


async def test_the_tokens_of_a_text_mission_are_limited() -> None:
    step = await run(Mission(prompt="p", output="text"), llm=Script("x", tokens={"input": 9}), token_limit=5)

    assert step.fail is not None
    assert step.fail.reason == "budget_callback_exceeded"


@pytest.mark.parametrize(
    ("text", "value"),
    [("[1]", [1]), ('a {b} {"c": 1} d', {"c": 1}), ('```\n{"x": 2}\n```', {"x": 2}), ('"s"', "s")],
)
def test_json_is_found_where_it_stands(text: str, value: Any) -> None:
    assert found_json(text) == value


async def test_moments_are_read_from_their_text() -> None:
    signature = "() -> {at :datetime?, more [:datetime], n :int}"
    script = Script('{"at": "2026-01-02T03:04:05+01:00", "more": ["2026-01-02T03:04:05Z"], "n": 1, "x": 1}')
    step = await run(Mission(prompt="p", output="text", signature=signature), llm=script)

    assert step.return_ == {"at": "2026-01-02T02:04:05Z", "more": ["2026-01-02T03:04:05Z"], "n": 1, "x": 1}


async def test_what_is_no_moment_is_refused() -> None:
    mission = Mission(prompt="p", output="text", signature="() -> {at :datetime}", max_turns=1)
    step = await run(mission, llm=Script('{"at": "soon"}'))

    assert step.fail is not None
    assert "at: expected datetime, got string" in step.fail.message


def test_an_answer_of_brackets_ends_in_time() -> None:
    assert found_json("[" * 200_000 + "x") is found_json("nothing")


async def test_an_answer_without_json_on_the_last_turn_is_no_result() -> None:
    script = Script("words", "more words")
    step = await run(Mission(prompt="p", output="text", signature="() -> {n :int}", max_turns=2), llm=script)

    assert step.fail is not None
    assert step.fail.reason == "json_parse_error"
