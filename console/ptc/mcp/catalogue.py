"""Answers the discovery forms of a program: which servers there are, what they offer, and how it is called."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from console.ptc.lisp import Found

from .adapter import ServerAdapter
from .plain import sentence
from .tools import ServerTool

_WORD = re.compile(r"[a-z0-9]+")
EXACT, PREFIX, PART = 10, 5, 2
USUAL, MOST_FOUND, USUAL_LISTED, MOST_LISTED = 8, 50, 50, 200
LONGEST_LINE = 160


class Catalogue:
    """Called in the thread of the program; it reads what was last listed and waits for nothing. `names` gives the tool
    of a program for an adapter and its action."""

    def __init__(self, adapters: Sequence[ServerAdapter], names: Mapping[tuple[str, str], str]) -> None:
        self._adapters, self._names = {one.name: one for one in adapters}, names

    def __call__(self, operation: str, args: dict[str, Any]) -> Found:
        match operation:
            case "servers":
                return Found("ok", [self._server(one) for one in self._adapters.values()])
            case "apropos":
                return Found("ok", self._apropos(str(args.get("query", "")), args.get("opts") or {}))
            case "dir":
                return self._dir(str(args.get("server", "")), args.get("opts") or {})
            case "doc" | "meta":
                return self._about(operation, str(args.get("ref", "")))
        return Found("programmer_fault", f"there is no operation {operation}")

    def _server(self, adapter: ServerAdapter) -> dict[str, Any]:
        link = adapter.link
        state = "ready" if link.connected else "failed" if link.problem else "starting"
        shown: dict[str, Any] = {"name": adapter.name, "state": state, "tools": len(link.tools)}
        words = link.about if link.connected else link.problem
        return {**shown, "about": words} if words else shown

    def _apropos(self, query: str, opts: Mapping[str, Any]) -> list[str]:
        words = _WORD.findall(query.lower())[:20]
        ranked = []
        for adapter in self._adapters.values():
            for tool in adapter.link.tools:
                score = _score(words, f"{adapter.name} {tool.name} {tool.ref.description}")
                if score:
                    ranked.append((-score, self._line(adapter, tool)))
        limit = opts.get("limit", USUAL)
        return [line for _, line in sorted(ranked)[: min(int(limit), MOST_FOUND)]]

    def _dir(self, name: str, opts: Mapping[str, Any]) -> Found:
        adapter = self._adapters.get(name)
        if adapter is None:
            return Found("programmer_fault", f"there is no server {name}; there are: {self._known()}")
        if not adapter.link.tools and not adapter.link.connected:
            return Found("world_fault", adapter.link.problem or "the server is still starting")
        first, limit = int(opts.get("offset", 0)), min(int(opts.get("limit", USUAL_LISTED)), MOST_LISTED)
        return Found("ok", [self._line(adapter, tool) for tool in adapter.link.tools[first : first + limit]])

    def _about(self, operation: str, ref: str) -> Found:
        server, _, name = ref.removeprefix("tool/").partition("/")
        adapter = self._adapters.get(server)
        if adapter is None:
            adapter, tool = self._by_program_name(server)
        elif not name:
            shown = self._server(adapter)
            return Found("ok", shown if operation == "meta" else sentence(f"{adapter.name}: {shown['tools']} tools"))
        else:
            tool = next((one for one in adapter.link.tools if name in (one.name, one.ref.action)), None)
        if adapter is None or tool is None:
            if adapter is not None and not adapter.link.connected and not adapter.link.tools:
                return Found("world_fault", adapter.link.problem or "the server is still starting")
            return Found("programmer_fault", f'there is nothing called {ref}; find it with (apropos "words")')
        return Found("ok", self._meta(adapter, tool) if operation == "meta" else self._doc(adapter, tool))

    def _by_program_name(self, name: str) -> tuple[ServerAdapter | None, ServerTool | None]:
        for adapter in self._adapters.values():
            for tool in adapter.link.tools:
                if self._names.get((adapter.name, tool.ref.action)) == name:
                    return adapter, tool
        return None, None

    def _called(self, adapter: ServerAdapter, tool: ServerTool) -> str:
        name = self._names.get((adapter.name, tool.ref.action), f"{adapter.name}-{tool.ref.action}")
        properties = tool.ref.params_schema.get("properties")
        params = " ".join(f":{key} …" for key in properties) if isinstance(properties, dict) else ""
        return f"(tool/{name} {{{params}}})" if params else f"(tool/{name})"

    def _line(self, adapter: ServerAdapter, tool: ServerTool) -> str:
        return sentence(f"{adapter.name}/{tool.ref.action} - {tool.ref.description}", LONGEST_LINE)

    def _doc(self, adapter: ServerAdapter, tool: ServerTool) -> str:
        effect = {"reads": "Changes nothing.", "changes": "Changes something.", "destroys": "May destroy something."}
        words = effect.get(tool.line.effect, "May change something.")
        return f"{adapter.name}/{tool.ref.action}\n{self._called(adapter, tool)}\n{tool.ref.description}\n{words}"

    def _meta(self, adapter: ServerAdapter, tool: ServerTool) -> dict[str, Any]:
        return {
            "name": f"{adapter.name}/{tool.ref.action}",
            "server": adapter.name,
            "call": self._called(adapter, tool),
            "doc": tool.ref.description,
            "effect": tool.line.effect,
            "params": tool.ref.params_schema,
        }

    def _known(self) -> str:
        return ", ".join(self._adapters) or "none"


def _score(words: Sequence[str], text: str) -> int:
    """The best hit of each word: the word itself, its beginning, or a part."""
    tokens = set(_WORD.findall(text.lower()))
    total = 0
    for word in words:
        total += max(
            (EXACT if word == t else PREFIX if t.startswith(word) else PART if word in t else 0 for t in tokens),
            default=0,
        )
    return total
