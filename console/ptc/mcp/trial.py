"""Connects to one server, lists its tools, and lets go of it again: for the settings and the doctor."""

from __future__ import annotations

from console.contracts.tool_servers import Resolver, ToolLine, ToolServer

from .link import Link


async def look_at(server: ToolServer, resolver: Resolver) -> tuple[ToolLine, ...]:
    """Its tools. Raises `ConsoleError` with why it cannot be used."""
    link = Link(server, server.name, resolver, lambda text: None)
    try:
        link.begin()
        await link.settled()
        if not link.connected:
            raise link.absence
        return tuple(tool.line for tool in link.tools)
    finally:
        await link.close()
