"""What computer-use models say, as actions of the contract."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.contracts import actions as act
from console.contracts.geometry import Point
from console.desktop.input.keys import split
from console.planning.models.reading import Unreadable
from console.planning.pictures import LIMITS, SentPicture, fit
from console.planning.pixels import anthropic_actions, openai_actions
from console.planning.pixels.keys import combination, modifiers_of
from console.planning.pixels.points import Unit, target_of
from console.planning.pixels.said import Acts, Asks, Ends, Looks
from console.planning.pixels.ui_tars import read_reply
from tests.planning.model_world import picture

SAME = SentPicture(b"", "image/png", 1280, 800, 1280, 800)
HALF = SentPicture(b"", "image/png", 1280, 800, 2560, 1600)


def one(said: Any) -> Any:
    assert isinstance(said, Acts)
    (action,) = said.actions
    return action


@pytest.mark.parametrize(
    ("given", "action"),
    [
        ({"action": "left_click", "coordinate": [10, 20]}, act.Click(target_id="point:20,40")),
        ({"action": "right_click", "coordinate": [1, 2]}, act.Click(target_id="point:2,4", button="right")),
        ({"action": "middle_click", "coordinate": [1, 2]}, act.Click(target_id="point:2,4", button="middle")),
        ({"action": "double_click", "coordinate": [1, 2]}, act.Click(target_id="point:2,4", count=2)),
        ({"action": "triple_click", "coordinate": [1, 2]}, act.Click(target_id="point:2,4", count=3)),
        (
            {"action": "left_click", "coordinate": [1, 2], "text": "ctrl+shift"},
            act.Click(target_id="point:2,4", modifiers=("ctrl", "shift")),
        ),
        ({"action": "mouse_move", "coordinate": [1, 2]}, act.Hover(target_id="point:2,4")),
        (
            {"action": "left_click_drag", "start_coordinate": [1, 2], "coordinate": [3, 4]},
            act.Drag(from_target_id="point:2,4", to_target_id="point:6,8"),
        ),
        (
            {"action": "scroll", "coordinate": [1, 2], "scroll_direction": "down", "scroll_amount": 4},
            act.Scroll(dy=4, target_id="point:2,4"),
        ),
        ({"action": "scroll", "scroll_direction": "left", "scroll_amount": 999}, act.Scroll(dx=-50)),
        ({"action": "type", "text": "żółw"}, act.TypeText(text="żółw")),
        ({"action": "key", "text": "Return"}, act.Key(key="Return")),
        ({"action": "key", "text": "ctrl+s"}, act.KeyCombo(keys=("ctrl", "s"))),
        ({"action": "key", "text": "ctrl++"}, act.KeyCombo(keys=("ctrl", "+"))),
        ({"action": "wait", "duration": 2.5}, act.Wait(ms=2500)),
        ({"action": "wait", "duration": 999}, act.Wait(ms=30_000)),
    ],
)
def test_anthropic(given: dict[str, Any], action: Any) -> None:
    assert one(anthropic_actions.said_by("computer", given, HALF)) == action
    name, rest = given["action"], {key: value for key, value in given.items() if key != "action"}
    assert one(anthropic_actions.said_by(name, rest, HALF)) == action


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"action": "left_click"}, "coordinate"),
        ({"action": "left_click", "coordinate": [1]}, "coordinate"),
        ({"action": "left_click", "coordinate": ["1", 2]}, "both have to be numbers"),
        ({"action": "left_click", "coordinate": [True, 2]}, "both have to be numbers"),
        ({"action": "left_click", "coordinate": [float("nan"), 2]}, "both have to be numbers"),
        ({"action": "left_click", "coordinate": [1280, 2]}, "is not in the picture"),
        ({"action": "left_click", "coordinate": [-1, 2]}, "is not in the picture"),
        ({"action": "left_click", "coordinate": [1, 2], "text": "a"}, "cannot be held"),
        ({"action": "left_mouse_down"}, "left_click_drag"),
        ({"action": "left_mouse_up"}, "left_click_drag"),
        ({"action": "hold_key", "text": "a", "duration": 1}, "cannot be held by itself"),
        ({"action": "scroll", "scroll_direction": "sideways"}, "scroll_direction"),
        ({"action": "scroll", "scroll_direction": "up", "scroll_amount": True}, "scroll_direction"),
        ({"action": "type", "text": ""}, "is empty"),
        ({"action": "key", "text": " "}, "No key is named"),
        ({"action": "wait", "duration": "long"}, "number of seconds"),
        ({"action": "telepathy"}, "no action “telepathy”"),
        ({}, "no action"),
    ],
)
def test_anthropic_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(Unreadable) as told:
        anthropic_actions.said_by("computer", given, HALF)
    assert words in str(told.value)


@pytest.mark.parametrize("action", ["screenshot", "zoom", "cursor_position"])
def test_anthropic_only_looks(action: str) -> None:
    assert isinstance(anthropic_actions.said_by("computer", {"action": action}, HALF), Looks)


@pytest.mark.parametrize(
    ("given", "action"),
    [
        ({"type": "click", "x": 1, "y": 2, "button": "left"}, act.Click(target_id="point:2,4")),
        ({"type": "click", "x": 1, "y": 2, "button": "wheel"}, act.Click(target_id="point:2,4", button="middle")),
        ({"type": "click", "x": 1, "y": 2, "button": "back"}, act.KeyCombo(keys=("alt", "left"))),
        (
            {"type": "click", "x": 1, "y": 2, "button": "right", "keys": ["CTRL"]},
            act.Click(target_id="point:2,4", button="right", modifiers=("ctrl",)),
        ),
        ({"type": "double_click", "x": 1, "y": 2}, act.Click(target_id="point:2,4", count=2)),
        ({"type": "move", "x": 1, "y": 2}, act.Hover(target_id="point:2,4")),
        (
            {"type": "drag", "path": [{"x": 1, "y": 1}, {"x": 2, "y": 2}, {"x": 3, "y": 3}]},
            act.Drag(from_target_id="point:2,2", to_target_id="point:6,6", via=(Point(x=4, y=4),)),
        ),
        ({"type": "scroll", "x": 1, "y": 2, "scroll_x": 0, "scroll_y": 400}, act.Scroll(dy=4, target_id="point:2,4")),
        ({"type": "scroll", "x": 1, "y": 2, "scroll_x": -9, "scroll_y": 0}, act.Scroll(dx=-1, target_id="point:2,4")),
        ({"type": "keypress", "keys": ["CTRL", "C"]}, act.KeyCombo(keys=("CTRL", "C"))),
        ({"type": "keypress", "keys": ["ENTER"]}, act.Key(key="ENTER")),
        ({"type": "type", "text": "hi"}, act.TypeText(text="hi")),
        ({"type": "wait"}, act.Wait(ms=2000)),
    ],
)
def test_openai(given: dict[str, Any], action: Any) -> None:
    assert one(openai_actions.said_by({"action": given}, HALF)) == action


def test_openai_says_several_at_once_and_what_a_person_has_to_see() -> None:
    said = openai_actions.said_by(
        {
            "actions": [{"type": "screenshot"}, {"type": "wait"}, {"type": "type", "text": "x"}],
            "pending_safety_checks": [{"id": "1", "code": "c", "message": "Odd page."}, {"id": "2"}],
        },
        HALF,
    )
    assert isinstance(said, Acts)
    assert list(said.actions) == [act.Wait(ms=2000), act.TypeText(text="x")]
    assert said.caution == "The provider asks for your look: Odd page. a check"
    assert isinstance(openai_actions.said_by({"action": {"type": "screenshot"}}, HALF), Looks)
    assert isinstance(openai_actions.said_by({}, HALF), Looks)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"type": "click", "x": 1, "y": 2, "button": "nose"}, "no button"),
        ({"type": "click", "y": 2}, "both have to be numbers"),
        ({"type": "drag", "path": [{"x": 1, "y": 1}]}, "at least two points"),
        ({"type": "drag", "path": "far"}, "at least two points"),
        ({"type": "scroll", "x": 1, "y": 2, "scroll_y": "4"}, "numbers of pixels"),
        ({"type": "keypress", "keys": "a"}, "list of keys"),
        ({"type": "keypress", "keys": []}, "No key is named"),
        ({"type": "type"}, "is empty"),
        ({"type": "open"}, "no action “open”"),
    ],
)
def test_openai_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(Unreadable) as told:
        openai_actions.said_by({"action": given}, HALF)
    assert words in str(told.value)


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("Thought: hm\nAction: click(start_box='(10,20)')", [act.Click(target_id="point:10,20")]),
        ("Action：click(start_box='<bbox>10 20 10 20</bbox>')", [act.Click(target_id="point:10,20")]),
        ("Action: click(start_box='<|box_start|>(10,20)<|box_end|>')", [act.Click(target_id="point:10,20")]),
        ("Action: click(start_box='[10,20,30,40]')", [act.Click(target_id="point:20,30")]),
        ("Action: click(point='<point>10 20</point>')", [act.Click(target_id="point:10,20")]),
        ("Action: click(start_point='(10.4, 20.6)')", [act.Click(target_id="point:10,20")]),
        ("Action: click(start_box=(10,20))", [act.Click(target_id="point:10,20")]),
        ("Action: left_double(start_box='(10,20)')", [act.Click(target_id="point:10,20", count=2)]),
        ("Action: right_single(start_box='(10,20)')", [act.Click(target_id="point:10,20", button="right")]),
        (
            "Action: drag(start_box='(1,2)', end_box='(3,4)')",
            [act.Drag(from_target_id="point:1,2", to_target_id="point:3,4")],
        ),
        ("Action: hotkey(key='ctrl c')", [act.KeyCombo(keys=("ctrl", "c"))]),
        ("Action: hotkey(key='enter')", [act.Key(key="enter")]),
        ("Action: type(content='it\\'s \\\"so\\\"')", [act.TypeText(text='it\'s "so"')]),
        ("Action: type(content='it's so')", [act.TypeText(text="it's so")]),
        ("Action: type(content='go\\n')", [act.TypeText(text="go"), act.Key(key="Enter")]),
        ("Action: type(content='\\n')", [act.Key(key="Enter")]),
        ("Action: type(content='a\\nb')", [act.TypeText(text="a\nb")]),
        ("Action: scroll(start_box='(1,2)', direction='down')", [act.Scroll(dy=5, target_id="point:1,2")]),
        ("Action: scroll(direction='left')", [act.Scroll(dx=-5)]),
        ("Action: wait()", [act.Wait(ms=5000)]),
        (
            "Reflection: ok\nThought: two\nAction: click(start_box='(1,2)')\n\ntype(content='x')",
            [act.Click(target_id="point:1,2"), act.TypeText(text="x")],
        ),
        (
            "Action: click(start_box='(1,2)')\nAction: wait()",
            [act.Click(target_id="point:1,2"), act.Wait(ms=5000)],
        ),
    ],
)
def test_ui_tars(text: str, actions: list[Any]) -> None:
    found = [action for said in read_reply(text, SAME, "pixels").said for action in said.actions]  # type: ignore[union-attr]
    assert found == actions


def test_ui_tars_ends_asks_and_thinks() -> None:
    reply = read_reply("Thought: 我看到了\nAction: finished(content='saved')", SAME, "pixels")
    assert (reply.thought, reply.said) == ("我看到了", (Ends("saved"),))
    assert read_reply("Action: finished()", SAME, "pixels").said == (Ends("The model says that it is done."),)
    (asks,) = read_reply("Action: call_user()", SAME, "pixels").said
    assert isinstance(asks, Asks)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I cannot do that", "no “Action:”"),
        ("", "(nothing)"),
        ("Action:", "no action after"),
        ("Action: click(start_box='=')", "two or four numbers"),
        ("Action: click(start_box='')", "two or four numbers"),
        ("Action: click(start_box='(1,2,3)')", "two or four numbers"),
        ("Action: click()", "needs start_box"),
        ("Action: drag(start_box='(1,2)')", "needs end_box"),
        ("Action: telepathy(x='1')", "no action “telepathy”"),
        ("Action: open(app='x')", "no action “open”"),
        ("Action: click(start_box='(1,2)'", "does not end"),
        ("Action: type(content='abc", "does not end"),
        ("Action: type(content='')", "nothing to type"),
        ("Action: scroll(start_box='(1,2)', direction='in')", "up, down, left or right"),
        ("Action: hotkey()", "No key is named"),
        ("Action: click('(1,2)')", "name='value'"),
        ("Action: please click", "This is no action"),
        ("Action: " + "\n".join(["wait()"] * 11), "There are 11 actions"),
        ("Action: click(start_box='(9999,2)')", "is not in the picture"),
    ],
)
def test_ui_tars_refused(text: str, words: str) -> None:
    with pytest.raises(Unreadable) as told:
        read_reply(text, SAME, "pixels")
    assert words in str(told.value)


@given(st.text(alphabet="Action: click(start_box='1,2)\n\\\"<|>=type", max_size=80))
def test_any_text_of_ui_tars_is_read_or_unreadable(text: str) -> None:
    with suppress(Unreadable):
        assert read_reply("Action:" + text, SAME, "pixels").said


@pytest.mark.parametrize(
    ("unit", "x", "y", "target"),
    [
        ("pixels", 683, 384, "point:1366,768"),
        ("thousandths", 500, 500, "point:1280,800"),
        ("thousandths", 1000, 1000, "point:2558,1598"),
        ("thousandths", 0, 0, "point:0,0"),
        ("fractions", 0.5, 0.25, "point:1280,400"),
    ],
)
def test_each_unit_is_brought_to_the_screen_once(unit: Unit, x: float, y: float, target: str) -> None:
    assert target_of(x, y, HALF, unit) == target


@pytest.mark.parametrize(
    ("unit", "x", "y"), [("thousandths", 1001, 5), ("fractions", 1.5, 0), ("fractions", 78, 0), ("pixels", 5, 800)]
)
def test_what_lies_outside_its_unit_is_refused(unit: Unit, x: float, y: float) -> None:
    with pytest.raises(Unreadable):
        target_of(x, y, HALF, unit)


@pytest.mark.parametrize("limits", ["anthropic", "openai", "google", "compatible", "ui_tars"])
@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (3840, 2160)])
def test_targets_chosen_in_the_picture_are_hit_within_a_pixel(limits: str, size: tuple[int, int]) -> None:
    """The unit of the model is pixels of the picture, whatever the screen's size; the true place is its share of it."""
    sent = fit(picture(*size), LIMITS[limits])
    chosen = random.Random(5)
    for _ in range(200):
        x, y = chosen.randrange(sent.width), chosen.randrange(sent.height)
        point = sent.to_source(x, y)
        assert abs(point.x - x / sent.width * size[0]) <= 1
        assert abs(point.y - y / sent.height * size[1]) <= 1
        assert 0 <= point.x < size[0]
        assert 0 <= point.y < size[1]


@pytest.mark.parametrize(
    "words", ["Return", "Page_Down", "ctrl+s", "super", "ctrl shift t", "ENTER", "ARROWLEFT", "CMD"]
)
def test_the_desktop_knows_the_keys_of_models(words: str) -> None:
    action = combination(words)
    assert split([action.key] if isinstance(action, act.Key) else action.keys)  # type: ignore[union-attr]


def test_modifiers_are_named_once() -> None:
    assert modifiers_of(["Control", "ctrl", "CMD"]) == ("ctrl", "super")
