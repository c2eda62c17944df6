"""Missions that other missions start."""

from __future__ import annotations

from typing import Any

import pytest

from console.contracts.step import Step
from console.ptc.missions import SELF, LlmInput, Mission, MissionError, as_tool, llm_tool, run

from .script import Script, block

ADD = Mission(prompt="Add one to {{n}}", signature="(n :int) -> :int", max_turns=2, description="adds one")


async def test_the_result_of_a_sub_mission_is_the_value_of_its_tool() -> None:
    child = Script(block("(return (inc data/n))"))
    parent = Script(block("(return (tool/add {:n 4}))"))

    step = await run(Mission(prompt="p", tools={"add": as_tool(ADD, llm=child)}), llm=parent, collect_messages=True)

    assert step.return_ == 5
    (below,) = step.child_steps
    assert below.return_ == 5
    assert below.parent_trace_id == step.trace_id
    assert step.child_traces == (below.trace_id,)
    assert step.tool_calls[0].child_trace_id == below.trace_id
    assert (below.messages, below.prompt, below.original_prompt, below.tools) == (None, None, None, None)
    assert below.turns is not None
    published = step.to_json()
    assert published["child_steps"][0]["return"] == 5
    assert Step.model_validate(published).child_steps[0].trace_id == below.trace_id


async def test_the_failure_of_a_sub_mission_is_told_and_its_step_is_kept() -> None:
    llm = Script(block("(tool/add {:n 4})"), block('(fail "no")'), block("(return (:message data/fail))"))
    step = await run(Mission(prompt="p", tools={"add": ADD}), llm=llm)

    assert 'failed: "no"' in str(step.return_)
    assert [one.fail.reason for one in step.child_steps if one.fail] == ["failed"]


async def test_all_missions_draw_their_turns_from_one_budget() -> None:
    async def llm(given: LlmInput) -> str:
        if "Add one" in str(given.messages[0]["content"]):
            return block("(println 1)") if given.turn == 1 else block("(return data/n)")
        return block("(pmap #(tool/add {:n %}) [1 2])") if given.turn == 1 else block("(return (budget/remaining))")

    mission = Mission(prompt="p", tools={"add": ADD}, turn_budget=6)
    step = await run(mission, llm=llm)

    assert isinstance(step.return_, dict)
    assert step.return_["turns"] == 0
    assert len(step.child_steps) == 2
    assert step.usage is not None
    assert step.usage.turns == 2

    stopped = await run(Mission(prompt="p", tools={"add": ADD}, turn_budget=4), llm=llm)
    assert stopped.fail is not None
    assert stopped.fail.reason == "turn_budget_exhausted"


async def test_parallel_sub_missions_are_written_down_with_the_work_they_belong_to() -> None:
    async def llm(given: LlmInput) -> str:
        child = "Add one" in str(given.messages[0]["content"])
        return block("(return (inc data/n))" if child else "(return (pmap #(tool/add {:n %}) [1 2]))")

    step = await run(Mission(prompt="p", tools={"add": ADD}), llm=llm)

    assert step.return_ == [2, 3]
    assert len(step.pmap_calls) == 1
    assert sorted(step.pmap_calls[0].child_trace_ids) == sorted(str(one.trace_id) for one in step.child_steps)


async def test_a_mission_calls_itself_until_it_is_too_deep() -> None:
    async def llm(given: LlmInput) -> str:
        return block("(return (inc (tool/again {:n (inc data/n)})))")

    mission = Mission(prompt="{{n}}", signature="(n :int) -> :int", tools={"again": SELF}, max_depth=2, max_turns=1)
    step = await run(mission, llm=llm, context={"n": 0})

    assert step.fail is not None
    assert step.fail.reason == "max_turns_exceeded"
    (child,) = step.child_steps
    (grandchild,) = child.child_steps
    assert grandchild.fail is not None
    assert grandchild.fail.reason == "max_depth_exceeded"


async def test_a_mission_calls_itself_on_less() -> None:
    source = "(return (if (zero? data/n) 0 (inc (tool/again {:n (dec data/n)}))))"

    async def llm(given: LlmInput) -> str:
        return block(source)

    mission = Mission(prompt="{{n}}", signature="(n :int) -> :int", tools={"again": "self"})
    step = await run(mission, llm=llm, context={"n": 2})

    assert step.return_ == 2


async def test_a_question_to_a_model_is_a_tool() -> None:
    asked = Script('{"mood": "glad"}')
    tool = llm_tool("How is {{text}}?", signature="(text :string) -> {mood :string}", description="mood", llm=asked)
    step = await run(Mission(prompt="p", tools={"ask": tool}), llm=Script(block('(return (tool/ask {:text "x"}))')))

    assert step.return_ == {"mood": "glad"}
    assert "How is x?" in asked.user_texts[0]


async def test_a_sub_mission_in_a_text_mission_leaves_its_step() -> None:
    calls = [{"id": "1", "name": "add", "args": {"n": 1}}]
    llm = Script({"content": "", "tool_calls": calls}, "two")
    child = Script(block("(return (inc data/n))"))
    step = await run(Mission(prompt="p", output="text", tools={"add": as_tool(ADD, llm=child)}), llm=llm)

    assert step.return_ == "two"
    assert [one.return_ for one in step.child_steps] == [2]
    assert step.tool_calls[0].child_trace_id == step.child_traces[0]


def test_a_mission_without_a_description_is_no_tool() -> None:
    with pytest.raises(MissionError, match="description"):
        as_tool(Mission(prompt="p"))


async def test_a_tool_whose_signature_is_not_checked() -> None:
    tools: dict[str, Any] = {"t": (lambda args: args["a"], "skip")}
    step = await run(Mission(prompt="p", tools=tools), llm=Script(block("(return (tool/t {:a 1}))")))

    assert step.return_ == 1
