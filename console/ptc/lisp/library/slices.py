"""Parts of a collection by position, and collections made longer or shorter by some items."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from ..failure import type_failure
from ..functions import Shelf
from ..runtime import Runtime
from ..values import LispSet, encode, type_name

SLICES = Shelf("sequences")


def ordered(rt: Runtime, coll: Any, op: str, position: int = 1) -> Sequence[Any]:
    """The items of something that has an order: no map and no set."""
    if isinstance(coll, dict | LispSet):
        kind = "maps" if isinstance(coll, dict) else "sets"
        type_failure(f"{op} does not support {kind}; use (seq coll) first", op)
    return coll if isinstance(coll, tuple) else rt.seq(coll, op, position)


def whole(value: Any, op: str, position: int = 1) -> int:
    """A count."""
    if isinstance(value, bool) or not isinstance(value, int):
        return type_failure(f"{op}: arg {position} expected integer, got {type_name(value)}", op)
    return value


@SLICES("first", "coll", "The first item, or nil.")
def _first(rt: Runtime, coll: Any) -> Any:
    items = ordered(rt, coll, "first")
    return items[0] if items else None


@SLICES("second fnext", "coll", "The second item, or nil.")
def _second(rt: Runtime, coll: Any) -> Any:
    items = ordered(rt, coll, "second")
    return items[1] if len(items) > 1 else None


@SLICES("last", "coll", "The last item, or nil.")
def _last(rt: Runtime, coll: Any) -> Any:
    items = ordered(rt, coll, "last")
    return items[-1] if items else None


@SLICES("nth", "coll n | coll n default", "The item at an index; a negative one counts from the end.")
def _nth(rt: Runtime, coll: Any, n: Any, default: Any = None) -> Any:
    items = ordered(rt, coll, "nth")
    index = whole(n, "nth", 2)
    return items[index] if -len(items) <= index < len(items) else default


@SLICES("rest", "coll", "The items after the first one.")
def _rest(rt: Runtime, coll: Any) -> Any:
    return rt.vector(rt.seq(coll, "rest")[1:])


@SLICES("next", "coll", "The items after the first one, or nil.")
def _next(rt: Runtime, coll: Any) -> Any:
    return rt.vector(rt.seq(coll, "next")[1:]) or None


@SLICES("butlast", "coll", "The items before the last one.")
def _butlast(rt: Runtime, coll: Any) -> Any:
    return rt.vector(rt.seq(coll, "butlast")[:-1])


@SLICES("ffirst", "coll", "The first item of the first item.")
def _ffirst(rt: Runtime, coll: Any) -> Any:
    return _first(rt, _first(rt, coll))


@SLICES("nfirst", "coll", "The items after the first one of the first item, or nil.")
def _nfirst(rt: Runtime, coll: Any) -> Any:
    return _next(rt, _first(rt, coll))


@SLICES("nnext", "coll", "The items after the second one, or nil.")
def _nnext(rt: Runtime, coll: Any) -> Any:
    return rt.vector(rt.seq(coll, "nnext")[2:]) or None


@SLICES("take", "n coll", "The first n items.")
def _take(rt: Runtime, n: Any, coll: Any) -> Any:
    return rt.vector(rt.seq(coll, "take", 2)[: max(0, whole(n, "take"))])


@SLICES("drop", "n coll", "The items after the first n.")
def _drop(rt: Runtime, n: Any, coll: Any) -> Any:
    return rt.vector(rt.seq(coll, "drop", 2)[max(0, whole(n, "drop")) :])


@SLICES("take-last", "n coll", "The last n items.")
def _take_last(rt: Runtime, n: Any, coll: Any) -> Any:
    items = rt.seq(coll, "take-last", 2)
    return rt.vector(items[max(0, len(items) - max(0, whole(n, "take-last"))) :])


@SLICES("drop-last", "coll | n coll", "The items before the last n, or before the last one.")
def _drop_last(rt: Runtime, *args: Any) -> Any:
    items = rt.seq(args[-1], "drop-last", len(args))
    count = max(0, whole(args[0], "drop-last")) if len(args) == 2 else 1
    return rt.vector(items[: max(0, len(items) - count)])


@SLICES("nthrest", "coll n", "The items after the first n.")
def _nthrest(rt: Runtime, coll: Any, n: Any) -> Any:
    return _drop(rt, n, coll)


@SLICES("nthnext", "coll n", "The items after the first n, or nil.")
def _nthnext(rt: Runtime, coll: Any, n: Any) -> Any:
    return _drop(rt, n, coll) or None


@SLICES("split-at", "n coll", "The first n items and the others.")
def _split_at(rt: Runtime, n: Any, coll: Any) -> Any:
    return (_take(rt, n, coll), _drop(rt, n, coll))


@SLICES("reverse", "coll", "The items from the last to the first.")
def _reverse(rt: Runtime, coll: Any) -> Any:
    items = ordered(rt, coll, "reverse")
    rt.spend(len(items))
    return rt.vector(items[::-1])


@SLICES("subvec", "v start | v start end", "The items from start up to but without end.")
def _subvec(rt: Runtime, v: Any, start: Any, end: Any = None) -> Any:
    if not isinstance(v, tuple):
        type_failure(f"subvec: arg 1 expected list, got {type_name(v)}", "subvec")
    last = len(v) if end is None else max(0, whole(end, "subvec", 3))
    return rt.vector(v[max(0, whole(start, "subvec", 2)) : last])


@SLICES("cons", "item coll", "The item and after it those of coll.")
def _cons(rt: Runtime, item: Any, coll: Any) -> Any:
    return rt.vector([item, *rt.seq(coll, "cons", 2)])


@SLICES("conj", "coll & items", "The collection with items added where it is natural.")
def _conj(rt: Runtime, coll: Any, *items: Any) -> Any:
    if coll is None and not items:
        return None
    if coll is None or isinstance(coll, tuple):
        old = coll or ()
        rt.spend(len(old) >> 6)
        return rt.vector(old + items)
    if isinstance(coll, LispSet):
        rt.spend(len(coll) >> 5)
        keys = dict(coll.keys)
        for item in items:
            keys[encode(rt, item)] = None
        return rt.set(keys)
    if isinstance(coll, dict):
        made = dict(coll)
        for item in items:
            put_entry(rt, made, item, "conj")
        return rt.map(made)
    return type_failure(f"conj: arg 1 expected a collection, got {type_name(coll)}", "conj")


def put_entry(rt: Runtime, entries: dict[Any, Any], item: Any, op: str) -> None:
    """Puts a pair, or all entries of a map, into a map that is being made."""
    if isinstance(item, dict):
        entries.update(item)
    elif isinstance(item, tuple) and len(item) == 2:
        entries[encode(rt, item[0])] = item[1]
    elif item is not None:
        type_failure(f"{op}: a map takes pairs of key and value, got {type_name(item)}", op)


@SLICES("into", "to from", "The collection `to` with the items of `from` added.")
def _into(rt: Runtime, to: Any, source: Any) -> Any:
    items = rt.seq(source, "into", 2)
    if isinstance(to, dict):
        made = dict(to)
        for item in items:
            put_entry(rt, made, item, "into")
        return rt.map(made)
    if to is None and not items:
        return None
    return _conj(rt, to, *items)


@SLICES("peek", "coll", "The last item of a vector, or nil.")
def _peek(rt: Runtime, coll: Any) -> Any:
    return _last(rt, coll)


@SLICES("pop", "coll", "A vector without its last item; nil where there is none.")
def _pop(rt: Runtime, coll: Any) -> Any:
    items = ordered(rt, coll, "pop")
    return rt.vector(items[:-1]) if items else None


@SLICES("partition", "n coll | n step coll | n step pad coll", "Vectors of n items; what is left over is dropped.")
def _partition(rt: Runtime, n: Any, *args: Any) -> Any:
    size, step = _sizes(n, args, "partition")
    items = rt.seq(args[-1], "partition", len(args) + 1)
    pad = rt.seq(args[1], "partition", 3) if len(args) == 3 else None
    made = []
    for at in range(0, len(items), step):
        part = items[at : at + size]
        rt.spend(1)
        if len(part) < size:
            if pad is not None:
                made.append(rt.vector([*part, *pad[: size - len(part)]]))
            break
        made.append(rt.vector(part))
    return rt.vector(made)


@SLICES("partition-all", "n coll | n step coll", "Vectors of n items; the last ones may be shorter.")
def _partition_all(rt: Runtime, n: Any, *args: Any) -> Any:
    size, step = _sizes(n, args, "partition-all")
    items = rt.seq(args[-1], "partition-all", len(args) + 1)
    return rt.vector([rt.vector(items[at : at + size]) for at in range(0, len(items), step)])


def _sizes(n: Any, args: tuple[Any, ...], op: str) -> tuple[int, int]:
    size = whole(n, op)
    step = whole(args[0], op, 2) if len(args) > 1 else size
    if size < 1 or step < 1:
        type_failure(f"{op}: the sizes must be positive", op)
    return size, step


@SLICES("combinations", "coll n", "All ways to choose n items, in order.")
def _combinations(rt: Runtime, coll: Any, n: Any) -> Any:
    items = rt.seq(coll, "combinations")
    size = whole(n, "combinations", 2)
    if size < 0 or size > len(items):
        return ()
    count = math.comb(len(items), size) if min(size, len(items) - size) < 64 else 1 << 60
    rt.make_room(count * (size + 1))
    rt.spend(count)
    return rt.vector([rt.vector(chosen) for chosen in combinations(items, size)])


@SLICES("seq", "coll", "The items as a vector, or nil where there are none.")
def _seq(rt: Runtime, coll: Any) -> Any:
    return rt.vector(rt.seq(coll, "seq")) or None


@SLICES("vec", "coll", "The items as a vector; nil stays nil.")
def _vec(rt: Runtime, coll: Any) -> Any:
    return None if coll is None else rt.vector(rt.seq(coll, "vec"))


@SLICES("vector list", "& items", "A vector of the arguments.")
def _vector(rt: Runtime, *items: Any) -> Any:
    return rt.vector(items)


@SLICES("empty", "coll", "An empty collection of the same kind.")
def _empty(rt: Runtime, coll: Any) -> Any:
    for kind, made in ((tuple, ()), (dict, {}), (str, "")):
        if isinstance(coll, kind):
            return made
    return LispSet() if isinstance(coll, LispSet) else None


@SLICES("not-empty", "coll", "The collection, or nil where it is empty.")
def _not_empty(rt: Runtime, coll: Any) -> Any:
    return None if coll is None or not rt.seq(coll, "not-empty") else coll
