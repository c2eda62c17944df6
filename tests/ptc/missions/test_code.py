"""Finding the program in an answer, and values made short."""

from __future__ import annotations

import time
from typing import Any

import pytest

from console.ptc.lisp import Keyword, LispSet
from console.ptc.missions.code import NoProgram, Program, extract
from console.ptc.missions.values import (
    as_json,
    as_text,
    as_value,
    cut,
    is_too_large,
    json_map,
    shortened,
    size_of,
    with_plain_keys,
)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("```clojure\n(a)\n```", "(a)"),
        ("```lisp\n42\n```\n```json\n{}\n```", "42"),
        ("```\n(a)\n```", "(a)"),
        ("```python\nx = 1\n```\n```\n(a)\n```", "(a)"),
        ("so <clojure>(a)</clojure>", "(a)"),
        ("  (a) ", "(a)"),
        ("(a \u201cx\u201d \u200b)", '(a "x" )'),
        ("(a #_b c)", "(a  c)"),
        ('(a #_(b [c] "d)" \\) ; e)\n) c)', "(a  c)"),
        ("(a #_ #_ b c d)", "(a  d)"),
        ("(a #_#{b} c #_)", "(a  c )"),
        ('(a "#_b" ; #_c\n \\# d)', '(a "#_b" ; #_c\n \\# d)'),
        ("(a #_'b c) ; #_", "(a  c) ; #_"),
        ("(a #_ ; why\n b c)", "(a  c)"),
        ("(a #_(b", "(a"),
    ],
)
def test_the_program_is_found(text: str, source: str) -> None:
    assert extract(text) == Program(source)


@pytest.mark.parametrize(
    "text", ["", "hello", "```clojure\n\n```", "```clojure\n1\n```\n```lisp\n2\n```", "```\n(a)\n```\n```\n(b)\n```"]
)
def test_there_is_no_one_program(text: str) -> None:
    assert isinstance(extract(text), NoProgram)


@pytest.mark.parametrize(
    ("value", "short"),
    [
        ("x" * 50, "x" * 20),
        (["aa"] * 9, ("aa", "aa")),
        ({"a": 1, "b": "x" * 50, "c": 1}, {"a": 1}),
        (LispSet(["x" * 9, "y" * 99]), ("x" * 9,)),
        (10**30, "10000000000000000000... (20/31 chars)"),
        ([1], [1]),
    ],
)
def test_values_are_made_short(value: Any, short: Any) -> None:
    assert shortened(value, 20) == short


def test_what_the_language_has_no_word_for_is_text() -> None:
    class Odd:
        def __str__(self) -> str:
            return "odd"

    deep: Any = []
    for _ in range(200):
        deep = [deep]

    assert (as_json(Odd()), as_text(Odd(), 9)) == ("odd", '"odd"')
    assert isinstance(as_json(deep), str)
    assert with_plain_keys([{Keyword("a-b"): 1, 2: 3}]) == ({"a_b": 1, 2: 3},)
    assert cut("abc", 2) == "ab... (2/3 chars)"


def doubled(times: int) -> Any:
    """A value of few parts that is enormous when it is written out."""
    value: Any = ("x",)
    for _ in range(times):
        value = (value, value)
    return value


def test_a_value_of_shared_parts_takes_no_time() -> None:
    vast = doubled(60)
    started = time.monotonic()

    assert as_text(vast, 10) == "[[[[[[[[[[... (cut)"
    assert as_json(vast) == "#<memory_exceeded>"
    assert as_value(vast) == "#<memory_exceeded>"
    assert json_map({"a": vast, "b": 1}) == dict.fromkeys("ab", "#<memory_exceeded>")
    assert is_too_large(vast)
    assert is_too_large(("x" * 1_000_000,) * 100)
    assert size_of(vast, 100) > 100
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("abcdefgh", '"abcdefgh"'),
        ("abcdefghijkl", '"abcdefghi... (10/14 chars)'),
        ({"a": [1, 2, 3, 4, 5, 6]}, '{"a" [1]}... (cut)'),
        ({"a" * 20: 1, "b": 2}, '{"aaaaaaaa... (cut)'),
        (LispSet([1, 2, 3]), "#{1 2}... (cut)"),
        ((10**30, 1), "[100000000... (cut)"),
        ([True, None], "[true nil]"),
    ],
)
def test_the_text_of_a_value_ends_where_nobody_reads_on(value: Any, text: str) -> None:
    assert as_text(value, 10) == text


def test_keys_of_any_kind_have_a_size() -> None:
    value = as_value({1.5: "x", (1, 2): "y", True: None})

    assert size_of(value, 1000) > 40
