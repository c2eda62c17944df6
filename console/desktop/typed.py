"""Compares what a field shows with what was typed into it, and names what is missing."""

from __future__ import annotations

import unicodedata
from collections import Counter
from difflib import SequenceMatcher

_NAMED = 12
_DETAILED = 4000


def one_kind_of_line(text: str) -> str:
    """Line ends as a single line feed."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def inserted(before: str, after: str) -> str:
    """The part of `after` that is not the common beginning or end of both."""
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return after[start : len(after) - end]


def arrived(text: str, before: str, after: str) -> bool:
    """Whether the text stands in the field now and did not merely stand there before."""
    wanted, was, now = one_kind_of_line(text), one_kind_of_line(before), one_kind_of_line(after)
    if wanted not in now:
        return False
    if now.count(wanted) > was.count(wanted) or now == wanted:
        return True
    return wanted in inserted(was, now)


def missing(text: str, before: str, after: str) -> str:
    """The characters that did not arrive, in order; empty if all are there, though perhaps with others between."""
    if arrived(text, before, after):
        return ""
    wanted = one_kind_of_line(text)
    got = inserted(one_kind_of_line(before), one_kind_of_line(after))
    if len(wanted) > _DETAILED:
        return "".join((Counter(wanted) - Counter(got)).elements())
    steps = SequenceMatcher(None, wanted, got, autojunk=False).get_opcodes()
    return "".join(wanted[a:b] for kind, a, b, _, _ in steps if kind in ("delete", "replace"))


def named(characters: str) -> str:
    """The characters for a sentence: those that cannot be seen by their names."""
    words = [_word(character) for character in characters[:_NAMED]]
    more = len(characters) - _NAMED
    return ", ".join(words) + (f" and {more} more" if more > 0 else "")


def _word(character: str) -> str:
    if character == "\n":
        return "a line break"
    if character.isspace() or unicodedata.category(character).startswith("C"):
        return unicodedata.name(character, "").lower() or f"U+{ord(character):04X}"
    return f"“{character}”"
