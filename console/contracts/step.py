"""The typed result of a run, a program or a mission (PtcRunner `Step`)."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field

from .base import Json, Value

NOT_POSSIBLE = "not_possible"
"""The reason of a program or a mission that could not begin, or with which the console could not go on."""


class StepFail(Value):
    """Why it failed: `reason` is a code a machine can read, `message` a sentence."""

    reason: str
    message: str
    op: str | None = None
    details: dict[str, Json] | None = None


class Usage(Value):
    """Times in milliseconds, memory in bytes (peak).

    `turns` is 0 where a limit was met before the first one. Added to the seed's fields are those that missions report:
    `system_prompt_tokens` (an estimate), `cache_creation_tokens`, `compaction` (what trimming saved), `fallback_used`
    (the value is that of an earlier turn); and `cost_usd`, as far as prices are known.
    """

    duration_ms: int = Field(ge=0)
    memory_bytes: int = Field(ge=0)
    turns: int | None = Field(default=None, ge=0)
    input_tokens: int | None = Field(default=None, ge=0)
    output_tokens: int | None = Field(default=None, ge=0)
    total_tokens: int | None = Field(default=None, ge=0)
    llm_requests: int | None = Field(default=None, ge=0)
    cache_read_tokens: int | None = Field(default=None, ge=0)
    cache_creation_tokens: int | None = Field(default=None, ge=0)
    system_prompt_tokens: int | None = Field(default=None, ge=0)
    compaction: dict[str, Json] | None = None
    fallback_used: bool | None = None
    cost_usd: float | None = Field(default=None, ge=0)
    schema_used: bool | None = None
    schema_bytes: int | None = Field(default=None, ge=0)


class ToolCall(Value):
    """`timestamp` is when it was called, ISO 8601 in UTC. `cached`: the value came from the tool cache.
    `child_trace_id` is that of the program or mission that was called."""

    name: str
    args: dict[str, Json] = Field(default_factory=dict)
    result: Json = None
    error: str | None = None
    timestamp: str
    duration_ms: int = Field(ge=0)
    cached: bool = False
    child_trace_id: str | None = None


class PmapCall(Value):
    type: Literal["pmap", "pcalls"]
    count: int = Field(ge=0)
    child_trace_ids: tuple[str, ...] = ()
    child_steps: tuple[Step, ...] = ()
    timestamp: str
    duration_ms: int = Field(ge=0)
    success_count: int = Field(ge=0)
    error_count: int = Field(ge=0)


class CatalogOp(Value):
    operation: Literal["servers", "apropos", "dir", "doc", "meta"]
    args: dict[str, Json] = Field(default_factory=dict)
    outcome: Literal["ok", "nil_world_fault", "error"]
    reason: str | None = None
    duration_ms: int = Field(ge=0)


class Message(Value):
    role: Literal["system", "user", "assistant"]
    content: str


class Step(Value):
    """Either `return_` (JSON name `return`) is the value and `fail` is None, or `fail` says why there is none."""

    return_: Json = Field(default=None, alias="return")
    fail: StepFail | None = None
    memory: dict[str, Json] = Field(default_factory=dict)
    journal: dict[str, Json] | None = None
    signature: str | None = None
    usage: Usage | None = None
    turns: tuple[dict[str, Json], ...] | None = None
    trace_id: str | None = None
    parent_trace_id: str | None = None
    name: str | None = None
    field_descriptions: dict[str, str] | None = None
    prints: tuple[str, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    pmap_calls: tuple[PmapCall, ...] = ()
    catalog_ops: tuple[CatalogOp, ...] = ()
    child_traces: tuple[str, ...] = ()
    child_steps: tuple[Step, ...] = ()
    messages: tuple[Message, ...] | None = None
    prompt: str | None = None
    original_prompt: str | None = None
    tools: dict[str, Json] | None = None
    summaries: dict[str, str] = Field(default_factory=dict)
    tool_cache: dict[str, Json] = Field(default_factory=dict)

    @classmethod
    def ok(cls, value: Json, memory: dict[str, Json]) -> Self:
        """A successful Step."""
        return cls.model_validate({"return": value, "memory": memory})

    @classmethod
    def error(
        cls,
        reason: str,
        message: str,
        memory: dict[str, Json],
        details: dict[str, Json] | None = None,
        *,
        journal: dict[str, Json] | None = None,
        tool_cache: dict[str, Json] | None = None,
    ) -> Self:
        """A failed Step; the journal and the tool cache survive where they are given."""
        return cls(
            fail=StepFail(reason=reason, message=message, details=details or {}),
            memory=memory,
            journal=journal,
            tool_cache=tool_cache or {},
        )

    def brief(self) -> Self:
        """Without the conversation that each turn repeats."""
        spoken = {"messages", "system_prompt"}
        turns = self.turns and tuple({k: v for k, v in turn.items() if k not in spoken} for turn in self.turns)
        return self.model_copy(update={"turns": turns})

    def pruned(self) -> Self:
        """As the child of another: without what only the reader of its whole conversation needs."""
        told = dict.fromkeys(("messages", "prompt", "original_prompt", "tools"))
        return self.brief().model_copy(update=told)

    def to_json(self) -> dict[str, Any]:
        """Every field under its published name, null where there is nothing; in its children as well."""
        dumped = self.model_dump(mode="json")
        names = [field.alias or name for name, field in type(self).model_fields.items()]
        return {name: dumped.get(name) for name in names} | {
            "child_steps": [child.to_json() for child in self.child_steps]
        }


PmapCall.model_rebuild()
Step.model_rebuild()
