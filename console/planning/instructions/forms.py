"""A form: a pattern of wording, what it builds, and an example for the person who missed it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .models import Instruction
from .quoting import Reader, Unreadable

Build = Callable[[re.Match[str], Reader], Instruction | None]


@dataclass(frozen=True)
class Form:
    """`build` may answer None: the pattern fits but the words do not, or are half quoted, so the next form is tried."""

    pattern: re.Pattern[str]
    build: Build
    example: str

    def read(self, line: str, reader: Reader) -> Instruction | None:
        hit = self.pattern.fullmatch(line)
        try:
            return self.build(hit, reader) if hit else None
        except Unreadable:
            return None


def form(pattern: str, build: Build, example: str) -> Form:
    return Form(re.compile(pattern, re.IGNORECASE | re.DOTALL), build, example)


def first(forms: Sequence[Form], line: str, reader: Reader) -> Instruction | None:
    """What the first form that fits makes of the line."""
    for candidate in forms:
        found = candidate.read(line, reader)
        if found is not None:
            return found
    return None


NUMBERS = {
    "once": 1, "twice": 2, "thrice": 3, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8,
    "nine": 9, "ten": 10, "a": 1, "an": 1,
}  # fmt: skip
NUMBER = rf"(?:\d+|{'|'.join(NUMBERS)})"
MOST_TIMES = 100


def count(word: str | None, default: int = 1) -> int:
    """The number that the word says, kept within reason."""
    if not word:
        return default
    found = NUMBERS.get(word.casefold())
    return min(found if found is not None else int(word[:6]), MOST_TIMES)
