"""The actions of Anthropic's computer tools as actions of the contract."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from console.contracts import actions as act
from console.contracts.action import Modifier
from console.contracts.actions import AnyAction

from ..models.reading import Unreadable
from ..pictures import SentPicture
from .keys import combination, modifiers_of
from .points import target_of
from .said import Acts, Looks, Said

MOST_SCROLL, MOST_WAIT_S, MOST_HOLD_S = 50, 30, 10
_CLICKS: dict[str, tuple[str, int]] = {
    "left_click": ("left", 1),
    "right_click": ("right", 1),
    "middle_click": ("middle", 1),
    "double_click": ("left", 2),
    "triple_click": ("left", 3),
}
_WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


def said_by(name: str, given: dict[str, Any], picture: SentPicture) -> Said:
    """One call of the tool `computer`, or of one named like the action. Raises `Unreadable`, in words for the model."""
    action = given.get("action") if name == "computer" else name
    if action in ("screenshot", "zoom"):
        return Looks()
    if action == "cursor_position":
        return Looks("The position of the pointer is not told; look at the picture.")
    if action in _CLICKS:
        return Acts([_click(str(action), given, picture)])
    make = _OTHERS.get(str(action))
    if make is None:
        raise Unreadable(f"There is no action “{action}” here.")
    return Acts([make(given, picture)])


def _at(given: dict[str, Any], picture: SentPicture, field: str = "coordinate") -> str:
    place = given.get(field)
    if not isinstance(place, list | tuple) or len(place) != 2:
        raise Unreadable(f"“{field}” has to be [x, y] in pixels of the picture.")
    return target_of(place[0], place[1], picture)


def _held(given: dict[str, Any]) -> tuple[Modifier, ...] | None:
    return modifiers_of(str(given["text"]).split("+")) if given.get("text") else None


def _click(action: str, given: dict[str, Any], picture: SentPicture) -> AnyAction:
    button, count = _CLICKS[action]
    fields: dict[str, Any] = {"target_id": _at(given, picture)}
    if button != "left":
        fields["button"] = button
    if count > 1:
        fields["count"] = count
    if held := _held(given):
        fields["modifiers"] = held
    return act.Click.model_validate(fields)


def _move(given: dict[str, Any], picture: SentPicture) -> AnyAction:
    return act.Hover(target_id=_at(given, picture))


def _drag(given: dict[str, Any], picture: SentPicture) -> AnyAction:
    begin = _at(given, picture, "start_coordinate")
    return act.Drag(from_target_id=begin, to_target_id=_at(given, picture))


def _scroll(given: dict[str, Any], picture: SentPicture) -> AnyAction:
    way = _WAYS.get(str(given.get("scroll_direction")))
    amount = given.get("scroll_amount", 3)
    if way is None or isinstance(amount, bool) or not isinstance(amount, int) or amount < 0:
        raise Unreadable(
            "“scroll_direction” is up, down, left or right, and “scroll_amount” a whole number of notches."
        )
    notches = min(amount, MOST_SCROLL)
    target = _at(given, picture) if given.get("coordinate") else None
    held = _held(given)
    return act.Scroll(dx=way[0] * notches, dy=way[1] * notches, target_id=target, modifiers=held)


def _type(given: dict[str, Any], picture: SentPicture) -> AnyAction:
    text = given.get("text")
    if not isinstance(text, str) or not text:
        raise Unreadable("“text” is what to type, and it is empty.")
    return act.TypeText(text=text)


def _key(given: dict[str, Any], picture: SentPicture) -> AnyAction:
    return combination(str(given.get("text") or given.get("key") or ""))


def _wait(given: dict[str, Any], picture: SentPicture) -> AnyAction:
    return act.Wait(ms=int(_seconds(given, MOST_WAIT_S) * 1000))


def _hold_key(given: dict[str, Any], picture: SentPicture) -> AnyAction:
    raise Unreadable("A key cannot be held by itself; press it, or hold it during a click with “text”.")


def _half_a_click(given: dict[str, Any], picture: SentPicture) -> AnyAction:
    raise Unreadable("The button is never left pressed; use left_click_drag with start_coordinate and coordinate.")


def _seconds(given: dict[str, Any], most: float) -> float:
    value = given.get("duration", 1)
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        raise Unreadable("“duration” is a number of seconds.")
    return min(float(value), most)


_OTHERS: dict[str, Callable[[dict[str, Any], SentPicture], AnyAction]] = {
    "mouse_move": _move,
    "left_click_drag": _drag,
    "scroll": _scroll,
    "type": _type,
    "key": _key,
    "wait": _wait,
    "hold_key": _hold_key,
    "left_mouse_down": _half_a_click,
    "left_mouse_up": _half_a_click,
}
