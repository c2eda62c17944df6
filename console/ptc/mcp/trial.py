"""Connects to one server, lists its tools, and lets go of it again: for the settings and the doctor."""

from __future__ import annotations

from console.contracts.errors import ConsoleError
from console.contracts.tool_servers import Resolver, ToolLine, ToolServer

from .link import MEND, Link


async def look_at(server: ToolServer, resolver: Resolver) -> tuple[ToolLine, ...]:
    """Its tools. Raises `ConsoleError` with why it cannot be used."""
    link = Link(server, server.name, resolver, lambda text: None)
    try:
        link.begin()
        await link.settled()
        if not link.connected:
            raise ConsoleError(
                link.problem or f"The server “{server.name}” is not there.", "" if link.problem else MEND
            )
        return tuple(tool.line for tool in link.tools)
    finally:
        await link.close()
