"""What servers say, made harmless: short, without control characters, and within limits."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Set
from typing import Any

from console.contracts.base import Json
from console.core.secrecy import MASK

LONGEST_ABOUT, LONGEST_ERROR = 300, 1500
LARGEST_RESULT, LARGEST_SCHEMA = 64_000, 4000
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_KEPT = frozenset("\n\t")
_SCHEMA_WORDS = ("description", "title", "examples", "$comment", "default")


def without_controls(text: str) -> str:
    """All of the text; what could steer a terminal or turn a line around becomes a space or is dropped."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        " " if c not in _KEPT and unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") else c
        for c in text
        if c not in _TURNING
    )


def sentence(text: str | None, limit: int = LONGEST_ABOUT) -> str:
    """The text on one line, cut."""
    flat = " ".join(without_controls((text or "")[: limit * 8]).split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def hidden(text: str, secrets: Set[str]) -> str:
    """The text with every secret blotted out."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, MASK)
    return text


def cleaned(value: Any) -> Json:
    """JSON whose texts hold no control characters."""
    if isinstance(value, str):
        return without_controls(value)
    if isinstance(value, dict):
        return {without_controls(str(key)): cleaned(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [cleaned(inner) for inner in value]
    return value if isinstance(value, bool | int | float | None) else str(value)


def within(data: Json, limit: int = LARGEST_RESULT) -> Json:
    """The data, or its beginning as text with a note of how much there was."""
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    size = len(text.encode("utf-8", "replace"))
    if size <= limit:
        return data
    kept = text.encode("utf-8", "replace")[:limit].decode("utf-8", "ignore")
    return f"{kept}… (cut: the first {limit} of {size} bytes)"


def schema_within(schema: dict[str, Any], limit: int = LARGEST_SCHEMA) -> dict[str, Json]:
    """The schema of the parameters with short descriptions; where it is too large only with names and types."""
    short = _shortened(schema, 0)
    if _size(short) <= limit:
        return _object(short)
    bare = _shortened(schema, 0, words=False)
    if _size(bare) <= limit:
        return _object(bare)
    properties = schema.get("properties")
    names = [sentence(str(name), 60) for name in properties][:60] if isinstance(properties, dict) else []
    return {"type": "object", "properties": {name: {} for name in names}}


def _size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False))


def _object(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {"type": "object"}


def _shortened(value: Any, depth: int, *, words: bool = True) -> Json:
    if depth > 12:
        return {}
    if isinstance(value, dict):
        return {
            sentence(str(key), 80): _shortened(inner, depth + 1, words=words)
            for key, inner in value.items()
            if words or not (key in _SCHEMA_WORDS and isinstance(inner, str | list))
        }
    if isinstance(value, list):
        return [_shortened(inner, depth + 1, words=words) for inner in value[:50]]
    return sentence(value, 160) if isinstance(value, str) else cleaned(value)


def safe_name(text: str, longest: int = 64) -> str:
    """The text as a name that needs no quotes anywhere."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", text).strip("_")[:longest] or "x"


def unique(name: str, taken: set[str]) -> str:
    """The name, or the name with a number; it is taken from then on."""
    number, found = 1, name
    while found.casefold() in taken:
        number += 1
        found = f"{name}_{number}"
    taken.add(found.casefold())
    return found
