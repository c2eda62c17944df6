"""A server as it should be: it keeps notes. On its standard streams, or with `--http` at an address that it prints."""

from __future__ import annotations

import asyncio
import os
import socket
import sys

import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import ToolAnnotations

notes = {"milk": "two litres", "rent": "on the first"}
server = MCPServer("notes", instructions="Keeps short notes.")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def list_notes() -> dict[str, str]:
    """All notes by their title."""
    return notes


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
async def read_note(title: str) -> str:
    """The text of one note."""
    await asyncio.sleep(0.05)
    return notes[title]


@server.tool(annotations=ToolAnnotations(read_only_hint=False, destructive_hint=False))
def add_note(title: str, text: str) -> str:
    """Adds a note."""
    notes[title] = text
    return f"added {title}"


@server.tool(annotations=ToolAnnotations(destructive_hint=True))
def delete_note(title: str) -> str:
    """Deletes a note for ever."""
    del notes[title]
    return f"deleted {title}"


@server.tool()
def stamp(text: str) -> str:
    """Stamps a text. It does not say whether that changes anything."""
    return f"{text} (stamped)"


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def whoami() -> str:
    """What the environment of the server says."""
    return os.environ.get("NOTES_TOKEN", "nobody")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
async def learn(ctx: Context) -> str:
    """Afterwards there is one tool more."""
    server.add_tool(list_notes, name="list_more", description="Learned.")
    await ctx.session.send_tool_list_changed()
    await ctx.notify_tools_changed()
    return "learned"


def serve_http() -> None:
    place = socket.socket()
    place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    place.bind(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 0))
    place.listen()
    sys.stdout.write(f"{place.getsockname()[1]}\n")
    sys.stdout.flush()
    config = uvicorn.Config(server.streamable_http_app(), log_level="critical")
    asyncio.run(uvicorn.Server(config).serve(sockets=[place]))


if __name__ == "__main__":
    if "--http" in sys.argv:
        serve_http()
    else:
        server.run()
