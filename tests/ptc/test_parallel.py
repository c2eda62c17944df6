"""`pmap` and `pcalls`."""

from __future__ import annotations

import asyncio
import time

import pytest

from console.ptc.lisp import Limits, Tool, run

from .table import reason_of, same, step_of
from .tools import echo, slowly


def test_workers_keep_the_order_and_lose_what_is_their_own() -> None:
    source = """(def seen []) (step-done "x" "y")
                (defn work [n] (def seen [n]) (println n) (step-done n "w") (task (str n) (tool/slowly {:n n})))
                (pmap work [3 1 2])"""
    step = step_of(source, tools={"slowly": slowly}, journal={})

    assert step.return_ == (6, 2, 4)
    assert step.memory["seen"] == ()
    assert step.prints == ()
    assert step.summaries == {"x": "y"}
    assert [call.args["n"] for call in step.tool_calls] == [3, 1, 2]
    assert step.journal == {"3": 6, "1": 2, "2": 4}
    (record,) = step.pmap_calls
    assert (record.type, record.count, record.success_count, record.error_count) == ("pmap", 3, 3, 0)


def test_workers_wait_side_by_side() -> None:
    started = time.monotonic()
    tool = Tool(lambda args: time.sleep(0.3))
    step_of("(pcalls tool/t tool/t tool/t tool/t)", tools={"t": tool}, limits=Limits(pmap_max_concurrency=4))

    assert time.monotonic() - started < 0.9


def test_the_first_failure_fails_all_and_what_was_done_is_kept() -> None:
    source = "(pmap (fn [n] (tool/echo {:n n}) (if (= n 1) (inc nil) n)) [0 1 2])"
    step = run(source, tools={"echo": echo}, limits=Limits(pmap_max_concurrency=1), journal={})

    assert step.fail is not None
    assert step.fail.reason == "pmap_error"
    assert step.fail.details == {"reason": "type_error", "class": "eval_error"}
    assert [call.args["n"] for call in step.tool_calls] == [0, 1]
    assert step.pmap_calls[0].error_count == 1


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("(pmap (fn [n] (return n)) [1])", "pmap_error"),
        ("(pcalls #(fail 1))", "pcalls_error"),
        ("(pcalls 5)", "type_error"),
        ("(pmap tool/change [{}])", "pmap_error"),
        ("(pcalls (fn [] (tool/change {})))", "pcalls_error"),
        ("(pmap (fn [_] (pmap inc [1 2])) [1 2])", "parallel_capacity_exceeded"),
        ("(pcalls (fn [] (loop [] (recur))))", "loop_limit_exceeded"),
    ],
)
def test_parallel_work_fails_for_its_reason(source: str, reason: str) -> None:
    tools = {"change": Tool(echo, mutates=True)}

    assert reason_of(source, tools=tools, limits=Limits(max_parallel_workers=2)) == reason


def test_a_tool_that_changes_things_runs_outside_of_parallel_work() -> None:
    same("(tool/change {:n 1})", "{:n 1}", tools={"change": Tool(echo, mutates=True)})


def test_parallel_work_has_a_time_of_its_own() -> None:
    limits = Limits(timeout=5000, pmap_timeout=100)

    assert reason_of("(pmap (fn [_] (reduce + (map inc (range 1000000)))) [1])", limits=limits) == "timeout"
    assert reason_of("(pcalls tool/t)", tools={"t": lambda args: asyncio.sleep(3)}, limits=limits) == "timeout"


def test_nothing_to_do_is_no_parallel_work() -> None:
    assert step_of("[(pmap inc []) (pcalls)]").pmap_calls == ()
