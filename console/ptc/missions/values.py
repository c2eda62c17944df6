"""Values of the language as JSON, as short text, with other keys, and as numbers of bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..lisp import Keyword, Limits
from ..lisp.convert import internal, json_value
from ..lisp.failure import LispFailure
from ..lisp.host import Host
from ..lisp.meter import Meter
from ..lisp.render import readable
from ..lisp.runtime import Runtime
from ..lisp.values import LispSet


def _runtime() -> Runtime:
    return Runtime(Meter(Limits(), timeout_ms=5000), Host(), {}, None)


def as_value(value: Any) -> Any:
    """A value of the host as the language has it; what it has no word for becomes its text."""
    try:
        return internal(_runtime(), value)
    except LispFailure:
        return str(value)


def as_json(value: Any) -> Any:
    """Any value as JSON."""
    try:
        return json_value(_runtime(), as_value(value))
    except LispFailure as failure:
        return f"#<{failure.reason}>"


def as_text(value: Any) -> str:
    """Any value as a program would write it."""
    try:
        return readable(_runtime(), as_value(value))
    except LispFailure as failure:
        return f"#<{failure.reason}>"


def cut(text: str, limit: int) -> str:
    """`text`, or its beginning and how much of it that is."""
    return text if len(text) <= limit else f"{text[:limit]}... ({limit}/{len(text)} chars)"


def name_of(key: Any) -> str:
    """A key by its name."""
    return key.name if isinstance(key, Keyword) else str(key)


def with_plain_keys(value: Any) -> Any:
    """`value` with `_` for `-` in the keys of all its maps."""
    if isinstance(value, Mapping):
        return {_plain_key(key): with_plain_keys(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return tuple(with_plain_keys(item) for item in value)
    return value


def _plain_key(key: Any) -> Any:
    return name_of(key).replace("-", "_") if isinstance(key, str | Keyword) else key


def size_of(value: Any) -> int:
    """About how many bytes a value takes: those of its JSON."""
    return len(json.dumps(as_json(value), ensure_ascii=False).encode("utf-8", "replace"))


def shortened(value: Any, limit: int) -> Any:
    """`value`, or as much of its beginning as fits into `limit` bytes."""
    if size_of(value) <= limit:
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "replace")[:limit].decode("utf-8", "ignore")
    if isinstance(value, Mapping):
        kept: dict[Any, Any] = {}
        for key, item in value.items():
            limit -= size_of(item) + len(name_of(key)) + 4
            if limit < 0:
                break
            kept[key] = item
        return kept
    if isinstance(value, tuple | list | LispSet):
        items = []
        for item in value:
            limit -= size_of(item) + 2
            if limit < 0:
                break
            items.append(item)
        return tuple(items)
    return cut(as_text(value), limit)
