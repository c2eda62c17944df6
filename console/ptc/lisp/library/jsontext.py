"""JSON as text."""

from __future__ import annotations

import json
import math
from datetime import date
from typing import Any

from ..convert import internal
from ..functions import Shelf
from ..limits import VALUE_DEPTH
from ..render import integer_text, moment_text, pay
from ..runtime import Runtime
from ..values import decode

JSON = Shelf("json")


class _NoJsonError(Exception):
    """The value has no JSON."""


@JSON("json/parse-string", "s", "The value that the JSON text is, with strings for keys; nil where it is none.")
def _parse(rt: Runtime, s: Any) -> Any:
    if not isinstance(s, str) or _too_nested(rt, s):
        return None
    rt.spend(len(s) >> 4)
    rt.room_for_text(4 * len(s))
    try:
        found = json.loads(s, parse_constant=_refuse)
    except (ValueError, _NoJsonError):
        return None
    value = internal(rt, found)
    rt.charge(len(s) >> 2)
    return value


def _refuse(name: str) -> Any:
    raise _NoJsonError(name)


def _too_nested(rt: Runtime, text: str) -> bool:
    """Whether brackets, even those inside strings, are deeper than Python's own reader should follow."""
    depth = 0
    if text.count("[") + text.count("{") <= VALUE_DEPTH:
        return False
    for index, char in enumerate(text):
        if index % 4096 == 0:
            rt.spend(512)
        if char in "[{":
            depth += 1
            if depth > VALUE_DEPTH:
                return True
        elif char in "]}":
            depth -= 1
    return False


@JSON("json/generate-string", "value", "The value as JSON text; nil where it holds anything JSON has no word for.")
def _generate(rt: Runtime, value: Any) -> Any:
    parts: list[str] = []
    try:
        _write(rt, value, parts, 0)
    except _NoJsonError:
        return None
    rt.room_for_text(sum(map(len, parts)))
    return rt.text("".join(parts))


def _write(rt: Runtime, value: Any, parts: list[str], depth: int) -> None:
    if value is None or isinstance(value, bool | str):
        parts.append(json.dumps(value, ensure_ascii=False))
    elif isinstance(value, int):
        pay(rt, value)
        parts.append(integer_text(value))
    elif isinstance(value, float) and math.isfinite(value):
        parts.append(json.dumps(value))
    elif isinstance(value, date):
        parts.append(json.dumps(moment_text(value)))
    elif isinstance(value, tuple | dict) and depth <= VALUE_DEPTH:
        rt.spend(1 + len(value))
        rt.make_room(len(parts))
        opener, closer = "[]" if isinstance(value, tuple) else "{}"
        parts.append(opener)
        for index, item in enumerate(value if isinstance(value, tuple) else sorted(value, key=_key_text)):
            if index:
                parts.append(",")
            if isinstance(value, dict):
                parts.append(json.dumps(_key_text(item), ensure_ascii=False) + ":")
            _write(rt, value[item] if isinstance(value, dict) else item, parts, depth + 1)
        parts.append(closer)
    else:
        raise _NoJsonError


def _key_text(encoded: Any) -> str:
    key = decode(encoded)
    if isinstance(key, bool) or not isinstance(key, str | int):
        raise _NoJsonError
    return key if isinstance(key, str) else integer_text(key)
