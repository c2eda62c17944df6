"""A child process that is asked one line at a time and answers with lines."""

from __future__ import annotations

import asyncio
import json
import shlex
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

from console.contracts.errors import PlannerError

LONGEST_LINE = 64 * 1024 * 1024
LAST_WORDS, SNIPPET = 5, 200
GRACE_S = 2.0


class Child:
    """Started when it is first asked. A question that is given up ends it, since its answer would be the next one's."""

    def __init__(self, command: str) -> None:
        self._command = command
        self._process: asyncio.subprocess.Process | None = None
        self._complaints: deque[str] = deque(maxlen=LAST_WORDS)
        self._listening: asyncio.Task[None] | None = None
        self._number = 0

    async def ask(self, question: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        """The answers to one question, until the caller has the one that it waits for. Raises `PlannerError`."""
        process = await self._running()
        self._number += 1
        number = self._number
        line = json.dumps({"id": number, **question}, ensure_ascii=False).encode() + b"\n"
        try:
            assert process.stdin is not None
            process.stdin.write(line)
            await process.stdin.drain()
            while True:
                answer = await self._answer(process)
                if answer.get("id") == number:
                    yield answer
        except (BrokenPipeError, ConnectionResetError) as error:
            raise await self._ended(process) from error
        except asyncio.CancelledError:
            await self.close()
            raise

    async def close(self) -> None:
        """End it: first by closing its input, then by force."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), GRACE_S)
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if self._listening is not None:
            await asyncio.wait([self._listening], timeout=GRACE_S)

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is not None and self._process.returncode is None:
            return self._process
        try:
            arguments = shlex.split(self._command)
        except ValueError as error:
            raise PlannerError(
                f"The command of the planner cannot be read: {error}.", "Mend it in Settings."
            ) from error
        if not arguments:
            raise PlannerError("There is no command for the planner.", "Give it in Settings, under Planners.")
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(
                *arguments, stdin=pipe, stdout=pipe, stderr=pipe, limit=LONGEST_LINE, start_new_session=True
            )
        except OSError as error:
            raise PlannerError(
                f"“{arguments[0]}” could not be started: {error.strerror}.", "Check the command."
            ) from error
        self._process = process
        self._listening = asyncio.create_task(self._listen(process), name="what the planner complains of")
        return process

    async def _answer(self, process: asyncio.subprocess.Process) -> dict[str, Any]:
        assert process.stdout is not None
        try:
            line = await process.stdout.readline()
        except ValueError as error:
            raise PlannerError("The planner's answer is too long.", f"At most {LONGEST_LINE} bytes a line.") from error
        if not line:
            raise await self._ended(process)
        try:
            answer = json.loads(line)
        except ValueError as error:
            said = line.decode(errors="replace").strip()[:SNIPPET]
            raise PlannerError(
                f"The planner's answer is no JSON: {said}", "It has to answer in lines of JSON."
            ) from error
        if not isinstance(answer, dict):
            raise PlannerError("The planner's answer is no object.", "It has to answer with one JSON object a line.")
        return answer

    async def _ended(self, process: asyncio.subprocess.Process) -> PlannerError:
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), GRACE_S)
        if self._listening is not None:
            await asyncio.wait([self._listening], timeout=GRACE_S)
        self._process = None
        words = " ".join(self._complaints)[-SNIPPET:]
        return PlannerError(
            f"The planner ended (code {process.returncode}). {words}".strip(), "Start it on a terminal to see why."
        )

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        """Its last complaints are told when it ends."""
        assert process.stderr is not None
        while True:
            try:
                line = await process.stderr.readline()
            except ValueError:
                continue
            if not line:
                return
            self._complaints.append(line.decode(errors="replace").strip())
