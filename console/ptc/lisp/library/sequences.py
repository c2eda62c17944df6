"""Walking collections: `map`, `filter`, `reduce` and what is made of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..failure import LispFailure, type_failure
from ..functions import Builtin, Fn, Shelf
from ..runtime import Runtime
from ..values import PLAIN, decode, encode, type_name

SEQUENCES = Shelf("sequences")
_CHUNK = 4096


def yes(value: Any) -> bool:
    """Only nil and false are no."""
    return value is not None and value is not False


@SEQUENCES("map mapv", "f coll & colls", "Calls f with each item, or with items of several collections side by side.")
def _map(rt: Runtime, f: Any, coll: Any, *more: Any) -> Any:
    call = rt.callable(f, "map")
    if not more:
        return rt.vector([call(rt, item) for part in rt.walk(coll, "map", 2) for item in part])
    lists = [rt.seq(one, "map", index + 2) for index, one in enumerate((coll, *more))]
    rows = list(zip(*lists, strict=False))
    return rt.vector([call(rt, *row) for part in rt.parts(rows) for row in part])


@SEQUENCES("mapcat", "f coll", "Calls f with each item and joins the collections that it gives.")
def _mapcat(rt: Runtime, f: Any, coll: Any) -> Any:
    call = rt.callable(f, "mapcat")
    made: list[Any] = []
    for item in rt.seq(coll, "mapcat", 2):
        made += rt.seq(call(rt, item), "mapcat", 2)
        rt.spend(1)
        rt.make_room(len(made))
    return rt.vector(made)


@SEQUENCES("map-indexed", "f coll", "Calls f with the index and each item.")
def _map_indexed(rt: Runtime, f: Any, coll: Any) -> Any:
    call = rt.callable(f, "map-indexed")
    return rt.vector([call(rt, index, item) for index, item in _numbered(rt, coll, "map-indexed")])


def _numbered(rt: Runtime, coll: Any, op: str) -> Iterator[tuple[int, Any]]:
    return enumerate(item for part in rt.walk(coll, op, 2) for item in part)


@SEQUENCES("filter filterv", "pred coll", "The items for which pred says yes.")
def _filter(rt: Runtime, pred: Any, coll: Any) -> Any:
    _not_swapped(pred, coll, "filter")
    call = rt.callable(pred, "filter")
    return rt.vector([item for part in rt.walk(coll, "filter", 2) for item in part if yes(call(rt, item))])


@SEQUENCES("remove", "pred coll", "The items for which pred says no.")
def _remove(rt: Runtime, pred: Any, coll: Any) -> Any:
    _not_swapped(pred, coll, "remove")
    call = rt.callable(pred, "remove")
    return rt.vector([item for part in rt.walk(coll, "remove", 2) for item in part if not yes(call(rt, item))])


def _not_swapped(pred: Any, coll: Any, op: str) -> None:
    if isinstance(coll, Fn) and not isinstance(pred, Fn):
        type_failure(f"{op}: expected a collection, got a function; the arguments may be swapped", op)


@SEQUENCES("keep", "f coll", "What f gives for each item, without nil.")
def _keep(rt: Runtime, f: Any, coll: Any) -> Any:
    call = rt.callable(f, "keep")
    found = [call(rt, item) for part in rt.walk(coll, "keep", 2) for item in part]
    return rt.vector([item for item in found if item is not None])


@SEQUENCES("keep-indexed", "f coll", "What f gives for each index and item, without nil.")
def _keep_indexed(rt: Runtime, f: Any, coll: Any) -> Any:
    call = rt.callable(f, "keep-indexed")
    found = [call(rt, index, item) for index, item in _numbered(rt, coll, "keep-indexed")]
    return rt.vector([item for item in found if item is not None])


@SEQUENCES("find", "pred coll", "The first item for which pred says yes.")
def _find(rt: Runtime, pred: Any, coll: Any) -> Any:
    call = rt.callable(pred, "find")
    for part in rt.walk(coll, "find", 2):
        for item in part:
            if yes(call(rt, item)):
                return item
    return None


@SEQUENCES("some", "pred coll", "The first yes that pred gives, or nil.")
def _some(rt: Runtime, pred: Any, coll: Any) -> Any:
    call = rt.callable(pred, "some")
    for part in rt.walk(coll, "some", 2):
        for item in part:
            found = call(rt, item)
            if yes(found):
                return found
    return None


@SEQUENCES("every?", "pred coll", "Whether pred says yes to every item.")
def _every(rt: Runtime, pred: Any, coll: Any) -> Any:
    call = rt.callable(pred, "every?")
    return all(yes(call(rt, item)) for part in rt.walk(coll, "every?", 2) for item in part)


@SEQUENCES("not-any?", "pred coll", "Whether pred says no to every item.")
def _not_any(rt: Runtime, pred: Any, coll: Any) -> Any:
    call = rt.callable(pred, "not-any?")
    return not any(yes(call(rt, item)) for part in rt.walk(coll, "not-any?", 2) for item in part)


@SEQUENCES("not-every?", "pred coll", "Whether pred says no to an item.")
def _not_every(rt: Runtime, pred: Any, coll: Any) -> Any:
    return not _every(rt, pred, coll)


@SEQUENCES("reduce", "f coll | f init coll", "Folds the items from the left; nothing to fold gives nil.")
def _reduce(rt: Runtime, f: Any, *rest: Any) -> Any:
    call = f.binary if isinstance(f, Builtin) and f.binary else rt.callable(f, "reduce")
    items = rt.seq(rest[-1], "reduce", len(rest) + 1)
    if len(rest) == 2:
        value = rest[0]
    elif not items:
        return None
    else:
        value, items = items[0], items[1:]
    for part in rt.parts(items):
        for item in part:
            value = call(rt, value, item)
    return value


@SEQUENCES("reduce-kv", "f init coll", "Folds the keys and values of a map, or the indices and items of a vector.")
def _reduce_kv(rt: Runtime, f: Any, value: Any, coll: Any) -> Any:
    call = rt.callable(f, "reduce-kv")
    if coll is None:
        return value
    if isinstance(coll, dict):
        pairs: Any = [(decode(k), v) for k, v in coll.items()]
    elif isinstance(coll, tuple):
        pairs = enumerate(coll)
    else:
        return type_failure(f"reduce-kv: arg 3 expected map, got {type_name(coll)}", "reduce-kv")
    for key, item in pairs:
        rt.spend(1)
        value = call(rt, value, key, item)
    return value


@SEQUENCES("distinct", "coll", "The items without those that came before.")
def _distinct(rt: Runtime, coll: Any) -> Any:
    items = rt.seq(coll, "distinct")
    return rt.vector([decode(key) for key in dict.fromkeys([encode(rt, item) for item in items])])


@SEQUENCES("dedupe", "coll", "The items without those that equal the one before.")
def _dedupe(rt: Runtime, coll: Any) -> Any:
    made: list[Any] = []
    start = object()
    before: Any = start
    for item in rt.seq(coll, "dedupe"):
        key = item if type(item) in PLAIN else encode(rt, item)
        if before is start or key != before:
            made.append(item)
        before = key
    return rt.vector(made)


@SEQUENCES("frequencies", "coll", "How often each item occurs.")
def _frequencies(rt: Runtime, coll: Any) -> Any:
    made: dict[Any, int] = {}
    for item in rt.seq(coll, "frequencies"):
        key = encode(rt, item)
        made[key] = made.get(key, 0) + 1
    return rt.map(made)


@SEQUENCES("take-while", "pred coll", "The items before the first one to which pred says no.")
def _take_while(rt: Runtime, pred: Any, coll: Any) -> Any:
    items = rt.seq(coll, "take-while", 2)
    return rt.vector(items[: _prefix(rt, pred, items, "take-while")])


@SEQUENCES("drop-while", "pred coll", "The items from the first one to which pred says no.")
def _drop_while(rt: Runtime, pred: Any, coll: Any) -> Any:
    items = rt.seq(coll, "drop-while", 2)
    return rt.vector(items[_prefix(rt, pred, items, "drop-while") :])


@SEQUENCES("split-with", "pred coll", "The items before and from the first one to which pred says no.")
def _split_with(rt: Runtime, pred: Any, coll: Any) -> Any:
    items = rt.seq(coll, "split-with", 2)
    at = _prefix(rt, pred, items, "split-with")
    return (rt.vector(items[:at]), rt.vector(items[at:]))


def _prefix(rt: Runtime, pred: Any, items: Sequence[Any], op: str) -> int:
    call = rt.callable(pred, op)
    for index, item in enumerate(items):
        rt.spend(1)
        if not yes(call(rt, item)):
            return index
    return len(items)


@SEQUENCES("partition-by", "f coll", "Neighbours for which f gives the same, as vectors.")
def _partition_by(rt: Runtime, f: Any, coll: Any) -> Any:
    call = rt.callable(f, "partition-by")
    groups: list[list[Any]] = []
    before: Any = None
    for item in rt.seq(coll, "partition-by", 2):
        rt.spend(1)
        key = encode(rt, call(rt, item))
        if groups and key == before:
            groups[-1].append(item)
        else:
            groups.append([item])
        before = key
    return rt.vector([rt.vector(group) for group in groups])


@SEQUENCES("concat", "& colls", "The items of all collections.")
def _concat(rt: Runtime, *colls: Any) -> Any:
    made: list[Any] = []
    for index, coll in enumerate(colls):
        if isinstance(coll, str):
            text = coll if len(coll) < 30 else coll[:30] + "…"
            type_failure(f'concat expected collections, got string "{text}"; use str to join strings', "concat")
        made += rt.seq(coll, "concat", index + 1)
        rt.make_room(len(made))
    return rt.vector(made)


@SEQUENCES("flatten", "coll", "The items of nested vectors, one after the other.")
def _flatten(rt: Runtime, coll: Any) -> Any:
    made: list[Any] = []
    if not isinstance(coll, tuple):
        return ()
    stack = [iter(coll)]
    while stack:
        for item in stack[-1]:
            rt.spend(1)
            if isinstance(item, tuple):
                stack.append(iter(item))
                break
            made.append(item)
            if len(made) % _CHUNK == 0:
                rt.make_room(len(made))
        else:
            stack.pop()
    return rt.vector(made)


@SEQUENCES("interpose", "sep coll", "The items with sep between them.")
def _interpose(rt: Runtime, sep: Any, coll: Any) -> Any:
    made: list[Any] = []
    for item in rt.seq(coll, "interpose", 2):
        made += (sep, item)
    return rt.vector(made[1:])


@SEQUENCES("interleave", "& colls", "The first items of all collections, then the second ones, until one ends.")
def _interleave(rt: Runtime, *colls: Any) -> Any:
    lists = [rt.seq(coll, "interleave", index + 1) for index, coll in enumerate(colls)]
    return rt.vector([item for items in zip(*lists, strict=False) for item in items])


@SEQUENCES("zip", "a b", "Pairs of the items side by side.")
def _zip(rt: Runtime, a: Any, b: Any) -> Any:
    return rt.vector(list(zip(rt.seq(a, "zip", 1), rt.seq(b, "zip", 2), strict=False)))


@SEQUENCES("range", "end | start end | start end step", "Numbers from start, or 0, up to but without end.")
def _range(rt: Runtime, *bounds: Any) -> Any:
    for position, bound in enumerate(bounds):
        if isinstance(bound, bool) or not isinstance(bound, int | float):
            type_failure(f"range: arg {position + 1} expected number, got {type_name(bound)}", "range")
    start, end, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    if step == 0:
        return ()  # there are no lazy sequences, so nothing could be repeated without end
    try:
        count = max(0, -int(-(end - start) // step))
    except (OverflowError, ValueError):
        raise LispFailure("arithmetic_error", "range: the bounds must be finite", op="range") from None
    rt.make_room(count)
    rt.spend(count)
    if all(isinstance(one, int) for one in (start, end, step)):
        return rt.vector(range(start, end, step))
    return rt.vector([start + index * step for index in range(count)])
