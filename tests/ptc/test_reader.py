"""From text to forms."""

from __future__ import annotations

import pytest

from console.ptc.lisp import Limits
from console.ptc.lisp.failure import LispFailure
from console.ptc.lisp.reader import Form, Pattern, Quoted, Reader, Symbol, VarQuoted
from console.ptc.lisp.values import Keyword

from .table import reason_of, same


def read(text: str, **limits: int) -> list[object]:
    return Reader(Limits(**limits)).read(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("nil", None),
        ("true", True),
        ("false", False),
        ("-17", -17),
        ("6.25", 6.25),
        ("2e3", 2000.0),
        ("1.5E-2", 0.015),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        (r'"a\tb\"c\\"', 'a\tb"c\\'),
        (r'"\w+"', r"\w+"),
        ('"two\nlines"', "two\nlines"),
        (r"\q", "q"),
        (r"\return", "\r"),
        (r"\ß", "ß"),
        (r"\(", "("),
        ("##-Inf", float("-inf")),
        (":what-now?", Keyword("what-now?")),
    ],
)
def test_an_atom_is_its_value(text: str, value: object) -> None:
    assert read(text) == [value]


def test_brackets_make_forms() -> None:
    (form,) = read("(f [1 ,, 2] #{:a} {:b 3} #(g %)) ; and a comment")

    assert isinstance(form, Form)
    assert [item.kind for item in form.items[1:]] == ["vector", "set", "map", "fn"]
    assert isinstance(form.items[0], Symbol)
    assert form.items[1].items == (1, 2)


def test_quotes_and_patterns_keep_their_names() -> None:
    assert read(r"""'name #'other #"\d+\"" """) == [Quoted("name"), VarQuoted("other"), Pattern('\\d+"')]


def test_a_stray_closer_after_a_whole_form_is_skipped() -> None:
    assert read("1 ) 2 ]") == [1, 2]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(f 1", "parentheses"),
        ("[1 (2)", "brackets"),
        ("{:a 1", "braces"),
        ("(f [1)", "expected ]"),
        ("{:a}", "even"),
        ('"open', "closing quote"),
        ("@thing", "deref"),
        ("#_ 1", "discard"),
        ("'(1 2)", "quoted collections"),
        ("'[1]", "quoted collections"),
        ("1.", "cannot read"),
        ("3abc", "cannot read"),
        (":a/b", "cannot read"),
        ("`x", "syntax quote"),
        ("~x", "unquote"),
        ("^x", "metadata"),
        ("1" * 101, "digits"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, said: str) -> None:
    with pytest.raises(LispFailure) as caught:
        read(text)

    assert caught.value.reason == "parse_error"
    assert said in caught.value.message


def test_the_line_of_a_fault_is_told() -> None:
    with pytest.raises(LispFailure, match="line 3"):
        read("1\n2\n@")


def test_nesting_ends_at_sixty_four() -> None:
    read("[" * 64 + "]" * 64)
    with pytest.raises(LispFailure, match="deeper"):
        read("[" * 65 + "]" * 65)


def test_symbols_and_keywords_are_counted_once_each() -> None:
    read("a b :c a b :c a", max_symbols=3)
    with pytest.raises(LispFailure) as caught:
        read("a b :c d", max_symbols=3)

    assert caught.value.reason == "symbol_limit_exceeded"


def test_reading_looks_at_the_clock() -> None:
    def too_late() -> None:
        raise LispFailure("compile_timeout", "late")

    with pytest.raises(LispFailure, match="late"):
        Reader(Limits(), too_late).read("1 " * 5000)


def test_several_forms_are_evaluated_in_order_and_none_is_nil() -> None:
    same("1 2 (+ 1 2)", "3")
    same("  ; nothing here", "nil")
    assert reason_of("()") == "invalid_form"
