"""The servers of tools: those of a run, and what the settings and the doctor need of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from console.cli.wiring import ServerProbe, Tell
from console.contracts.tool_servers import ToolLine, ToolServer
from console.storage.keys import Keys
from console.storage.references import References
from console.storage.tool_servers import load_tool_servers, save_tool_servers

if TYPE_CHECKING:
    from console.ptc.mcp import ToolBox

# For the names alone: nobody waits for them.
PATIENCE_S = 20.0


class ToolSetup:
    """Reads the file each time, so that a change of it needs no new start of the console."""

    def __init__(self, keys: Keys) -> None:
        self._resolver = References(keys)

    def box(self, tell: Tell) -> ToolBox:
        """For one run. What is wrong with the file is told at once, what is wrong with a server when it is tried."""
        from console.ptc.mcp import ToolBox

        servers, problems = load_tool_servers()
        for problem in problems:
            tell(problem)
        return ToolBox(servers, self._resolver, tell)

    async def names(self) -> Sequence[str]:
        """What the tools are called in a program, of those servers that are there within some seconds."""
        from console.ptc.desk_tools import tool_names
        from console.ptc.mcp import ToolBox

        box = ToolBox(load_tool_servers()[0], self._resolver, patience_s=PATIENCE_S)
        try:
            await box.wait()
            return [f"tool/{name}" for name in tool_names(box.adapters).values()]
        finally:
            await box.close()

    def load(self) -> tuple[Sequence[ToolServer], Sequence[str]]:
        return load_tool_servers()

    def save(self, servers: Sequence[ToolServer]) -> None:
        save_tool_servers(servers)

    async def test(self, server: ToolServer) -> Sequence[ToolLine]:
        from console.ptc.mcp import look_at

        return await look_at(server, self._resolver)

    def probes(self) -> tuple[Sequence[ServerProbe], Sequence[str]]:
        servers, problems = load_tool_servers()
        return [ServerProbe(one.name, partial(self.test, one) if one.enabled else None) for one in servers], problems
