"""Reads a goal as a list of instructions."""

from __future__ import annotations

import re
from functools import lru_cache

from rapidfuzz import fuzz, process

from .conditions import condition
from .forms import Form, first
from .models import Instruction, SwitchTo, Unknown, When
from .quoting import HOLE, Reader
from .wordings_flow import APPS, DIALOGS, WAITING
from .wordings_pointer import MENUS, POINTER
from .wordings_text import CHOICES, KEYS_ALONE, READING, TEXT

# The order decides where wordings overlap: the more particular one stands first.
FORMS: tuple[Form, ...] = (*DIALOGS, *WAITING, *MENUS, *POINTER, *TEXT, *APPS, *CHOICES, *READING, *KEYS_ALONE)
_VERBS = (
    "open|launch|start|run|switch|go|navigate|visit|activate|focus|bring|close|quit|exit|click|double-click|"
    "right-click|tap|press|push|put|turn|use|hold|save|paste|undo|redo|"
    "hit|hover|point|drag|scroll|type|enter|write|set|fill|clear|choose|select|pick|tick|untick|check|"
    "uncheck|wait|read|remember(?! it| the answer)|"
    "expect|verify|make sure|ensure|ask|return|maximi[sz]e|minimi[sz]e|confirm|dismiss|accept|if"
)
_THEN = re.compile(r"\s*(?:[,.;]\s*|\s)(?:and\s+)?then\b[,:]?\s*|\s*;\s*|^then\s+", re.IGNORECASE)
_AND = re.compile(
    rf"(?:\s*,\s*and\s+|\s*,\s*|\s+and\s+)(?=(?:{_VERBS})\b)"
    r"|\s*,?\s+followed by\s+(?:pressing\s+)?"
    rf"|(?<=\S)\.\s+(?=(?:{_VERBS}|please|then|finally|next)\b)",
    re.IGNORECASE,
)
_IN_FIRST = re.compile(
    rf"(?P<where>in\s+(?:the\s+)?(?:(?:window|dialog|app|application)\s+)?(?P<name>{HOLE}|(?-i:[A-Z])[^\s,]*(?:\s[^\s,]+)?)"
    r"(?:\s+(?:window|dialog|app|application))?)\s*[,:]\s*(?P<then>.+)",
    re.IGNORECASE | re.DOTALL,
)
_SEVERAL = re.compile(
    r"(?P<verb>click(?: on)?|press|push|tap|tick|untick|check|uncheck)\s+"
    rf"(?P<names>{HOLE}(?:\s*(?:,\s*and|,|and)\s*{HOLE})+)",
    re.IGNORECASE,
)
_CLICKS = re.compile(r"(?:click|press|push|tap|hit|choose|select|pick)\b", re.IGNORECASE)
_MOST_JOINTS = 60
_WHEN = re.compile(r"(?:if|when|once|unless)\b", re.IGNORECASE)
_WHEN_THEN = re.compile(
    r"((?:^|;\s*|\bthen\s+)\W*(?:\d+[.)]\s*)?(?:if|unless)\b[^;\n]*?)\s*,?\s+then\s+", re.IGNORECASE | re.MULTILINE
)
_WHEN_FORM = re.compile(
    r"(?P<word>if|when|once|unless)\s+(?P<what>.+?)\s*[,:]\s*(?P<then>.+)", re.IGNORECASE | re.DOTALL
)
_BULLET = re.compile(r"^\s*(?:[-*•–▪]\s+|\(?\d{1,3}[.)]\s*(?=\D)|step\s+\d+\s*[:.)]\s*)+", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:^|(?<=\s))(\d{1,3})[.)]\s+(?=\S)")
_POLITE = re.compile(
    r"^(?:(?:please|now|first(?:ly)?|next|finally|lastly|after that|afterwards|also|and|kindly|just|could you|"
    r"can you|would you|"
    r"I want you to|you should)\b[,:]?\s+)+",
    re.IGNORECASE,
)
_POLITE_END = re.compile(r"[,\s]+(?:please|for me|thanks|thank you)$", re.IGNORECASE)
_TYPES_FREELY = re.compile(r"(?:type|enter|write|input|insert|set|fill|put|replace)\b", re.IGNORECASE)
_NO_NEAREST = 50


@lru_cache(maxsize=64)
def parse(goal: str) -> tuple[Instruction, ...]:
    """The instructions of the goal in order. Wording that fits no form is an `Unknown`; nothing is ever dropped."""
    reader = Reader.of(goal)
    found: list[Instruction] = []
    for line in _lines(reader):
        found.extend(_line(line, reader))
    return tuple(found)


