"""The Step of a mission: the contract's, with what a mission knows beyond it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pydantic import Field

from console.contracts.base import Json
from console.contracts.step import Step, ToolCall, Usage

from .values import as_json, json_map

_MOST = 1 << 20  # there are many turns, and what they held is only looked at

TurnKind = Literal["normal", "must_return", "retry"]


class MissionUsage(Usage):
    """`turns` is 0 where a limit was met before the first one. `system_prompt_tokens` is an estimate, `compaction` says
    what trimming saved, and with `fallback_used` the value is that of an earlier turn."""

    turns: int | None = Field(default=None, ge=0)
    system_prompt_tokens: int | None = Field(default=None, ge=0)
    cache_creation_tokens: int | None = Field(default=None, ge=0)
    compaction: dict[str, Json] | None = None
    fallback_used: bool | None = None


class MissionToolCall(ToolCall):
    """`cached`: the value came from the tool cache."""

    cached: bool = False
    child_trace_id: str | None = None


class MissionStep(Step):
    """What `run` gives."""

    usage: MissionUsage | None = None
    tool_calls: tuple[MissionToolCall, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Every field under its published name, in the Steps of the sub-missions as well."""
        return super().to_json() | {"child_steps": [child.to_json() for child in self.child_steps]}

    def pruned(self) -> MissionStep:
        """Without what only the reader of the whole conversation needs."""
        return self.model_copy(update={"messages": None, "prompt": None, "original_prompt": None, "tools": None})


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
