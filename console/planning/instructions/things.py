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
    (rf"(?:in|on|of|from) (?:the )?row(?=\s+{HOLE})", "row"),
    (r"(?:that is |which is )?(?:next to|beside|alongside|adjacent to)", "row"),
    (r"(?:that is |which is )?(?:to the )?left of", "left"),
    (r"(?:that is |which is )?(?:to the )?right of", "right"),
    (r"(?:that is |which is )?(?:on the )(?:left) of", "left"),
    (r"(?:that is |which is )?(?:below|under|underneath|beneath)", "below"),
    (r"(?:that is |which is )?above", "above"),
    (r"(?:that is |which is )?(?:near|close to)", "near"),
    (rf"(?:of|for)(?=\s+{HOLE}$)", "row"),
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
_IN_APP = re.compile(rf"^(?P<thing>.*{HOLE}(?:\s+(?:{_NOUN}))?)\s+(?:in|on)\s+(?P<app>{HOLE}|[A-Z][\w.+ -]*)$")
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
_NUMBERED = re.compile(rf"^(?P<kind>{_NOUN})\s+(?:number\s+)?(?P<number>[1-9]\d{{0,2}})$", re.IGNORECASE)
# Nouns that are hardly ever a part of a name, behind it and before it.
_CLEAR_LAST = frozenset(
    {"button", "push button", "link", "hyperlink", "checkbox", "check box", "radio button", "tab", "menu item",
     "text field", "field", "combo box", "dropdown", "slider", "icon"}
)  # fmt: skip
_CLEAR_FIRST = frozenset({"button", "push button", "checkbox", "check box", "radio button", "menu item", "text field"})
DIALOG = "dialog"


def thing(phrase: str, reader: Reader) -> Thing:
    """The thing that the masked phrase names: at worst a label. Raises `Unreadable` for a half-quoted one."""
    phrase = phrase.strip()
    literal = "" if "\x00" in phrase else phrase
    found = _windowed(phrase, reader)
    return found.model_copy(update={"literal": literal}) if literal else found


def _bare(phrase: str) -> tuple[str, bool]:
    """Without its article, and whether it had one."""
    rest = _ARTICLE.sub("", phrase.strip(), count=1).strip()
    return rest, rest != phrase.strip()


def _windowed(phrase: str, reader: Reader) -> Thing:
    hit = _IN_WINDOW.match(phrase)
    if hit:
        name = hit["a"] or hit["b"]
        window = DIALOG if hit["c"] and "window" not in hit["c"].casefold() else reader.label(name) if name else ""
        return _placed(hit["thing"], reader).model_copy(update={"window": window})
    hit = _IN_APP.match(phrase)
    if hit and not any(pattern.match(phrase) for pattern, _ in _RELATION):
        return _placed(hit["thing"], reader).model_copy(update={"window": reader.label(hit["app"])})
    return _placed(phrase, reader)


def _placed(phrase: str, reader: Reader) -> Thing:
    """With a neighbour, or without."""
    if _VALUE_OF.match(_bare(phrase)[0]):
        return _counted(phrase, reader)
    for pattern, relation in _RELATION:
        hit = pattern.match(phrase)
        if hit:
            inner = _counted(hit["thing"], reader, related=True)
            return inner.model_copy(update={"relation": relation, "anchor": _anchor(hit["anchor"], reader)})
    for pattern, relation in _BARE_RELATION:
        hit = pattern.match(phrase)
        if hit and reader.quoted(hit["anchor"]):
            return Thing(relation=relation, anchor=_anchor(hit["anchor"], reader))
    return _counted(phrase, reader)


def _anchor(phrase: str, reader: Reader) -> str:
    rest, definite = _bare(phrase)
    return _named(rest, reader, definite=definite).label or reader.label(phrase)


def _counted(phrase: str, reader: Reader, *, related: bool = False) -> Thing:
    """With an ordinal in front, or a number behind as in “row 3”."""
    rest, definite = _bare(phrase)
    hit = _ORDINAL.match(rest)
    if hit:
        number = _ORDINAL_WORDS[hit["word"].casefold()] if hit["word"] else int(hit["number"])
        rest = re.sub(r"^(?:one|of the)\s+", "", rest[hit.end() :], flags=re.IGNORECASE)
        return _named(rest, reader, definite=True).model_copy(update={"ordinal": number or None})
    hit = _NUMBERED.match(rest)
    if hit:
        return Thing(kind=NOUNS[hit["kind"].casefold()], ordinal=int(hit["number"]))
    return _named(rest, reader, definite=definite or related)


def _named(phrase: str, reader: Reader, *, definite: bool) -> Thing:
    """Label and kind. Without an article “New Folder” is a name, not something of the kind folder called “New”."""
    hit = _VALUE_OF.match(phrase)
    if hit:
        rest, _ = _bare(hit["rest"])
        return _named(rest, reader, definite=True)
    if reader.quoted(phrase):
        return Thing(label=reader.label(phrase))
    noun = NOUNS.get(_singular(phrase.casefold()))
    if noun and definite:
        return Thing(kind=noun)
    hit = _LABELLED.match(phrase)
    if hit:
        return Thing(label=reader.label(hit["label"]))
    last, first = _KIND_LAST.match(phrase), _KIND_FIRST.match(phrase)
    for hit, clear in ((last, _CLEAR_LAST), (first, _CLEAR_FIRST)):
        if hit is None or (hit is last and first is not None and reader.quoted(first["label"])):
            continue
        if definite or reader.quoted(hit["label"]) or hit["kind"].casefold() in clear:
            return Thing(label=reader.label(hit["label"]), kind=NOUNS[hit["kind"].casefold()])
    return Thing(label=reader.label(phrase))


def _singular(words: str) -> str:
    return words if words in NOUNS else words.removesuffix("s")
