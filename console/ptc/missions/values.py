"""Values of the language as JSON, as short text, with other keys, and as numbers of bytes.

A small program can make a value whose parts are shared, and which is enormous when it is written out. So every walk
here has an end: it stops, and says so, after as many items as its reader could use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..lisp import Keyword
from ..lisp.convert import internal, json_value
from ..lisp.failure import LispFailure
from ..lisp.render import readable
from ..lisp.values import Boxed, LispSet

MOST_ITEMS = 250_000
MOST_BYTES = 32 << 20
_ITEM_BYTES = 8


class _Gauge:
    """Ends a walk after so many items."""

    def __init__(self, items: int):
        self._left = items

    def spend(self, steps: int) -> None:
        """Time is no matter here: it follows from the items."""

    def visit(self, items: int) -> None:
        self._left -= items
        if self._left < 0:
            raise LispFailure("memory_exceeded", "the value is too large to be written out")

    def room_for_text(self, length: int) -> None:
        """Neither is the length of a text, for the same reason."""


def as_value(value: Any) -> Any:
    """A value of the host as the language has it; what it has no word for becomes its text."""
    try:
        return internal(_Gauge(MOST_ITEMS), value)
    except LispFailure as failure:
        return _mark(failure) if failure.reason != "type_error" else str(value)


def as_json(value: Any, most: int = MOST_BYTES) -> Any:
    """Any value as JSON; one of more than so many bytes is only named."""
    try:
        if is_too_large(value, most):
            _Gauge(0).visit(1)
        return json_value(_Gauge(MOST_ITEMS), internal(_Gauge(MOST_ITEMS), value))
    except LispFailure as failure:
        return _mark(failure) if failure.reason != "type_error" else str(value)


def json_map(values: Mapping[Any, Any], most: int = MOST_BYTES) -> dict[str, Any]:
    """Named values as JSON; where they take more than so many bytes together, only their names."""
    if is_too_large(values, most):
        return dict.fromkeys(map(name_of, values), "#<memory_exceeded>")
    return {name_of(name): as_json(value) for name, value in values.items()}


def as_text(value: Any, limit: int) -> str:
    """Any value as a program would write it, but no more than `limit` letters of that."""
    part = _Part(limit + 1)
    beginning = part.of(value)
    try:
        text = readable(_Gauge(MOST_ITEMS), as_value(beginning))
    except LispFailure as failure:
        return _mark(failure)
    return f"{text[:limit]}... (cut)" if part.spent else cut(text, limit)


def _mark(failure: LispFailure) -> str:
    return f"#<{failure.reason}>"


class _Part:
    """The beginning of a value, of as many items and letters as there is room for."""

    def __init__(self, room: int):
        self._room = room
        self.spent = False

    def of(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, Mapping):
            return {key: self.of(value[key]) for key in self._whole(iter(value))}
        if isinstance(value, tuple | list):
            return tuple(self.of(item) for item in self._taken(iter(value)))
        if isinstance(value, LispSet):
            return LispSet(self._whole(iter(value.keys)))
        self._room -= size_of(value, self._room)
        return value

    def _text(self, text: str) -> str:
        if len(text) > self._room + 1:
            # One letter more than there is room for: whoever cuts the text sees that there was more.
            text = text[: self._room + 2]
            self.spent = True
        self._room -= len(text)
        return text

    def _whole(self, keys: Iterator[Any]) -> Iterator[Any]:
        """Keys are not shortened, for two of them could become one."""
        for key in self._taken(keys):
            self._room -= size_of(key, max(0, self._room))
            yield key

    def _taken(self, items: Iterator[Any]) -> Iterator[Any]:
        for item in items:
            if self._room <= 0:
                self.spent = True
                return
            self._room -= 1
            yield item


def cleaned(value: Any) -> Any:
    """JSON without halves of letters, which JSON can name and UTF-8 cannot write."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {cleaned(name): cleaned(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [cleaned(item) for item in value]
    return value


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


def is_too_large(value: Any, most: int = MOST_BYTES) -> bool:
    """Whether a value has more items, or more bytes, than a Step can hold."""
    items = MOST_ITEMS * _ITEM_BYTES
    return size_of(value, items, text=False) > items or size_of(value, most) > most


def size_of(value: Any, limit: int, *, text: bool = True) -> int:
    """About how many bytes a value takes, written out; anything above `limit` where it is more than that."""
    total = 0
    pending = [value]
    while pending and total <= limit:
        one = pending.pop()
        total += _ITEM_BYTES
        if isinstance(one, str):
            total += len(one.encode("utf-8", "replace")) if text else 0
        elif isinstance(one, int):
            total += one.bit_length() // 3
        elif isinstance(one, Mapping):
            pending += one.keys()
            pending += one.values()
        elif isinstance(one, tuple | list):
            pending += one
        elif isinstance(one, LispSet):
            pending += one.keys
        elif isinstance(one, Boxed):
            pending.append(one.value)
    return total


def shortened(value: Any, limit: int) -> Any:
    """`value`, or as much of its beginning as fits into `limit` bytes."""
    if size_of(value, limit) <= limit:
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "replace")[:limit].decode("utf-8", "ignore")
    if isinstance(value, Mapping):
        kept: dict[Any, Any] = {}
        for key, item in value.items():
            limit -= size_of(item, limit) + size_of(key, limit)
            if limit < 0:
                break
            kept[key] = item
        return kept
    if isinstance(value, tuple | list | LispSet):
        items = []
        for item in value:
            limit -= size_of(item, limit)
            if limit < 0:
                break
            items.append(item)
        return tuple(items)
    return as_text(value, limit)
