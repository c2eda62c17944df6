"""What a planner of pixels needs of a provider: to send a conversation, and to say what a call means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from console.contracts.model_use import CallPurpose

from ..models.caller import ModelCaller
from ..models.reading import Unreadable
from ..pictures import SentPicture
from .history import Conversation
from .said import Asks, Ends, GivesUp, Said


@dataclass(frozen=True)
class Call:
    """One call of the model. `data` is what the provider wants back with the result."""

    call_id: str
    name: str
    arguments: dict[str, Any]
    data: Any = None


@dataclass(frozen=True)
class Answer:
    """A reply as the wire has it, with its calls and its words."""

    reply: Any
    size: int
    calls: tuple[Call, ...]
    words: str
    cut: bool


class Wire(Protocol):
    """`only_acts` says that the model cannot be asked for anything but actions."""

    only_acts: bool

    async def ask(
        self, caller: ModelCaller, talk: Conversation, rules: str, purpose: CallPurpose, max_output_tokens: int
    ) -> Answer: ...

    def meaning(self, call: Call, picture: SentPicture) -> Said:
        """Raises `Unreadable`."""
        ...


OWN_TOOLS: dict[str, tuple[str, dict[str, Any]]] = {
    "finish": (
        "The goal is reached, and the present picture shows it.",
        {
            "type": "object",
            "properties": {
                "summary": {"type": "string", "description": "what was reached, with the answer if one was asked"}
            },
            "required": ["summary"],
        },
    ),
    "ask_person": (
        "Ask the person one question.",
        {
            "type": "object",
            "properties": {
                "question": {"type": "string"},
                "candidates": {"type": "array", "items": {"type": "string"}, "description": "answers to choose from"},
            },
            "required": ["question"],
        },
    ),
    "give_up": (
        "The goal cannot be reached.",
        {"type": "object", "properties": {"reason": {"type": "string"}}, "required": ["reason"]},
    ),
}
"""The console's own tools beside the computer: name, what it is for, parameters."""


def own_meaning(call: Call) -> Said | None:
    """What a call of one of the console's own tools means; None for another tool."""
    given = call.arguments
    if call.name == "finish":
        return Ends(_words(given, "summary"))
    if call.name == "give_up":
        return GivesUp(_words(given, "reason"))
    if call.name == "ask_person":
        candidates = given.get("candidates")
        listed = tuple(str(one) for one in candidates) if isinstance(candidates, list) else ()
        return Asks(_words(given, "question"), listed)
    return None


def _words(given: dict[str, Any], name: str) -> str:
    words = given.get(name)
    if not isinstance(words, str) or not words.strip():
        raise Unreadable(f"“{name}” is missing.")
    return words.strip()
