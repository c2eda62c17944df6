"""Regular expressions by RE2, whose matching takes time and memory that grow with the text alone.

The `regex` module with a time limit was the other choice: it stops a slow match, but a short pattern of nested counted
repeats makes it take all memory while it compiles. RE2 has no look-around and no back references; they are refused.
"""

from __future__ import annotations

from typing import Any

import re2  # type: ignore[import-untyped]

from .failure import LispFailure
from .limits import PATTERN_BYTES, PATTERN_INPUT

_MEMORY = 1 << 22


class Regex:
    """A compiled regular expression."""

    __slots__ = ("_compiled", "source")
    type_name = "regex"

    def __init__(self, source: str):
        if len(source.encode("utf-8", "replace")) > PATTERN_BYTES:
            raise LispFailure("runtime_error", f"a regular expression is longer than {PATTERN_BYTES} bytes")
        options = re2.Options()
        options.log_errors = False
        options.max_mem = _MEMORY
        self.source = source
        try:
            self._compiled: Any = re2.compile(source, options)
        except (re2.error, UnicodeError) as error:
            raise LispFailure("runtime_error", f"invalid regular expression: {_reason(error)}") from None

    def search(self, text: str) -> Any:
        """The first match in the part of `text` that is looked at."""
        return self._compiled.search(_looked_at(text))

    def whole(self, text: str) -> Any:
        """The match of all of `text`."""
        return self._compiled.fullmatch(_looked_at(text))

    def all(self, text: str) -> list[Any]:
        """All matches, from left to right."""
        return list(self._compiled.finditer(_looked_at(text)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Regex) and other.source == self.source

    def __hash__(self) -> int:
        return hash(("regex", self.source))


def _looked_at(text: str) -> str:
    return text[:PATTERN_INPUT].encode("utf-8", "replace").decode()


def _reason(error: Exception) -> str:
    first = error.args[0] if error.args else error
    return first.decode("utf-8", "replace") if isinstance(first, bytes) else str(first)
