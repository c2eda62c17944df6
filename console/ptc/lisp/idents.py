"""The text under which a program notes something."""

from __future__ import annotations

from typing import Any

from .failure import type_failure
from .render import TextMaker, plain
from .values import Keyword, LispSet, type_name


def ident(rt: TextMaker, value: Any, op: str) -> str:
    """An id as text; nil and collections are none."""
    if value is None or isinstance(value, tuple | dict | LispSet):
        type_failure(f"{op}: id must be a string, got {type_name(value)}", op)
    return note(rt, value)


def note(rt: TextMaker, value: Any) -> str:
    """A value as a note: a keyword goes by its name."""
    return value.name if isinstance(value, Keyword) else plain(rt, value)
