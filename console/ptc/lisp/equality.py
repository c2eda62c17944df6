"""Equality and the total order over all values."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from functools import cmp_to_key
from math import isnan
from operator import attrgetter
from typing import Any

from .limits import VALUE_DEPTH
from .values import Keyword, LispSet, Ticker, decode, too_deep


def equal(rt: Ticker, a: Any, b: Any, depth: int = 0) -> bool:
    """`=`: numbers by value, booleans are no numbers, keywords by name, collections by what is in them."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, int | float):
        return isinstance(b, int | float) and a == b
    if depth > VALUE_DEPTH:
        raise too_deep()
    if isinstance(a, tuple):
        if not isinstance(b, tuple) or len(a) != len(b):
            return False
        rt.spend(len(a))
        for x, y in zip(a, b, strict=True):  # noqa: SIM110 - a generator is one more frame a level
            if not equal(rt, x, y, depth + 1):
                return False
        return True
    if isinstance(a, dict):
        if not isinstance(b, dict) or len(a) != len(b):
            return False
        rt.spend(len(a))
        for key, value in a.items():  # noqa: SIM110 - the same
            if key not in b or not equal(rt, value, b[key], depth + 1):
                return False
        return True
    return type(a) is type(b) and bool(a == b)


def rank(value: Any) -> int:
    """Number < keyword, nil, boolean < function < map, set < vector < string."""
    if isinstance(value, bool) or value is None or isinstance(value, Keyword):
        return 1
    if isinstance(value, int | float):
        return 0
    if isinstance(value, str):
        return 5
    if isinstance(value, tuple):
        return 4
    if isinstance(value, dict | LispSet | date | timedelta):
        return 3
    return 2


def _atom(value: Any) -> str:
    if isinstance(value, Keyword):
        return value.name
    return "nil" if value is None else str(value).lower()


def compare(rt: Ticker, a: Any, b: Any, depth: int = 0) -> int:
    """Negative, zero or positive; never raises but for values too deep or too much work."""
    first, second = rank(a), rank(b)
    if first != second:
        return -1 if first < second else 1
    if first in {0, 5}:
        return int(a > b) - int(a < b)
    if first == 1:
        return (_atom(a) > _atom(b)) - (_atom(a) < _atom(b))
    if depth > VALUE_DEPTH:
        raise too_deep()
    if first == 4:
        rt.spend(min(len(a), len(b)))
        return _walk(rt, a, b, depth) or (len(a) > len(b)) - (len(a) < len(b))
    if first == 3:
        return _structures(rt, a, b, depth)
    return 0


def _walk(rt: Ticker, a: Iterable[Any], b: Iterable[Any], depth: int) -> int:
    for x, y in zip(a, b, strict=False):
        order = compare(rt, x, y, depth + 1)
        if order:
            return order
    return 0


def _structures(rt: Ticker, a: Any, b: Any, depth: int) -> int:
    moments = _moments(a, b)
    if moments is not None:
        return moments
    if not isinstance(a, dict | LispSet) or not isinstance(b, dict | LispSet):
        return (type(a).__name__ > type(b).__name__) - (type(a).__name__ < type(b).__name__)
    if len(a) != len(b):
        return -1 if len(a) < len(b) else 1
    rt.spend(4 * len(a))
    depth += 1  # a map takes twice as many frames as a vector
    left, right = _sorted_keys(rt, a, depth), _sorted_keys(rt, b, depth)
    order = _walk(rt, map(decode, left), map(decode, right), depth)
    if order or not isinstance(a, dict) or not isinstance(b, dict):
        return order
    return _walk(rt, (a[k] for k in left), (b[k] for k in right), depth)


def _moments(a: Any, b: Any) -> int | None:
    for kind in (datetime, date, timedelta):
        if isinstance(a, kind) and isinstance(b, kind):
            try:
                return (a > b) - (a < b)  # type: ignore[operator]
            except TypeError:  # one with a time zone and one without
                return (str(a) > str(b)) - (str(a) < str(b))
    return None


def _sorted_keys(rt: Ticker, holder: dict[Any, Any] | LispSet, depth: int) -> list[Any]:
    keys = holder if isinstance(holder, dict) else holder.keys
    return sorted(keys, key=cmp_to_key(lambda x, y: compare(rt, decode(x), decode(y), depth + 1)))


def sort_values(rt: Ticker, items: Iterable[Any]) -> list[Any]:
    """`items` in the total order."""
    values = list(items)
    rt.spend(len(values))
    kinds = set(map(type, values))
    if kinds <= {int} or kinds <= {str}:
        return sorted(values)
    if kinds <= {Keyword}:
        return sorted(values, key=attrgetter("name"))
    if kinds <= {int, float} and not any(map(isnan, values)):
        return sorted(values)
    return sorted(values, key=cmp_to_key(lambda x, y: paid_compare(rt, x, y)))


def paid_compare(rt: Ticker, a: Any, b: Any) -> int:
    """`compare` as a sort calls it, many times an item; each of them costs a step."""
    rt.spend(1)
    return compare(rt, a, b)
