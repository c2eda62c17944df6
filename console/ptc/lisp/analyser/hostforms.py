"""Forms that reach beyond the program: the journal, and names for the discovery functions."""

from __future__ import annotations

from typing import Any

from ..convert import outward
from ..failure import type_failure
from ..reader import Form, Symbol
from ..render import plain
from ..runtime import Runtime
from ..values import Keyword, SymbolRef, type_name
from .core import Analyser, Handler, Target, expect
from .scope import Frame, Node, Scope


def _task(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    expect(len(form.items) == 3, form, "(task id expr)")
    ident = analyser.compile(form.items[1], scope)
    body = analyser.compile(form.items[2], scope)

    def run(f: Frame) -> Any:
        rt = f[0]
        if rt.journal is None:
            return body(f)
        key = task_id(rt, ident(f), "task")
        if key in rt.journal:
            return rt.journal[key]
        value = body(f)
        rt.journal[key] = outward(rt, value)
        return value

    return run


def task_id(rt: Runtime, value: Any, op: str) -> str:
    """The text under which something is noted."""
    if value is None or isinstance(value, tuple | dict):
        type_failure(f"{op}: id must be a string, got {type_name(value)}", op)
    return value.name if isinstance(value, Keyword) else plain(rt, value)


def _quote(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    expect(len(form.items) == 2 and isinstance(form.items[1], Symbol), form, "(quote name)", "invalid_form")
    ref = SymbolRef(form.items[1].name)
    return lambda f: ref


FORMS: dict[str, Handler] = {"task": _task, "quote": _quote}
