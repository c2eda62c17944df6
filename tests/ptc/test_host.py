"""What a program does with its host: context, tools, journal, notes, parallel work and discovery."""

from __future__ import annotations

import asyncio
import threading
import time
from datetime import date
from typing import Any

import pytest

from console.contracts.step import Step
from console.ptc.lisp import Found, Keyword, Limits, LispSet, Tool, ToolReply, run

from .table import reason_of, same, step_of


def echo(args: dict[str, Any]) -> Any:
    return args


def broken(args: dict[str, Any]) -> Any:
    raise OSError("no network")


async def slowly(args: dict[str, Any]) -> Any:
    await asyncio.sleep(0.01)
    return args["n"] * 2


# Context


def test_data_is_found_exactly_and_then_by_its_other_spellings() -> None:
    context = {"user_name": "Ann", Keyword("kind"): Keyword("x"), "n": 0, "list": [1, {2, 3}], "day": date(2026, 5, 1)}

    same("[data/user-name data/kind data/n (first data/list) data/none (str data/day)]",
         '["Ann" :x 0 1 nil "2026-05-01"]', context=context)  # fmt: skip


def test_what_is_missing_may_be_made_an_error() -> None:
    assert reason_of("data/nothing", strict_data=True) == "runtime_error"


def test_what_is_no_value_of_the_language_is_refused_only_where_it_is_used() -> None:
    assert reason_of("data/thing", context={"thing": object()}) == "type_error"
    same("1", "1", context={"thing": object()})


# Tools


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


# Journal and notes


def test_a_task_is_done_once() -> None:
    source = '(task (str "t" 1) (tool/echo {:k :v}))'
    first = step_of(source, tools={"echo": echo}, journal={})
    second = step_of(source, tools={"echo": echo}, journal=first.journal)

    assert first.journal == {"t1": {"k": "v"}}
    assert (len(first.tool_calls), len(second.tool_calls)) == (1, 0)
    assert second.return_ == {"k": "v"}


def test_a_task_that_was_reset_is_done_again() -> None:
    step = step_of('(task-reset "a") (task "a" 2)', journal={"a": 1, "b": 1})

    assert step.journal == {"a": 2, "b": 1}


def test_a_task_needs_an_id() -> None:
    assert reason_of("(task nil 1)", journal={}) == "type_error"
    same("(task nil 1)", "1")


def test_a_task_that_failed_is_not_noted_and_earlier_ones_are() -> None:
    step = run('(task "a" 1) (task "b" (inc nil))', journal={})

    assert step.journal == {"a": 1}


def test_notes_take_texts_and_keep_the_last() -> None:
    step = step_of("(step-done :a 1) (map (fn [i] (step-done i :x)) [1 2]) (step-done :a :two)")

    assert step.summaries == {"a": "two", "1": "x", "2": "x"}
    assert reason_of("(step-done 1 nil)") == "type_error"


def test_a_long_line_is_cut() -> None:
    step = step_of("(println (apply str (range 100)))", limits=Limits(max_print_length=10))

    assert step.prints == ("0123456789... (10/190 chars)",)


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("nil", "nil"),
        ("{:b 1 :a [1.0 nil]}", "{:a [1.0 nil] :b 1}"),
        ("(/ 1 3)", "0.3333333333"),
        ("[:a \"b\"]", '[:a "b"]'),
        ("#{1}", "#{1}"),
        ("(take 2 \"abc\")", "ab"),
        ("(list inc (fn [x] x) #'inc)", "[#fn[inc] #fn[fn] #fn[inc]]"),
        ("(def x 1)", "#'x"),
    ],
)  # fmt: skip
def test_a_value_is_printed_for_a_person(value: str, line: str) -> None:
    assert step_of(f"(println {value})").prints == (line,)


# Parallel work


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
    tool = Tool(lambda args: time.sleep(0.15))
    step_of("(pcalls tool/t tool/t tool/t tool/t)", tools={"t": tool}, limits=Limits(pmap_max_concurrency=4))

    assert time.monotonic() - started < 0.45


def test_the_first_failure_fails_all_and_what_was_done_is_kept() -> None:
    source = "(pmap (fn [n] (tool/echo {:n n}) (if (= n 1) (inc nil) n)) [0 1 2])"
    step = run(source, tools={"echo": echo}, limits=Limits(pmap_max_concurrency=1), journal={})

    assert step.fail is not None
    assert step.fail.reason == "pmap_error"
    assert step.fail.details == {"reason": "type_error"}
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


