"""What `mission.run` is given."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from console.contracts.base import Json, Value


class MissionParams(Value):
    """Limits count for the mission and what it starts in turn."""

    prompt: str = Field(min_length=1, description="what to do or find out; {{name}} stands for a value of context")
    name: str | None = Field(default=None, min_length=1, max_length=80, description="so that later ones can follow it")
    signature: str | None = Field(default=None, description="data and result, such as (n :int) -> {total :int}")
    context: dict[str, Json] = Field(default_factory=dict, description="read as data/name")
    after: str | None = Field(default=None, description="the name of a mission of this run whose result is the data")
    tools: tuple[str, ...] | None = Field(default=None, description="the names of the tools it may use; else all")
    plan: tuple[str | tuple[str, str], ...] = Field(default=(), description="steps to tick off: texts, or [id, text]")
    max_turns: int = Field(default=8, ge=1, le=100)
    retry_turns: int = Field(default=0, ge=0, le=20, description="more turns to put a wrong result right")
    turn_budget: int = Field(default=30, ge=1, le=1000, description="turns of it and of all it starts, together")
    max_depth: int = Field(default=3, ge=1, le=10)
    timeout_s: int | None = Field(default=None, ge=1, le=86_400, description="with the time you take to answer")
    max_tool_calls: int | None = Field(default=None, ge=0, le=10_000)
    memory_limit: int | None = Field(default=1 << 20, ge=1, description="in bytes, for what its programs define")
    memory_strategy: Literal["strict", "rollback"] = "strict"
    completion_mode: Literal["implicit", "explicit"] = "implicit"
    output: Literal["ptc_lisp", "text"] = Field(default="ptc_lisp", description="text: the model calls tools itself")
    compaction: bool = Field(default=True, description="leaves old turns out of what the model reads")
    collect_messages: bool = False
    field_descriptions: dict[str, str] = Field(default_factory=dict)
