"""`format`: a template with %s, %d, %f, %e, %x, %o and %%; widths and flags are read and ignored."""

from __future__ import annotations

import math
import re
from typing import Any

from ..failure import LispFailure, type_failure
from ..functions import Shelf
from ..render import float_text, integer_text, pay, plain
from ..rounding import half_away
from ..runtime import Runtime
from ..values import type_name
from .guard import is_number
from .strings import joined, text_of

FORMATTING = Shelf("strings")
_SPECIFIER = re.compile(r"%[-#+ 0,(]*+\d{0,9}+(?:\.(\d{1,9}))?([a-zA-Z%])?")
_MOST_DECIMALS = 100


@FORMATTING("format", "template & values", "The template with the values put in.")
def _format(rt: Runtime, template: Any, *values: Any) -> Any:
    text = text_of(template, "format")
    left = list(reversed(values))
    parts, at = [], 0
    for match in _SPECIFIER.finditer(text):
        rt.spend(1)
        parts.append(text[at : match.start()])
        at = match.end()
        kind = match[2]
        if kind == "%":
            parts.append("%")
            continue
        if not left:
            raise LispFailure("arity_error", f"format: no value is left for {match[0]}", op="format")
        parts.append(_one(rt, kind, match[1], left.pop()))
    return joined(rt, [*parts, text[at:]])


def _one(rt: Runtime, kind: str | None, precision: str | None, value: Any) -> str:
    if kind in {"s", "S"}:
        text = plain(rt, value)
        return text.upper() if kind == "S" else text
    if kind == "b":
        return "false" if value is None or value is False else "true"
    if kind in {"d", "x", "X", "o"}:
        if isinstance(value, bool) or not isinstance(value, int):
            type_failure(f"format: %{kind} expects an integer, got {type_name(value)}", "format")
        pay(rt, value)
        return integer_text(value) if kind == "d" else format(value, kind)
    if kind in {"f", "e", "E", "g"}:
        return _float(kind, precision, value)
    raise LispFailure("runtime_error", f"format: %{kind or ''} is not supported", op="format")


def _float(kind: str, precision: str | None, value: Any) -> str:
    if not is_number(value):
        type_failure(f"format: %{kind} expects a number, got {type_name(value)}", "format")
    try:
        number = float(value)
    except OverflowError:
        raise LispFailure("arithmetic_error", "format: the number is too large for a float", op="format") from None
    if not math.isfinite(number):
        return float_text(number)
    decimals = int(precision or 6)
    if decimals > _MOST_DECIMALS:
        raise LispFailure("runtime_error", f"format: more than {_MOST_DECIMALS} decimals", op="format")
    if kind == "f":
        return format(half_away(number, decimals), "f")
    return format(number, f".{decimals}{kind}")
