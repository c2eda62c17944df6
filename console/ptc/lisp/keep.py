"""Values of the language as JSON that gives them back, so that what a program defined outlives it and the console.

What JSON knows is written as it is. Everything else is an array whose first item is a tag, such as `["#set", 1, 2]`; a
vector that begins like that is tagged itself. So a value is never nested deeper in JSON than it is in the language,
which matters because readers of JSON give up at some depth. Two more things readers refuse are tagged too: long whole
numbers, and texts with half a character.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from console.contracts.base import Json

from .patterns import Regex
from .values import Keyword, LispSet, SymbolRef, Var, decode, encode

_LONG = 1 << 63


class _NotKeptError(Exception):
    """A function does not outlive its program."""


class _Unlimited:
    """What is kept left a program within its limits, so nothing needs to be counted again."""

    def spend(self, steps: int) -> None: ...

    def visit(self, items: int) -> None: ...


_FREE = _Unlimited()


def kept(values: Mapping[str, Any]) -> Json:
    """Named values as JSON; a name whose value is a function, or holds one, is left out."""
    made = {}
    for name, value in values.items():
        try:
            made[name] = _down(value)
        except _NotKeptError:
            continue
    return _map(made, made.values())


def back(stored: Json) -> dict[str, Any]:
    """The named values that `kept` wrote; nothing where nothing of that kind was stored."""
    values = _up(stored)
    return values if isinstance(values, dict) else {}


def _down(value: Any) -> Json:
    if isinstance(value, str):
        return value if _whole(value) else ["#text", value.encode("utf-16-be", "surrogatepass").hex()]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if -_LONG <= value < _LONG else ["#int", format(value, "x")]
    if isinstance(value, float):
        return value if math.isfinite(value) else ["#float", str(value)]
    if isinstance(value, tuple):
        items = [_down(item) for item in value]
        tagged = bool(items) and isinstance(items[0], str) and items[0].startswith("#")
        return ["#list", *items] if tagged else items
    if isinstance(value, dict):
        return _map(value, [_down(item) for item in value.values()])
    if isinstance(value, LispSet):
        return ["#set", *[_down(item) for item in value]]
    return _tagged(value)


def _map(keys: Any, values: Any) -> Json:
    if all(isinstance(key, str) and _whole(key) for key in keys):
        return dict(zip(keys, values, strict=True))
    return ["#map", *[part for key, item in zip(keys, values, strict=True) for part in (_down(decode(key)), item)]]


def _whole(text: str) -> bool:
    try:
        return text.isascii() or bool(text.encode())
    except UnicodeEncodeError:
        return False


def _tagged(value: Any) -> Json:
    if isinstance(value, Keyword):
        return ["#keyword", value.name]
    if isinstance(value, datetime):
        return ["#moment", value.isoformat()]
    if isinstance(value, date):
        return ["#date", value.isoformat()]
    if isinstance(value, timedelta):
        return ["#span", value.days, value.seconds, value.microseconds]
    if isinstance(value, Regex):
        return ["#regex", value.source]
    if isinstance(value, Var):
        return ["#var", value.name]
    if isinstance(value, SymbolRef):
        return ["#symbol", value.name]
    raise _NotKeptError


def _map_of(*parts: Any) -> dict[Any, Any]:
    return {encode(_FREE, key): value for key, value in zip(parts[::2], parts[1::2], strict=True)}


_TAGS: dict[str, Callable[..., Any]] = {
    "#text": lambda digits: bytes.fromhex(digits).decode("utf-16-be", "surrogatepass"),
    "#int": lambda digits: int(digits, 16),
    "#float": float,
    "#list": lambda *items: items,
    "#map": _map_of,
    "#set": lambda *items: LispSet([encode(_FREE, item) for item in items]),
    "#keyword": Keyword,
    "#moment": datetime.fromisoformat,
    "#date": date.fromisoformat,
    "#span": timedelta,
    "#regex": Regex,
    "#var": Var,
    "#symbol": SymbolRef,
}


def _up(stored: Json) -> Any:
    if isinstance(stored, dict):
        return {key: _up(item) for key, item in stored.items()}
    if not isinstance(stored, list):
        return stored
    make = _TAGS.get(stored[0]) if stored and isinstance(stored[0], str) else None
    if make is None:
        return tuple([_up(item) for item in stored])
    return make(*[_up(item) for item in stored[1:]])
