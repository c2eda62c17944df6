"""Sets."""

from __future__ import annotations

from typing import Any

from ..failure import type_failure
from ..functions import Shelf
from ..runtime import Runtime
from ..values import LispSet, encode, type_name

SETS = Shelf("sets")


def _members(rt: Runtime, value: Any, op: str, position: int) -> dict[Any, None]:
    if isinstance(value, LispSet):
        rt.spend(len(value))
        return value.keys
    if value is None or isinstance(value, tuple):
        return dict.fromkeys([encode(rt, item) for item in rt.seq(value, op, position)])
    return type_failure(f"{op}: arg {position} expected set, got {type_name(value)}", op)


@SETS("set", "coll", "The items as a set.")
def _set(rt: Runtime, coll: Any) -> Any:
    return rt.set([encode(rt, item) for item in rt.seq(coll, "set")])


@SETS("hash-set", "& items", "A set of the arguments.")
def _hash_set(rt: Runtime, *items: Any) -> Any:
    return rt.set([encode(rt, item) for item in items])


@SETS("disj", "s & items", "The set without items.")
def _disj(rt: Runtime, s: Any, *items: Any) -> Any:
    if s is None:
        return None
    if not isinstance(s, LispSet):
        type_failure(f"disj: arg 1 expected set, got {type_name(s)}", "disj")
    out = {encode(rt, item) for item in items}
    rt.spend(len(s))
    return rt.set([key for key in s.keys if key not in out])


@SETS("union", "& sets", "What is in any of the sets.")
def _union(rt: Runtime, *sets: Any) -> Any:
    made: dict[Any, None] = {}
    for position, one in enumerate(sets, 1):
        made |= _members(rt, one, "union", position)
    return rt.set(made)


@SETS("intersection", "s & sets", "What is in all of the sets.")
def _intersection(rt: Runtime, s: Any, *sets: Any) -> Any:
    made = list(_members(rt, s, "intersection", 1))
    for position, one in enumerate(sets, 2):
        other = _members(rt, one, "intersection", position)
        made = [key for key in made if key in other]
    return rt.set(made)


@SETS("difference", "s & sets", "What is in the first set and in no other.")
def _difference(rt: Runtime, s: Any, *sets: Any) -> Any:
    made = list(_members(rt, s, "difference", 1))
    for position, one in enumerate(sets, 2):
        other = _members(rt, one, "difference", position)
        made = [key for key in made if key not in other]
    return rt.set(made)


@SETS("subset?", "a b", "Whether all of a is in b.")
def _subset(rt: Runtime, a: Any, b: Any) -> Any:
    return _members(rt, a, "subset?", 1).keys() <= _members(rt, b, "subset?", 2).keys()


@SETS("superset?", "a b", "Whether all of b is in a.")
def _superset(rt: Runtime, a: Any, b: Any) -> Any:
    return _members(rt, a, "superset?", 1).keys() >= _members(rt, b, "superset?", 2).keys()
