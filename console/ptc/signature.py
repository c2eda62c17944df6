"""Signatures: what a program or a mission takes and gives, as text, as types, and as JSON schema."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

PRIMITIVES = ("string", "int", "float", "bool", "keyword", "map", "any", "datetime")
_ALIASES = {"boolean": "bool"}
_TOKEN = re.compile(r"\s*(?:(->)|(:[A-Za-z]+\??)|([A-Za-z_][A-Za-z0-9_-]*)|([()\[\]{},]))")
_DEPTH = 32


class SignatureError(ValueError):
    """The text is no signature."""


@dataclass(frozen=True, slots=True)
class Primitive:
    """`:int` and its like."""

    name: str


@dataclass(frozen=True, slots=True)
class Maybe:
    """`:int?`: the value, or nil, or nothing."""

    of: Type


@dataclass(frozen=True, slots=True)
class ListOf:
    """`[T]`."""

    of: Type


@dataclass(frozen=True, slots=True)
class MapOf:
    """`{name T}`; a closed one, which only a JSON schema makes, allows no other fields."""

    fields: tuple[tuple[str, Type], ...]
    closed: bool = False


Type = Primitive | Maybe | ListOf | MapOf


@dataclass(frozen=True, slots=True)
class Signature:
    """`(params) -> returns`."""

    params: tuple[tuple[str, Type], ...]
    returns: Type

    def __str__(self) -> str:
        if not self.params:
            return f"-> {render(self.returns)}"
        return f"({_fields(self.params)}) -> {render(self.returns)}"

    def json_schema(self) -> dict[str, Any]:
        """The schema of the result; a list is wrapped as `items` of an object, for models answer with objects."""
        if isinstance(self.returns, ListOf):
            return json_schema(MapOf((("items", self.returns),)))
        return json_schema(self.returns)


def render(kind: Type, *, kebab: bool = False) -> str:
    """The type as it is written in a signature; prompts have `-` for `_`."""
    if isinstance(kind, Primitive):
        return f":{kind.name}"
    if isinstance(kind, Maybe):
        return f"{render(kind.of, kebab=kebab)}?"
    if isinstance(kind, ListOf):
        return f"[{render(kind.of, kebab=kebab)}]"
    return "{" + _fields(kind.fields, kebab=kebab) + "}"


def _fields(fields: tuple[tuple[str, Type], ...], *, kebab: bool = False) -> str:
    shown = [(name.replace("_", "-") if kebab else name, kind) for name, kind in fields]
    return ", ".join(f"{name} {render(kind, kebab=kebab)}" for name, kind in shown)


def parse(text: str) -> Signature:
    """The signature that `text` is; SignatureError says why it is none."""
    return _Parser(text).signature()


class _Parser:
    def __init__(self, text: str):
        self._text = text
        self._tokens: list[str] = []
        at = 0
        body = text.rstrip()
        while at < len(body):
            match = _TOKEN.match(body, at)
            if match is None:
                raise SignatureError(f"cannot read {body[at : at + 20]!r} in the signature")
            self._tokens.append(match.group().strip())
            at = match.end()
        self._at = 0

    def signature(self) -> Signature:
        params: tuple[tuple[str, Type], ...] = ()
        if self._peek() == "(":
            self._take("(")
            params = self._named(")", 0)
            self._take("->")
        returns = self._type(0)
        if self._at < len(self._tokens):
            raise SignatureError(f"unexpected {self._tokens[self._at]!r} after the signature")
        return Signature(params, returns)

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _next(self) -> str:
        token = self._peek()
        if not token:
            raise SignatureError("the signature ends too soon")
        self._at += 1
        return token

    def _take(self, expected: str) -> None:
        token = self._next()
        if token != expected:
            raise SignatureError(f"expected {expected!r}, got {token!r} in the signature")

    def _named(self, closer: str, depth: int) -> tuple[tuple[str, Type], ...]:
        fields: list[tuple[str, Type]] = []
        while self._peek() != closer:
            if fields:
                self._take(",")
            name = self._next()
            if not (name[0].isalpha() or name[0] == "_"):
                raise SignatureError(f"expected a name, got {name!r} in the signature")
            fields.append((name, self._type(depth)))
        self._take(closer)
        return tuple(fields)

    def _type(self, depth: int) -> Type:
        if depth > _DEPTH:
            raise SignatureError(f"types are nested deeper than {_DEPTH} levels")
        token = self._next()
        if token == "[":
            inner = self._type(depth + 1)
            self._take("]")
            return ListOf(inner)
        if token == "{":
            return MapOf(self._named("}", depth + 1))
        name = token[1:].removesuffix("?")
        name = _ALIASES.get(name, name)
        if not token.startswith(":") or name not in PRIMITIVES:
            known = ", ".join(f":{one}" for one in PRIMITIVES)
            raise SignatureError(f"unknown type {token!r}; there are {known}, [T] and {{name T}}")
        return Maybe(Primitive(name)) if token.endswith("?") else Primitive(name)


_SCHEMAS: dict[str, dict[str, Any]] = {
    "string": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "keyword": {"type": "string"},
    "map": {"type": "object"},
    "any": {},
    "datetime": {"type": "string", "format": "date-time"},
}


def json_schema(kind: Type) -> dict[str, Any]:
    """The type as JSON schema; objects allow no other properties."""
    if isinstance(kind, Primitive):
        return dict(_SCHEMAS[kind.name])
    if isinstance(kind, Maybe):
        return json_schema(kind.of)
    if isinstance(kind, ListOf):
        return {"type": "array", "items": json_schema(kind.of)}
    return {
        "type": "object",
        "properties": {name: json_schema(one) for name, one in kind.fields},
        "required": [name for name, one in kind.fields if not isinstance(one, Maybe)],
        "additionalProperties": False,
    }
