"""Functions that a program writes: `fn`, `defn`, `#()`, and `def` that names them."""

from __future__ import annotations

import re
from typing import Any

from ..failure import LispFailure
from ..functions import Call, Closure
from ..reader import Form, Symbol
from ..runtime import Runtime
from ..values import Var
from .binding import Bind, pattern, split_rest
from .core import Analyser, Handler, Target, expect
from .loops import repeated
from .names import plain_symbol
from .scope import FIRST_SLOT, FnContext, Frame, Node, Scope

_PLACEHOLDER = re.compile(r"%(\d{1,3}|&)?\Z")
SHORT_FN_PARAMS = 20


def _def(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    items = form.items
    documented = len(items) == 4 and isinstance(items[2], str)
    expect(len(items) == 3 or documented, form, "(def name value)")
    name = _name(form)
    value = analyser.compile(items[-1], scope)
    var = Var(name)

    def run(f: Frame) -> Any:
        made = value(f)
        f[0].defs[name] = made
        return var

    return run


def _defonce(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    define = _def(analyser, form, scope, target)
    name = _name(form)
    var = Var(name)
    return lambda f: var if name in f[0].defs else define(f)


def _defn(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    items = form.items
    expect(len(items) >= 3, form, "(defn name [params] body)")
    name = _name(form)
    rest = items[3:] if isinstance(items[2], str) and len(items) > 3 else items[2:]
    make = function(analyser, name, rest, scope, form, own_name=False)
    var = Var(name)

    def run(f: Frame) -> Any:
        f[0].defs[name] = make(f)
        return var

    return run


def _name(form: Form) -> str:
    name = plain_symbol(form.items[1])
    expect(name is not None, form, "a plain name", "invalid_form")
    return str(name)


def _fn(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    rest = form.items[1:]
    name = plain_symbol(rest[0]) if rest else None
    if name is not None:
        rest = rest[1:]
    return function(analyser, name or "fn", rest, scope, form, own_name=name is not None)


def function(analyser: Analyser, name: str, rest: tuple[Any, ...], scope: Scope, form: Form, *, own_name: bool) -> Node:
    """The node that makes a closure of `[params] body…`."""
    expect(rest and isinstance(rest[0], Form), form, "[params] body", "invalid_form")
    expect(rest[0].kind == "vector", form, "one vector of params; several bodies are not supported", "invalid_form")
    expect(len(rest) >= 2, form, "a body after [params]")
    context = FnContext(scope)
    inner = Scope(context)
    if own_name:
        inner.names[name] = FIRST_SLOT - 1
    fixed, more = split_rest(rest[0].items)
    slots = [context.slot() for _ in range(len(fixed) + (more is not None))]
    binds: list[tuple[int, Bind]] = []
    for slot, param in zip(slots, [*fixed, *([] if more is None else [more])], strict=True):
        simple = plain_symbol(param)
        if simple is not None:
            inner.names[simple] = slot
        else:
            is_rest = more is not None and slot == slots[-1]
            binds.append((slot, pattern(analyser, param, inner, rest=is_rest)))

    def jump(f: Frame, values: list[Any]) -> None:
        for slot, value in zip(slots, values, strict=True):
            f[slot] = value
        for slot, bind in binds:
            bind(f, f[slot])

    target = Target(len(slots), jump)
    body = analyser.body(rest[1:], inner, target)
    if target.used:
        body = repeated(body)
    if binds:
        body = _destructured(binds, body)
    params = " ".join(_shown(param) for param in rest[0].items)
    return _maker(name, context, len(fixed), more is not None, body, params)


def _shown(param: Any) -> str:
    return param.name if isinstance(param, Symbol) else "_"


def _destructured(binds: list[tuple[int, Bind]], body: Node) -> Node:
    def run(f: Frame) -> Any:
        for slot, bind in binds:
            bind(f, f[slot])
        return body(f)

    return run


def _maker(name: str, context: FnContext, count: int, variadic: bool, body: Node, params: str) -> Node:
    getters = context.getters
    size = context.size - FIRST_SLOT - count - variadic
    pad = (None,) * size
    weight = context.weight

    def make(f: Frame) -> Any:
        rt = f[0]
        rt.charge(12 + len(getters))
        captured = [getter(f) for getter in getters]
        closure = Closure(name, _refuse, params)
        closure.call = _call(closure, captured, count, variadic, pad, weight, body)
        return closure

    return make


def _refuse(rt: Runtime, *args: Any) -> Any:
    raise LispFailure("runtime_error", "a function was called before it was made")


def _call(
    closure: Closure,
    captured: list[Any],
    count: int,
    variadic: bool,
    pad: tuple[None, ...],
    weight: int,
    body: Node,
) -> Call:
    def call(rt: Runtime, *args: Any) -> Any:
        if len(args) != count:
            if not variadic or len(args) < count:
                raise _mismatch(closure, count, variadic, len(args))
            args = (*args[:count], rt.vector(args[count:]))
        elif variadic:
            args = (*args, ())
        rt.fuel -= 1
        if rt.fuel < 0:
            rt.refuel()
        frame = [rt, captured, closure, *args, *pad]
        room = rt.room
        if room < weight or rt.depth >= rt.max_depth:
            return rt.enter(weight, body, frame)
        rt.depth += 1
        rt.room = room - weight
        try:
            return body(frame)
        finally:
            rt.room = room
            rt.depth -= 1

    return call


def _mismatch(closure: Closure, count: int, variadic: bool, got: int) -> LispFailure:
    expected = f"at least {count}" if variadic else str(count)
    return LispFailure("arity_mismatch", f"{closure.name} [{closure.params}] expects {expected} arguments, got {got}")


def _short_fn(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    if analyser.in_short_fn:
        raise LispFailure("invalid_form", "#() inside #() is not supported; use (fn [x] ...)")
    highest, rest = _placeholders(form)
    if highest > SHORT_FN_PARAMS:
        raise LispFailure("invalid_form", f"#() takes at most {SHORT_FN_PARAMS} arguments, use (fn [...] ...)")
    params = [Symbol(f"%{i}") for i in range(1, highest + 1)] + ([Symbol("&"), Symbol("%&")] if rest else [])
    body = Form("list", tuple(_renamed(item) for item in form.items))
    analyser.in_short_fn = True
    try:
        return function(analyser, "fn", (Form("vector", tuple(params)), body), scope, form, own_name=False)
    finally:
        analyser.in_short_fn = False


def _renamed(form: Any) -> Any:
    if isinstance(form, Symbol) and form.name == "%":
        return Symbol("%1")
    if isinstance(form, Form):
        return Form(form.kind, tuple([_renamed(item) for item in form.items]))
    return form


def _placeholders(form: Form) -> tuple[int, bool]:
    highest, rest = 0, False
    stack: list[Any] = list(form.items)
    while stack:
        item = stack.pop()
        if isinstance(item, Form):
            stack.extend(item.items)
        elif isinstance(item, Symbol):
            match = _PLACEHOLDER.match(item.name)
            if match and match[1] == "&":
                rest = True
            elif match:
                highest = max(highest, int(match[1] or 1))
    return highest, rest


FORMS: dict[str, Handler] = {"def": _def, "defonce": _defonce, "defn": _defn, "fn": _fn, "#()": _short_fn}
