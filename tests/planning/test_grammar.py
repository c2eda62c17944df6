"""What each wording is read as."""

from __future__ import annotations

import time
from typing import Any

import pytest

from console.planning.instructions import parse
from console.planning.instructions.models import Instruction, Unknown

from .wordings import APPS, FLOW, LOOSE, NAMES, POINTER, TEXT, thing


def flat(instruction: Instruction) -> dict[str, Any]:
    """Only what was said: no defaults, no source, no literal."""
    values = instruction.model_dump(exclude_defaults=True, exclude={"source"})

    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: bare(one) for key, one in value.items() if key not in ("literal", "source")}
        return value

    return bare(values)


def one(goal: str) -> tuple[str, dict[str, Any]]:
    found = parse(goal)
    assert len(found) == 1, found
    return type(found[0]).__name__, flat(found[0])


@pytest.mark.parametrize(("goal", "kind", "said"), [*APPS, *POINTER, *TEXT, *FLOW])
def test_wording(goal: str, kind: str, said: dict[str, Any]) -> None:
    assert one(goal) == (kind, said)


def test_there_are_many_wordings() -> None:
    assert len([*APPS, *POINTER, *TEXT, *FLOW]) >= 150


@pytest.mark.parametrize(
    ("goal", "kinds"),
    [
        ("open Mousepad\ntype “a”\npress ctrl+s", "Open TypeWords Press"),
        ("open Mousepad then type “a”, then press ctrl+s", "Open TypeWords Press"),
        ("Open Mousepad, and then type “a”; press ctrl+s.", "Open TypeWords Press"),
        ("1. open Mousepad 2. type “a” 3. press ctrl+s", "Open TypeWords Press"),
        ("1) open Mousepad\n2) type “a”\n\n3) press ctrl+s", "Open TypeWords Press"),
        ("- open Mousepad\n* type “a”\n• press ctrl+s", "Open TypeWords Press"),
        ("# a comment\nopen Mousepad\n  # another\n", "Open"),
        ("open Mousepad and type “a” and press ctrl+s", "Open TypeWords Press"),
        ("Open Mousepad. Type “a”. Press ctrl+s.", "Open TypeWords Press"),
        ("click “Save”, wait 2 s, click “OK”", "ClickOn Pause ClickOn"),
        ("click Search and replace", "ClickOn"),
        ("click Save and close", "ClickOn"),
        ("if “Error” is visible, click “OK”", "When"),
        ("if “Error” is visible then click “OK”; press Enter", "When Press"),
        ("unless “Done” is visible: click “Go”", "When"),
        ("", ""),
        ("\n \n# only a comment", ""),
        ("Step 1: open Mousepad\nStep 2: click Save", "Open ClickOn"),
    ],
)
def test_several_instructions(goal: str, kinds: str) -> None:
    assert " ".join(type(found).__name__ for found in parse(goal)) == kinds


def test_a_condition_before_an_instruction() -> None:
    (when,) = parse("if the window “Tip” is open, click “Close” in the window “Tip”")
    assert flat(when)["condition"] == {"kind": "window_open", "text": "Tip"}
    assert when.words() == "If the window “Tip” is open: Click “Close” in “Tip”"
    (unless,) = parse("unless “Done” is visible, click “Go”")
    assert flat(unless)["condition"]["negated"] is True


@pytest.mark.parametrize(
    "goal",
    [
        'type """\nfirst "line"\n\n  then; third # no comment\n""" into “Text”',
        'type <<END into “Text”\nfirst "line"\n\n  then; third # no comment\nEND',
        'type << into “Text”\nfirst "line"\n\n  then; third # no comment\n>>',
    ],
)
def test_a_block_is_typed_as_it_stands(goal: str) -> None:
    kind, said = one(goal)
    assert kind == "TypeWords"
    assert said == {"text": 'first "line"\n\n  then; third # no comment', **thing("Text")}


def test_after_a_block_the_goal_goes_on() -> None:
    kinds = [type(found).__name__ for found in parse("type <<A\nclick x\nA\npress Enter")]
    assert kinds == ["TypeWords", "Press"]


@pytest.mark.parametrize(
    "goal", ["frobnicate the widget", "make me a sandwich", "if it rains, dance", "delete everything"]
)
def test_what_is_not_understood_says_what_is_near(goal: str) -> None:
    (found,) = parse(goal)
    assert isinstance(found, Unknown)
    assert found.source == goal
    assert found.nearest


def test_an_unquoted_phrase_keeps_its_literal() -> None:
    (found,) = parse("click Point of Sale in the window Shop")
    assert found.model_dump()["thing"]["literal"] == "Point of Sale in the window Shop"
    (found,) = parse("click “Save”")
    assert found.model_dump()["thing"]["literal"] == ""


@pytest.mark.parametrize(("goal", "kinds"), LOOSE)
def test_loose_wording(goal: str, kinds: list[str]) -> None:
    assert [type(found).__name__ for found in parse(goal)] == kinds


@pytest.mark.parametrize(("goal", "named"), NAMES)
def test_names_of_things(goal: str, named: dict[str, Any]) -> None:
    assert one(goal) == ("ClickOn", {"thing": named})


def test_a_path_keeps_its_backslashes() -> None:
    assert one('type "C:\\new\\test"') == ("TypeWords", {"text": "C:\\new\\test"})


def test_a_long_line_is_read_in_a_moment() -> None:
    begun = time.monotonic()
    assert len(parse(", ".join(["click “x”"] * 40) + ", click")) >= 1
    assert len(parse(" and click" * 400)) >= 1
    assert len(parse("click “x”, " * 50)) == 50
    assert time.monotonic() - begun < 5
