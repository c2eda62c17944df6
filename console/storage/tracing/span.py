"""A span: one thing that took its time in a run, and what happened in it."""

from __future__ import annotations

import hashlib
import re

from console.contracts.base import Value

Attribute = bool | int | float | str
Attributes = dict[str, Attribute]
TRACE_DIGITS, SPAN_DIGITS = 32, 16
_TRACE_ID = re.compile(r"(?!0+$)[0-9a-f]{32}")


class Note(Value):
    """Something that happened at one moment of a span; `at_ms` is Unix time."""

    name: str
    at_ms: int
    attributes: Attributes


class Span(Value):
    """Ids are hex digits, times Unix time in ms. `client` says that it waited for another computer; `failed` is a code
    for why it did not succeed, and `message` the sentence, where sentences may be told."""

    trace_id: str
    span_id: str
    parent_id: str | None
    name: str
    start_ms: int
    end_ms: int
    attributes: Attributes
    notes: tuple[Note, ...] = ()
    client: bool = False
    failed: str | None = None
    message: str = ""


def derived(digits: int, *parts: str) -> str:
    """An id that is the same for the same parts, so that a trace that is sent twice is one trace."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:digits]


def trace_id_of(trace_id: str, run_id: str) -> str:
    """The trace id of a run; where an old one kept none that can be used, one that follows from its name."""
    return trace_id if _TRACE_ID.fullmatch(trace_id) else derived(TRACE_DIGITS, "run", run_id)
