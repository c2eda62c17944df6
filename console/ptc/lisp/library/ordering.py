"""Sorting, grouping and aggregates, with a key that may be a keyword, a text, a path or a function."""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key
from typing import Any

from ..equality import compare, paid_compare, sort_values
from ..failure import LispFailure, type_failure
from ..functions import Fn, Shelf
from ..lookup import lookup
from ..runtime import Runtime
from ..values import Keyword, encode, type_name
from .guard import checked, finite, is_number

ORDERING = Shelf("ordering")
Order = Callable[[Any, Any], int]


def key_call(rt: Runtime, key: Any, op: str) -> Callable[..., Any]:
    """What reads the key of an item."""
    if isinstance(key, tuple):

        def path(rt: Runtime, item: Any) -> Any:
            for name in key:
                item = lookup(rt, item, name, None)
            return item

        return path
    if isinstance(key, str):
        return lambda rt, item: lookup(rt, item, key, None)
    return rt.callable(key, op)


def _order(rt: Runtime, comparator: Any, op: str) -> Order:
    """A comparison from `:asc`, `:desc`, or a function that gives a truth value or a number."""
    if isinstance(comparator, Keyword) and comparator.name in {"asc", "desc"}:
        sign = 1 if comparator.name == "asc" else -1
        return lambda a, b: sign * paid_compare(rt, a, b)
    if not isinstance(comparator, Fn):
        type_failure(f"{op}: expected :asc, :desc or a function to compare with, got {type_name(comparator)}", op)
    call = comparator.call

    def order(a: Any, b: Any) -> int:
        rt.spend(1)
        first = call(rt, a, b)
        if isinstance(first, int | float) and not isinstance(first, bool):
            return (first > 0) - (first < 0)
        if first is not None and first is not False:
            return -1
        second = call(rt, b, a)
        return 0 if second is None or second is False else 1

    return order


@ORDERING("sort", "coll | comparator coll", "The items in order.")
def _sort(rt: Runtime, *args: Any) -> Any:
    if len(args) == 1:
        return rt.vector(sort_values(rt, rt.seq(args[0], "sort")))
    if isinstance(args[1], Fn) and not isinstance(args[0], Fn):
        type_failure("sort: the comparator comes first. Try: (sort > collection)", "sort")
    order = _order(rt, args[0], "sort")
    return rt.vector(sorted(rt.seq(args[1], "sort", 2), key=cmp_to_key(order)))


@ORDERING("sort-by", "key coll | key comparator coll", "The items in the order of their keys.")
def _sort_by(rt: Runtime, key: Any, *rest: Any) -> Any:
    if len(rest) == 2 and isinstance(rest[1], Fn):
        shown = "[:a :b]" if isinstance(key, tuple) else "key"
        type_failure(f"sort-by: the comparator comes before. Try: (sort-by {shown} > collection)", "sort-by")
    items = rt.seq(rest[-1], "sort-by", len(rest) + 1)
    read = key_call(rt, key, "sort-by")
    order: Order = _order(rt, rest[0], "sort-by") if len(rest) == 2 else lambda a, b: paid_compare(rt, a, b)
    keyed: list[tuple[Any, Any]] = [(read(rt, item), item) for part in rt.parts(items) for item in part]

    def by_key(a: tuple[Any, Any], b: tuple[Any, Any]) -> int:
        return order(a[0], b[0])

    return rt.vector([item for _, item in sorted(keyed, key=cmp_to_key(by_key))])


@ORDERING("group-by", "key coll", "A map from each key to the items that have it.")
def _group_by(rt: Runtime, key: Any, coll: Any) -> Any:
    read = key_call(rt, key, "group-by")
    groups: dict[Any, list[Any]] = {}
    for item in rt.seq(coll, "group-by", 2):
        rt.spend(1)
        groups.setdefault(encode(rt, read(rt, item)), []).append(item)
    return rt.map({name: rt.vector(items) for name, items in groups.items()})


@ORDERING("distinct-by", "key coll", "The items without those whose key came before.")
def _distinct_by(rt: Runtime, key: Any, coll: Any) -> Any:
    read = key_call(rt, key, "distinct-by")
    found: dict[Any, Any] = {}
    for item in rt.seq(coll, "distinct-by", 2):
        rt.spend(1)
        found.setdefault(encode(rt, read(rt, item)), item)
    return rt.vector(list(found.values()))


def _numbers(rt: Runtime, values: Any, op: str) -> list[Any]:
    numbers = [value for value in values if value is not None]
    for value in numbers:
        if not is_number(value):
            raise LispFailure("arithmetic_error", f"{op}: expected numbers, got {type_name(value)}", op=op)
    return numbers


def _total(numbers: list[Any], op: str) -> Any:
    return checked(finite(op, lambda: sum(numbers)))


def _mean(numbers: list[Any], op: str) -> Any:
    return finite(op, lambda: _total(numbers, op) / len(numbers)) if numbers else None


@ORDERING("sum", "coll", "The sum of the numbers; nil is skipped.")
def _sum(rt: Runtime, coll: Any) -> Any:
    return _total(_numbers(rt, rt.seq(coll, "sum"), "sum"), "sum")


@ORDERING("avg", "coll", "The mean of the numbers; nil for none.")
def _avg(rt: Runtime, coll: Any) -> Any:
    return _mean(_numbers(rt, rt.seq(coll, "avg"), "avg"), "avg")


@ORDERING("sum-by", "key coll", "The sum of a field; nil is skipped.")
def _sum_by(rt: Runtime, key: Any, coll: Any) -> Any:
    read = key_call(rt, key, "sum-by")
    return _total(
        _numbers(rt, [read(rt, item) for part in rt.walk(coll, "sum-by", 2) for item in part], "sum-by"), "sum-by"
    )


@ORDERING("avg-by", "key coll", "The mean of a field; nil for none.")
def _avg_by(rt: Runtime, key: Any, coll: Any) -> Any:
    read = key_call(rt, key, "avg-by")
    return _mean(
        _numbers(rt, [read(rt, item) for part in rt.walk(coll, "avg-by", 2) for item in part], "avg-by"), "avg-by"
    )


@ORDERING("min-by", "key coll", "The item with the least field; items without it are skipped.")
def _min_by(rt: Runtime, key: Any, coll: Any) -> Any:
    return _extreme(rt, key, rt.seq(coll, "min-by", 2), -1, "min-by")


@ORDERING("max-by", "key coll", "The item with the greatest field; items without it are skipped.")
def _max_by(rt: Runtime, key: Any, coll: Any) -> Any:
    return _extreme(rt, key, rt.seq(coll, "max-by", 2), 1, "max-by")


@ORDERING("min-key", "f item & items", "The item for which f gives the least number.")
def _min_key(rt: Runtime, f: Any, *items: Any) -> Any:
    return _extreme(rt, f, items, -1, "min-key")


@ORDERING("max-key", "f item & items", "The item for which f gives the greatest number.")
def _max_key(rt: Runtime, f: Any, *items: Any) -> Any:
    return _extreme(rt, f, items, 1, "max-key")


def _extreme(rt: Runtime, key: Any, items: Any, sign: int, op: str) -> Any:
    read = key_call(rt, key, op)
    best: Any = None
    best_key: Any = None
    for item in items:
        rt.spend(1)
        value = read(rt, item)
        if value is not None and (best_key is None or sign * compare(rt, value, best_key) > 0):
            best, best_key = item, value
    return best


@ORDERING("compare", "a b", "Negative, zero or positive, as a comes before, with or after b.")
def _compare(rt: Runtime, a: Any, b: Any) -> Any:
    return compare(rt, a, b)
