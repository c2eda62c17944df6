"""One turn of a mission: a question to the model and what came of its answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from .values import as_json, json_map

_MOST = 1 << 20  # there are many turns, and what they held is only looked at

TurnKind = Literal["normal", "must_return", "retry"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and what came of it. `value` is the value of the language, or the failure as a map."""

    number: int
    kind: TurnKind
    raw_response: str
    program: str | None
    value: Any
    success: bool
    prints: tuple[str, ...] = ()
    tool_calls: tuple[dict[str, Any], ...] = ()
    memory: dict[str, Any] = field(default_factory=dict)
    messages: tuple[dict[str, Any], ...] = ()
    system_prompt: str = ""

    def after(self, prints: tuple[str, ...], calls: tuple[dict[str, Any], ...], memory: Mapping[str, Any]) -> Turn:
        """The turn with what its program did and what it left behind."""
        return replace(self, prints=prints, tool_calls=calls, memory=dict(memory))

    def to_json(self) -> dict[str, Any]:
        """The turn under its published names."""
        return {
            "number": self.number,
            "type": self.kind,
            "raw_response": self.raw_response,
            "program": self.program,
            "result": as_json(self.value, _MOST),
            "success?": self.success,
            "prints": list(self.prints),
            "tool_calls": [dict(call) for call in self.tool_calls],
            "memory": json_map(self.memory, _MOST),
            "messages": [{name: as_json(value) for name, value in message.items()} for message in self.messages],
            "system_prompt": self.system_prompt,
        }
