"""What a program shares with its host: context, journal, notes, memory, and the published Step."""

from __future__ import annotations

from datetime import date

import pytest

from console.contracts.step import Step
from console.ptc.lisp import Keyword, Limits, LispSet, run, validate

from .table import reason_of, same, step_of
from .tools import echo


def test_data_is_found_exactly_and_then_by_its_other_spellings() -> None:
    context = {"user_name": "Ann", Keyword("kind"): Keyword("x"), "n": 0, "list": [1, {2, 3}], "day": date(2026, 5, 1)}

    same("[data/user-name data/kind data/n (first data/list) data/none (str data/day)]",
         '["Ann" :x 0 1 nil "2026-05-01"]', context=context)  # fmt: skip


def test_what_is_missing_may_be_made_an_error() -> None:
    assert reason_of("data/nothing", strict_data=True) == "runtime_error"


def test_what_is_no_value_of_the_language_is_refused_only_where_it_is_used() -> None:
    assert reason_of("data/thing", context={"thing": object()}) == "type_error"
    same("1", "1", context={"thing": object()})


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


def test_memory_goes_from_turn_to_turn_with_functions_and_sets() -> None:
    first = step_of(
        "(def base 10) (defn add [n] (+ base n)) (def seen #{:a [1]}) (def t tool/echo)", tools={"echo": echo}
    )
    second = step_of('[(add 5) (contains? seen "a") (contains? seen [1])]', memory=first.memory)

    assert "t" not in first.memory
    assert isinstance(first.memory["seen"], LispSet)
    assert second.return_ == (15, True, True)


def test_an_option_that_is_none_is_not_set() -> None:
    same(
        "[data/x *1]", "[nil nil]", context=None, memory=None, tools=None, limits=None, journal=None, turn_history=None
    )


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
    assert validate("(defn f [x] (tool/any {:x x})) (f data/y)") is None
    assert validate("known", memory=["known"]) is None
    assert getattr(validate("(f"), "reason", None) == "parse_error"


@pytest.mark.parametrize(
    ("source", "reason", "of_the_table"),
    [
        ("(+ 1", "parse_error", None),
        ("(tool/nothing)", "unknown_tool", "tool_not_found"),
        ("nobody", "unbound_var", "analysis_error"),
        ("(if)", "invalid_arity", "analysis_error"),
        ('(.toUpperCase "a")', "unsupported_method", "analysis_error"),
        ("(/ 1 0)", "arithmetic_error", "eval_error"),
        ("(1 2)", "not_callable", "eval_error"),
        ("(tool/sad)", "tool_error", None),
        ("(pcalls (fn [] (fail 1)))", "pcalls_error", "eval_error"),
    ],
)
def test_a_failure_names_the_reason_of_the_published_table(source: str, reason: str, of_the_table: str | None) -> None:
    def sad(_: object) -> None:
        raise RuntimeError("no")

    fail = run(source, tools={"sad": sad}).fail

    assert fail is not None
    assert (fail.reason, fail.details.get("class")) == (reason, of_the_table)
