"""Tools of a mission: plain ones, other missions, and the mission itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from console.contracts.step import Step

from ..lisp import Tool, ToolReply
from ..lisp.failure import LispFailure
from .errors import MissionError, Stopped
from .mission import SELF, Mission

Spawn = Callable[["MissionTool", Mapping[str, Any]], Awaitable[Step]]


@dataclass(frozen=True, slots=True)
class MissionTool:
    """A mission that programs call; its arguments are the context of the run. `llm` is used where the mission has none
    of its own, and the caller's where neither has."""

    mission: Mission
    description: str
    llm: Any = None
    cache: bool = False


def as_tool(mission: Mission, *, llm: Any = None, description: str | None = None, cache: bool = False) -> MissionTool:
    """The mission as a tool; it has to be described, because a model chooses it by its description.

    A program waits for its tools, so its `timeout` (and `pmap_timeout`) is the most time that the sub-mission has.
    """
    told = description or mission.description
    if not told:
        raise MissionError("a mission that is a tool needs a description")
    return MissionTool(mission, told, llm, cache)


def llm_tool(prompt: str, *, signature: str, description: str, llm: Any = None, cache: bool = False) -> MissionTool:
    """One question to a model as a tool: the arguments fill the prompt, and the signature says what comes back."""
    asked = Mission(prompt=prompt, signature=signature, output="text", max_turns=2)
    return as_tool(asked, llm=llm, description=description, cache=cache)


def bound_tools(mission: Mission, spawn: Spawn) -> dict[str, Tool]:
    """The tools as programs get them; `spawn` runs a sub-mission. Stopped where a value is no tool."""
    tools = {}
    for name, given in mission.tools.items():
        try:
            tools[name] = _bound(mission, name, given, spawn)
        except LispFailure as failure:
            raise Stopped(failure.reason, failure.message, op=name) from failure
    return tools


def _bound(mission: Mission, name: str, given: Any, spawn: Spawn) -> Tool:
    if isinstance(given, str) and given == SELF:
        told = mission.description or "Runs this mission again on other data."
        return _child(name, MissionTool(mission, told), spawn)
    if isinstance(given, Mission):
        given = as_tool(given)
    if isinstance(given, MissionTool):
        return _child(name, given, spawn)
    if isinstance(given, tuple) and len(given) == 2 and given[1] == "skip":
        given = given[0]
    return Tool.of(name, given)


def _child(name: str, child: MissionTool, spawn: Spawn) -> Tool:
    async def call(args: Mapping[str, Any]) -> ToolReply:
        step = await spawn(child, args)
        pruned = step.pruned()
        if step.fail is not None:
            told = f"{step.fail.reason}: {step.fail.message}"
            return ToolReply(error=told, child_step=pruned, child_trace_id=step.trace_id)
        return ToolReply(step.return_, child_step=pruned, child_trace_id=step.trace_id)

    signature = child.mission.signature
    # Side by side, missions that change things would change them under each other's hands.
    mutates = any(isinstance(tool, Tool) and tool.mutates for tool in child.mission.tools.values())
    return Tool(call, name, signature, child.description, cache=child.cache, mutates=mutates)
