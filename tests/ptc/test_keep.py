"""Values that are stored between programs and read back, as the journal of a run does."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from console.contracts.base import Json
from console.ptc.lisp import Keyword, LispSet, Var, run
from console.ptc.lisp.keep import back, kept
from console.ptc.lisp.patterns import Regex
from console.ptc.lisp.render import readable
from console.ptc.lisp.values import SymbolRef

from .nested import QUIET, nested, runtime
from .table import step_of


class _Stored(BaseModel):
    value: Json


def _through_text(json: Json) -> Json:
    return _Stored.model_validate_json(_Stored(value=json).model_dump_json()).value


_MORE = (
    st.floats()
    | st.dates()
    | st.datetimes(timezones=st.none() | st.just(UTC))
    | st.timedeltas()
    | st.text(max_size=4).map(lambda text: "#" + text)
    | st.sampled_from(["#set", "#map", "\ud800", Regex("a+"), Var("x"), SymbolRef("map"), 1 << 70, -(1 << 12_000)])
)
VALUES = nested(_MORE)


@QUIET
@given(st.dictionaries(st.text(max_size=3) | st.just("\udc00"), VALUES, max_size=3))
def test_what_is_kept_comes_back_as_it_was(values: dict[str, Any]) -> None:
    returned = back(_through_text(kept(values)))

    assert list(returned) == list(values)
    for name, value in values.items():
        assert readable(runtime(), returned[name]) == readable(runtime(), value)
        assert type(returned[name]) is type(value)


@QUIET
@given(st.recursive(st.none() | st.booleans() | st.integers(0, 9) | st.sampled_from("abc"), st.lists, max_leaves=9))
def test_what_json_knows_is_written_as_it_is(value: Any) -> None:
    as_value = run("data/v", context={"v": value}).return_

    assert kept({"v": {"k": as_value}}) == {"v": {"k": value}}


def test_kinds_are_told_apart() -> None:
    day, moment = date(2026, 5, 1), datetime(2026, 5, 1, 12, 30, tzinfo=UTC)
    values = {"a": LispSet([1, "x"]), "b": day, "c": moment, "d": timedelta(days=-1, microseconds=5), "e": Keyword("k")}
    returned = back(_through_text(kept(values)))

    assert returned == values
    assert math.isnan(back(_through_text(kept({"n": math.nan})))["n"])


def test_a_name_that_holds_a_function_is_left_out() -> None:
    memory = step_of("(def f inc) (def g {:a [#{(fn [x] x)}]}) (def h {inc 1}) (def n 1)").memory

    assert back(kept(memory)) == {"n": 1}


@pytest.mark.parametrize("inner", ["[a]", "#{a}", "{a 1}", "{:k a}", "{1 a}", '["#set" a]', "{[a] 1.0}"])
def test_the_deepest_value_that_a_program_may_have_can_be_read_back(inner: str) -> None:
    times = next(n for n in range(110, 1, -1) if run(_deep(inner, n)).fail is None)
    memory = step_of(_deep(inner, times)).memory
    returned = back(_through_text(kept(memory)))

    assert times >= 40
    assert readable(runtime(), returned["v"]) == readable(runtime(), memory["v"])


def _deep(inner: str, times: int) -> str:
    return f"(def v (reduce (fn [a _] {inner}) 0 (range {times})))"


def test_a_program_goes_on_with_what_another_one_left() -> None:
    first = step_of('(def seen #{1 [2]}) (def by {1 :one 1.0 :float}) (def day (parse "2026-05-01")) (def most ##Inf)')
    later = step_of(
        "[(contains? seen [2]) (get by 1.0) (str day) (< 5 most)]", memory=back(_through_text(kept(first.memory)))
    )

    assert later.return_ == (True, "float", "2026-05-01", True)


@pytest.mark.parametrize("stored", [None, [], "text", 5])
def test_nothing_stored_is_no_values(stored: Json) -> None:
    assert back(stored) == {}
