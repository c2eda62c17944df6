"""Strings. Positions count the characters that a person sees."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from ..failure import LispFailure, type_failure
from ..functions import Shelf
from ..graphemes import graphemes, length
from ..patterns import Regex
from ..render import plain, readable
from ..runtime import Runtime
from ..values import Keyword, type_name
from .slices import whole

STRINGS = Shelf("strings")
_KEYWORD = re.compile(r"[A-Za-z_*!?<>=][A-Za-z0-9_*!?<>=+\-]*\Z")


def text_of(value: Any, op: str, position: int = 1) -> str:
    """A string argument."""
    if not isinstance(value, str):
        type_failure(f"{op}: arg {position} expected string, got {type_name(value)}", op)
    return str(value)


def joined(rt: Runtime, parts: list[str], separator: str = "") -> str:
    """The parts as one string, if there is room for it."""
    total = sum(map(len, parts)) + len(separator) * len(parts)
    rt.room_for_text(total)
    return rt.text(separator.join(parts))


@STRINGS("str", "& values", "The values as one text; nil is nothing.")
def _str(rt: Runtime, *values: Any) -> Any:
    if len(values) == 1 and isinstance(values[0], str):
        return values[0]
    return joined(rt, plain_texts(rt, values))


def plain_texts(rt: Runtime, values: Iterable[Any]) -> list[str]:
    """Each value as `str` writes it; every text costs a step, for there may be a million."""
    made = []
    for value in values:
        rt.spend(1)
        made.append(plain(rt, value))
    return made


@STRINGS("pr-str", "& values", "The values as they would be written in a program.")
def _pr_str(rt: Runtime, *values: Any) -> Any:
    return joined(rt, [readable(rt, value) for value in values], " ")


@STRINGS("subs", "s start | s start end", "The characters from start up to but without end.")
def _subs(rt: Runtime, s: Any, start: Any, end: Any = None) -> Any:
    text, first = text_of(s, "subs"), whole(start, "subs", 2)
    last = None if end is None else whole(end, "subs", 3)
    if first < 0:
        return ""
    if last is not None and last < first:
        return ""
    rt.spend(len(text) >> 6)
    return rt.text(text[first:last] if text.isascii() else "".join(graphemes(rt, text)[first:last]))


@STRINGS("join", "coll | separator coll", "The items as one text, with a separator between them.")
def _join(rt: Runtime, *args: Any) -> Any:
    separator = plain(rt, args[0]) if len(args) == 2 else ""
    return joined(rt, plain_texts(rt, rt.seq(args[-1], "join", len(args))), separator)


@STRINGS("split", "s separator", "The parts of a string between separators, which are a string or a regex.")
def _split(rt: Runtime, s: Any, separator: Any) -> Any:
    text = text_of(s, "split")
    rt.spend(len(text) >> 4)
    if isinstance(separator, Regex):
        return rt.vector(split_by(rt, separator, text))
    mark = text_of(separator, "split", 2)
    return rt.vector(text.split(mark) if mark else graphemes(rt, text))


def split_by(rt: Runtime, regex: Regex, text: str) -> list[str]:
    """The parts of `text` between the matches."""
    parts, at = [], 0
    for match in regex.all(rt, text):
        if match.end() > match.start():
            parts.append(text[at : match.start()])
            at = match.end()
        elif at < match.start() < len(text):
            parts.append(text[at : match.start()])
            at = match.start()
    return [*parts, text[at:]]


@STRINGS("split-lines", "s", "The lines of a string, without empty ones at its end.")
def _split_lines(rt: Runtime, s: Any) -> Any:
    text = text_of(s, "split-lines")
    rt.spend(len(text) >> 4)
    lines = text.replace("\r\n", "\n").split("\n")
    while lines and not lines[-1]:
        lines.pop()
    return rt.vector(lines)


def _changed(names: str, doc: str, change: Callable[[str], str]) -> None:
    op = names.split(maxsplit=1)[0]

    @STRINGS(names, "s", doc)
    def make(rt: Runtime, s: Any) -> str:
        text = text_of(s, op)
        rt.spend(len(text) >> 6)
        rt.room_for_text(3 * len(text))
        return rt.text(change(text))


_changed("trim", "The string without space around it.", str.strip)
_changed("triml", "The string without space before it.", str.lstrip)
_changed("trimr", "The string without space after it.", str.rstrip)
_changed("trim-newline", "The string without line ends after it.", lambda s: s.rstrip("\r\n"))
_changed("upcase upper-case", "The string in capitals.", str.upper)
_changed("downcase lower-case", "The string in small letters.", str.lower)


@STRINGS("blank?", "s", "Whether the string is nil, empty or only space.")
def _blank(rt: Runtime, s: Any) -> Any:
    return s is None or not text_of(s, "blank?").strip()


@STRINGS("replace", "s match replacement", "The string with every match replaced; $1 is a group of a regex.")
def _replace(rt: Runtime, s: Any, match: Any, replacement: Any) -> Any:
    text = text_of(s, "replace")
    new = text_of(replacement, "replace", 3)
    rt.spend(len(text) >> 4)
    if isinstance(match, Regex):
        return _replace_matches(rt, text, match, new)
    old = text_of(match, "replace", 2)
    rt.room_for_text(len(text) + text.count(old) * len(new))
    return rt.text(text.replace(old, new))


def _replace_matches(rt: Runtime, text: str, regex: Regex, new: str) -> str:
    parts, at = [], 0
    for match in regex.all(rt, text):
        parts += [text[at : match.start()], _filled(new, match)]
        at = match.end()
    return joined(rt, [*parts, text[at:]])


def _filled(new: str, match: Any) -> str:
    if "$" not in new:
        return new
    groups = (match.group(0), *match.groups())
    return re.sub(r"\$(\d)", lambda m: (groups[int(m[1])] or "") if int(m[1]) < len(groups) else m[0], new)


@STRINGS("starts-with?", "s part", "Whether the string begins with the part.")
def _starts(rt: Runtime, s: Any, part: Any) -> Any:
    return text_of(s, "starts-with?").startswith(text_of(part, "starts-with?", 2))


@STRINGS("ends-with?", "s part", "Whether the string ends with the part.")
def _ends(rt: Runtime, s: Any, part: Any) -> Any:
    return text_of(s, "ends-with?").endswith(text_of(part, "ends-with?", 2))


@STRINGS("includes?", "s part", "Whether the part is in the string.")
def _includes(rt: Runtime, s: Any, part: Any) -> Any:
    return text_of(part, "includes?", 2) in text_of(s, "includes?")


@STRINGS("index-of", "s part | s part from", "Where the part begins, or nil.")
def _index_of(rt: Runtime, s: Any, part: Any, start: Any = 0) -> Any:
    text, sought = text_of(s, "index-of"), text_of(part, "index-of", 2)
    before = _prefix(rt, text, max(0, whole(start, "index-of", 3)))
    if before is None:
        return None
    found = text.find(sought, before)
    return None if found < 0 else length(rt, text[:found])


@STRINGS("last-index-of", "s part | s part from", "Where the last such part begins, not after from; or nil.")
def _last_index_of(rt: Runtime, s: Any, part: Any, start: Any = None) -> Any:
    text, sought = text_of(s, "last-index-of"), text_of(part, "last-index-of", 2)
    last = None if start is None else _prefix(rt, text, max(0, whole(start, "last-index-of", 3)))
    found = text.rfind(sought) if last is None else text.rfind(sought, 0, last + len(sought))
    return None if found < 0 else length(rt, text[:found])


def _prefix(rt: Runtime, text: str, count: int) -> int | None:
    """The code points in the first `count` characters; None where there are not so many."""
    if text.isascii():
        return count if count <= len(text) else None
    parts = graphemes(rt, text)
    return len("".join(parts[:count])) if count <= len(parts) else None


@STRINGS("name", "named", "The name of a keyword, without its colon; a string is its own.")
def _name(rt: Runtime, named: Any) -> Any:
    if isinstance(named, Keyword):
        return named.name
    if isinstance(named, str):
        return named
    return type_failure(f"name not supported on {type_name(named)}", "name")


@STRINGS("keyword", "name", "The keyword of that name.")
def _keyword(rt: Runtime, name: Any) -> Any:
    if name is None or isinstance(name, Keyword):
        return name
    if isinstance(name, float):
        type_failure("keyword: cannot coerce special value or number to a keyword", "keyword")
    if not _KEYWORD.match(text_of(name, "keyword")) or len(name) > 255:
        raise LispFailure("runtime_error", f"keyword: invalid keyword name {name[:60]!r}", op="keyword")
    return Keyword(name)
