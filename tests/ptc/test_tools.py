"""Calling tools from a program."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from console.contracts.step import Step
from console.ptc.lisp import Limits, Tool, ToolReply, run, run_async

from .table import reason_of, step_of
from .tools import broken, echo, slowly


def test_a_tool_gets_plain_arguments_and_gives_a_value() -> None:
    step = step_of('(tool/echo {:a-b {:c-d :word} "list" [1 #{:x} nil] 5 1.5})', tools={"echo": echo})

    assert step.return_ == {"a_b": {"c_d": "word"}, "list": (1, ("x",), None), "5": 1.5}
    (call,) = step.tool_calls
    assert (call.name, call.args["a_b"], call.error, call.cached) == ("echo", {"c_d": "word"}, None, False)


@pytest.mark.parametrize(
    "source",
    ["(tool/echo {:n 1})", "(tool/echo :n 1)", "(first (map tool/echo [{:n 1}]))", "(let [t tool/echo] (t :n 1))"],
)
def test_a_tool_can_be_called_in_several_ways(source: str) -> None:
    assert step_of(source, tools={"echo": echo}).return_ == {"n": 1}


def test_a_tool_without_arguments_gets_none() -> None:
    assert step_of("(tool/echo)", tools={"echo": echo}).return_ == {}


@pytest.mark.parametrize(
    ("tool", "kind"),
    [
        (echo, "callable"),
        ((echo, "(n :int) -> :map"), "with a signature"),
        ((echo, {"signature": "-> :any", "cache": True, "expose": "both"}), "with options"),
        (Tool(echo), "a Tool"),
        (Tool(lambda args, seconds: {"n": args["n"], "left": seconds > 0}, deadline=True), "with a deadline"),
        (Tool(lambda args: ToolReply({"n": 1})), "with a reply"),
    ],
)
def test_every_shape_of_a_tool_is_accepted(tool: Any, kind: str) -> None:
    assert step_of("(:n (tool/t {:n 1}))", tools={"t": tool}).return_ == 1, kind


def test_a_tool_that_is_awaited_gets_a_loop() -> None:
    assert step_of("(tool/slowly {:n 4})", tools={"slowly": slowly}).return_ == 8


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("(tool/echo 1)", "invalid_tool_args"),
        ('(tool/echo "a" 1)', "invalid_tool_args"),
        ("(map tool/echo [1])", "invalid_tool_args"),
        ("(if false (tool/typo) 1)", "unknown_tool"),
        ("(do tool/typo)", "unknown_tool"),
        ("(tool/broken)", "tool_error"),
        ("(tool/refuses)", "tool_error"),
        ("(tool/strange)", "type_error"),
    ],
)
def test_a_call_that_cannot_be_fails_for_its_reason(source: str, reason: str) -> None:
    tools = {
        "echo": echo,
        "broken": broken,
        "refuses": lambda args: ToolReply(error="not today", child_trace_id="t1", child_step=Step()),
        "strange": lambda args: object(),
    }

    assert reason_of(source, tools=tools) == reason


def test_a_tool_of_no_accepted_shape_is_refused_before_anything_runs() -> None:
    assert reason_of("1", tools={"t": 5}) == "invalid_tool"
    assert reason_of("1", tools={"t": (echo, 5)}) == "invalid_tool"


def test_everything_done_before_a_tool_failed_is_kept_in_order() -> None:
    source = """(println "first") (task "a" (tool/echo {:n 1})) (step-done "a" "done")
                (println "second") (tool/broken {:n 2}) (println "never")"""
    step = run(source, tools={"echo": echo, "broken": broken}, journal={"old": 1}, memory={"m": 1})

    assert step.fail is not None
    assert step.fail.reason == "tool_error"
    assert step.prints == ("first", "second")
    assert [(c.name, c.error) for c in step.tool_calls] == [("echo", None), ("broken", "no network")]
    assert step.journal == {"old": 1, "a": {"n": 1}}
    assert step.summaries == {"a": "done"}
    assert step.memory == {"m": 1}


def test_a_cached_tool_is_asked_once_for_calls_that_mean_the_same() -> None:
    asked = []
    tool = Tool(lambda args: asked.append(args) or len(asked), cache=True)
    step = step_of("[(tool/t {:a-b 1}) (tool/t {:a_b 1.0}) (tool/t {:a-b 2})]", tools={"t": tool})

    assert step.return_ == (1, 1, 2)
    assert [call.cached for call in step.tool_calls] == [False, True, False]
    later = step_of("(tool/t {:a-b 2})", tools={"t": tool}, tool_cache=step.tool_cache)
    assert later.return_ == 2
    assert len(asked) == 2


def test_a_failed_call_is_not_cached() -> None:
    step = run("(tool/t {})", tools={"t": Tool(broken, cache=True)})

    assert step.tool_cache == {}


def test_tool_calls_are_limited_inside_closures_and_higher_order_functions() -> None:
    step = run(
        "(defn f [n] (tool/echo {:n n})) (map f (range 10))",
        tools={"echo": echo},
        limits=Limits(max_tool_calls=3),
    )

    assert step.fail is not None
    assert step.fail.reason == "tool_call_limit_exceeded"
    assert [call.args["n"] for call in step.tool_calls] == [0, 1, 2]


def test_a_child_of_a_tool_is_kept_with_its_trace() -> None:
    child = Step.model_validate({"return": 1})
    step = step_of("(tool/t)", tools={"t": lambda args: ToolReply(1, child_step=child, child_trace_id="abc")})

    assert step.child_steps == (child,)
    assert step.child_traces == ("abc",)
    assert step.tool_calls[0].child_trace_id == "abc"


def _raises(error: BaseException) -> Any:
    def tool(args: dict[str, Any]) -> Any:
        raise error

    return tool


@pytest.mark.parametrize("error", [SystemExit(1), KeyboardInterrupt(), TimeoutError(), asyncio.CancelledError()])
def test_a_tool_that_gives_up_ends_its_program_and_nothing_else(error: BaseException) -> None:
    step = run("(tool/t)", tools={"t": _raises(error)})

    assert step.fail is not None
    assert step.fail.reason == "tool_error"
    assert step.tool_calls[0].error


async def test_an_awaited_tool_that_is_cancelled_ends_its_program_and_nothing_else() -> None:
    async def tool(args: dict[str, Any]) -> Any:
        raise asyncio.CancelledError

    assert getattr((await run_async("(tool/t)", tools={"t": tool})).fail, "reason", None) == "tool_error"
    assert getattr((await asyncio.to_thread(run, "(tool/t)", tools={"t": tool})).fail, "reason", None) == "tool_error"
