"""The connection to one server: a task of its own opens, keeps and closes it, since the SDK wants one task for all."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Set
from contextlib import AsyncExitStack, suppress
from typing import TYPE_CHECKING, Any, cast

from console import __version__
from console.contracts.errors import ConsoleError
from console.contracts.tool_servers import Resolver, ToolServer

from .child import Child
from .plain import LONGEST_ERROR, hidden, sentence
from .sdk import load_sdk
from .tools import MOST_TOOLS, Hints, ServerTool, described

if TYPE_CHECKING:
    from mcp.client import Client, Transport
    from mcp_types import CallToolResult, Tool

log = logging.getLogger(__name__)
RETRY_S, CLOSING_S, MOST_PAGES = 20.0, 2.5, 100
MEND = "Look at it in Settings, under Tools."
_REFUSALS = {
    401: "so it wants a key in its headers, or another one",
    403: "so what its headers hold does not suffice",
    404: "so nothing is at this address",
    405: "so this address is none of a server of tools",
    429: "so it has been asked too often",
    500: "so it has a fault of its own",
    502: "so what stands behind it does not answer",
    503: "so it is too busy or not ready",
    504: "so what stands behind it does not answer",
}


class Link:
    """`tools` are those last listed, also after the server has ended: the next call starts it once more."""

    def __init__(self, server: ToolServer, adapter: str, resolver: Resolver, tell: Callable[[str], None]) -> None:
        self.server = server
        self.tools: tuple[ServerTool, ...] = ()
        self.problem, self.mend, self.about = "", MEND, ""
        self._adapter, self._resolver, self._tell = adapter, resolver, tell
        self._hints = Hints()
        self._owner: asyncio.Task[None] | None = None
        self._settled, self._leave, self._changed = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._client: Client | None = None
        self._child: Child | None = None
        self._status = 0
        self._given_up = False  # by a call, which says so itself
        self._failed_at: float | None = None
        self._calls: set[asyncio.Task[Any]] = set()

    @property
    def secrets(self) -> Set[str]:
        """What no planner and no sentence may hold."""
        return self._resolver.secrets

    @property
    def absence(self) -> ConsoleError:
        """Why the server is not there, and what to do."""
        return ConsoleError(self.problem or f"The server “{self.server.name}” is not there.", self.mend)

    @property
    def connected(self) -> bool:
        return self._client is not None

    def begin(self) -> None:
        """Connect in the background, unless that is going on or was closed."""
        if (self._owner is None or self._owner.done()) and not self._leave.is_set():
            self._settled.clear()
            self._owner = asyncio.create_task(self._own(), name=f"tools of {self.server.name}")

    async def settled(self) -> None:
        """Until it is known whether the server is there."""
        await self._settled.wait()

    async def call(self, tool: str, arguments: dict[str, Any]) -> CallToolResult:
        """Raises `ConsoleError` with why there is no answer."""
        client, child = await self._ready(), self._child
        seconds = self.server.timeout_s
        # In a task of its own: what the SDK does to take a call back must not hold up the one who gives it up.
        work = asyncio.create_task(client.call_tool(tool, arguments, read_timeout_seconds=seconds))
        self._calls.add(work)
        work.add_done_callback(self._called)
        try:
            done, _ = await asyncio.wait({work}, timeout=seconds + 1)
        except asyncio.CancelledError:
            work.cancel()
            raise
        if not done:
            work.cancel()
            raise self._late()
        error = work.exception() if not work.cancelled() else ConnectionError("the connection was closed")
        if error is None:
            return work.result()
        raise await self._failure(error, client, child) from error

    async def close(self) -> None:
        """End it. A server that does not go by itself is killed."""
        self._leave.set()
        for call in tuple(self._calls):
            call.cancel()
        owner = self._owner
        if owner is None or owner.done():
            return
        if self._client is None:
            owner.cancel()
        await asyncio.wait({owner}, timeout=CLOSING_S)
        if not owner.done():
            owner.cancel()
            if self._child is not None:
                self._child.kill()
            await asyncio.wait({owner}, timeout=CLOSING_S)

    async def _ready(self) -> Client:
        if self._client is None:
            if self._settled.is_set() and self._owner is not None:  # the last connection is on its way out
                await asyncio.wait({self._owner}, timeout=CLOSING_S)
            lately = self._failed_at is not None and time.monotonic() - self._failed_at < RETRY_S
            if self._owner is None or (self._owner.done() and not lately):
                self.begin()
            if self._owner is not None and not self._owner.done():
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._settled.wait(), self.server.timeout_s + CLOSING_S)
        if self._client is None:
            raise self.absence
        return self._client

    async def _own(self) -> None:
        """The whole life of one connection."""
        try:
            await self._serve()
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # noqa: BLE001 - a server may fail in any way, and the run goes on without it
            # One that was there and crashed may be mended by a new start.
            self._failed_at = None if self._settled.is_set() else time.monotonic()
            self.problem = hidden(await self._why(error), self.secrets)
            self.mend = (error.hint if isinstance(error, ConsoleError) else "") or MEND
            if not self._leave.is_set() and not self._given_up:
                log.info("%s", self.problem)
                self._tell(f"{self.problem} {self.mend}")
        finally:
            self._client = None
            self._settled.set()

    async def _serve(self) -> None:
        self._given_up = False
        await asyncio.to_thread(load_sdk)
        server = await self._resolver.resolved(self.server)
        async with AsyncExitStack() as stack:
            async with asyncio.timeout(server.timeout_s):
                client = await stack.enter_async_context(await self._opened(server, stack))
                await self._list(client)
            self._client, self._failed_at, self.problem = client, None, ""
            self.about = hidden(sentence(client.instructions), self.secrets)
            self._settled.set()
            listening = asyncio.create_task(self._listen(client))
            try:
                await self._keep(client)
            finally:
                self._client = None
                listening.cancel()
                await asyncio.wait({listening})

    async def _opened(self, server: ToolServer, stack: AsyncExitStack) -> Client:
        """A client that is about to connect."""
        from mcp.client import Client
        from mcp_types import Implementation

        self._child, self._status = None, 0
        if server.url:
            import httpx2
            from mcp.client.streamable_http import streamable_http_client

            limits = httpx2.Timeout(server.timeout_s, read=max(server.timeout_s, 300))
            hooks = {"response": [self._answered]}
            http = await stack.enter_async_context(
                httpx2.AsyncClient(headers=server.headers, timeout=limits, event_hooks=hooks)
            )
            transport: Transport = streamable_http_client(server.url, http_client=http)
        else:
            self._child = Child(server)
            transport = cast("Transport", self._child)
        return Client(
            transport,
            client_info=Implementation(name="operator-console", version=__version__),
            message_handler=self._heard,
            read_timeout_seconds=server.timeout_s,
            cache=None,
        )

    async def _answered(self, response: Any) -> None:
        """The SDK does not tell with which status a server has refused."""
        self._status = response.status_code

    async def _keep(self, client: Client) -> None:
        """Until it is closed or ends; a changed list is read again."""
        leave, ended = asyncio.create_task(self._leave.wait()), asyncio.create_task(self._ended())
        changed: asyncio.Task[Any] | None = None
        try:
            while not self._leave.is_set():
                changed = asyncio.create_task(self._changed.wait())
                await asyncio.wait({leave, ended, changed}, return_when=asyncio.FIRST_COMPLETED)
                if leave.done():
                    return
                if ended.done():
                    raise ConsoleError(f"The server “{self.server.name}” ended.")
                self._changed.clear()
                with suppress(Exception):  # the old list stays
                    async with asyncio.timeout(self.server.timeout_s):
                        await self._list(client)
        finally:
            for task in (leave, ended, changed):
                if task is not None:
                    task.cancel()

    async def _ended(self) -> None:
        """A server behind an address ends unseen: the next call finds out."""
        await (self._child.ended if self._child is not None else asyncio.Event()).wait()

    async def _list(self, client: Client) -> None:
        """All pages, within limits."""
        found: list[Tool] = []
        cursor: str | None = None
        for _ in range(MOST_PAGES):
            page = await client.list_tools(cursor=cursor)
            found += page.tools
            cursor = page.next_cursor
            if not cursor or len(found) >= MOST_TOOLS:
                break
        self.tools = described(self._adapter, found, self._hints, self.server.cache)

    async def _heard(self, message: Any) -> None:
        """Older servers say by themselves that their list has changed."""
        if getattr(message, "method", "") == "notifications/tools/list_changed":
            self._changed.set()

    async def _listen(self, client: Client) -> None:
        """Newer ones say it to those who listen."""
        from mcp.client.subscriptions import ListenNotSupportedError

        with suppress(ListenNotSupportedError, Exception):
            async with client.listen(tools_list_changed=True) as news:
                async for _ in news:
                    self._changed.set()

    def _called(self, work: asyncio.Task[Any]) -> None:
        """Nobody may be there any more to take what it ended with."""
        self._calls.discard(work)
        if not work.cancelled():
            work.exception()

    def _late(self) -> ConsoleError:
        name, seconds = self.server.name, self.server.timeout_s
        hint = "Whether it took effect is not known. Give it more time in Settings, under Tools, or try another way."
        return ConsoleError(f"“{name}” did not answer within {seconds:g} s.", hint)

    async def _failure(self, error: BaseException, client: Client, child: Child | None) -> ConsoleError:
        """Why a call got no answer. A connection that is gone is given up, and the next call opens a new one."""
        from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT

        code = getattr(error, "code", None)
        if code == REQUEST_TIMEOUT or isinstance(error, TimeoutError):
            return self._late()
        gone = code == CONNECTION_CLOSED or isinstance(error, OSError) or "Session terminated" in str(error)
        if not gone:
            said = _refusal(self._status) or sentence(str(error), LONGEST_ERROR) or type(error).__name__
            told = f"“{self.server.name}” could not do it: {hidden(said, self.secrets)}"
            return ConsoleError(told, "Check the parameters, or try another way.")
        words = ""
        if child is not None:
            await child.settled()
            words = hidden(child.last_words(), self.secrets)
        if self._client is client and self._owner is not None:
            self._client, self._given_up = None, True
            self._owner.cancel()
        hint = "Whether the call took effect is not known. The next call starts the server once more."
        return ConsoleError(f"The server “{self.server.name}” was gone during the call.{words}", hint)

    async def _why(self, error: BaseException) -> str:
        """The sentence for a server that is not there."""
        while isinstance(error, BaseExceptionGroup) and error.exceptions:
            error = error.exceptions[0]
        name, child = self.server.name, self._child
        words = ""
        if child is not None:
            await child.settled()
            words = child.last_words()
        if isinstance(error, TimeoutError):
            return f"The server “{name}” did not answer within {self.server.timeout_s:g} s.{words}"
        if isinstance(error, ConsoleError):
            return error.message + words
        said = _refusal(self._status) or sentence(str(error), 300) or type(error).__name__
        return f"The server “{name}” could not be used: {said.rstrip('.')}.{words}"


def _refusal(status: int) -> str:
    """What the status of an answer means, or nothing if it is no refusal."""
    if status < 400:
        return ""
    return ", ".join(filter(None, (f"it answers {status}", _REFUSALS.get(status, ""))))
