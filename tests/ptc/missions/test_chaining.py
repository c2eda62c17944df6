"""Missions after each other, and missions of one answer."""

from __future__ import annotations

from typing import Any

import pytest

from console.contracts.step import Step
from console.ptc.missions import Mission, MissionFailed, run, run_or_raise, then, then_or_raise

from .script import Script, block

NEXT = Mission(prompt="Use {{the-count}}", signature="(the_count :int) -> :int", max_turns=1)


async def test_a_mission_goes_on_with_the_result_of_another() -> None:
    descriptions = {"the_count": "how many there were"}
    first = await run(
        Mission(prompt="p", field_descriptions=descriptions), llm=Script(block("(return {:the-count 2})"))
    )
    script = Script(block("(* 2 data/the-count)"))
    second = await then(first, NEXT, llm=script)

    assert second.return_ == 4
    assert "sample: 2 ; how many there were" in script.user_texts[0]
    assert "Use 2" in script.user_texts[0]


async def test_a_failed_step_is_passed_through() -> None:
    failed = Step.error("failed", "no", {})
    script = Script()

    assert await then(failed, NEXT, llm=script) is failed
    chained = await run(NEXT, llm=script, context=failed)
    assert chained.fail is not None
    assert chained.fail.reason == "chained_failure"
    assert chained.fail.details == {"upstream": {"reason": "failed", "message": "no", "details": {}}}
    assert chained.usage is not None
    assert chained.usage.turns is None
    with pytest.raises(MissionFailed, match="failed: no"):
        await then_or_raise(failed, NEXT)


@pytest.mark.parametrize("value", [5, {"other": 1}])
async def test_what_the_next_mission_needs_must_be_there(value: Any) -> None:
    step = await then(Step.ok(value, {}), NEXT, llm=Script())

    assert step.fail is not None
    assert (step.fail.reason, step.fail.details) == ("chain_error", {"missing": ["the_count"]})


async def test_who_wants_exceptions_gets_them() -> None:
    with pytest.raises(MissionFailed) as caught:
        await run_or_raise("p")
    assert caught.value.step.fail is not None

    assert (await run_or_raise("p", llm=Script("(return 1)"))).return_ == 1


@pytest.mark.parametrize(
    ("reply", "reason", "message"),
    [
        ("no program", "no_code_found", "found no PTC-Lisp program"),
        (block("1") + block("2"), "no_code_found", "found 2 code blocks"),
        (block("(+ 1 nil)"), "type_error", ""),
        (block('(fail "text")'), "failed", '"text"'),
        (block("(fail {:reason :mine})"), "mine", '{"reason" "mine"}'),
    ],
)
async def test_one_answer_that_fails(reply: str, reason: str, message: str) -> None:
    step = await run(Mission(prompt="p", max_turns=1), llm=Script(reply), collect_messages=True)

    assert step.fail is not None
    assert step.fail.reason == reason
    assert message in step.fail.message
    assert step.turns is not None
    assert [turn["success?"] for turn in step.turns] == [False]
    assert step.messages is not None
    assert len(step.messages) == 3


async def test_one_answer_fills_the_step_as_well() -> None:
    script = Script(block('(do (println "a") (def n 1) (step-done "1" "x") (return {:a-b n}))'))
    step = await run(Mission(prompt="{{x}} {{y}}", max_turns=1), llm=script, context={"x": 1}, journal={})

    assert (step.return_, step.prints, step.memory) == ({"a_b": 1}, ("a",), {"n": 1})
    assert (step.summaries, step.journal) == ({"1": "x"}, {})
    assert step.prompt == "1 {{y}}"
    assert step.turns is not None
    assert len(step.turns) == 1


async def test_one_answer_may_cost_too_much() -> None:
    script = Script("(return 1)", tokens={"input": 9})
    step = await run(Mission(prompt="p", max_turns=1), llm=script, token_limit=5)

    assert step.fail is not None
    assert step.fail.reason == "budget_callback_exceeded"


async def test_the_heap_of_the_run_is_a_limit_for_its_programs() -> None:
    script = Script(block("(count (vec (range 100000)))"), "(return (:reason data/fail))")
    step = await run(Mission(prompt="p"), llm=script, max_heap=20_000)

    assert step.return_ == "memory_exceeded"
