"""Signatures: text, types, checks, conversions and JSON schema."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from console.ptc.lisp import Keyword, LispSet
from console.ptc.signature import ListOf, MapOf, Maybe, Primitive, SignatureError, Type, parse, render
from console.ptc.typecheck import CoercionError, check, coerce, coerce_input, validate, validate_input

INT, TEXT = Primitive("int"), Primitive("string")


@pytest.mark.parametrize(
    ("text", "params", "returns"),
    [
        (":int", (), INT),
        (" [ :boolean ] ", (), ListOf(Primitive("bool"))),
        ("{a :int?, b-c [{d :any}]}", (), None),
        ("(a :int, b {c :string}) -> [:int?]", None, ListOf(Maybe(INT))),
        ("() -> {}", (), MapOf(())),
        ("( a_1\n:map ) -> :datetime", (("a_1", Primitive("map")),), Primitive("datetime")),
    ],
)
def test_a_signature_is_read(text: str, params: Any, returns: Any) -> None:
    found = parse(text)

    assert params is None or found.params == params
    assert returns is None or found.returns == returns


@pytest.mark.parametrize(
    "text",
    ["", "  ", "int", ":nope", "[]", "[:int", "{a}", "{a :int b :int}", "{a :int,}", "(a :int)", "(:int) -> :int",
     ":int :int", "(a :int) -> ", "-> :int", ":int ?", "{1 :int}", "(a :int -> :int", "#",
     "[" * 40 + ":int" + "]" * 40],
)  # fmt: skip
def test_what_is_no_signature_says_why(text: str) -> None:
    with pytest.raises(SignatureError, match=r"signature|type"):
        parse(text)


def test_a_signature_is_written() -> None:
    assert str(parse(":int")) == "-> :int"
    text = "(a :int, b_c {d :string?}) -> [{e_f :any}]"
    assert str(parse(text)) == text
    assert render(parse(text).returns, kebab=True) == "[{e-f :any}]"


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("string", ["a", ""], [1, None, Keyword("a")]),
        ("int", [1, -1], [True, 1.0, "1"]),
        ("float", [1, 1.5], [True, "1.5"]),
        ("bool", [True], [1, "true", None]),
        ("keyword", [Keyword("a"), "a-b"], ["a b", "", 1]),
        ("map", [{}, {"a": 1}], [[], None]),
        ("any", [None, 1, [], {}], []),
        ("datetime", [datetime(2026, 1, 1, tzinfo=UTC)], ["2026-01-01T00:00:00Z", date(2026, 1, 1)]),
    ],
)
def test_a_value_fits_its_primitive_or_not(kind: str, good: list[Any], bad: list[Any]) -> None:
    assert [value for value in good if check(Primitive(kind), value)] == []
    assert [value for value in bad if not check(Primitive(kind), value)] == []


def test_all_problems_are_found_with_their_paths() -> None:
    signature = parse("(q :string) -> {items [{id :int, tag :keyword?}], total :float}")
    value = {"items": ({"id": "1"}, {"id": 2, "tag": 5}, {}), Keyword("more"): 1}

    assert [str(problem) for problem in validate(signature, value)] == [
        "items.0.id: expected int, got string",
        "items.1.tag: expected keyword, got int",
        "items.2.id: expected field, got nil",
        "total: expected field, got nil",
    ]
    assert [str(one) for one in validate_input(signature, {"q": LispSet([1])})] == ["q: expected string, got set"]
    assert [str(one) for one in check(ListOf(INT), {})] == ["expected list, got map"]
    assert [str(one) for one in check(MapOf(()), date(2026, 1, 1))] == ["expected map, got date"]


@pytest.mark.parametrize("key", ["user_id", "user-id", Keyword("user_id"), Keyword("user-id")])
def test_a_field_is_found_under_each_of_its_spellings(key: Any) -> None:
    closed = MapOf((("user_id", INT),), closed=True)

    assert check(closed, {key: 1}) == []
    assert [one.path for one in check(closed, {key: 1, "other": 2})] == [("other",)]


@pytest.mark.parametrize(
    ("kind", "value", "made", "warnings"),
    [
        ("int", "12", 12, ['coerced string "12" to integer']),
        ("float", "3.5kg", 3.5, ['coerced string "3.5kg" to float']),
        ("float", 2, 2.0, []),
        ("bool", "false", False, ['coerced string "false" to boolean']),
        ("string", Keyword("k"), "k", ["coerced keyword to string"]),
        ("string", date(2026, 5, 1), "2026-05-01", []),
        ("keyword", "k", Keyword("k"), ['coerced string "k" to keyword']),
        ("datetime", "2026-05-01T10:00:00Z", datetime(2026, 5, 1, 10, tzinfo=UTC), []),
        (
            "datetime",
            "2026-05-01T10:00:00+02:00",
            datetime(2026, 5, 1, 8, tzinfo=UTC),
            ['coerced string "2026-05-01T10:00:00+02:00" to UTC'],
        ),
    ],
)
def test_a_value_is_made_to_fit(kind: str, value: Any, made: Any, warnings: list[str]) -> None:
    found = coerce(Primitive(kind), value)

    assert (found.value, found.warnings) == (made, warnings)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (INT, 1.0),
        (INT, "1.5"),
        (Primitive("bool"), 1),
        (Primitive("float"), "x"),
        (Primitive("float"), 10**400),
        (Primitive("keyword"), "a b"),
        (Primitive("datetime"), "2026-05-01T10:00:00"),
        (Primitive("datetime"), "soon"),
        (TEXT, 1),
        (ListOf(INT), "1"),
        (MapOf((("a", INT),)), []),
        (MapOf((("a", INT),)), {}),
    ],
)
def test_a_value_that_cannot_fit_is_refused(kind: Type, value: Any) -> None:
    with pytest.raises(CoercionError):
        coerce(kind, value)


def test_arguments_are_made_to_fit_and_what_is_not_declared_is_dropped() -> None:
    signature = parse("(n :int, note :string?, at [:float]) -> :any")
    found = coerce_input(signature, {"n": "1", "at": [1, "2"], "else": 0})

    assert found.value == {"n": 1, "at": [1.0, 2.0]}
    assert len(found.warnings) == 2
    assert coerce(Maybe(INT), None).value is None


def test_the_json_schema_closes_objects_and_wraps_lists() -> None:
    assert parse("{a :int, b :datetime?}").json_schema() == {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "string", "format": "date-time"}},
        "required": ["a"],
        "additionalProperties": False,
    }
    assert parse("[:any]").json_schema()["properties"] == {"items": {"type": "array", "items": {}}}
