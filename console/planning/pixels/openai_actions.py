"""The actions of OpenAI's computer tool as actions of the contract."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from console.contracts import actions as act
from console.contracts.actions import AnyAction
from console.contracts.geometry import Point

from ..models.reading import Unreadable
from ..pictures import SentPicture
from .keys import keys_of, modifiers_of
from .points import target_of
from .said import Acts, Looks, Said

PIXELS_A_NOTCH, MOST_SCROLL, WAIT_MS = 100, 50, 2000
_BUTTONS = {"left": None, "right": "right", "wheel": "middle", "middle": "middle"}


def said_by(call: dict[str, Any], picture: SentPicture) -> Said:
    """One `computer_call` with its action or actions, and the safety checks that wait for a person.

    Raises `Unreadable`, in words for the model.
    """
    given = call.get("actions") or ([call["action"]] if call.get("action") else [])
    made = [_one(one, picture) for one in given]
    checks = [
        check.get("message") or check.get("code") or "a check" for check in call.get("pending_safety_checks") or []
    ]
    actions = [action for action in made if action is not None]
    if not actions:
        return Looks()
    caution = f"The provider asks for your look: {' '.join(checks)}" if checks else None
    return Acts(actions, caution)


def _one(action: dict[str, Any], picture: SentPicture) -> AnyAction | None:
    kind = action.get("type")
    if kind == "screenshot":
        return None
    make = _MAKERS.get(str(kind))
    if make is None:
        raise Unreadable(f"There is no action “{kind}” here.")
    return make(action, picture)


def _at(action: dict[str, Any], picture: SentPicture) -> str:
    return target_of(action.get("x"), action.get("y"), picture)


def _held(action: dict[str, Any]) -> dict[str, Any]:
    return {"modifiers": modifiers_of(action["keys"])} if action.get("keys") else {}


def _click(action: dict[str, Any], picture: SentPicture) -> AnyAction:
    name = action.get("button", "left")
    if name in ("back", "forward"):
        return act.KeyCombo(keys=("alt", "left" if name == "back" else "right"))
    if name not in _BUTTONS:
        raise Unreadable(f"There is no button “{name}”.")
    button = {"button": _BUTTONS[name]} if _BUTTONS[name] else {}
    return act.Click.model_validate({"target_id": _at(action, picture), **button, **_held(action)})


def _double_click(action: dict[str, Any], picture: SentPicture) -> AnyAction:
    return act.Click.model_validate({"target_id": _at(action, picture), "count": 2, **_held(action)})


def _drag(action: dict[str, Any], picture: SentPicture) -> AnyAction:
    path = action.get("path")
    if not isinstance(path, list) or len(path) < 2 or not all(isinstance(point, dict) for point in path):
        raise Unreadable("A drag needs a path of at least two points.")
    targets = [_at(point, picture) for point in path]
    fields = {"from_target_id": targets[0], "to_target_id": targets[-1], **_held(action)}
    if len(targets) > 2:
        fields["via"] = tuple(_point(target) for target in targets[1:-1])
    return act.Drag.model_validate(fields)


def _point(target: str) -> Point:
    x, y = target.removeprefix("point:").split(",")
    return Point(x=int(x), y=int(y))


def _scroll(action: dict[str, Any], picture: SentPicture) -> AnyAction:
    dx, dy = (_notches(action.get(name, 0)) for name in ("scroll_x", "scroll_y"))
    return act.Scroll.model_validate({"dx": dx, "dy": dy, "target_id": _at(action, picture), **_held(action)})


def _notches(pixels: Any) -> int:
    """OpenAI scrolls by pixels; a notch is about a hundred of them, and less than one is still one."""
    if isinstance(pixels, bool) or not isinstance(pixels, int | float):
        raise Unreadable("“scroll_x” and “scroll_y” are numbers of pixels.")
    notches = round(pixels / PIXELS_A_NOTCH) or (1 if pixels > 0 else -1 if pixels < 0 else 0)
    return max(-MOST_SCROLL, min(notches, MOST_SCROLL))


def _keypress(action: dict[str, Any], picture: SentPicture) -> AnyAction:
    keys = action.get("keys")
    if not isinstance(keys, list):
        raise Unreadable("“keys” is a list of keys.")
    return keys_of([str(key) for key in keys])


def _type(action: dict[str, Any], picture: SentPicture) -> AnyAction:
    if not isinstance(action.get("text"), str) or not action["text"]:
        raise Unreadable("“text” is what to type, and it is empty.")
    return act.TypeText(text=action["text"])


_MAKERS: dict[str, Callable[[dict[str, Any], SentPicture], AnyAction]] = {
    "click": _click,
    "double_click": _double_click,
    "drag": _drag,
    "move": lambda action, picture: act.Hover(target_id=_at(action, picture)),
    "scroll": _scroll,
    "keypress": _keypress,
    "type": _type,
    "wait": lambda action, picture: act.Wait(ms=WAIT_MS),
}
