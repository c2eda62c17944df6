"""Destructuring: what stands on the left of a binding, and how a value is taken apart for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..failure import LispFailure
from ..lookup import MISSING, find_key
from ..reader import Form, Symbol
from ..values import Keyword, encode, type_name
from .names import plain_symbol
from .scope import Frame, Scope

if TYPE_CHECKING:
    from .core import Analyser

Bind = Callable[[Frame, Any], None]


def pattern(analyser: Analyser, form: Any, scope: Scope, *, rest: bool = False) -> Bind:
    """Declares the names of `form` in `scope` and gives what binds them; `rest` is what follows `&`."""
    name = plain_symbol(form)
    if name is not None:
        slot = scope.declare(name)

        def bind(f: Frame, value: Any) -> None:
            f[slot] = value

        return bind
    if isinstance(form, Form) and form.kind == "vector":
        return _vector(analyser, form, scope)
    if isinstance(form, Form) and form.kind == "map":
        return _map(analyser, form, scope, rest=rest)
    raise unsupported("a name, a vector of patterns or a map of patterns is expected on the left of a binding")


def unsupported(message: str) -> LispFailure:
    """A pattern that the language does not have."""
    return LispFailure("unsupported_pattern", message)


def _vector(analyser: Analyser, form: Form, scope: Scope) -> Bind:
    fixed, rest = split_rest(form.items)
    binds = [pattern(analyser, item, scope) for item in fixed]
    rest_bind = None if rest is None else pattern(analyser, rest, scope, rest=True)
    count = len(binds)

    def bind(f: Frame, value: Any) -> None:
        items = () if value is None else value
        if not isinstance(items, tuple):
            raise LispFailure("destructure_error", f"a vector pattern expects a list, got {type_name(value)}")
        have = len(items)
        for index, one in enumerate(binds):
            one(f, items[index] if index < have else None)
        if rest_bind is not None:
            rest_bind(f, f[0].vector(items[count:]))

    return bind


def split_rest(items: tuple[Any, ...]) -> tuple[tuple[Any, ...], Any]:
    """The patterns before `&` and the one after it, or None."""
    marks = [i for i, item in enumerate(items) if isinstance(item, Symbol) and item.name == "&"]
    if any(isinstance(item, Keyword) for item in items):
        raise unsupported(":as is not supported in a vector pattern")
    if not marks:
        return items, None
    if len(marks) > 1 or marks[0] != len(items) - 2:
        raise unsupported("exactly one pattern must follow &")
    return items[: marks[0]], items[-1]


def _map(analyser: Analyser, form: Form, scope: Scope, *, rest: bool) -> Bind:
    pairs = list(zip(form.items[::2], form.items[1::2], strict=True))
    defaults: dict[str, Any] = {}
    whole: Bind | None = None
    parts: list[tuple[Any, Any, str | None]] = []
    for left, right in pairs:
        if not isinstance(left, Keyword):
            parts.append((left, _key(right), plain_symbol(left)))
        elif left.name in {"keys", "strs"}:
            parts += _named(left.name, right)
        elif left.name == "or":
            defaults = _defaults(analyser, right)
        elif left.name != "as":
            raise unsupported(f":{left.name} is no part of a map pattern")
    if not parts and not any(isinstance(left, Keyword) and left.name in {"keys", "strs"} for left, _ in pairs):
        raise unsupported("a map pattern must bind a key")
    binds = [(pattern(analyser, left, scope), key, defaults.get(name or "")) for left, key, name in parts]
    for left, right in pairs:
        if isinstance(left, Keyword) and left.name == "as":
            whole = pattern(analyser, right, scope)

    def bind(f: Frame, value: Any) -> None:
        rt = f[0]
        entries = _entries(rt, value, rest=rest)
        for one, key, default in binds:
            found = find_key(rt, entries, key)
            one(f, default if found is MISSING else entries[found])
        if whole is not None:
            whole(f, entries if rest else value)

    return bind


def _entries(rt: Any, value: Any, *, rest: bool) -> dict[Any, Any]:
    if value is None:
        return {}
    if isinstance(value, dict):
        return value
    if rest and isinstance(value, tuple):
        if len(value) == 1 and isinstance(value[0], dict):
            return value[0]
        if len(value) % 2:
            raise LispFailure("destructure_error", f"keyword arguments come in pairs, got an odd count: {len(value)}")
        return {encode(rt, k): v for k, v in zip(value[::2], value[1::2], strict=True)}
    raise LispFailure("destructure_error", f"a map pattern expects a map, got {type_name(value)}")


def _named(kind: str, names: Any) -> list[tuple[Any, Any, str | None]]:
    if not isinstance(names, Form) or names.kind != "vector":
        raise unsupported(f":{kind} expects a vector of names")
    made: list[tuple[Any, Any, str | None]] = []
    for item in names.items:
        if not isinstance(item, Symbol | Keyword):
            raise unsupported(f":{kind} expects names")
        made.append((Symbol(item.name), Keyword(item.name) if kind == "keys" else item.name, item.name))
    return made


def _key(form: Any) -> Any:
    if isinstance(form, Symbol | Form):
        raise unsupported("a key of a map pattern must be a keyword, a string or a number")
    return form


def _defaults(analyser: Analyser, form: Any) -> dict[str, Any]:
    if not isinstance(form, Form) or form.kind != "map":
        raise unsupported(":or expects a map of names and literals")
    made = {}
    for left, right in zip(form.items[::2], form.items[1::2], strict=True):
        name = left.name if isinstance(left, Symbol | Keyword) else None
        if name is None:
            raise unsupported(":or expects names")
        made[name] = literal(analyser, right)
    return made


def literal(analyser: Analyser, form: Any) -> Any:
    """The value of a form that needs no evaluation."""
    if isinstance(form, Form) and form.kind == "vector":
        return tuple([literal(analyser, item) for item in form.items])
    if isinstance(form, Form) and form.kind == "map":
        keys = [encode(analyser, literal(analyser, key)) for key in form.items[::2]]
        return dict(zip(keys, [literal(analyser, item) for item in form.items[1::2]], strict=True))
    if form is None or isinstance(form, str | int | float | Keyword):
        return form
    raise unsupported("only literals are allowed here")