# Discovery


class Catalogue:
    """A host that knows one server."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def __call__(self, operation: str, args: dict[str, Any]) -> Found:
        self.asked.append((operation, args))
        if operation == "meta":
            return Found("world_fault", "offline")
        if operation == "dir" and args["server"] == "bad":
            return Found("programmer_fault", "no such server")
        if operation == "dir" and args["server"] == "crash":
            raise OSError("gone")
        return Found("ok", {"servers": ["files"], "apropos": ["files/read - Reads"], "doc": "Reads"}.get(operation, []))


def test_the_host_is_asked_and_the_questions_are_kept() -> None:
    host = Catalogue()
    step = step_of(
        '[(mcp/servers) (dir \'files {:limit 5}) (doc \'files/read) (meta "files/read") (apropos "read" {:limit 1})]',
        discovery=host,
    )

    assert step.return_ == (("files",), (), "Reads", None, ("files/read - Reads",))
    assert [(op.operation, op.outcome, op.reason) for op in step.catalog_ops] == [
        ("servers", "ok", None),
        ("dir", "ok", None),
        ("doc", "ok", None),
        ("meta", "nil_world_fault", "offline"),
        ("apropos", "ok", None),
    ]
    assert host.asked[1] == ("dir", {"server": "files", "opts": {"limit": 5}})


@pytest.mark.parametrize("server", ["bad", "crash"])
def test_a_fault_of_the_program_ends_it_and_is_kept(server: str) -> None:
    step = run(f"(mcp/servers) (dir '{server})", discovery=Catalogue())

    assert step.fail is not None
    assert step.fail.reason == "runtime_error"
    assert [op.outcome for op in step.catalog_ops] == ["ok", "error"]


def test_the_functions_of_the_language_are_found_without_a_host() -> None:
    found = step_of('(apropos "sort" {:limit 2})').return_
    assert [line.split(" - ")[0] for line in found] == ["sort", "sort-by"]
    assert "comparator" in step_of("(doc 'sort)").return_
    assert step_of("(defn twice [n] (* 2 n)) (doc 'twice)").return_ == "twice\n(twice n)"
    assert step_of("(defn twice [n] (* 2 n)) (:arglists (meta 'twice))").return_ == ("[n]",)
    assert step_of("(:name (meta clojure.set/union))").return_ == "union"
    assert "union" in step_of("(dir 'clojure.set)").return_
    assert step_of("(dir :walk {:limit 1 :offset 1})").return_ == ("prewalk",)
    assert "join" in step_of('(ns-publics "clojure.string")').return_


@pytest.mark.parametrize(
    "source",
    ["(mcp/servers)", "(doc 'nowhere)", "(dir 'nowhere)", "(ns-publics 'nowhere)", '(meta "a/b")'],
)
def test_without_a_host_there_is_nothing_else_to_find(source: str) -> None:
    assert reason_of(source) == "runtime_error"


@pytest.mark.parametrize(
    "source", ["(doc 5)", '(apropos "a" {:limit 0})', '(apropos "a" 5)', "(dir 'walk {:offset -1})"]
)
def test_a_question_must_be_well_formed(source: str) -> None:
    assert reason_of(source) == "type_error"


# Memory, history, budget and the published Step


def test_memory_goes_from_turn_to_turn_with_functions_and_sets() -> None:
    first = step_of(
        "(def base 10) (defn add [n] (+ base n)) (def seen #{:a [1]}) (def t tool/echo)", tools={"echo": echo}
    )
    second = step_of('[(add 5) (contains? seen "a") (contains? seen [1])]', memory=first.memory)

    assert "t" not in first.memory
    assert isinstance(first.memory["seen"], LispSet)
    assert second.return_ == (15, True, True)


def test_history_and_budget_are_read() -> None:
    same("[*1 *2 *3]", "[3 2 1]", turn_history=[0, 1, 2, 3])
    same("(:tokens (budget/remaining))", "{:input 5}", budget={"tokens": {"input": 5}})
    same("(budget/remaining)", "{}")


def test_floats_of_the_value_are_rounded_but_not_those_of_memory() -> None:
    step = step_of("(def x 1.2345) {:a [x] :b 2}", float_precision=2)

    assert step.return_ == {"a": (1.23,), "b": 2}
    assert step.memory == {"x": 1.2345}


def test_the_value_is_checked_against_the_signature() -> None:
    assert step_of("{:n 1}", signature="{n :int}").signature == "{n :int}"
    assert reason_of('{:n "x"}', signature="{n :int}") == "validation_error"
    assert reason_of("1", signature=":nope") == "parse_error"
    assert step_of('(return "anything")', signature=":int").signal == "return"


def test_the_step_has_the_published_shape() -> None:
    source = """(println 1) (def f inc) (def s #{:k}) (tool/echo {:n 1})
                (return {:n 1 2 ##Inf true nil nil (parse "2026-01-01") :big (bit-shift-left 1 20000) [1] :k})"""
    step = run(source, tools={"echo": echo}, journal={"a": [1]}, tool_cache={"k": 1}).to_step()

    assert isinstance(step, Step)
    kind, value = step.return_  # type: ignore[misc]
    assert kind == "return"
    assert {key: value[key] for key in ("n", "2", "true", "nil", "[1]")} == {
        "n": 1,
        "2": "Infinity",
        "true": None,
        "nil": "2026-01-01",
        "[1]": "k",
    }
    assert len(value["big"]) > 6000
    assert step.memory == {"f": "#fn[inc]", "s": ["k"]}
    assert step.tool_calls[0].args == {"n": 1}
    assert step.usage is not None
    failed = run("(inc nil)", journal={}).to_step()
    assert failed.fail is not None
    assert (failed.fail.reason, failed.journal) == ("type_error", {})


def test_a_program_can_be_checked_without_running_it() -> None:
    from console.ptc.lisp import validate

    assert validate("(defn f [x] (tool/any {:x x})) (f data/y)") is None
    assert validate("known", memory=["known"]) is None
    assert getattr(validate("(f"), "reason", None) == "parse_error"


# On a loop


async def test_the_loop_goes_on_while_a_program_counts() -> None:
    from console.ptc.lisp import run_async

    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.005)

    ticking = asyncio.create_task(tick())
    step = await run_async("(reduce + (map inc (range 300000)))", limits=Limits(timeout=10_000))
    ticking.cancel()

    assert step.return_ == 300000 * 300001 // 2
    assert ticks > 5


async def test_a_tool_is_awaited_on_the_loop_of_the_host() -> None:
    from console.ptc.lisp import run_async

    threads = []

    async def tool(args: dict[str, Any]) -> str:
        await asyncio.sleep(0)
        threads.append(threading.current_thread())
        return "here"

    step = await run_async("(pmap tool/t [{} {}])", tools={"t": tool})

    assert step.return_ == ("here", "here")
    assert set(threads) == {threading.current_thread()}


async def test_a_program_that_is_cancelled_stops_and_so_does_its_tool() -> None:
    from console.ptc.lisp import run_async

    ended = asyncio.Event()

    async def tool(args: dict[str, Any]) -> None:
        try:
            await asyncio.sleep(30)
        finally:
            ended.set()

    task = asyncio.create_task(run_async("(tool/t)", tools={"t": tool}, limits=Limits(timeout=20_000)))
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    await asyncio.wait_for(ended.wait(), 2)


async def test_a_tool_that_never_answers_ends_with_the_time_of_the_program() -> None:
    from console.ptc.lisp import run_async

    started = time.monotonic()
    step = await run_async(
        "(println 1) (tool/t)", tools={"t": lambda args: asyncio.sleep(30)}, limits=Limits(timeout=200)
    )

    assert step.fail is not None
    assert step.fail.reason == "timeout"
    assert step.prints == ("1",)
    assert step.tool_calls[0].error == "no answer in time"
    assert time.monotonic() - started < 0.4


@pytest.mark.parametrize("on_loop", [False, True])
async def test_a_tool_that_blocks_is_not_waited_for(on_loop: bool) -> None:
    from console.ptc.lisp import run_async

    released = threading.Event()
    options: dict[str, Any] = {
        "tools": {"t": lambda args: released.wait(20)},
        "limits": Limits(timeout=200),
        "journal": {},
    }
    source = '(task "a" 1) (println 1) (tool/t)'
    started = time.monotonic()
    step = await run_async(source, **options) if on_loop else await asyncio.to_thread(run, source, **options)
    took = time.monotonic() - started
    released.set()

    assert step.fail is not None
    assert (step.fail.reason, step.prints, step.journal) == ("timeout", ("1",), {"a": 1})
    assert took < 0.8
