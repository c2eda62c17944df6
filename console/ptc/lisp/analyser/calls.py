"""Call forms: of a known function of the library, of a keyword, and of anything else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..failure import LispFailure
from ..functions import Builtin, Fn
from ..lookup import lookup
from ..values import Keyword
from .scope import Frame, Node, Scope

if TYPE_CHECKING:
    from .core import Analyser


def known(analyser: Analyser, function: Builtin, args: Sequence[Any], scope: Scope) -> Node:
    """A call of a function of the library; the number of arguments is settled here and not at each call."""
    nodes = [analyser.compile(arg, scope) for arg in args]
    if not function.takes(len(nodes)):

        def refuse(f: Frame) -> Any:
            raise function.wrong_arity(len(nodes))

        return refuse
    if len(nodes) == 2:
        return _two(function.binary or function.raw, nodes[0], nodes[1])
    if len(nodes) == 1:
        return _one(function.raw, nodes[0])
    raw = function.raw

    def call(f: Frame) -> Any:
        rt = f[0]
        rt.fuel -= 1
        if rt.fuel < 0:
            rt.refuel()
        return raw(rt, *[node(f) for node in nodes])

    return call


def _one(raw: Any, first: Node) -> Node:
    def call(f: Frame) -> Any:
        rt = f[0]
        rt.fuel -= 1
        if rt.fuel < 0:
            rt.refuel()
        return raw(rt, first(f))

    return call


def _two(raw: Any, first: Node, second: Node) -> Node:
    def call(f: Frame) -> Any:
        rt = f[0]
        rt.fuel -= 1
        if rt.fuel < 0:
            rt.refuel()
        return raw(rt, first(f), second(f))

    return call


def keyword(analyser: Analyser, key: Keyword, args: Sequence[Any], scope: Scope) -> Node:
    """`(:key holder)` or `(:key holder default)`."""
    if not 1 <= len(args) <= 2:
        raise LispFailure("invalid_keyword_call", f"(:{key.name} map) or (:{key.name} map default)")
    holder = analyser.compile(args[0], scope)
    default = analyser.compile(args[1], scope) if len(args) == 2 else None

    def call(f: Frame) -> Any:
        rt = f[0]
        rt.fuel -= 1
        if rt.fuel < 0:
            rt.refuel()
        value = holder(f)
        return lookup(rt, value, key, None if default is None else default(f))

    return call


def dynamic(analyser: Analyser, head: Node, args: Sequence[Any], scope: Scope) -> Node:
    """A call of whatever `head` gives."""
    nodes = [analyser.compile(arg, scope) for arg in args]

    def call(f: Frame) -> Any:
        rt = f[0]
        rt.fuel -= 1
        if rt.fuel < 0:
            rt.refuel()
        function = head(f)
        if isinstance(function, Fn):
            return function.call(rt, *[node(f) for node in nodes])
        return rt.head(function)(rt, *[node(f) for node in nodes])

    return call
