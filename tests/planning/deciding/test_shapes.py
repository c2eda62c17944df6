"""Schemas of tools as models read them: one line, what may be left out in brackets, nothing that a server can break."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.planning.deciding.shapes import shape


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({}, "any"),
        ({"type": "object"}, "{}"),
        ({"properties": {"a": {"type": "string"}}, "required": ["a"]}, "{a: string}"),
        ({"type": "object", "properties": {"a": {"type": ["integer", "null"]}}}, "{[a]: integer}"),
        (
            {"type": "object", "properties": {"a": {"type": "array", "items": {"enum": ["x", 1]}}}},
            '{[a]: ["x"|1]}',
        ),
        ({"type": "object", "properties": {"a": {"anyOf": [{"type": "null"}, {"const": 2}]}}}, "{[a]: 2}"),
        (
            {
                "type": "object",
                "properties": {"a": {"$ref": "#/$defs/B", "description": "what\n for"}},
                "$defs": {"B": {"type": "object", "properties": {"c": {"type": "boolean", "description": "yes"}}}},
            },
            "{[a]: {[c]: boolean (yes)} (what for)}",
        ),
        ({"type": "object", "properties": {"a": {"type": "object"}}}, "{[a]: object}"),
    ],
)
def test_a_schema_in_one_line(schema: dict[str, Any], words: str) -> None:
    assert shape(schema) == words


def test_what_a_field_is_for_can_be_left_out() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "description": "a name"}}, "required": ["a"]}
    assert shape(schema) == "{a: string (a name)}"
    assert shape(schema, told=False) == "{a: string}"


def test_a_schema_that_contains_itself_has_an_end() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}
    assert shape({"$ref": "#/$defs/Node", "$defs": {"Node": node}}).count("next") < 5


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "properties", "items", "anyOf", "enum", "required", "$ref", "$defs", "a"]),
            inner,
            max_size=4,
        )
    ),
)


@given(st.dictionaries(st.sampled_from(["type", "properties", "items", "anyOf", "$defs", "required"]), _JSON))
def test_no_schema_breaks_it(schema: dict[str, Any]) -> None:
    assert isinstance(shape(schema), str)
