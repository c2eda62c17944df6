"""Servers as they should not be: the first argument says in which way."""

from __future__ import annotations

import asyncio
import base64
import io
import os
import signal
import subprocess
import sys
import time

KIND = sys.argv[1] if len(sys.argv) > 1 else ""
if KIND == "crash":
    sys.exit("No licence was found.")
if KIND == "silent":
    time.sleep(600)
if KIND == "garbage":
    while True:
        print("Welcome to the server!", flush=True)
if KIND == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if KIND == "chatty":
    print("Welcome to the server!", flush=True)

from mcp.server.mcpserver import MCPServer  # noqa: E402 - what goes wrong before takes no second to come
from mcp.server.mcpserver.exceptions import ToolError  # noqa: E402
from mcp_types import ImageContent, TextContent, ToolAnnotations  # noqa: E402
from PIL import Image  # noqa: E402

server = MCPServer("odd")
READS = ToolAnnotations(read_only_hint=True)


@server.tool(annotations=READS)
def crash() -> str:
    """Ends the server."""
    print("Out of paper.", file=sys.stderr, flush=True)
    os._exit(7)


@server.tool(annotations=READS)
async def hang() -> str:
    """Never answers."""
    await asyncio.sleep(600)
    return ""


@server.tool(annotations=READS)
def huge() -> str:
    """Answers with three million letters."""
    return "ü" * 3_000_000


@server.tool(annotations=READS)
def giant() -> str:
    """Answers with more than anybody takes."""
    return "x" * 17_000_000


@server.tool(annotations=READS)
def fail() -> str:
    """Says why it cannot do it."""
    raise ToolError("The paper\x1b[31m is red.")


@server.tool(annotations=READS)
def picture() -> list[TextContent | ImageContent]:
    """Answers with a picture."""
    file = io.BytesIO()
    Image.new("RGB", (3, 2)).save(file, "PNG")
    data = base64.b64encode(file.getvalue()).decode()
    return [TextContent(type="text", text="Look:"), ImageContent(type="image", data=data, mime_type="image/png")]


@server.tool(annotations=READS)
def noise() -> str:
    """Writes on the wrong stream before it answers."""
    print("debug: not a message", flush=True)
    return "done"


@server.tool(annotations=READS)
def fork() -> int:
    """Starts a program that would outlive it."""
    return subprocess.Popen(["sleep", "600"]).pid


if KIND == "many":
    for number in range(1000):
        server.add_tool(fail, name=f"tool_{number}", description=f"Does the thing with the number {number}.")

server.run()
while KIND == "stubborn":
    time.sleep(600)
