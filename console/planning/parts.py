"""What a planner may need of the rest of the console when it is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from console.contracts.keys import KeySource, NoKeys
from console.resources import resource


def shipped_text(name: str) -> str:
    """The text of a resource, such as ``prompts/decide.md``."""
    return resource(name).read_text(encoding="utf-8")


@dataclass(frozen=True)
class PlannerParts:
    """`keys` holds the keys of services; `text` gives a prompt by its name below `resources/`, or the operator's own
    version of it."""

    keys: KeySource = field(default_factory=NoKeys)
    text: Callable[[str], str] = shipped_text
