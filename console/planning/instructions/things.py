"""Reads the phrase that names a thing: label, kind, window, ordinal, neighbour."""

from __future__ import annotations

import re

from .kinds import NOUNS
from .models import Relation, Thing
from .quoting import HOLE, Reader

_NOUN = "|".join(re.escape(noun) for noun in NOUNS)
_ARTICLE = re.compile(r"^(?:the|a|an|my|this|that|its)\s+", re.IGNORECASE)
_ORDINAL_WORDS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "last": -1, "only": 0,
}  # fmt: skip
_ORDINAL = re.compile(
    rf"^(?:(?P<word>{'|'.join(_ORDINAL_WORDS)})|(?P<number>\d+)(?:st|nd|rd|th))\s+(?=\S)", re.IGNORECASE
)
_RELATIONS: tuple[tuple[str, Relation], ...] = (
    (
        r"(?:in|on|of|from) the (?:same )?(?:row|line|entry) (?:of|with|for|containing|that (?:has|contains|"
        r"says)|called|named)",
        "row",
    ),
    (rf"(?:in|on|of|from) the row(?=\s+{HOLE})", "row"),
    (r"(?:that is |which is )?(?:next to|beside|alongside|adjacent to)", "row"),
    (r"(?:that is |which is )?(?:to the )?left of", "left"),
    (r"(?:that is |which is )?(?:to the )?right of", "right"),
    (r"(?:that is |which is )?(?:on the )(?:left) of", "left"),
    (r"(?:that is |which is )?(?:below|under|underneath|beneath)", "below"),
    (r"(?:that is |which is )?above", "above"),
    (r"(?:that is |which is )?(?:near|close to)", "near"),
)
_RELATION = tuple(
    (re.compile(rf"^(?P<thing>.*?\S)\s+{words}\s+(?P<anchor>.+)$", re.IGNORECASE), kind) for words, kind in _RELATIONS
)
_BARE_RELATION = tuple((re.compile(rf"^{words}\s+(?P<anchor>.+)$", re.IGNORECASE), kind) for words, kind in _RELATIONS)
_IN_WINDOW = re.compile(
    rf"^(?P<thing>.*?\S)\s+(?:in|of|on|inside|within|from)\s+(?:the\s+)?(?:"
    rf"(?:window|dialog|dialogue|app|application)\s+(?:called\s+|named\s+|titled\s+)?(?P<a>{HOLE}|\S.*)"
    rf"|(?P<b>{HOLE}|\S.*?)\s+(?:window|dialog|dialogue|app|application)"
    rf"|(?P<c>dialog|dialogue|active window|current window|pop-?up))$",
    re.IGNORECASE,
)
_IN_APP = re.compile(rf"^(?P<thing>.*{HOLE}(?:\s+(?:{_NOUN}))?)\s+(?:in|of|on)\s+(?P<app>{HOLE}|[A-Z][\w.+ -]*)$")
_KIND_FIRST = re.compile(
    rf"^(?P<kind>{_NOUN})\s+(?:(?:labell?ed|called|named|titled|with the (?:label|text|name)|that says|for)\s+"
    rf")?(?P<label>{HOLE}|\S.*)$",
    re.IGNORECASE,
)
_KIND_LAST = re.compile(rf"^(?P<label>{HOLE}|\S.*?)\s+(?P<kind>{_NOUN})$", re.IGNORECASE)
_LABELLED = re.compile(
    r"^(?:thing|element|one|control|something)\s+(?:labell?ed|called|named|titled)\s+(?P<label>.+)$", re.IGNORECASE
)
_VALUE_OF = re.compile(r"^(?:value|text|contents?)\s+(?:of|in|from|inside)\s+(?P<rest>.+)$", re.IGNORECASE)
DIALOG = "dialog"


def thing(phrase: str, reader: Reader) -> Thing:
    """The thing that the masked phrase names. Anything names something: at worst a label."""
    phrase = phrase.strip()
    literal = "" if "\x00" in phrase else phrase
    found = _windowed(_without_article(phrase), reader)
    return found.model_copy(update={"literal": literal}) if literal else found


def _without_article(phrase: str) -> str:
    return _ARTICLE.sub("", phrase.strip(), count=1).strip()


def _windowed(phrase: str, reader: Reader) -> Thing:
    hit = _IN_WINDOW.match(phrase)
    if hit:
        inner = _placed(hit["thing"], reader)
        name = hit["a"] or hit["b"]
        window = DIALOG if hit["c"] and "window" not in hit["c"].casefold() else reader.label(name) if name else ""
        return inner.model_copy(update={"window": window})
    hit = _IN_APP.match(phrase)
    if hit:
        return _placed(hit["thing"], reader).model_copy(update={"window": reader.label(hit["app"])})
    return _placed(phrase, reader)


def _placed(phrase: str, reader: Reader) -> Thing:
    """With a neighbour, or without."""
    for pattern, relation in _RELATION:
        hit = pattern.match(phrase)
        if hit:
            inner = _ordinal(_without_article(hit["thing"]), reader)
            return inner.model_copy(update={"relation": relation, "anchor": _anchor(hit["anchor"], reader)})
    for pattern, relation in _BARE_RELATION:
        hit = pattern.match(phrase)
        if hit and reader.quoted(hit["anchor"]):
            return Thing(relation=relation, anchor=_anchor(hit["anchor"], reader))
    return _ordinal(phrase, reader)


def _anchor(phrase: str, reader: Reader) -> str:
    found = _kind_and_label(_without_article(phrase), reader)
    return found.label or reader.label(phrase)


def _ordinal(phrase: str, reader: Reader) -> Thing:
    hit = _ORDINAL.match(phrase)
    if not hit:
        return _kind_and_label(phrase, reader)
    number = _ORDINAL_WORDS[hit["word"].casefold()] if hit["word"] else int(hit["number"])
    rest = phrase[hit.end() :]
    rest = re.sub(r"^(?:one|of the)\s+", "", rest, flags=re.IGNORECASE)
    inner = _kind_and_label(rest, reader)
    return inner.model_copy(update={"ordinal": number or None})


def _kind_and_label(phrase: str, reader: Reader) -> Thing:
    hit = _VALUE_OF.match(phrase)
    if hit:
        return _kind_and_label(_without_article(hit["rest"]), reader)
    if reader.quoted(phrase):
        return Thing(label=reader.label(phrase))
    noun = NOUNS.get(_singular(phrase.casefold()))
    if noun:
        return Thing(kind=noun)
    hit = _LABELLED.match(phrase)
    if hit:
        return Thing(label=reader.label(hit["label"]))
    for pattern in (_KIND_LAST, _KIND_FIRST):
        hit = pattern.match(phrase)
        if hit and (pattern is _KIND_LAST or reader.quoted(hit["label"])):
            return Thing(label=reader.label(hit["label"]), kind=NOUNS[hit["kind"].casefold()])
    hit = _KIND_FIRST.match(phrase)
    if hit:
        return Thing(label=reader.label(hit["label"]), kind=NOUNS[hit["kind"].casefold()])
    return Thing(label=reader.label(phrase))


def _singular(words: str) -> str:
    return words if words in NOUNS else words.removesuffix("s")
