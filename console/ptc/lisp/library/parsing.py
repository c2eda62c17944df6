"""Numbers and truth values from text, and regular expressions. What cannot be read is nil."""

from __future__ import annotations

import re
from typing import Any

from ..failure import type_failure
from ..functions import Shelf
from ..patterns import Regex
from ..runtime import Runtime
from ..values import type_name
from .slices import whole
from .strings import split_by, text_of

PARSING = Shelf("parsing")
REGEXES = Shelf("regex")
_INTEGER = re.compile(r"[+-]?[0-9]{1,4000}")
_FLOAT = re.compile(r"[+-]?(?:[0-9]{1,400}(?:\.[0-9]{0,400})?|\.[0-9]{1,400})(?:[eE][+-]?[0-9]{1,5})?")
_SPECIAL = {
    "Infinity": float("inf"),
    "+Infinity": float("inf"),
    "-Infinity": float("-inf"),
    "NaN": float("nan"),
}


@PARSING("parse-long parse-int", "s", "The whole number that the string is, or nil.")
def _parse_long(rt: Runtime, s: Any) -> Any:
    return int(s) if isinstance(s, str) and _INTEGER.fullmatch(s) else None


@PARSING("parse-double parse-float", "s", "The float that the string is, or nil.")
def _parse_double(rt: Runtime, s: Any) -> Any:
    if not isinstance(s, str):
        return None
    return float(s) if _FLOAT.fullmatch(s) else _SPECIAL.get(s)


@PARSING("parse-boolean", "s", "The truth value that the string is, or nil.")
def _parse_boolean(rt: Runtime, s: Any) -> Any:
    return {"true": True, "false": False}.get(s) if isinstance(s, str) else None


def regex_of(rt: Runtime, value: Any, op: str, position: int = 1) -> Regex:
    """A regular expression, or a string that is one."""
    if isinstance(value, Regex):
        return value
    if isinstance(value, str):
        return Regex.made(rt, value)
    return type_failure(f"{op}: arg {position} expected regex, got {type_name(value)}", op)


def _found(rt: Runtime, match: Any) -> Any:
    """The text of a match; with groups, a vector of the whole and the groups."""
    if match is None:
        return None
    groups = match.groups()
    return rt.vector([match.group(0), *groups]) if groups else rt.text(match.group(0))


@REGEXES("re-pattern", "s", "The regular expression that the string is.")
def _re_pattern(rt: Runtime, s: Any) -> Any:
    return regex_of(rt, s, "re-pattern")


@REGEXES("re-find", "re s", "The first match, or nil.")
def _re_find(rt: Runtime, re_: Any, s: Any) -> Any:
    return _found(rt, regex_of(rt, re_, "re-find").search(rt, text_of(s, "re-find", 2)))


@REGEXES("re-matches", "re s", "The match of the whole string, or nil.")
def _re_matches(rt: Runtime, re_: Any, s: Any) -> Any:
    return _found(rt, regex_of(rt, re_, "re-matches").whole(rt, text_of(s, "re-matches", 2)))


@REGEXES("re-seq", "re s", "All matches.")
def _re_seq(rt: Runtime, re_: Any, s: Any) -> Any:
    matches = regex_of(rt, re_, "re-seq").all(rt, text_of(s, "re-seq", 2))
    rt.spend(len(matches))
    return rt.vector([_found(rt, match) for match in matches])


@REGEXES("re-split", "re s", "The parts of the string between the matches.")
def _re_split(rt: Runtime, re_: Any, s: Any) -> Any:
    parts = split_by(rt, regex_of(rt, re_, "re-split"), text_of(s, "re-split", 2))
    rt.spend(len(parts))
    return rt.vector(parts)


def _group(rt: Runtime, re_: Any, s: Any, group: Any, op: str) -> str | None:
    match = regex_of(rt, re_, op).search(rt, text_of(s, op, 2))
    index = whole(group, op, 3)
    if match is None or not 0 <= index <= len(match.groups()):
        return None
    found = match.group(index)
    return None if found is None else str(found)


@REGEXES("extract", "re s | re s group", "The text of a group, the first one if not said; or nil.")
def _extract(rt: Runtime, re_: Any, s: Any, group: Any = 1) -> Any:
    return _group(rt, re_, s, group, "extract")


@REGEXES("extract-int", "re s | re s group | re s group default", "The whole number in a group, or the default.")
def _extract_int(rt: Runtime, re_: Any, s: Any, group: Any = 1, default: Any = None) -> Any:
    found = _group(rt, re_, s, group, "extract-int")
    number = None if found is None else _parse_long(rt, found)
    return default if number is None else number
