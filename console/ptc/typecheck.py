"""Checking values against types, and making values fit them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from .lisp.values import Keyword, LispSet
from .signature import ListOf, MapOf, Maybe, Primitive, Signature, Type, render

_MISSING = object()
_NAME = re.compile(r"[A-Za-z_*!?<>=+\-][A-Za-z0-9_*!?<>=+\-]{0,254}\Z")
_INTEGER = re.compile(r"[+-]?\d{1,4000}\Z")
_NUMBER = re.compile(r"[+-]?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?")


@dataclass(frozen=True, slots=True)
class TypeProblem:
    """`path` leads to the value that does not fit."""

    path: tuple[str | int, ...]
    message: str

    def __str__(self) -> str:
        where = ".".join(str(part) for part in self.path)
        return f"{where}: {self.message}" if where else self.message


def validate(signature: Signature, value: Any) -> list[TypeProblem]:
    """What is wrong with a result."""
    return check(signature.returns, value)


def validate_input(signature: Signature, values: Mapping[Any, Any]) -> list[TypeProblem]:
    """What is wrong with arguments."""
    return check(MapOf(signature.params), values)


def check(kind: Type, value: Any, path: tuple[str | int, ...] = ()) -> list[TypeProblem]:
    """All places where `value` is not of `kind`; nothing is converted."""
    if isinstance(kind, Maybe):
        return [] if value is None else check(kind.of, value, path)
    if isinstance(kind, Primitive):
        return [] if _fits(kind.name, value) else [_expected(kind.name, value, path)]
    if isinstance(kind, ListOf):
        if not _is_list(value):
            return [_expected("list", value, path)]
        return [one for index, item in enumerate(value) for one in check(kind.of, item, (*path, index))]
    if not isinstance(value, Mapping):
        return [_expected("map", value, path)]
    return _check_fields(kind, value, path)


def _check_fields(kind: MapOf, value: Mapping[Any, Any], path: tuple[str | int, ...]) -> list[TypeProblem]:
    problems: list[TypeProblem] = []
    used = set()
    for name, inner in kind.fields:
        key = find_field(value, name)
        used.add(key)
        if key is _MISSING:
            if not isinstance(inner, Maybe):
                problems.append(TypeProblem((*path, name), "expected field, got nil"))
        else:
            problems += check(inner, value[key], (*path, name))
    if kind.closed:
        problems += [TypeProblem((*path, _name(key)), "unexpected field") for key in value if key not in used]
    return problems


def _name(key: Any) -> str:
    return key.name if isinstance(key, Keyword) else str(key)


def find_field(value: Mapping[Any, Any], name: str) -> Any:
    """The key of a field: as string or keyword, with `_` or `-`."""
    for spelling in (name, name.replace("-", "_"), name.replace("_", "-")):
        for key in (spelling, Keyword(spelling)):
            if key in value:
                return key
    return _MISSING


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _fits(name: str, value: Any) -> bool:
    if name == "any":
        return True
    if name == "int":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "float":
        return isinstance(value, int | float) and not isinstance(value, bool)
    if name == "keyword":
        return isinstance(value, Keyword) or (isinstance(value, str) and bool(_NAME.match(value)))
    kinds: dict[str, Any] = {"string": str, "bool": bool, "map": Mapping, "datetime": datetime}
    return isinstance(value, kinds[name])


def type_label(value: Any) -> str:
    """The name of a value's type as problems say it."""
    labels: tuple[tuple[Any, str], ...] = (
        (type(None), "nil"),
        (bool, "bool"),
        (int, "int"),
        (float, "float"),
        (str, "string"),
        (Keyword, "keyword"),
        (Mapping, "map"),
        (LispSet, "set"),
        (datetime, "datetime"),
        (date, "date"),
        (Sequence, "list"),
    )
    return next((label for kind, label in labels if isinstance(value, kind)), type(value).__name__)


def _expected(name: str, value: Any, path: tuple[str | int, ...]) -> TypeProblem:
    return TypeProblem(path, f"expected {name}, got {type_label(value)}")


class CoercionError(ValueError):
    """A value cannot be made to fit."""


@dataclass(slots=True)
class Coerced:
    """A value that fits, and what had to be done for it."""

    value: Any
    warnings: list[str] = field(default_factory=list)


def coerce(kind: Type, value: Any) -> Coerced:
    """`value` made to fit `kind`; CoercionError where it cannot be."""
    warnings: list[str] = []
    return Coerced(_coerce(kind, value, warnings), warnings)


def coerce_input(signature: Signature, values: Mapping[Any, Any]) -> Coerced:
    """Arguments made to fit the parameters."""
    return coerce(MapOf(signature.params), values)


def _coerce(kind: Type, value: Any, warnings: list[str]) -> Any:
    if isinstance(kind, Maybe):
        return None if value is None else _coerce(kind.of, value, warnings)
    if isinstance(kind, Primitive):
        return _coerce_primitive(kind.name, value, warnings)
    if isinstance(kind, ListOf):
        if not _is_list(value):
            raise CoercionError(f"cannot coerce {_shown(value)} to list")
        return [_coerce(kind.of, item, warnings) for item in value]
    if not isinstance(value, Mapping):
        raise CoercionError(f"cannot coerce {_shown(value)} to map")
    made = {}
    for name, inner in kind.fields:
        key = find_field(value, name)
        if key is not _MISSING:
            made[name] = _coerce(inner, value[key], warnings)
        elif not isinstance(inner, Maybe):
            raise CoercionError(f"the field {name} of type {render(inner)} is missing")
    return made


def _coerce_primitive(name: str, value: Any, warnings: list[str]) -> Any:
    if name == "float" and isinstance(value, int) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            raise CoercionError("cannot coerce an integer of that size to float") from None
    if name == "string" and isinstance(value, date):
        return value.isoformat()
    if name == "string" and isinstance(value, Keyword):
        warnings.append("coerced keyword to string")
        return value.name
    if isinstance(value, str) and name in {"int", "float", "bool", "keyword", "datetime"}:
        return _from_text(name, value, warnings)
    if not _fits(name, value):
        raise CoercionError(f"cannot coerce {_shown(value)} to {_LONG.get(name, name)}")
    return value


_LONG = {"int": "integer", "bool": "boolean"}


def _from_text(name: str, text: str, warnings: list[str]) -> Any:
    made: Any = _MISSING
    if name == "int" and _INTEGER.match(text):
        made = int(text)
    elif name == "float":
        match = _NUMBER.match(text)
        made = float(match.group()) if match else _MISSING
    elif name == "bool":
        made = {"true": True, "false": False}.get(text, _MISSING)
    elif name == "keyword" and _NAME.match(text):
        made = Keyword(text)
    elif name == "datetime":
        return _moment(text, warnings)
    if made is _MISSING:
        raise CoercionError(f"cannot coerce {_shown(text)} to {_LONG.get(name, name)}")
    warnings.append(f"coerced {_shown(text)} to {_LONG.get(name, name)}")
    return made


def _moment(text: str, warnings: list[str]) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise CoercionError(f"cannot coerce {_shown(text)} to datetime") from None
    if moment.tzinfo is None:
        raise CoercionError(f"cannot coerce {_shown(text)} to datetime: it has no offset from UTC")
    if moment.utcoffset():
        warnings.append(f"coerced {_shown(text)} to UTC")
    return moment.astimezone(UTC)


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return f'string "{value[:60]}"'
    return type_label(value)
