"""Reading and changing maps, and vectors by index."""

from __future__ import annotations

from typing import Any

from ..equality import sort_values
from ..failure import LispFailure, type_failure
from ..functions import Shelf
from ..lookup import MISSING, find_key, lookup
from ..runtime import Runtime
from ..values import LispSet, decode, encode, type_name

MAPS = Shelf("maps")


@MAPS("get", "holder key | holder key default", "The value under a key, or the default.")
def _get(rt: Runtime, holder: Any, key: Any, default: Any = None) -> Any:
    return lookup(rt, holder, key, default)


@MAPS("get-in", "holder path | holder path default", "The value at the end of a path of keys, or the default.")
def _get_in(rt: Runtime, holder: Any, path: Any, default: Any = None) -> Any:
    for key in rt.seq(path, "get-in", 2):
        holder = lookup(rt, holder, key, MISSING)
        if holder is MISSING:
            return default
    return holder


def put(rt: Runtime, holder: Any, key: Any, value: Any, op: str) -> Any:
    """`holder` with `value` under `key`."""
    if holder is None or isinstance(holder, dict):
        rt.spend(len(holder or ()) >> 5)
        made = dict(holder or {})
        made[encode(rt, key)] = value
        return rt.map(made)
    if isinstance(holder, tuple):
        if isinstance(key, bool) or not isinstance(key, int) or not 0 <= key <= len(holder):
            type_failure(f"{op}: a vector of {len(holder)} items has no place {type_name(key)} to put a value at", op)
        return rt.vector([*holder[:key], value, *holder[key + 1 :]])
    return type_failure(f"{op}: arg 1 expected map, got {type_name(holder)}", op)


@MAPS("assoc", "holder key value & more", "The map, or vector, with values under keys.")
def _assoc(rt: Runtime, holder: Any, *pairs: Any) -> Any:
    if len(pairs) % 2:
        raise LispFailure("arity_error", "assoc expects keys and values in pairs", op="assoc")
    if holder is None or isinstance(holder, dict):
        made = dict(holder or {})
        rt.spend(len(made) >> 5)
        for key, value in zip(pairs[::2], pairs[1::2], strict=True):
            made[encode(rt, key)] = value
        return rt.map(made)
    for key, value in zip(pairs[::2], pairs[1::2], strict=True):
        holder = put(rt, holder, key, value, "assoc")
    return holder


@MAPS("assoc-in", "holder path value", "The map with a value at the end of a path.")
def _assoc_in(rt: Runtime, holder: Any, path: Any, value: Any) -> Any:
    return _change(rt, holder, path, lambda old: value, "assoc-in")


@MAPS("update", "holder key f & args", "The map with f applied to the value under a key.")
def _update(rt: Runtime, holder: Any, key: Any, f: Any, *args: Any) -> Any:
    call = rt.callable(f, "update", 3)
    return put(rt, holder, key, call(rt, lookup(rt, holder, key, None), *args), "update")


@MAPS("update-in", "holder path f & args", "The map with f applied to the value at the end of a path.")
def _update_in(rt: Runtime, holder: Any, path: Any, f: Any, *args: Any) -> Any:
    call = rt.callable(f, "update-in", 3)
    return _change(rt, holder, path, lambda old: call(rt, old, *args), "update-in")


def _change(rt: Runtime, holder: Any, path: Any, change: Any, op: str) -> Any:
    keys = rt.seq(path, op, 2) or (None,)  # no path is the path to the key nil, as in Clojure
    holders = [holder]
    for key in keys[:-1]:
        holders.append(lookup(rt, holders[-1], key, None))
    value = change(lookup(rt, holders[-1], keys[-1], None))
    for key, one in zip(reversed(keys), reversed(holders), strict=True):
        value = put(rt, one, key, value, op)
    return value


