"""Puts values that were read before into the text of an instruction."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from console.contracts.base import Json

_BRACES = re.compile(r"\$?\{\s*([^{}\n]{1,60}?)\s*\}")
_SPOKEN = re.compile(r"(?:the )?value (?:of )?[“\"']?(.+?)[”\"']?", re.IGNORECASE)


class NoValue(Exception):
    """A value is used that has not been read."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def fill(text: str, values: Mapping[str, Json], names: Collection[str]) -> str:
    """{name}, ${name} and “the value NAME” become the value. Braces around anything else are just braces."""
    spoken = _SPOKEN.fullmatch(text.strip())
    if spoken and spoken[1] in names:
        return _value(spoken[1], values)
    return _BRACES.sub(lambda hit: _value(hit[1], values) if hit[1] in names else hit[0], text)


def _value(name: str, values: Mapping[str, Json]) -> str:
    value = values.get(name)
    if value is None:
        raise NoValue(name)
    return value if isinstance(value, str) else str(value)
