"""`loop` and `recur`, `for` and `doseq`: whatever jumps, and is stopped after its limit of jumps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..failure import LispFailure
from ..reader import Form
from ..runtime import Runtime
from ..values import Keyword
from .binding import pattern
from .core import Analyser, Handler, Target, expect
from .scope import Frame, Node, Scope

_RECUR = object()
Walk = Callable[[Frame, list[Any] | None], bool]


def too_many_jumps(rt: Runtime) -> LispFailure:
    """A loop went round more often than it may."""
    return LispFailure("loop_limit_exceeded", f"a loop made more than {rt.meter.limits.max_loop_jumps} jumps")


def repeated(body: Node) -> Node:
    """Evaluates `body` again as long as it ends in `recur`."""

    def run(f: Frame) -> Any:
        rt = f[0]
        left = rt.meter.limits.max_loop_jumps
        while True:
            value = body(f)
            if value is not _RECUR:
                return value
            left -= 1
            if left < 0:
                raise too_many_jumps(rt)
            rt.fuel -= 1
            if rt.fuel < 0:
                rt.refuel()

    return run


def _loop(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    bindings = _bindings(form)
    expect(len(form.items) >= 3, form, "(loop [name value ...] body)")
    inner = scope.inner()
    starts = []
    for left, right in zip(bindings[::2], bindings[1::2], strict=True):
        value = analyser.compile(right, inner)
        starts.append((value, pattern(analyser, left, inner)))
    binds = [bind for _, bind in starts]

    def jump(f: Frame, values: list[Any]) -> None:
        for bind, value in zip(binds, values, strict=True):
            bind(f, value)

    own = Target(len(binds), jump)
    body = analyser.body(form.items[2:], inner, own)
    if own.used:
        body = repeated(body)

    def run(f: Frame) -> Any:
        for value, bind in starts:
            bind(f, value(f))
        return body(f)

    return run


def _bindings(form: Form) -> tuple[Any, ...]:
    items = form.items
    name = "bindings"
    expect(len(items) >= 2 and isinstance(items[1], Form) and items[1].kind == "vector", form, f"a vector of {name}")
    expect(len(items[1].items) % 2 == 0, form, "names and values in pairs", "invalid_form")
    return tuple(items[1].items)


def _recur(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    expect(target is not None, form, "recur in tail position of a loop or a function", "invalid_form")
    assert target is not None
    nodes = [analyser.compile(item, scope) for item in form.items[1:]]
    if len(nodes) != target.arity:
        raise LispFailure("arity_mismatch", f"recur expects {target.arity} values, got {len(nodes)}")
    target.used = True
    bind = target.bind

    def run(f: Frame) -> Any:
        bind(f, [node(f) for node in nodes])
        return _RECUR

    return run


def _for(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    expect(len(form.items) == 3, form, "(for [name collection ...] body)")
    walk = _comprehension(analyser, form, scope)

    def run(f: Frame) -> Any:
        made: list[Any] = []
        walk(f, made)
        return f[0].vector(made)

    return run


def _doseq(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    expect(len(form.items) >= 3, form, "(doseq [name collection ...] body)")
    walk = _comprehension(analyser, form, scope)

    def run(f: Frame) -> Any:
        walk(f, None)

    return run


def _comprehension(analyser: Analyser, form: Form, scope: Scope) -> Walk:
    bindings = _bindings(form)
    expect(bindings and not isinstance(bindings[0], Keyword), form, "a binding before any modifier", "invalid_form")
    inner = scope.inner()
    # Each step of the chain is a call inside the one before.
    levels = len(bindings) // 2
    scope.fn.go_deeper(levels)
    try:
        return _chain(_steps(analyser, form, bindings, inner), analyser.body(form.items[2:], inner, None))
    finally:
        scope.fn.level -= levels


def _steps(analyser: Analyser, form: Form, bindings: tuple[Any, ...], inner: Scope) -> list[tuple[str, Node, Any]]:
    steps: list[tuple[str, Node, Any]] = []
    for left, right in zip(bindings[::2], bindings[1::2], strict=True):
        if not isinstance(left, Keyword):
            collection = analyser.compile(right, inner)
            steps.append(("each", collection, pattern(analyser, left, inner)))
        elif left.name in {"when", "while"}:
            steps.append((left.name, analyser.compile(right, inner), None))
        elif left.name == "let":
            expect(isinstance(right, Form) and right.kind == "vector", form, ":let [name value ...]", "invalid_form")
            expect(len(right.items) % 2 == 0, form, ":let with names and values in pairs", "invalid_form")
            for name, value_form in zip(right.items[::2], right.items[1::2], strict=True):
                value = analyser.compile(value_form, inner)
                steps.append(("let", value, pattern(analyser, name, inner)))
        else:
            expect(False, form, ":when, :while or :let", "invalid_form")
    return steps


def _chain(steps: list[tuple[str, Node, Any]], body: Node) -> Walk:
    """From the innermost step outwards; each gives False to end the walk of the collection around it."""

    def last(f: Frame, made: list[Any] | None) -> bool:
        value = body(f)
        if made is not None:
            made.append(value)
            if len(made) % 4096 == 0:
                f[0].make_room(len(made))
        return True

    following: Walk = last
    for kind, node, bind in reversed(steps):
        following = _STEPS[kind](node, bind, following)
    return following


def _each(node: Node, bind: Any, following: Walk) -> Walk:
    def walk(f: Frame, made: list[Any] | None) -> bool:
        rt = f[0]
        limit = rt.meter.limits.max_loop_jumps
        for count, item in enumerate(rt.seq(node(f), "for")):
            if count >= limit:
                raise too_many_jumps(rt)
            bind(f, item)
            rt.spend(1)
            if not following(f, made):
                break
        return True

    return walk


def _when(node: Node, bind: Any, following: Walk) -> Walk:
    def walk(f: Frame, made: list[Any] | None) -> bool:
        test = node(f)
        return True if test is None or test is False else bool(following(f, made))

    return walk


def _while(node: Node, bind: Any, following: Walk) -> Walk:
    def walk(f: Frame, made: list[Any] | None) -> bool:
        test = node(f)
        return False if test is None or test is False else bool(following(f, made))

    return walk


def _let(node: Node, bind: Any, following: Walk) -> Walk:
    def walk(f: Frame, made: list[Any] | None) -> bool:
        bind(f, node(f))
        return bool(following(f, made))

    return walk


_STEPS: dict[str, Callable[[Node, Any, Walk], Walk]] = {"each": _each, "when": _when, "while": _while, "let": _let}

FORMS: dict[str, Handler] = {"loop": _loop, "recur": _recur, "for": _for, "doseq": _doseq}
