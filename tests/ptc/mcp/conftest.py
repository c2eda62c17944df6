"""Connections to real servers, and a look whether anything is left of them."""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from console.contracts.tool_servers import ToolServer
from console.ptc.mcp import ToolBox
from tests.support.mcp_servers import alive, end


class AsItIs:
    """A resolver for servers without references."""

    secrets: frozenset[str] = frozenset()

    async def resolved(self, server: ToolServer) -> ToolServer:
        return server


@pytest.fixture
def mark() -> Iterator[str]:
    """Fails the test that leaves a process behind. It may take a moment until the kernel has cleared it away."""
    mark = secrets.token_hex(8)
    yield mark
    deadline = time.monotonic() + 1
    while (left := alive(mark)) and time.monotonic() < deadline:
        time.sleep(0.02)
    end(left)
    assert left == []


class Boxes:
    """Makes boxes that are closed when the test is over; `told` is what was said about their servers."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.made: list[ToolBox] = []

    def __call__(self, *servers: ToolServer, patience_s: float = 30, resolver: Any = None) -> ToolBox:
        box = ToolBox(servers, resolver or AsItIs(), self.told.append, patience_s)
        self.made.append(box)
        return box


@pytest.fixture
async def boxes(mark: str) -> AsyncIterator[Boxes]:
    boxes = Boxes()
    yield boxes
    for box in boxes.made:
        await box.close()
