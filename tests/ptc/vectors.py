"""Reading the published vectors and comparing what a program gave with what they expect."""

from __future__ import annotations

import json
import math
import os
import tomllib
from pathlib import Path
from typing import Any

from console.ptc.lisp import Keyword, Limits, LispSet, LispStep, Var, run
from console.ptc.lisp.reader import Form, Pattern, Reader, Symbol, VarQuoted
from console.ptc.lisp.values import Boxed, decode
from console.ptc.signature import ListOf, MapOf, Maybe, Primitive, Type

_HERE = Path(__file__).resolve()
_REPOSITORY = _HERE.parents[2]
_EXCEPTIONS = _HERE.with_name("exceptions.toml")


def vectors_path() -> Path:
    """Beside the repository, or where the environment says."""
    shared = os.environ.get("PTC_SHARED")
    return (Path(shared) if shared else _REPOSITORY.parent / "shared" / "ptc") / "vectors.json"


def load() -> list[dict[str, Any]]:
    """All vectors but those of Java-style interop; none where there is no file."""
    path = vectors_path()
    if not path.is_file():
        return []
    rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return [row for row in rows if row.get("group") != "interop"]


def exceptions() -> dict[str, str]:
    """The reason for every program whose vector is not followed."""
    rows = tomllib.loads(_EXCEPTIONS.read_text(encoding="utf-8"))["exception"]
    return {row["expr"]: row["reason"] for row in rows}


def given(data: Any) -> Any:
    """Data of a vector as the host would give it."""
    if isinstance(data, list):
        return [given(item) for item in data]
    if not isinstance(data, dict):
        return data
    if set(data) == {"#kw"}:
        return Keyword(data["#kw"])
    if set(data) == {"#var"}:
        return Var(data["#var"])
    if set(data) == {"#float"}:
        return float(data["#float"].removeprefix("##").lower())
    if set(data) == {"#set"}:
        return frozenset(given(item) for item in data["#set"])
    return {key: given(item) for key, item in data.items()}


def run_vector(row: dict[str, Any]) -> LispStep:
    """The Step of the program of a vector."""
    options = dict(row.get("options") or {})
    names = {"timeout", "max_heap", "max_symbols", "pmap_timeout"}
    limits = Limits(**{name: value for name, value in options.items() if name in names})
    rest = {name: given(value) for name, value in options.items() if name not in names}
    context, memory = given(row.get("context") or {}), given(row.get("memory") or {})
    return run(row["expr"], context=context, memory=memory, limits=limits, **rest)


def literal(text: str) -> Any:
    """The value of a literal, in plain form."""
    forms = Reader(Limits()).read(text)
    return _plain_form(forms[-1])


def _plain_form(form: Any) -> Any:
    if isinstance(form, Form):
        items = [_plain_form(item) for item in form.items]
        if form.kind == "map":
            return ("map", tuple(sorted(zip(items[::2], items[1::2], strict=True), key=repr)))
        if form.kind == "set":
            return ("set", tuple(sorted(items, key=repr)))
        return ("list", tuple(items))
    if isinstance(form, VarQuoted):
        return ("var", form.name)
    if isinstance(form, Pattern):
        return ("regex", form.text)
    if isinstance(form, Symbol):
        return ("symbol", form.name)
    return _atom(form)


def _atom(value: Any) -> Any:
    if isinstance(value, Keyword):
        return ("text", value.name)
    if isinstance(value, str):
        return ("text", value)
    if isinstance(value, bool) or value is None:
        return ("word", value)
    if isinstance(value, float):
        return ("float", "NaN" if math.isnan(value) else value)
    return ("int", value)


def plain(value: Any) -> Any:
    """A value of the language in the same form: a keyword equals a string of its name."""
    if isinstance(value, tuple | list):
        return ("list", tuple(plain(item) for item in value))
    if isinstance(value, LispSet):
        return ("set", tuple(sorted((plain(item) for item in value), key=repr)))
    if isinstance(value, dict):
        pairs = [(plain(decode(key)), plain(item)) for key, item in value.items()]
        return ("map", tuple(sorted(pairs, key=repr)))
    if isinstance(value, Boxed):
        return plain(value.value)
    return ("var", value.name) if isinstance(value, Var) else _atom(value)


def agrees(expected: Any, actual: Any, match: str | None) -> bool:
    """Whether two plain values are the same, as far as the vector asks."""
    kind, held = expected
    other, got = actual
    if match == "numeric-loose" and {kind, other} <= {"int", "float"}:
        return bool(held == got)
    if kind != other:
        return False
    if kind == "list":
        if match == "unordered":
            return sorted(held, key=repr) == sorted(got, key=repr)
        return len(held) == len(got) and all(agrees(e, a, match) for e, a in zip(held, got, strict=True))
    if kind == "map":
        mine = dict(got)
        if match != "subset" and len(held) != len(got):
            return False
        return all(key in mine and agrees(item, mine[key], match) for key, item in held)
    return bool(held == got)


def type_of(ast: Any) -> Type:
    """A type from its tree."""
    if isinstance(ast, str):
        return Primitive(ast)
    ((kind, inner),) = ast.items()
    if kind == "optional":
        return Maybe(type_of(inner))
    if kind == "list":
        return ListOf(type_of(inner))
    return MapOf(tuple((name, type_of(one)) for name, one in inner), closed=kind == "closed_map")
