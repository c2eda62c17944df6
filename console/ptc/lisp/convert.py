"""Values on their way into a program and out of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from .failure import LispFailure
from .functions import Fn
from .limits import VALUE_DEPTH
from .patterns import Regex
from .render import TextMaker, atom_text, float_text, pay, plain
from .rounding import rounded_float
from .values import Boxed, Keyword, LispSet, SymbolRef, Ticker, Var, decode, encode, too_deep

LONG_INTEGER = 12_000
_ATOMS = (str, int, float, Keyword, Fn, Var, SymbolRef, Regex, date, datetime, timedelta)


class ToolFunction(Fn):
    """A tool in value position; it does not outlive the program."""

    __slots__ = ()


def internal(rt: Ticker, value: Any, depth: int = 0) -> Any:
    """A value of the host as a value of the language."""
    if value is None or isinstance(value, _ATOMS):
        return value
    if depth > VALUE_DEPTH:
        raise too_deep()
    if isinstance(value, list | tuple):
        rt.visit(len(value))
        return tuple([internal(rt, item, depth + 1) for item in value])
    if isinstance(value, Mapping):
        rt.visit(len(value))
        entries = {}
        for key, item in value.items():
            encoded = key if isinstance(key, Boxed) else encode(rt, internal(rt, key, depth + 1))
            entries[encoded] = internal(rt, item, depth + 1)
        return entries
    if isinstance(value, LispSet | set | frozenset):
        rt.visit(len(value))
        return LispSet([encode(rt, internal(rt, item, depth + 1)) for item in value])
    raise LispFailure("type_error", f"a {type(value).__name__} is no value of the language")


def outward(rt: Ticker, value: Any, depth: int = 0) -> Any:
    """What leaves the program: keywords become strings, and a tool is dropped."""
    if isinstance(value, Keyword):
        return value.name
    if isinstance(value, ToolFunction):
        return None
    if not isinstance(value, tuple | dict | LispSet):
        return value
    if depth > VALUE_DEPTH:
        raise too_deep()
    rt.visit(len(value))
    if isinstance(value, tuple):
        return tuple([outward(rt, item, depth + 1) for item in value])
    if isinstance(value, LispSet):
        return LispSet([encode(rt, outward(rt, item, depth + 1)) for item in value])
    entries = {}
    for key, item in value.items():
        encoded = key.name if isinstance(key, Keyword) else encode(rt, outward(rt, decode(key), depth + 1))
        entries[encoded] = outward(rt, item, depth + 1)
    return entries


def json_value(rt: TextMaker, value: Any, depth: int = 0) -> Any:
    """`value` as JSON knows it; what JSON has no word for is written as text."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int):
        # Python refuses to write longer numbers as JSON.
        pay(rt, value)
        return value if value.bit_length() < LONG_INTEGER else atom_text(value)
    if isinstance(value, Keyword):
        return value.name
    if isinstance(value, float):
        return value if math.isfinite(value) else float_text(value)
    if not isinstance(value, tuple | dict | LispSet):
        return atom_text(value)
    if depth > VALUE_DEPTH:
        raise too_deep()
    rt.visit(len(value))
    if isinstance(value, dict):
        made = {}
        for key, item in value.items():
            made[json_key(rt, decode(key))] = json_value(rt, item, depth + 1)
        return made
    return [json_value(rt, item, depth + 1) for item in value]


def json_key(rt: TextMaker, key: Any) -> str:
    """A key of a map as the name of a JSON member."""
    if isinstance(key, Keyword):
        return key.name
    return "nil" if key is None else plain(rt, key)


def tool_arguments(rt: TextMaker, value: Any, depth: int = 0) -> Any:
    """The arguments of a tool: JSON, with `_` for `-` in every name."""
    if depth > VALUE_DEPTH:
        raise too_deep()
    if isinstance(value, dict):
        rt.visit(len(value))
        made = {}
        for key, item in value.items():
            made[json_key(rt, decode(key)).replace("-", "_")] = tool_arguments(rt, item, depth + 1)
        return made
    if isinstance(value, tuple | LispSet):
        rt.visit(len(value))
        return [tool_arguments(rt, item, depth + 1) for item in value]
    return value if isinstance(value, date | timedelta) else json_value(rt, value)


def rounded(rt: Ticker, value: Any, precision: int, depth: int = 0) -> Any:
    """`value` with every float rounded to so many decimals."""
    if isinstance(value, float):
        return rounded_float(value, precision)
    if not isinstance(value, tuple | dict):
        return value
    if depth > VALUE_DEPTH:
        raise too_deep()
    rt.visit(len(value))
    if isinstance(value, tuple):
        return tuple([rounded(rt, item, precision, depth + 1) for item in value])
    made = {}
    for key, item in value.items():
        made[key] = rounded(rt, item, precision, depth + 1)
    return made
