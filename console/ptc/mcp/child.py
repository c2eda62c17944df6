"""The process of a server and its pipes, as a transport of the SDK. It does not outlive its connection."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections import deque
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from console.contracts.errors import ConsoleError
from console.contracts.tool_servers import ToolServer

from .plain import sentence

if TYPE_CHECKING:
    from mcp.shared.message import SessionMessage

log = logging.getLogger(__name__)
LONGEST_LINE = 16 * 1024 * 1024
LONG_LINE = 256 * 1024  # read in a thread from here on
LAST_WORDS, SNIPPET, MOST_NOISE = 5, 300, 1000
GRACE_S, POLL_S = 0.5, 0.01


class Child:
    """Implements the SDK's `Transport`.

    Not its own `stdio_client`: that one waits four seconds for a stubborn server, leaves the children of one that ends
    by itself, and does not tell what it complains of.
    """

    def __init__(self, server: ToolServer) -> None:
        self._server = server
        self.ended = asyncio.Event()
        self.fault = ""
        self.noise = ""
        self._process: asyncio.subprocess.Process | None = None
        self._complaints: deque[str] = deque(maxlen=LAST_WORDS)
        self._tasks: list[asyncio.Task[None]] = []
        self._streams: list[Any] = []

    async def __aenter__(self) -> tuple[Any, Any]:
        """Messages of the server, and those to it. Raises `ConsoleError` if it cannot be started."""
        import anyio

        self._process = process = await self._started()
        inbox, read = anyio.create_memory_object_stream["SessionMessage | Exception"](0)
        write, outbox = anyio.create_memory_object_stream["SessionMessage"](0)
        self._streams = [inbox, read, write, outbox]
        work = (self._read(process, inbox), self._write(process, outbox), self._listen(process))
        self._tasks = [asyncio.create_task(one, name=f"pipe of {self._server.name}") for one in work]
        return read, write

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End it: by closing its input, then by asking, then by force, with all that it has started."""
        process = self._process
        assert process is not None
        try:
            assert process.stdin is not None
            process.stdin.close()
            if not await _gone(process, GRACE_S):
                self.kill(signal.SIGTERM)
                await _gone(process, GRACE_S)
        finally:
            self.kill()
            await _gone(process, GRACE_S)
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            for stream in self._streams:
                stream.close()
            _close_pipes(process)

    def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        """To the whole group of the process."""
        if self._process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, how)

    def last_words(self) -> str:
        """How it ended and what it complained of, for a sentence."""
        code = self._process.returncode if self._process is not None else None
        ended = "" if code is None else f" It ended with code {code}."
        said = sentence(" ".join(self._complaints), SNIPPET)
        noise = f" It wrote “{self.noise}”, which is no message." if self.noise else ""
        return f" {self.fault}".rstrip() + f"{ended}{noise}" + (f" It said: {said}" if said else "")

    async def settled(self) -> None:
        """Until its end is known and its last words are read, if it is about to end."""
        process = self._process
        if process is not None and self.ended.is_set():
            await _gone(process, GRACE_S)
            await asyncio.wait(self._tasks[2:], timeout=GRACE_S)

    async def _started(self) -> asyncio.subprocess.Process:
        from mcp.client.stdio import get_default_environment

        server, pipe = self._server, asyncio.subprocess.PIPE
        try:
            return await asyncio.create_subprocess_exec(
                _at_home(server.command),
                *server.args,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                env=get_default_environment() | server.env,
                cwd=_at_home(server.cwd) or None,
                limit=LONGEST_LINE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise ConsoleError(
                f"“{sentence(server.command, 80)}” could not be started: {why}.",
                "Check the command and its folder in Settings, under Tools.",
            ) from error

    async def _read(self, process: asyncio.subprocess.Process, inbox: Any) -> None:
        import anyio

        assert process.stdout is not None
        noise = 0
        try:
            while line := await process.stdout.readline():
                message = await asyncio.to_thread(_message, line) if len(line) > LONG_LINE else _message(line)
                if message is not None:
                    await inbox.send(message)
                elif line.strip():
                    noise += 1
                    self.noise = self.noise or sentence(line[:SNIPPET].decode(errors="replace"), 80)
                    if noise > MOST_NOISE:
                        self.fault = "It writes what is no message, and does not stop."
                        return
        except ValueError:
            self.fault = f"It sent a message of more than {LONGEST_LINE // 1024 // 1024} MB."
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, ConnectionError):
            return
        finally:
            self.ended.set()
            inbox.close()

    async def _write(self, process: asyncio.subprocess.Process, outbox: Any) -> None:
        assert process.stdin is not None
        try:
            async for given in outbox:
                process.stdin.write(given.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
                await process.stdin.drain()
        except (ConnectionError, OSError, RuntimeError):
            self.ended.set()

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        """Its complaints go to the log, and the last ones into the sentence that says why it failed."""
        assert process.stderr is not None
        while True:
            try:
                line = await process.stderr.readline()
            except ValueError:
                continue
            if not line:
                return
            said = sentence(line[: 8 * SNIPPET].decode(errors="replace"), SNIPPET)
            if said:
                self._complaints.append(said)
                log.info("%s: %s", self._server.name, said)


def _at_home(text: str) -> str:
    """A path that begins with the home of its owner, spelled out; anything else as it is."""
    return str(Path(text).expanduser()) if text.startswith("~") else text


def _message(line: bytes) -> SessionMessage | None:
    import mcp_types
    from mcp.shared.message import SessionMessage

    try:
        return SessionMessage(mcp_types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except (ValueError, RecursionError):
        return None


async def _gone(process: asyncio.subprocess.Process, seconds: float) -> bool:
    """Not `wait()`, which also waits for pipes that others may hold open."""
    deadline = asyncio.get_running_loop().time() + seconds
    while process.returncode is None:
        if asyncio.get_running_loop().time() >= deadline:
            return False
        await asyncio.sleep(POLL_S)
    return True


def _close_pipes(process: asyncio.subprocess.Process) -> None:
    """Nothing public closes them while somebody else holds their other end."""
    transport = getattr(process, "_transport", None)
    if transport is not None:
        with suppress(PermissionError):
            transport.close()
