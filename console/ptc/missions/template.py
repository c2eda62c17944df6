"""The text of a mission: `{{x}}` is where a value of the context belongs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..typecheck import find_field
from .errors import MissionError
from .values import as_text, cut

_TAG = re.compile(r"\{\{\s*([#^/]?)\s*([A-Za-z_][A-Za-z0-9_.\-]*|\.)\s*\}\}")
_ABSENT = object()
_INLINE = 20_000


@dataclass(frozen=True, slots=True)
class Section:
    """`{{#x}}…{{/x}}`, or with `inverted` `{{^x}}…{{/x}}`."""

    name: str
    inverted: bool
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Slot:
    """`{{x}}`; `source` is how it was written."""

    name: str
    source: str


Part = str | Slot | Section


def parse(text: str) -> tuple[Part, ...]:
    """The parts of a template; MissionError where a section is not closed."""
    stack: list[tuple[str, bool, list[Part]]] = [("", False, [])]
    at = 0
    for tag in _TAG.finditer(text):
        stack[-1][2].append(text[at : tag.start()])
        at = tag.end()
        sort, name = tag.groups()
        if sort in {"#", "^"}:
            stack.append((name, sort == "^", []))
        elif sort == "/":
            opened, inverted, parts = stack.pop()
            if opened != name:
                raise MissionError(f"{{{{/{name}}}}} closes no section of the prompt", "template_error")
            stack[-1][2].append(Section(opened, inverted, tuple(parts)))
        else:
            stack[-1][2].append(Slot(name, tag.group()))
    if len(stack) > 1:
        raise MissionError(f"the section {stack[-1][0]} of the prompt is not closed", "template_error")
    stack[0][2].append(text[at:])
    return tuple(stack[0][2])


def roots(text: str) -> list[str]:
    """The names of the context that a template reads, without what its sections read of their items."""
    names = [part.name.split(".")[0] for part in parse(text) if not isinstance(part, str)]
    return [name for name in dict.fromkeys(names) if name]


def has_sections(text: str) -> bool:
    """Whether there are parts that only the text mode fills."""
    return any(isinstance(part, Section) or (isinstance(part, Slot) and part.name == ".") for part in parse(text))


def expand(text: str, context: Any) -> str:
    """The text with the values in it; what is missing stays as it was written. Values are never read as templates."""
    return _filled(parse(text), [context])


def referring(text: str, context: Any) -> str:
    """The text with `~{data/x}` where the value would be; where one is missing, the others are written out."""
    parts = parse(text)
    slots = [part for part in parts if isinstance(part, Slot)]
    if any(_find([context], slot.name) is _ABSENT for slot in slots):
        return _filled(parts, [context])
    return "".join(f"~{{data/{part.name}}}" if isinstance(part, Slot) else str(part) for part in parts)


def _filled(parts: Sequence[Part], scopes: list[Any]) -> str:
    made = []
    for part in parts:
        if isinstance(part, str):
            made.append(part)
        elif isinstance(part, Slot):
            value = _find(scopes, part.name)
            made.append(part.source if value is _ABSENT else _shown(value))
        else:
            made.append(_section(part, scopes))
    return "".join(made)


def _section(section: Section, scopes: list[Any]) -> str:
    value = _find(scopes, section.name)
    if value is _ABSENT or value is None or value is False or (isinstance(value, Sequence) and not len(value)):
        return _filled(section.parts, scopes) if section.inverted else ""
    if section.inverted:
        return ""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "".join(_filled(section.parts, [*scopes, item]) for item in value)
    return _filled(section.parts, [*scopes, value])


def _find(scopes: list[Any], path: str) -> Any:
    if path == ".":
        return scopes[-1]
    first, *rest = path.split(".")
    for scope in reversed(scopes):
        value = _field(scope, first)
        if value is not _ABSENT:
            for name in rest:
                value = _field(value, name)
            return value
    return _ABSENT


def _field(value: Any, name: str) -> Any:
    if not isinstance(value, Mapping):
        return _ABSENT
    key = find_field(value, name)
    return value.get(key, _ABSENT)


def _shown(value: Any) -> str:
    return cut(value, _INLINE) if isinstance(value, str) else as_text(value, _INLINE)
