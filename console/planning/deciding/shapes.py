"""A JSON schema in one line, for models: names, types and what they are for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

DEEPEST = 3


def shape(schema: Mapping[str, Any], *, told: bool = True) -> str:
    """`{name: string (what it is for), [count]: integer}`; what may be left out stands in brackets. `told` says whether
    it says what they are for."""
    definitions = schema.get("$defs")
    return _Shape(definitions if isinstance(definitions, Mapping) else {}, told=told).of(schema, 0)


class _Shape:
    def __init__(self, definitions: Mapping[str, Any], *, told: bool) -> None:
        self._definitions = definitions
        self._told = told

    def of(self, given: object, depth: int) -> str:
        if not isinstance(given, Mapping) or depth > DEEPEST:
            return "any"
        schema = self._followed(given)
        choices = schema.get("anyOf") or schema.get("oneOf")
        if isinstance(choices, list):
            kinds = [self.of(one, depth + 1) for one in choices if not _is_null(one)]
            return "|".join(dict.fromkeys(kinds)) or "any"
        if isinstance(schema.get("enum"), list):
            return "|".join(json.dumps(one, ensure_ascii=False) for one in schema["enum"])
        if "const" in schema:
            return json.dumps(schema["const"], ensure_ascii=False)
        kind = schema.get("type")
        if isinstance(kind, list):
            return "|".join(str(one) for one in kind if one != "null")
        if kind == "array":
            return f"[{self.of(schema.get('items'), depth + 1)}]"
        if kind == "object" or "properties" in schema:
            return self._object(schema, depth)
        return str(kind or "any")

    def _object(self, schema: Mapping[str, Any], depth: int) -> str:
        fields, needed = schema.get("properties"), schema.get("required")
        if not isinstance(fields, Mapping) or not fields:
            return "object" if depth else "{}"
        required = needed if isinstance(needed, list) else []
        parts = []
        for name, field in fields.items():
            word = name if name in required else f"[{name}]"
            words = field.get("description") if isinstance(field, Mapping) and self._told else None
            parts.append(
                f"{word}: {self.of(field, depth + 1)}" + (f" ({' '.join(str(words).split())})" if words else "")
            )
        return "{" + ", ".join(parts) + "}"

    def _followed(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a reference stands for."""
        name = str(schema.get("$ref", "")).rpartition("/")[2]
        found = self._definitions.get(name) if name else None
        return found if isinstance(found, Mapping) else schema


def _is_null(schema: object) -> bool:
    return isinstance(schema, Mapping) and schema.get("type") == "null"
