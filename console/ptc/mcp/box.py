"""All servers of a run: connected together when the run first looks, closed together when it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from console.contracts.tool_servers import Resolver, ToolServer

from .adapter import ServerAdapter
from .link import Link
from .plain import safe_name, unique

PATIENCE_S = 2.0
# Names that other parts of a run answer to.
RESERVED = ("ptc", "mission", "missions", "desktop", "mcp")


class ToolBox:
    """Made for one run; nothing is started before the first look or call. `tell` is given a sentence about a server
    that is not there."""

    def __init__(
        self,
        servers: Sequence[ToolServer],
        resolver: Resolver,
        tell: Callable[[str], None] = lambda text: None,
        patience_s: float = PATIENCE_S,
    ) -> None:
        taken = set(RESERVED)
        self._patience_s = patience_s
        self._until: float | None = None
        self.adapters: tuple[ServerAdapter, ...] = tuple(
            ServerAdapter(name, Link(server, name, resolver, tell), self.wait)
            for server in servers
            if server.enabled
            for name in [unique(safe_name(server.name, 40), taken)]
        )

    @property
    def links(self) -> list[Link]:
        return [adapter.link for adapter in self.adapters]

    def begin(self) -> None:
        """Start them all at once; a second time nothing happens."""
        if self._until is None:
            self._until = asyncio.get_running_loop().time() + self._patience_s
            for link in self.links:
                link.begin()

    async def wait(self) -> None:
        """Until every server is there or has failed, but no longer than the patience for all of them together."""
        self.begin()
        assert self._until is not None
        left = self._until - asyncio.get_running_loop().time()
        if left > 0 and self.links:
            waiting = [asyncio.create_task(link.settled()) for link in self.links]
            try:
                await asyncio.wait(waiting, timeout=left)
            finally:
                for task in waiting:
                    task.cancel()

    async def close(self) -> None:
        """No server is left running."""
        await asyncio.gather(*(link.close() for link in self.links))
