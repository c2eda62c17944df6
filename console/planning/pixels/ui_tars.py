"""Reads the text form of UI-TARS: a thought, then calls such as `click(start_box='(12,34)')`; never by executing it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from console.contracts import actions as act
from console.contracts.actions import AnyAction

from ..models.reading import Unreadable, snippet
from ..pictures import SentPicture
from .keys import combination
from .points import Unit, target_of
from .said import Acts, Asks, Ends, Said

MOST_ACTIONS = 10
WAIT_MS, NOTCHES = 5000, 5
_ACTION = re.compile(r"^\s*Action\s*[:：]", re.MULTILINE | re.IGNORECASE)
_THOUGHT = re.compile(r"(?:Thought|Reflection|Action_Summary)\s*[:：]\s*(.*?)\s*(?=(?:Action\s*[:：])|\Z)", re.DOTALL)
_CALL = re.compile(r"\s*([A-Za-z_]+)\s*\(")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\n", "'": "'", '"': '"', "\\": "\\"}
_BEGIN = ("start_box", "start_point", "point", "box")
_END = ("end_box", "end_point")


@dataclass(frozen=True)
class Call:
    name: str
    arguments: dict[str, str]
    source: str


@dataclass(frozen=True)
class TarsReply:
    """`thought` is the model's own words before its actions."""

    thought: str
    said: tuple[Said, ...]


def read_reply(text: str, picture: SentPicture, unit: Unit) -> TarsReply:
    """The thought and every action, in order. Raises `Unreadable` with the piece that cannot be read."""
    start = _ACTION.search(text)
    if start is None:
        raise Unreadable(f"There is no “Action:” in the answer: {snippet(text) or '(nothing)'}")
    calls = _calls(text[start.end() :])
    if not calls:
        raise Unreadable(f"There is no action after “Action:”: {snippet(text[start.end() :]) or '(nothing)'}")
    if len(calls) > MOST_ACTIONS:
        raise Unreadable(f"There are {len(calls)} actions; give at most {MOST_ACTIONS}.")
    return TarsReply(thought_of(text), tuple(_said(call, picture, unit) for call in calls))


def thought_of(text: str) -> str:
    """The model's own words before its actions."""
    said = _THOUGHT.search(text)
    return said[1].strip() if said else ""


def _calls(text: str) -> list[Call]:
    """Each `name(argument='…')`; what stands between them has to be white space or another “Action:”."""
    found: list[Call] = []
    place = 0
    text = _ACTION.sub("\n", text)
    while place < len(text):
        head = _CALL.match(text, place)
        if head is None:
            if text[place:].strip():
                raise Unreadable(f"This is no action: {snippet(text[place:])}")
            break
        end, arguments = _arguments(text, head.end())
        found.append(Call(head[1].lower(), arguments, text[head.start() : end].strip()))
        place = end
    return found


def _arguments(text: str, place: int) -> tuple[int, dict[str, str]]:
    """From behind the opening bracket: the place behind the closing one, and the arguments by name."""
    arguments: dict[str, str] = {}
    while True:
        place = _skip(text, place, " \t\n\r,;")
        if place >= len(text):
            raise Unreadable(f"The action does not end: {snippet(text)}")
        if text[place] == ")":
            return place + 1, arguments
        name = re.compile(r"([A-Za-z_]+)\s*=\s*").match(text, place)
        if name is None:
            raise Unreadable(f"An argument is written name='value': {snippet(text[place:])}")
        place, value = _value(text, name.end())
        arguments[name[1].lower()] = value


def _value(text: str, place: int) -> tuple[int, str]:
    """A quoted text with its escapes, or what stands up to the next comma or bracket."""
    quote = text[place : place + 1]
    if quote not in ("'", '"'):
        bare = re.compile(r"\s*(\([^()]*\)|\[[^\[\]]*\]|[^,()]*)").match(text, place)
        return (bare.end(), bare[1].strip()) if bare else (place, "")
    said: list[str] = []
    place += 1
    while place < len(text):
        character = text[place]
        if character == "\\" and place + 1 < len(text):
            said.append(_ESCAPES.get(text[place + 1], "\\" + text[place + 1]))
            place += 2
            continue
        if character == quote and _closes(text, place + 1):
            return place + 1, "".join(said)
        said.append(character)
        place += 1
    raise Unreadable(f"A text does not end: {snippet(text)}")