def _lines(reader: Reader) -> list[str]:
    lines: list[str] = []
    for raw in _WHEN_THEN.sub(r"\1, ", reader.masked).split("\n"):
        if raw.lstrip().startswith("#"):
            continue
        for part in _numbered(raw):
            lines.extend(_THEN.split(_BULLET.sub("", part)))
    return [clean for line in lines if (clean := _clean(line))]


def _numbered(line: str) -> list[str]:
    """Parts the line at “1. … 2. …” if the numbers count up from its beginning."""
    places = list(_NUMBERED.finditer(line))
    if (
        len(places) < 2
        or line[: places[0].start()].strip()
        or [int(hit[1]) for hit in places] != list(range(1, len(places) + 1))
    ):
        return [line]
    ends = [hit.start() for hit in places[1:]] + [len(line)]
    return [line[hit.end() : end] for hit, end in zip(places, ends, strict=True)]


def _clean(line: str) -> str:
    line = _BULLET.sub("", line).strip().strip(",").strip()
    line = _POLITE_END.sub("", _POLITE.sub("", line))
    free = _TYPES_FREELY.match(line) and not line.rstrip(".!").endswith("\x00")
    if not free and not re.search(r"(?:\s|\+)[.!]$", line):
        line = re.sub(r"(?<=[^.])[.!]+$", "", line)
    return line.strip()


def _line(line: str, reader: Reader) -> list[Instruction]:
    """One instruction, or several joined by “and” or a comma if each of them is understood by itself."""
    if _WHEN.match(line):
        return [_when(line, reader) or _one(line, reader)]
    hit = _IN_FIRST.fullmatch(line)
    if hit:
        inside = _line(_clean(hit["then"]), reader)
        name = reader.label(hit["name"])
        return [SwitchTo(source=reader.source(hit["where"]), name=name), *inside]
    return _joined(line, reader)


def _joined(line: str, reader: Reader) -> list[Instruction]:
    """From the end: what follows each joint is read once, so a long line stays cheap."""
    joints = list(_AND.finditer(line))
    joints = joints if len(joints) <= _MOST_JOINTS else []
    starts = [0, *(hit.end() for hit in joints)]
    ends = [*(hit.start() for hit in joints), len(line)]
    readings: list[list[Instruction] | None] = [None] * len(starts)
    for first_part in reversed(range(len(starts))):
        for last_part in range(first_part, len(starts)):
            rest = readings[last_part + 1] if last_part + 1 < len(starts) else []
            text = _clean(line[starts[first_part] : ends[last_part]])
            head = _several_or_one(text, reader) if rest is not None and text else None
            if head is not None and rest is not None and not _one_name(text, rest):
                readings[first_part] = [*head, *rest]
                break
    return readings[0] or [_one(line, reader)]


def _several_or_one(text: str, reader: Reader) -> list[Instruction] | None:
    hit = _SEVERAL.fullmatch(text)
    if hit:
        return [_one(f"{hit['verb']} {hole}", reader) for hole in re.findall(HOLE, hit["names"])]
    found = _known(text, reader)
    return [found] if found else None


def _one_name(text: str, rest: list[Instruction]) -> bool:
    """“click Copy and paste” names one thing, not a click and a shortcut."""
    return bool(rest) and "\x00" not in text and _CLICKS.match(text) is not None and rest[0].source.count(" ") == 0


def _known(line: str, reader: Reader) -> Instruction | None:
    found = first(FORMS, line, reader)
    return found.model_copy(update={"source": reader.source(line)}) if found else None


def _one(line: str, reader: Reader) -> Instruction:
    found = _known(line, reader)
    if found is not None:
        return found
    source = reader.source(line)
    return Unknown(source=source, nearest=nearest(source))


def _when(line: str, reader: Reader) -> Instruction | None:
    hit = _WHEN_FORM.fullmatch(line)
    if hit is None:
        return None
    held = condition(hit["what"], reader)
    then = _known(_clean(hit["then"]), reader)
    if held is None or then is None:
        return None
    if hit["word"].casefold() == "unless":
        held = held.model_copy(update={"negated": not held.negated})
    return When(source=reader.source(line), condition=held, then=then)


def nearest(words: str) -> str:
    """The example of the form that the words are most like."""
    examples = [form.example for form in FORMS]
    same_verb = [
        example for example in examples if example.split()[0].casefold() == (words.split() or [""])[0].casefold()
    ]
    hit = process.extractOne(
        words, same_verb or examples, scorer=fuzz.WRatio, score_cutoff=0 if same_verb else _NO_NEAREST
    )
    return hit[0] if hit else "click “Save”"
