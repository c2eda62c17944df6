"""Compares a wanted name with the names on the screen, from exact to alike."""

from __future__ import annotations

import re
import unicodedata
from enum import IntEnum
from functools import lru_cache

from rapidfuzz import fuzz

_MNEMONIC = re.compile(r"\(\s*[&_]?\w\s*\)\s*$|(?<!\w)_(?=\w)|(?<=\w)_(?=\w+$)|&(?=\w)")
_TAIL = re.compile(r"[\s:*.…]+$")
# Signs that people and apps write in different ways.
_SIGNS = str.maketrans("“”„‘’«»×✕÷−–—", '"""\'\'""**/---')
ALIKE = 86
CLOSE, _TOO_SHORT = 60, 4


class Fit(IntEnum):
    """How well a name fits; lower is better. `ALIKE` is never acted upon, only asked about."""

    EXACT = 0
    SAME = 1
    PLAIN = 2
    PREFIX = 3
    WITHIN = 4
    ALIKE = 5
    NONE = 6


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Without case, accents, mnemonics, and what trails a label (colon, star, ellipsis)."""
    text = unicodedata.normalize("NFKD", text.translate(_SIGNS))
    text = "".join(char for char in text if not unicodedata.combining(char)).casefold()
    text = text.replace("ł", "l").replace("ø", "o").replace("đ", "d")
    return " ".join((_TAIL.sub("", text) or text).split())


@lru_cache(maxsize=4096)
def _unmarked(text: str) -> str:
    return plain(_MNEMONIC.sub("", text))


def fit(wanted: str, shown: str) -> Fit:
    """How well the shown name is what is wanted."""
    wanted, shown = " ".join(wanted.split()), " ".join(shown.split())
    if not wanted or not shown:
        return Fit.NONE
    if wanted == shown:
        return Fit.EXACT
    if wanted.casefold() == shown.casefold():
        return Fit.SAME
    want, have = plain(wanted) or wanted, plain(shown)
    if want in (have, _unmarked(shown)):
        return Fit.PLAIN
    if starts_with_words(have, want):
        return Fit.PREFIX
    if has_words(have, want):
        return Fit.WITHIN
    return Fit.ALIKE if len(want) > 3 and fuzz.ratio(want, have) >= ALIKE else Fit.NONE


def starts_with_words(text: str, words: str) -> bool:
    return text.startswith(words) and not (text[len(words) : len(words) + 1].isalnum() and words[-1:].isalnum())


def has_words(text: str, words: str) -> bool:
    """Whether the words stand in the text as whole words: “invoice 7” is not in “invoice 77”."""
    start = text.find(words) if words else -1
    while start >= 0:
        before, after = text[start - 1 : start], text[start + len(words) : start + len(words) + 1]
        if not (before.isalnum() and words[0].isalnum()) and not (after.isalnum() and words[-1].isalnum()):
            return True
        start = text.find(words, start + 1)
    return False


def likeness(wanted: str, shown: str) -> float:
    """0 to 100, for the list of what is near."""
    want, have = plain(wanted), plain(shown)
    if min(len(want), len(have)) < _TOO_SHORT:
        return float(fuzz.ratio(want, have))
    return max(fuzz.ratio(want, have), 0.95 * fuzz.token_set_ratio(want, have), 0.9 * fuzz.partial_ratio(want, have))


def near_texts(wanted: str, texts: tuple[str, ...], most: int = 5) -> tuple[str, ...]:
    """The texts most like the wanted one, best first."""
    scores = {text: likeness(wanted, text) for text in texts if text} if wanted else {}
    best = sorted(scores, key=lambda text: -scores[text])[:most]
    return tuple(text for text in best if scores[text] >= CLOSE)
