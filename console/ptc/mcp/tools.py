"""The tools of a server as actions of an adapter: safe names, short words, and what they do to the world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from console.contracts.tool_servers import ToolLine
from console.contracts.view import AdapterActionRef

from .plain import LONGEST_ABOUT, safe_name, schema_within, sentence, unique

if TYPE_CHECKING:
    from mcp_types import Tool

MOST_TOOLS = 1000


@dataclass(frozen=True)
class ServerTool:
    """`name` is what the server calls it. `keys` gives the parameters their own names back, which a program writes with
    hyphens."""

    name: str
    ref: AdapterActionRef
    keys: Mapping[str, str]

    @property
    def line(self) -> ToolLine:
        if not self.ref.mutates_state:
            return ToolLine(name=self.name, about=self.ref.description, effect="reads")
        effect = {True: "destroys", False: "changes", None: "unknown"}[self.ref.destructive]
        return ToolLine.model_validate({"name": self.name, "about": self.ref.description, "effect": effect})

    def arguments(self, params: Mapping[str, Any]) -> dict[str, Any]:
        return {self.keys.get(key, key): value for key, value in params.items()}


class Hints:
    """What a server says its tools do. It may become stricter while a run goes on, never laxer: what was true when the
    operator saw it stays true."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[bool, bool | None]] = {}

    def of(self, tool: Tool) -> tuple[bool, bool | None]:
        """Whether the tool changes something, and whether that may destroy; what is not said counts as a change."""
        given = tool.annotations
        mutates = not (given is not None and given.read_only_hint is True)
        destructive = given.destructive_hint if given is not None and mutates else None
        before = self._seen.get(tool.name)
        if before is not None and before[0]:
            destructive = _stricter(before[1], destructive if mutates else before[1])
            mutates = True
        self._seen[tool.name] = (mutates, destructive)
        return mutates, destructive


def _stricter(one: bool | None, other: bool | None) -> bool | None:
    if True in (one, other):
        return True
    return None if None in (one, other) else False


def described(adapter: str, tools: Sequence[Tool], hints: Hints, cache: Sequence[str] = ()) -> tuple[ServerTool, ...]:
    """In the order of the server, at most a thousand. `cache` names those whose answers last."""
    taken: set[str] = set()
    found = []
    for tool in tools[:MOST_TOOLS]:
        mutates, destructive = hints.of(tool)
        title = tool.title or (tool.annotations.title if tool.annotations else None)
        properties = tool.input_schema.get("properties")
        names = [str(name) for name in properties] if isinstance(properties, dict) else []
        ref = AdapterActionRef(
            adapter=adapter,
            action=unique(safe_name(tool.name), taken),
            params_schema=schema_within(tool.input_schema),
            description=sentence(tool.description or title, LONGEST_ABOUT),
            mutates_state=mutates,
            destructive=destructive,
            returns_data=True,
            cacheable=(tool.name in cache and not mutates) or None,
        )
        keys = {name.replace("-", "_"): name for name in names if "-" in name and name.replace("-", "_") not in names}
        found.append(ServerTool(tool.name, ref, keys))
    return tuple(found)