def entries(value: Any, op: str, position: int = 1) -> dict[Any, Any]:
    """A map, where nil is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        type_failure(f"{op}: arg {position} expected map, got {type_name(value)}", op)
    return dict(value)


@MAPS("dissoc", "m & keys", "The map without keys.")
def _dissoc(rt: Runtime, m: Any, *keys: Any) -> Any:
    if m is None:
        return None
    made = entries(m, "dissoc")
    rt.spend(len(made) >> 5)
    for key in keys:
        made.pop(encode(rt, key), None)
    return rt.map(made)


@MAPS("merge", "& maps", "All entries; later ones win.")
def _merge(rt: Runtime, *maps: Any) -> Any:
    made: dict[Any, Any] = {}
    for position, one in enumerate(maps, 1):
        made.update(entries(one, "merge", position))
        rt.spend(len(made) >> 5)
    return rt.map(made)


@MAPS("merge-with", "f & maps", "All entries; f joins the values of the same key.")
def _merge_with(rt: Runtime, f: Any, *maps: Any) -> Any:
    call = rt.callable(f, "merge-with")
    made: dict[Any, Any] = {}
    for position, one in enumerate(maps, 2):
        for key, value in entries(one, "merge-with", position).items():
            made[key] = call(rt, made[key], value) if key in made else value
    return rt.map(made)


@MAPS("select-keys", "m keys", "Only the entries under keys.")
def _select_keys(rt: Runtime, m: Any, keys: Any) -> Any:
    held = entries(m, "select-keys")
    made = {}
    for key in rt.seq(keys, "select-keys", 2):
        found = find_key(rt, held, key)
        if found is not MISSING:
            made[encode(rt, key)] = held[found]
    return rt.map(made)


@MAPS("keys", "m", "The keys of a map in order; nil for nil.")
def _keys(rt: Runtime, m: Any) -> Any:
    return None if m is None else rt.vector(_sorted_keys(rt, entries(m, "keys")))


@MAPS("vals", "m", "The values of a map in the order of their keys; nil for nil.")
def _vals(rt: Runtime, m: Any) -> Any:
    if m is None:
        return None
    held = entries(m, "vals")
    return rt.vector([held[encode(rt, key)] for key in _sorted_keys(rt, held)])


@MAPS("entries", "m", "The pairs of key and value of a map in the order of the keys.")
def _entries(rt: Runtime, m: Any) -> Any:
    held = entries(m, "entries")
    return rt.vector([(key, held[encode(rt, key)]) for key in _sorted_keys(rt, held)])


def _sorted_keys(rt: Runtime, held: dict[Any, Any]) -> list[Any]:
    return sort_values(rt, map(decode, held))


@MAPS("key", "entry", "The first of a pair.")
def _key(rt: Runtime, entry: Any) -> Any:
    return _pair(entry, "key")[0]


@MAPS("val", "entry", "The second of a pair.")
def _val(rt: Runtime, entry: Any) -> Any:
    return _pair(entry, "val")[1]


def _pair(entry: Any, op: str) -> Any:
    if not isinstance(entry, tuple) or len(entry) != 2:
        type_failure(f"{op}: expected a pair of key and value, got {type_name(entry)}", op)
    return entry


@MAPS("update-vals", "m f", "The map with f applied to every value.")
def _update_vals(rt: Runtime, m: Any, f: Any) -> Any:
    held = _map_first(m, "update-vals")
    call = rt.callable(f, "update-vals", 2)
    return None if held is None else rt.map({key: call(rt, value) for key, value in held.items()})


@MAPS("update-keys", "m f", "The map with f applied to every key.")
def _update_keys(rt: Runtime, m: Any, f: Any) -> Any:
    held = _map_first(m, "update-keys")
    call = rt.callable(f, "update-keys", 2)
    if held is None:
        return None
    return rt.map({encode(rt, call(rt, decode(key))): value for key, value in held.items()})


def _map_first(m: Any, op: str) -> dict[Any, Any] | None:
    if m is None or isinstance(m, dict):
        return m
    return type_failure(f"{op} expects (map, function), got {type_name(m)} first. Use -> (thread-first)", op)


@MAPS("hash-map array-map", "& pairs", "A map of keys and values.")
def _hash_map(rt: Runtime, *pairs: Any) -> Any:
    if len(pairs) % 2:
        raise LispFailure("arity_error", "hash-map expects keys and values in pairs", op="hash-map")
    return rt.map({encode(rt, key): value for key, value in zip(pairs[::2], pairs[1::2], strict=True)})


@MAPS("zipmap", "keys vals", "A map of keys and values side by side.")
def _zipmap(rt: Runtime, keys: Any, vals: Any) -> Any:
    pairs = zip(rt.seq(keys, "zipmap", 1), rt.seq(vals, "zipmap", 2), strict=False)
    return rt.map({encode(rt, key): value for key, value in pairs})


@MAPS("contains?", "holder key", "Whether a map has the key, or a set or a vector the item.")
def _contains(rt: Runtime, holder: Any, key: Any) -> Any:
    if holder is None:
        return False
    if isinstance(holder, dict):
        return find_key(rt, holder, key) is not MISSING
    encoded = encode(rt, key)
    if isinstance(holder, LispSet):
        return encoded in holder.keys
    if isinstance(holder, tuple):
        rt.spend(len(holder))
        return any(encode(rt, item) == encoded for item in holder)
    return type_failure(f"contains?: arg 1 expected a map, set or list, got {type_name(holder)}", "contains?")
