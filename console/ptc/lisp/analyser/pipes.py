"""Threading forms. Each step is bound to a nameless local, so a pipe of a thousand steps is no deeper than one."""

from __future__ import annotations

from typing import Any

from ..reader import Form, Symbol
from .core import Analyser, Handler, Target, expect
from .names import plain_symbol
from .scope import Frame, Node, Scope


def _nameless(scope: Scope) -> tuple[Symbol, int]:
    """A local that no program can name."""
    name = f" {scope.fn.size}"
    return Symbol(name), scope.declare(name)


def _step(step: Any, value: Any, *, last: bool) -> Form:
    """`step` with `value` as its first argument, or as its last one."""
    if isinstance(step, Form) and step.kind == "list" and step.items:
        head, *rest = step.items
        return Form("list", (head, *rest, value) if last else (head, value, *rest))
    return Form("list", (step, value))


def _pipe(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    expect(len(form.items) >= 2, form, "a value and steps", "invalid_thread_form")
    name = _head(form)
    last = name.endswith("->>")
    some = name.startswith("some")
    _, first, *steps = form.items
    if not steps:
        return analyser.compile(first, scope, target)
    inner = scope.inner()
    local, slot = _nameless(inner)
    *middle, final = steps
    if isinstance(first, Symbol) and not some:
        # A name stays itself in its first step, where `or` may want to see whether it is bound.
        start = analyser.compile(_step(steps[0], first, last=last), inner, target if not middle else None)
        middle = middle[1:]
        if len(steps) == 1:
            return start
    else:
        start = analyser.compile(first, scope)
    nodes = [start] + [analyser.compile(_step(step, local, last=last), inner) for step in middle]
    end = analyser.compile(_step(final, local, last=last), inner, target)
    return _run(nodes, slot, end, some=some)


def _run(nodes: list[Node], slot: int, end: Node, *, some: bool) -> Node:
    def run(f: Frame) -> Any:
        for node in nodes:
            value = node(f)
            if some and value is None:
                return None
            f[slot] = value
        return end(f)

    return run


def _head(form: Form) -> str:
    return str(form.items[0].name)


def _as(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    expect(len(form.items) >= 3, form, "(as-> value name step ...)", "invalid_thread_form")
    name = plain_symbol(form.items[2])
    expect(name is not None, form, "a plain name", "invalid_thread_form")
    start = analyser.compile(form.items[1], scope)
    inner = scope.inner()
    slot = inner.declare(str(name))
    steps = form.items[3:]
    if not steps:
        return start
    nodes = [start] + [analyser.compile(step, inner) for step in steps[:-1]]
    return _run(nodes, slot, analyser.compile(steps[-1], inner, target), some=False)


def _cond_pipe(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    expect(len(form.items) >= 2 and len(form.items) % 2 == 0, form, "a value and pairs", "invalid_thread_form")
    last = _head(form).endswith("->>")
    start = analyser.compile(form.items[1], scope)
    inner = scope.inner()
    local, slot = _nameless(inner)
    clauses = form.items[2:]
    tests = [analyser.compile(test, scope) for test in clauses[::2]]
    steps = [analyser.compile(_step(step, local, last=last), inner) for step in clauses[1::2]]
    pairs = list(zip(tests, steps, strict=True))

    def run(f: Frame) -> Any:
        f[slot] = start(f)
        for test, step in pairs:
            found = test(f)
            if found is not None and found is not False:
                f[slot] = step(f)
        return f[slot]

    return run


FORMS: dict[str, Handler] = {
    "->": _pipe,
    "->>": _pipe,
    "some->": _pipe,
    "some->>": _pipe,
    "as->": _as,
    "cond->": _cond_pipe,
    "cond->>": _cond_pipe,
}
