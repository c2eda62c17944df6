"""Forms that reach beyond the program: the journal, and names that only the discovery functions read."""

from __future__ import annotations

from typing import Any

from ..convert import outward
from ..idents import ident
from ..reader import Form, Symbol
from ..values import SymbolRef
from .core import Analyser, Handler, Target, expect
from .scope import Frame, Node, Scope


def _task(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    expect(len(form.items) == 3, form, "(task id expr)")
    name = analyser.compile(form.items[1], scope)
    body = analyser.compile(form.items[2], scope)

    def run(f: Frame) -> Any:
        rt = f[0]
        if rt.journal is None:
            return body(f)
        key = ident(rt, name(f), "task")
        if key in rt.journal:
            return rt.journal[key]
        value = body(f)
        rt.journal[key] = outward(rt, value)
        if rt.host.on_task is not None:
            rt.host.on_task(dict(rt.journal))
        return value

    return run


def _quote(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    expect(len(form.items) == 2 and isinstance(form.items[1], Symbol), form, "(quote name)", "invalid_form")
    ref = SymbolRef(form.items[1].name)
    return lambda f: ref


FORMS: dict[str, Handler] = {"task": _task, "quote": _quote}
