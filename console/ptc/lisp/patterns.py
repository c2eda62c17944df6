"""Regular expressions by RE2, whose matching takes time and memory that grow with the text alone.

The `regex` module with a time limit was the other choice: it stops a slow match, but a short pattern of nested counted
repeats makes it take all memory while it compiles. RE2 has no look-around and no back references; they are refused.
At its worst RE2 looks at every instruction of its program for every byte of the text, some 25 ns each; what would take
longer than a quarter of a second is refused, and between two matches the clock is looked at.
"""

from __future__ import annotations

from typing import Any

import re2  # type: ignore[import-untyped]

from .failure import LispFailure
from .limits import PATTERN_BYTES, PATTERN_INPUT, PATTERN_WORK
from .values import Ticker

_MEMORY = 1 << 20


class Regex:
    """A compiled regular expression."""

    __slots__ = ("_compiled", "_size", "source")
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
            self._size = max(1, int(self._compiled.programsize))
        except (re2.error, UnicodeError) as error:
            raise LispFailure("runtime_error", f"invalid regular expression: {_reason(error)}") from None

    @classmethod
    def made(cls, rt: Ticker, source: str) -> Regex:
        """One that a running program makes; it pays for it."""
        rt.spend(100)
        regex = cls(source)
        rt.spend(regex._size >> 3)
        return regex

    def search(self, rt: Ticker, text: str) -> Any:
        """The first match in the part of `text` that is looked at."""
        return self._compiled.search(self._admitted(rt, text))

    def whole(self, rt: Ticker, text: str) -> Any:
        """The match of all of `text`."""
        return self._compiled.fullmatch(self._admitted(rt, text))

    def all(self, rt: Ticker, text: str) -> list[Any]:
        """All matches, from left to right."""
        looked_at = self._admitted(rt, text)
        found = []
        for match in self._compiled.finditer(looked_at):
            found.append(match)
            rt.spend(1 + (self._size * (len(looked_at) - match.end()) >> 14))
        return found

    def _admitted(self, rt: Ticker, text: str) -> str:
        looked_at = text[:PATTERN_INPUT].encode("utf-8", "replace")
        work = self._size * len(looked_at)
        if work > PATTERN_WORK:
            raise LispFailure("runtime_error", "the regular expression is too large for a text of this length")
        rt.spend(1 + (work >> 14))
        return looked_at.decode()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Regex) and other.source == self.source

    def __hash__(self) -> int:
        return hash(("regex", self.source))


def _reason(error: Exception) -> str:
    first = error.args[0] if error.args else error
    return first.decode("utf-8", "replace") if isinstance(first, bytes) else str(first)
