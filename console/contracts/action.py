"""What all actions share, and the words for them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BeforeValidator, Field

from .base import LenientText, Value

_PLACE = re.compile(r"\{\{\s*([^{}\s]+)\s*\}\}")
LONGEST_PARAMS = 240
Naming = Callable[[str], str]
MouseButton = Literal["left", "middle", "right", "back", "forward"]
Modifier = Literal["ctrl", "shift", "alt", "super"]


def quoted(text: str, limit: int = 60) -> str:
    """The text in quotes, on one line and shortened, for a sentence."""
    flat = " ".join(text.split())
    return f"“{flat if len(flat) <= limit else flat[: limit - 1] + '…'}”"


def tool_words(adapter: str, action: str, params: object) -> str:
    """The call of an adapter, as a person would say it."""
    if (adapter, action) == ("ptc", "run"):
        return "Run a program"
    if (adapter, action) == ("mission", "run"):
        prompt = _filled(params) if isinstance(params, dict) else ""
        return f"Hand over {quoted(prompt)}" if prompt else "Hand over a part of the goal"
    given = ", ".join(f"{name}: {value}" for name, value in params.items()) if isinstance(params, dict) else ""
    return f"{adapter}: {action.replace('_', ' ')}" + (f" {quoted(given, LONGEST_PARAMS)}" if given else "")


def _filled(mission: dict[str, Any]) -> str:
    """The prompt of a mission with the texts and numbers of its context in their places."""
    context = mission.get("context")
    values = context if isinstance(context, dict) else {}

    def value(hit: re.Match[str]) -> str:
        found = values.get(hit[1])
        return str(found) if isinstance(found, str | int | float) else hit[0]

    return _PLACE.sub(value, str(mission.get("prompt") or ""))


def named(*names: str) -> Any:
    """A field that planners call by several names; it is written under its own."""
    return Field(validation_alias=AliasChoices(*names))


class Action(Value):
    """What all actions share. `describe` takes the words for a target id from the caller, who knows the scene."""

    def targets(self) -> tuple[str, ...]:
        """The ids of the elements that the action touches, in order; none for an empty id."""
        target = getattr(self, "target_id", None)
        return (target,) if target else ()

    def describe(self, name: Naming = quoted) -> str:
        return getattr(self, "type", "act").replace("_", " ").capitalize()


def _parse_as(value: object) -> object:
    return value if value in ("text", "float", "int", "html") else "text"


ParseAs = Annotated[Literal["text", "float", "int", "html"], BeforeValidator(_parse_as)]


class CellWrite(Value):
    """One cell of a spreadsheet and what goes into it; numbers are taken as text."""

    cell_ref: str = named("cell_ref", "ref", "cell", "address")
    value: LenientText
