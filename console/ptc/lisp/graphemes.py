"""A string as the characters that a person counts, not as code points."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from .values import Ticker

_JOINER = "\u200d"
_CHUNK = 256


def graphemes(rt: Ticker, text: str) -> Sequence[str]:
    """The characters of `text` as a reader sees them: an accent or a joined emoji is part of what it belongs to."""
    if text.isascii() and "\r\n" not in text:
        return list(text)
    found: list[str] = []
    flags = 0
    for index, char in enumerate(text):
        if index % _CHUNK == 0:
            rt.spend(_CHUNK)
        previous = found[-1] if found else ""
        flag = "\U0001f1e6" <= char <= "\U0001f1ff"
        if previous and (
            _extends(char)
            or (previous[-1] == _JOINER and ord(char) > 0x2000)
            or (previous == "\r" and char == "\n")
            or (flag and flags % 2 == 1)
            or _continues_syllable(previous[-1], char)
        ):
            found[-1] = previous + char
        else:
            found.append(char)
        flags = flags + 1 if flag else 0
    return found


def length(rt: Ticker, text: str) -> int:
    """How many characters a person counts in `text`."""
    return len(text) if text.isascii() and "\r\n" not in text else len(graphemes(rt, text))


def _extends(char: str) -> bool:
    if char < "\u0300":
        return False
    return (
        char == _JOINER
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or "\U000e0020" <= char <= "\U000e007f"
        or unicodedata.category(char) in {"Mn", "Me", "Mc"}
    )


def _continues_syllable(before: str, char: str) -> bool:
    """Korean letters that make one syllable."""
    leading = "\u1100" <= before <= "\u115f"
    if "\u1160" <= char <= "\u11a7":
        return leading or "\u1160" <= before <= "\u11a7" or ("\uac00" <= before <= "\ud7a3" and _open(before))
    return "\u11a8" <= char <= "\u11ff" and ("\u1160" <= before <= "\u11ff" or "\uac00" <= before <= "\ud7a3")


def _open(syllable: str) -> bool:
    return (ord(syllable) - 0xAC00) % 28 == 0
