"""Walking nested values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..functions import Call, Shelf
from ..runtime import NATIVE_WEIGHT, Runtime
from ..values import LispSet, decode, encode
from .sequences import yes
from .slices import put_entry

TREES = Shelf("trees")


def _each(rt: Runtime, value: Any, inner: Callable[[Any], Any]) -> Any:
    """`value` with what is in it changed; an entry of a map is a pair."""
    if isinstance(value, tuple):
        rt.spend(len(value))
        return rt.vector([inner(item) for item in value])
    if isinstance(value, dict):
        rt.spend(len(value))
        made: dict[Any, Any] = {}
        for key, item in value.items():
            put_entry(rt, made, inner((decode(key), item)), "walk")
        return rt.map(made)
    if isinstance(value, LispSet):
        return rt.set([encode(rt, inner(item)) for item in rt.seq(value, "walk")])
    return value


@TREES("walk", "inner outer form", "Applies inner to each part of the form and outer to what comes of it.")
def _walk(rt: Runtime, inner: Any, outer: Any, form: Any) -> Any:
    call = rt.callable(inner, "walk", 1)
    return rt.callable(outer, "walk", 2)(rt, _each(rt, form, lambda item: call(rt, item)))


@TREES("prewalk", "f form", "Applies f to the form and then to its parts, all the way down.")
def _prewalk(rt: Runtime, f: Any, form: Any) -> Any:
    return _down(rt, rt.callable(f, "prewalk"), form)


def _down(rt: Runtime, call: Call, form: Any) -> Any:
    changed = call(rt, form)
    if not isinstance(changed, tuple | dict | LispSet):
        return changed
    return _each(rt, changed, lambda item: rt.enter(NATIVE_WEIGHT, _down, rt, call, item))


@TREES("postwalk", "f form", "Applies f to the parts, from the innermost outwards, and then to the form.")
def _postwalk(rt: Runtime, f: Any, form: Any) -> Any:
    return _up(rt, rt.callable(f, "postwalk"), form)


def _up(rt: Runtime, call: Call, form: Any) -> Any:
    if isinstance(form, tuple | dict | LispSet):
        form = _each(rt, form, lambda item: rt.enter(NATIVE_WEIGHT, _up, rt, call, item))
    return call(rt, form)


@TREES("tree-seq", "branch? children root", "The root and everything below it, each before what is below it.")
def _tree_seq(rt: Runtime, branch: Any, children: Any, root: Any) -> Any:
    is_branch, below = rt.callable(branch, "tree-seq", 1), rt.callable(children, "tree-seq", 2)
    made: list[Any] = []
    stack = [root]
    while stack:
        node = stack.pop()
        rt.spend(1)
        made.append(node)
        if len(made) % 1024 == 0:
            rt.make_room(len(made) + len(stack))
        if yes(is_branch(rt, node)):
            stack += reversed(rt.seq(below(rt, node), "tree-seq", 2))
    return rt.vector(made)
