"""The action kinds, their tags, defaults and leniencies."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from console.contracts.action import quoted
from console.contracts.actions import ACTION, ActionBatch, AnyAction

PUBLISHED: list[dict[str, Any]] = [
    {"type": "click", "target_id": "a"},
    {"type": "click", "target_id": "a", "expect_after": {"kind": "dom_changed", "timeout_ms": 2000}},
    {"type": "type", "target_id": None, "text": "x"},
    {"type": "type", "target_id": "a", "text": "x"},
    {"type": "key", "key": "Enter"},
    {"type": "key_combo", "keys": ["ctrl", "s"]},
    {"type": "scroll", "dx": 0, "dy": -3},
    {"type": "drag", "from_target_id": "a", "to_target_id": "b"},
    {"type": "select", "from_x": 1, "from_y": 2, "to_x": 3, "to_y": 4},
    {"type": "wait", "ms": 5},
    {"type": "set_value", "target_id": "a", "value": "v"},
    {"type": "ax_action", "target_id": "", "action": "click", "label": "Save", "role_hint": "button"},
    {"type": "activate_app", "app_name": "x"},
    {"type": "launch_app", "app_name": "x", "background": False},
    {"type": "quit_app", "app_name": "x"},
    {"type": "window", "op": "move", "app": "x", "window_index": 0, "x": 1, "y": -2},
    {"type": "dialog", "op": "click", "button": "OK", "field_index": 0},
    {"type": "dock", "op": "list"},
    {"type": "menu_extra", "op": "click", "name": "n"},
    {"type": "navigate", "url": "https://a.b"},
    {"type": "cdp_eval", "expression": "1"},
    {"type": "extract", "goal": "g", "data": "d"},
    {"type": "extract_with_fallback", "name": "n", "selectors": ["s"], "parse_as": "float"},
    {"type": "write_cells", "app": "Numbers", "writes": [{"cell_ref": "A1", "value": "1"}], "verify": True},
    {"type": "read_cells", "app": "Numbers", "cell_refs": ["A1"]},
    {"type": "custom", "adapter": "a", "action": "b", "params": None},
    {"type": "batch", "actions": [{"type": "wait", "ms": 1}]},
    {"type": "act", "instruction": "i"},
    {"type": "notebook_writes", "key": "k", "value": "v", "category": "c"},
    {"type": "done", "summary": "s", "evidence_ids": []},
    {"type": "fail", "reason": "r"},
]
ADDED: list[dict[str, Any]] = [
    {"type": "hover", "target_id": "a"},
    {"type": "click", "target_id": "a", "button": "back", "count": 2, "modifiers": ["ctrl"], "hold_ms": 5},
    {"type": "scroll", "dx": 1, "dy": 0, "target_id": "a", "modifiers": ["shift"]},
    {"type": "drag", "from_target_id": "a", "to_target_id": "b", "via": [{"x": 1, "y": 2}], "modifiers": ["alt"]},
]


def parse(**fields: Any) -> AnyAction:
    return ACTION.validate_python(fields)


@pytest.mark.parametrize("shape", PUBLISHED + ADDED, ids=lambda s: s["type"])
def test_every_shape_comes_back_unchanged(shape: dict[str, Any]) -> None:
    assert ACTION.dump_python(ACTION.validate_python(shape), mode="json") == shape


def test_all_29_published_kinds_and_hover_are_there() -> None:
    kinds = {shape["type"] for shape in PUBLISHED}
    assert len(kinds) == 29
    assert {k.model_fields["type"].default for k in AnyAction.__args__} == kinds | {"hover"}


@pytest.mark.parametrize("shape", PUBLISHED + ADDED, ids=lambda s: s["type"])
def test_every_kind_says_what_it_does(shape: dict[str, Any]) -> None:
    words = ACTION.validate_python(shape).describe()
    assert words
    assert words[0] != words[0].lower() or words[0] == "“" or words == "a: b"


@pytest.mark.parametrize("key", ["url", "href", "to"])
def test_navigate_takes_its_address_under_three_names(key: str) -> None:
    action = parse(type="navigate", **{key: "u"})
    assert ACTION.dump_python(action) == {"type": "navigate", "url": "u"}


@pytest.mark.parametrize("tag", ["extract_with_fallback", "extract_with_fallbacks", "extract_declarative"])
@pytest.mark.parametrize("key", ["parse_as", "parse", "as"])
def test_extraction_under_its_other_names(tag: str, key: str) -> None:
    action = parse(type=tag, name="n", selectors=["s"], **{key: "int"})
    assert action.model_dump() == {"type": "extract_with_fallback", "name": "n", "selectors": ("s",), "parse_as": "int"}
    assert parse(type=tag, name="n", selectors=[], **{key: "spreadsheet"}).model_dump()["parse_as"] == "text"


@pytest.mark.parametrize("key", ["cell_ref", "ref", "cell", "address"])
def test_cells_under_their_other_names_and_numbers_as_text(key: str) -> None:
    action = parse(type="write_cell", writes=[{key: "A1", "value": 7}])
    assert action.model_dump()["writes"] == ({"cell_ref": "A1", "value": "7"},)


@pytest.mark.parametrize("key", ["cell_refs", "refs", "cells", "addresses"])
def test_reading_cells_under_their_other_names(key: str) -> None:
    assert parse(type="read_cell", **{key: ["A1"]}).model_dump()["cell_refs"] == ("A1",)


@pytest.mark.parametrize(("given", "kept"), [(None, ""), ("x", "x"), ({"a": 1}, '{"a": 1}'), (3, "3")])
def test_lenient_texts(given: Any, kept: str) -> None:
    assert parse(type="done", summary=given).summary == kept  # type: ignore[union-attr]
    assert parse(type="fail", reason=given).reason == kept  # type: ignore[union-attr]
    assert parse(type="extract", goal=given, data=given).data == kept  # type: ignore[union-attr]
    assert parse(type="ax_action", action="click", target_id=given).target_id == kept  # type: ignore[union-attr]


def test_ax_action_without_an_id_keeps_label_and_role() -> None:
    action = parse(type="ax_action", action="click", label="Save", role_hint="button")
    assert (action.target_id, action.label, action.role_hint) == ("", "Save", "button")  # type: ignore[union-attr]
    assert action.targets() == ()


@pytest.mark.parametrize("bad", ["400", True, None, 1.5, float("nan"), float("inf"), [0]])
def test_a_coordinate_is_a_finite_whole_number(bad: Any) -> None:
    with pytest.raises(ValidationError):
        parse(type="select", from_x=bad, from_y=0, to_x=1, to_y=1)


def test_a_whole_float_is_a_coordinate() -> None:
    assert parse(type="scroll", dx=0, dy=3.0).dy == 3  # type: ignore[union-attr]


@pytest.mark.parametrize("bad", [{}, {"type": "telepathy"}, {"type": "click"}, {"type": None}, [], None, "click"])
def test_what_is_no_action_is_an_error(bad: Any) -> None:
    with pytest.raises(ValidationError):
        ACTION.validate_python(bad)


def test_targets_are_flattened_in_order() -> None:
    batch = parse(
        type="batch",
        actions=[
            {"type": "click", "target_id": "a"},
            {"type": "set_value", "target_id": "b", "value": "v"},
            {"type": "cdp_eval", "expression": "x"},
            {"type": "batch", "actions": [{"type": "drag", "from_target_id": "c", "to_target_id": "d"}]},
        ],
    )
    assert batch.targets() == ("a", "b", "c", "d")
    assert parse(type="type", text="x").targets() == ()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"type": "click", "target_id": "a", "count": 2}, "Double-click “a”"),
        ({"type": "click", "target_id": "a", "button": "right"}, "Right-click “a”"),
        ({"type": "click", "target_id": "a", "modifiers": ["ctrl"]}, "Ctrl+Click “a”"),
        ({"type": "scroll", "dy": 3}, "Scroll down 3"),
        ({"type": "scroll", "dx": -1, "dy": -2, "target_id": "a"}, "Scroll up 2 and left 1 in “a”"),
        ({"type": "scroll"}, "Scroll nowhere"),
        ({"type": "type", "target_id": "a", "text": "x\ny"}, "Type “x y” into “a”"),
        ({"type": "ax_action", "action": "show_menu", "label": "Edit"}, "Show menu “Edit”"),
        ({"type": "window", "op": "move", "preset": "left_half"}, "Left half the window of the active app"),
        ({"type": "batch", "actions": []}, "Do nothing"),
        ({"type": "extract", "data": "d"}, "Note “d”"),
        ({"type": "dialog", "op": "set_field", "value": "v"}, "Set field 1 of the dialog to “v”"),
        ({"type": "custom", "adapter": "notes", "action": "list_all"}, "notes: list all"),
        (
            {"type": "custom", "adapter": "notes", "action": "add", "params": {"title": "tea", "count": 2}},
            "notes: add “title: tea, count: 2”",
        ),
    ],
)
def test_words_of_a_person(fields: dict[str, Any], words: str) -> None:
    assert ACTION.validate_python(fields).describe() == words


def test_quotes_are_short_and_on_one_line() -> None:
    assert quoted("a\n b") == "“a b”"
    assert quoted("x" * 100, 10) == "“" + "x" * 9 + "…”"


def test_expectations_default_to_two_seconds() -> None:
    kinds = {
        "selector_appears": {"selector": "s"},
        "selector_disappears": {"selector": "s"},
        "selector_text_contains": {"selector": "s", "substring": "t"},
        "dom_changed": {},
    }
    for kind, fields in kinds.items():
        action = parse(type="click", target_id="a", expect_after={"kind": kind, **fields})
        assert action.expect_after.timeout_ms == 2000  # type: ignore[union-attr]
        assert action.expect_after.describe()  # type: ignore[union-attr]


def test_a_batch_is_frozen() -> None:
    with pytest.raises(ValidationError):
        ActionBatch(actions=()).actions = ()  # type: ignore[misc]
