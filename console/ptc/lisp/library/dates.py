"""Dates and moments from text."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Any

from ..failure import LispFailure
from ..functions import Shelf
from ..runtime import Runtime
from .strings import text_of

DATES = Shelf("dates")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


@DATES("parse", "s", "The date, or the moment with its offset, that the ISO 8601 text is.")
def _parse(rt: Runtime, s: Any) -> Any:
    text = text_of(s, "parse")
    try:
        if _DATE.fullmatch(text):
            return date.fromisoformat(text)
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is not None:
            return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise LispFailure("runtime_error", f"parse: invalid ISO-8601 date/time {text[:60]!r}", op="parse")
