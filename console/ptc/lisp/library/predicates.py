"""What kind of value something is."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..failure import type_failure
from ..functions import Fn, Shelf
from ..graphemes import length
from ..patterns import Regex
from ..runtime import Runtime
from ..values import Keyword, LispSet, encode, type_name
from .guard import is_number, numbers

PREDICATES = Shelf("predicates")


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _never(value: Any) -> bool:
    return False


_TESTS: tuple[tuple[str, str, Callable[[Any], bool]], ...] = (
    ("nil?", "nil", lambda v: v is None),
    ("some?", "anything but nil", lambda v: v is not None),
    ("true?", "true", lambda v: v is True),
    ("false?", "false", lambda v: v is False),
    ("boolean?", "true or false", lambda v: isinstance(v, bool)),
    ("number?", "a number", is_number),
    ("int? integer?", "a whole number", _is_int),
    ("rational?", "a whole number, the only exact kind", _is_int),
    ("float? double?", "a float", lambda v: isinstance(v, float)),
    ("nat-int?", "a whole number from zero on", lambda v: _is_int(v) and v >= 0),
    ("pos-int?", "a whole number above zero", lambda v: _is_int(v) and v > 0),
    ("neg-int?", "a whole number below zero", lambda v: _is_int(v) and v < 0),
    ("infinite?", "an infinite number", lambda v: isinstance(v, float) and math.isinf(v)),
    ("NaN?", "NaN", lambda v: isinstance(v, float) and math.isnan(v)),
    ("string?", "a string", lambda v: isinstance(v, str)),
    ("keyword?", "a keyword", lambda v: isinstance(v, Keyword)),
    ("vector? list?", "a vector", lambda v: isinstance(v, tuple)),
    ("map?", "a map", lambda v: isinstance(v, dict)),
    ("set?", "a set", lambda v: isinstance(v, LispSet)),
    ("coll?", "a vector, a map or a set", lambda v: isinstance(v, tuple | dict | LispSet)),
    ("sequential? seq?", "a vector", lambda v: isinstance(v, tuple)),
    ("associative?", "a map or a vector", lambda v: isinstance(v, tuple | dict)),
    ("counted?", "something with a count", lambda v: v is None or isinstance(v, tuple | dict | LispSet | str)),
    ("indexed? reversible?", "a vector or a string", lambda v: isinstance(v, tuple | str)),
    ("seqable?", "something to walk through", lambda v: v is None or isinstance(v, tuple | dict | LispSet | str)),
    ("fn?", "a function", lambda v: isinstance(v, Fn)),
    ("ifn?", "something that can be called", lambda v: isinstance(v, Fn | Keyword | dict | LispSet)),
    ("regex?", "a regular expression", lambda v: isinstance(v, Regex)),
    ("symbol? decimal? ratio? sorted? map-entry? record? var?", "a kind of value that there is not", _never),
)


def _put(names: str, what: str, test: Callable[[Any], bool]) -> None:
    @PREDICATES(names, "value", f"Whether the value is {what}.")
    def check(rt: Runtime, value: Any) -> bool:
        return test(value)


for _names, _what, _test in _TESTS:
    _put(_names, _what, _test)


@PREDICATES("char?", "value", "Whether the value is a string of one character.")
def _char(rt: Runtime, value: Any) -> Any:
    return isinstance(value, str) and length(rt, value) == 1


@PREDICATES("zero?", "n", "Whether the number is zero.")
def _zero(rt: Runtime, n: Any) -> Any:
    numbers("zero?", n)
    return n == 0


@PREDICATES("pos?", "n", "Whether the number is above zero.")
def _pos(rt: Runtime, n: Any) -> Any:
    numbers("pos?", n)
    return n > 0


@PREDICATES("neg?", "n", "Whether the number is below zero.")
def _neg(rt: Runtime, n: Any) -> Any:
    numbers("neg?", n)
    return n < 0


@PREDICATES("even?", "n", "Whether two divides the number; a fraction is neither even nor odd.")
def _even(rt: Runtime, n: Any) -> Any:
    numbers("even?", n)
    return (isinstance(n, int) or math.isfinite(n)) and n % 2 == 0


@PREDICATES("odd?", "n", "Whether the number is whole and two does not divide it.")
def _odd(rt: Runtime, n: Any) -> Any:
    numbers("odd?", n)
    return (isinstance(n, int) or math.isfinite(n)) and n % 2 == 1


@PREDICATES("not", "value", "Whether the value is nil or false.")
def _not(rt: Runtime, value: Any) -> Any:
    return value is None or value is False


@PREDICATES("boolean", "value", "Whether the value is neither nil nor false.")
def _boolean(rt: Runtime, value: Any) -> Any:
    return not (value is None or value is False)


@PREDICATES("type", "value", "The kind of the value as a keyword.")
def _type(rt: Runtime, value: Any) -> Any:
    name = type_name(value)
    return None if value is None else Keyword("vector" if name == "list" else name)


@PREDICATES("distinct?", "value & more", "Whether no two values are the same.")
def _distinct(rt: Runtime, *values: Any) -> Any:
    return len({encode(rt, value) for value in values}) == len(values)


@PREDICATES("empty?", "coll", "Whether there is nothing in it.")
def _empty(rt: Runtime, coll: Any) -> Any:
    return _count(rt, coll) == 0


@PREDICATES("count", "coll", "How many items, entries or characters there are.")
def _count(rt: Runtime, coll: Any) -> Any:
    if coll is None:
        return 0
    if isinstance(coll, str):
        rt.spend(len(coll) >> 4)
        return length(rt, coll)
    if isinstance(coll, tuple | dict | LispSet):
        return len(coll)
    return type_failure(f"count: arg 1 expected seqable, got {type_name(coll)}", "count")
