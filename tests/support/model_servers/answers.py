"""What a test model may do with a request."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Use:
    """Call a tool. `tool` empty means: the one that the request offers. `cut` ends at the output limit."""

    arguments: dict[str, Any]
    tool: str = ""
    cut: bool = False
    thinking: str = ""
    pause_s: float = 0.0
    more: tuple[tuple[str, dict[str, Any]], ...] = ()


@dataclass(frozen=True)
class Say:
    """Answer in words; `pause_s` between the pieces of a stream."""

    text: str
    cut: bool = False
    pause_s: float = 0.0


@dataclass(frozen=True)
class Refusal:
    """The model refuses, as a finished answer."""

    text: str = "I will not do that."


@dataclass(frozen=True)
class Status:
    """An HTTP error."""

    code: int
    message: str = "no"
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Hang:
    """No answer for so many seconds."""

    seconds: float


@dataclass(frozen=True)
class Broken:
    """The connection ends in the middle of the answer."""

    text: str = "I am about to"


Answer = Use | Say | Refusal | Status | Hang | Broken
