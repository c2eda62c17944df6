"""The Step of a run holds what its programs and missions did, down to the last call."""

from __future__ import annotations

import re
from typing import Any

from console.contracts.actions import Custom
from console.contracts.deeds import Deeds
from console.contracts.events import Attempted
from console.contracts.step import Step
from console.core.state import fold

from .test_mission_adapter import Model, carried_out, mission, of

TRACE = re.compile(r"[0-9a-f]{32}")
PROGRAM = """
(println "begins")
(task "open" (tool/click {:label "OK"}))
(step-done "open" "the dialog is open")
(pmap (fn [n] (:label (tool/find {:label n}))) ["OK" "Name"])
(apropos "click")
(def n 2)
(* n (tool/mission-run {:prompt "inner" :name "counter" :signature "() -> :int"}))
"""


def program(source: str) -> Custom:
    return Custom(adapter="ptc", action="run", params={"source": source, "signature": "() -> :int"})


async def _told() -> tuple[Step, list[Any]]:
    ended, _, events = await carried_out(
        Model('(println "inside") (tool/key {:key "a"}) (return 21)'), program(PROGRAM)
    )
    assert ended.end == "succeeded", ended.outcome
    return ended.step, events


async def test_every_program_and_mission_is_a_child_with_a_trace_of_its_own() -> None:
    step, _ = await _told()
    outer = step.child_steps[0]
    inner = outer.child_steps[0]
    ids = [step.trace_id, outer.trace_id, inner.trace_id]
    assert all(one is not None and TRACE.fullmatch(one) for one in ids)
    assert len(set(ids)) == 3
    assert [step.parent_trace_id, outer.parent_trace_id, inner.parent_trace_id] == [None, ids[0], ids[1]]
    assert [step.child_traces, outer.child_traces] == [(ids[1],), (ids[2],)]
    assert [outer.name, inner.name] == ["ptc.run", "counter"]
    assert [outer.return_, inner.return_] == [42, 21]
    assert [outer.signature, inner.signature] == ["() -> :int", "() -> :int"]


async def test_what_the_programs_did_stands_in_the_step_of_the_run() -> None:
    step, _ = await _told()
    assert step.prints == ("begins",)
    assert step.journal is not None
    assert list(step.journal) == ["open"]
    assert step.summaries["open"] == "the dialog is open"
    assert [(call.type, call.count, call.success_count) for call in step.pmap_calls] == [("pmap", 2, 2)]
    assert [call.name for call in step.tool_calls] == ["click", "key", "custom", "custom"]
    assert [call.child_trace_id for call in step.tool_calls[2:]] == [
        *step.child_steps[0].child_traces,
        *step.child_traces,
    ]
    by_name = {call.name: call.child_trace_id for call in step.child_steps[0].tool_calls}
    assert by_name["mission-run"] == step.child_steps[0].child_traces[0]
    assert {"click", "find", "mission-run"} <= set(by_name)
    assert step.tools is not None
    assert {"ptc.run", "mission.run"} <= set(step.tools)


async def test_a_mission_that_is_to_keep_its_words_keeps_them_in_the_journal_and_the_run_stays_small() -> None:
    ended, _, events = await carried_out(Model("(return 1)"), mission(collect_messages=True))
    kept = next(event.step for event in of(Attempted, events) if event.step is not None)
    assert kept.messages is not None
    assert [message.role for message in kept.messages][:2] == ["system", "user"]
    assert kept.turns is not None
    assert kept.turns[0]["messages"]
    child = ended.step.child_steps[0]
    assert (child.messages, child.prompt, child.tools) == (None, None, None)
    assert child.turns is not None
    assert "messages" not in child.turns[0]


async def test_the_words_of_the_turns_are_not_kept_unless_asked_for() -> None:
    _, _, events = await carried_out(Model("(return 1)"), mission())
    kept = next(event.step for event in of(Attempted, events) if event.step is not None)
    assert kept.prompt is not None
    assert kept.turns is not None
    assert "messages" not in kept.turns[0]


async def test_what_was_done_before_an_interruption_stands_in_the_step_after_it() -> None:
    step, events = await _told()
    state = fold(events[:-1])
    again = state.deeds.fields()
    assert again == Deeds.of(events).fields()
    assert again["tool_calls"] == step.tool_calls
    assert [child.trace_id for child in again["child_steps"]] == list(step.child_traces)
    assert {tool.adapter for tool in state.tools} == {"ptc", "mission"}


async def test_published_names_all_the_way_down() -> None:
    step, _ = await _told()
    told = step.to_json()
    assert told["return"] == {"return": 42, "prints": "begins"}
    assert told["child_steps"][0]["return"] == 42
    assert told["child_steps"][0]["child_steps"][0]["return"] == 21
    assert list(told)[:3] == ["return", "fail", "memory"]
    assert Step.model_validate(told) == step


async def test_what_one_program_defines_another_of_the_run_finds_as_it_was() -> None:
    first = program('(def seen #{1 [2]}) (def by {1 "int" 1.0 "float"}) (task "day" (do (def day ##Inf) 1))')
    again = program('(if (and (contains? seen [2]) (= (get by 1.0) "float") (< 5 day)) 1 0)')
    ended, _, _ = await carried_out(Model(), first, again)
    assert ended.step.return_ == 1, ended.outcome
    assert len(ended.step.child_steps) == 2
