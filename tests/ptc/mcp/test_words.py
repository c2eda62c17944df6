"""What servers say, made harmless and short: texts, schemas, names, results, hints."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import (
    AudioContent,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
    Tool,
    ToolAnnotations,
)

from console.contracts.moves import StepErr, StepOk
from console.ptc.mcp.plain import cleaned, hidden, safe_name, schema_within, sentence, unique, within, without_controls
from console.ptc.mcp.results import step_of
from console.ptc.mcp.tools import Hints, described

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
)


@given(st.text())
def test_no_text_steers_a_terminal_or_turns_a_line_around(text: str) -> None:
    plain = without_controls(text)
    assert not set(plain) & set("\x00\x07\x08\x1b\x7f\x85\u202e\u2066\u2028")
    assert len(sentence(text, 40)) <= 40
    assert "\n" not in sentence(text)


@given(JSON)
def test_clean_json_is_json_without_controls(value: Any) -> None:
    assert "\\u001b" not in json.dumps(cleaned(value)).replace("\\\\", "")


def test_what_json_does_not_know_becomes_text() -> None:
    assert cleaned({1: complex(1, 2)}) == {"1": "(1+2j)"}


@given(st.text())
def test_a_name_needs_no_quotes(text: str) -> None:
    assert set(safe_name(text)) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
    assert 1 <= len(safe_name(text)) <= 64


def test_names_that_are_taken_get_a_number() -> None:
    taken: set[str] = set()
    assert [unique(name, taken) for name in ("a", "A", "a", "b")] == ["a", "A_2", "a_3", "b"]


def test_the_longest_secret_is_blotted_out_first() -> None:
    assert hidden("key abcdef, abc", {"abc", "abcdef"}) == "key ••••••, ••••••"


def test_a_large_answer_is_cut_with_a_note() -> None:
    assert within({"a": 1}) == {"a": 1}
    assert within("äöü", 4) == "äö… (cut: the first 4 of 6 bytes)"
    assert within({"a": "x" * 9}, 5) == '{"a":… (cut: the first 5 of 18 bytes)'


def test_a_schema_keeps_its_words_its_shape_or_its_names_by_its_size() -> None:
    small = {"type": "object", "properties": {"a": {"type": "string", "description": "x" * 500}}}
    kept = schema_within(small)
    assert kept["properties"] == {"a": {"type": "string", "description": "x" * 159 + "…"}}
    wordy = {"type": "object", "properties": {f"p{n}": {"type": "string", "description": "y" * 150} for n in range(30)}}
    bare = schema_within(wordy)["properties"]
    assert isinstance(bare, dict)
    assert bare["p3"] == {"type": "string"}
    vast = {"type": "object", "properties": {f"p{n}": {"enum": ["z" * 100] * 9} for n in range(90)}}
    names = schema_within(vast)["properties"]
    assert isinstance(names, dict)
    assert (len(names), names["p59"]) == (60, {})
    assert schema_within({"properties": ["odd"], "x": "v" * 5000, "y": ["w" * 159] * 50})["properties"] == {}
    deep: Any = {}
    for _ in range(40):
        deep = {"a": deep}
    assert len(json.dumps(schema_within(deep))) < 200


@pytest.mark.parametrize(
    ("blocks", "told"),
    [
        ([], None),
        ([TextContent(type="text", text="a"), TextContent(type="text", text="b")], "a\nb"),
        ([ImageContent(type="image", data="bm8=", mime_type="image/png")], "(image, image/png)"),
        ([ImageContent(type="image", data="!", mime_type="image/png")], "(image, image/png)"),
        ([ImageContent(type="image", data="A" * 20_000_001, mime_type="image/png")], "(image, image/png)"),
        ([AudioContent(type="audio", data="bm8=", mime_type="audio/wav")], "(audio, audio/wav)"),
        ([ResourceLink(type="resource_link", name="n", uri="file:///a")], "(file, file:///a)"),
        (
            [EmbeddedResource(type="resource", resource=TextResourceContents(uri="file:///a", text="inside"))],
            "inside",
        ),
    ],
)
def test_answers_become_data(blocks: list[Any], told: str | None) -> None:
    assert step_of("s", CallToolResult(content=blocks)) == StepOk(data=told)


def test_odd_answers_become_data() -> None:
    blob = SimpleNamespace(type="resource", resource=SimpleNamespace(uri="file:///b", blob="bm8="))
    odd = SimpleNamespace(type="hologram")
    answer: Any = SimpleNamespace(content=[blob, odd], is_error=False, structured_content=None)
    assert step_of("s", answer) == StepOk(data="(file, file:///b)\n(hologram)")
    structured = CallToolResult(content=[TextContent(type="text", text="x")], structured_content={"n": 1})
    assert step_of("s", structured) == StepOk(data={"n": 1})
    assert step_of("s", CallToolResult(content=[], is_error=True)) == StepErr(message="s: It gave no reason.")


def tool(name: str = "t", **hints: bool) -> Tool:
    return Tool(name=name, input_schema={"type": "object"}, annotations=ToolAnnotations(**hints) if hints else None)


@pytest.mark.parametrize(
    ("hints", "effect"),
    [
        ({}, "unknown"),
        ({"read_only_hint": True}, "reads"),
        ({"read_only_hint": True, "destructive_hint": True}, "reads"),
        ({"read_only_hint": False}, "unknown"),
        ({"destructive_hint": True}, "destroys"),
        ({"destructive_hint": False}, "changes"),
    ],
)
def test_what_a_tool_does_is_what_it_says_and_else_unknown(hints: dict[str, bool], effect: str) -> None:
    (found,) = described("s", [tool(**hints)], Hints())
    assert found.line.effect == effect
    assert found.ref.mutates_state == (effect != "reads")


@pytest.mark.parametrize(
    ("first", "later", "effect"),
    [
        ({"read_only_hint": True}, {"destructive_hint": False}, "changes"),
        ({"destructive_hint": False}, {"read_only_hint": True}, "changes"),
        ({"destructive_hint": True}, {"destructive_hint": False}, "destroys"),
        ({"destructive_hint": False}, {}, "unknown"),
        ({"destructive_hint": False}, {"destructive_hint": True}, "destroys"),
    ],
)
def test_a_tool_becomes_stricter_in_a_run_and_never_laxer(
    first: dict[str, bool], later: dict[str, bool], effect: str
) -> None:
    hints = Hints()
    described("s", [tool(**first)], hints)
    (found,) = described("s", [tool(**later)], hints)
    assert found.line.effect == effect


def test_names_and_parameters_that_a_program_cannot_write_get_others() -> None:
    odd = Tool(
        name="files/read.it",
        title="Reads",
        input_schema={"type": "object", "properties": {"max-lines": {}, "max-size": {}, "max_size": {}}},
    )
    first, second = described("s", [odd, tool("files read it")], Hints())
    assert (first.ref.action, second.ref.action) == ("files_read_it", "files_read_it_2")
    assert first.ref.description == "Reads"
    assert first.arguments({"max_lines": 1, "max_size": 2, "other": 3}) == {"max-lines": 1, "max_size": 2, "other": 3}