def _closes(text: str, place: int) -> bool:
    """A quote ends the text if a comma or the bracket follows: models do not escape every quote inside."""
    place = _skip(text, place, " \t\n\r")
    return place >= len(text) or text[place] in ",)"


def _skip(text: str, place: int, characters: str) -> int:
    while place < len(text) and text[place] in characters:
        place += 1
    return place


def _said(call: Call, picture: SentPicture, unit: Unit) -> Said:
    if call.name == "finished":
        return Ends(call.arguments.get("content", "").strip() or "The model says that it is done.")
    if call.name == "call_user":
        question = call.arguments.get("content", "").strip()
        return Asks(question or "The model needs your help here. What should it do?")
    make = _MAKERS.get(call.name)
    if make is None:
        raise Unreadable(f"There is no action “{call.name}”: {snippet(call.source)}")
    made = make(call, picture, unit)
    return Acts(made if isinstance(made, list) else [made])


def _at(call: Call, names: tuple[str, ...], picture: SentPicture, unit: Unit) -> str:
    """The middle of a box, or the point itself, in whatever brackets it stands."""
    written = next((call.arguments[name] for name in names if name in call.arguments), None)
    if written is None:
        raise Unreadable(f"{call.name} needs {names[0]}: {snippet(call.source)}")
    numbers = [float(number) for number in _NUMBER.findall(written)]
    if len(numbers) == 2:
        return target_of(numbers[0], numbers[1], picture, unit)
    if len(numbers) == 4:
        return target_of((numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2, picture, unit)
    raise Unreadable(f"{names[0]} needs two or four numbers: {snippet(call.source)}")


def _click(**fields: Any) -> Callable[[Call, SentPicture, Unit], AnyAction]:
    def make(call: Call, picture: SentPicture, unit: Unit) -> AnyAction:
        return act.Click.model_validate({"target_id": _at(call, _BEGIN, picture, unit), **fields})

    return make


def _drag(call: Call, picture: SentPicture, unit: Unit) -> AnyAction:
    begin = _at(call, _BEGIN, picture, unit)
    return act.Drag(from_target_id=begin, to_target_id=_at(call, _END, picture, unit))


def _hotkey(call: Call, picture: SentPicture, unit: Unit) -> AnyAction:
    return combination(call.arguments.get("key") or call.arguments.get("hotkey") or "")


def _type(call: Call, picture: SentPicture, unit: Unit) -> list[AnyAction]:
    """A line break at the end is Enter."""
    text = call.arguments.get("content", "")
    words = text.rstrip("\n")
    if not text:
        raise Unreadable(f"There is nothing to type: {snippet(call.source)}")
    typed: list[AnyAction] = [act.TypeText(text=words)] if words else []
    return [*typed, act.Key(key="Enter")] if words != text else typed


def _scroll(call: Call, picture: SentPicture, unit: Unit) -> AnyAction:
    way = _WAYS.get(call.arguments.get("direction", "").strip().lower())
    if way is None:
        raise Unreadable(f"The direction is up, down, left or right: {snippet(call.source)}")
    target = _at(call, _BEGIN, picture, unit) if any(name in call.arguments for name in _BEGIN) else None
    return act.Scroll(dx=way[0] * NOTCHES, dy=way[1] * NOTCHES, target_id=target)


def _wait(call: Call, picture: SentPicture, unit: Unit) -> AnyAction:
    return act.Wait(ms=WAIT_MS)


_MAKERS: dict[str, Callable[[Call, SentPicture, Unit], AnyAction | list[AnyAction]]] = {
    "click": _click(),
    "left_single": _click(),
    "left_double": _click(count=2),
    "right_single": _click(button="right"),
    "middle_click": _click(button="middle"),
    "hover": lambda call, picture, unit: act.Hover(target_id=_at(call, _BEGIN, picture, unit)),
    "drag": _drag,
    "select": _drag,
    "hotkey": _hotkey,
    "press": _hotkey,
    "type": _type,
    "scroll": _scroll,
    "wait": _wait,
}
