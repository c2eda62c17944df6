"""Waiting in one thread for what is awaited on the loop of another."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable
from typing import Any

# How long a call that was told to stop may take to end by itself.
_GRACE = 0.1


class Awaited:
    """The answer of a tool. It is awaited in a task of `loop`; `result` is called by the thread that waits for it."""

    def __init__(self, loop: asyncio.AbstractEventLoop, answer: Awaitable[Any]):
        self._loop = loop
        self._answer = answer
        self._lock = threading.Lock()
        self._task: asyncio.Task[Any] | None = None
        self._stopped = False
        self._ended = threading.Event()

    def result(self, seconds: float) -> Any:
        """What was answered, or what was raised. TimeoutError when that took longer, and the task is cancelled;
        asyncio.CancelledError when somebody cancelled it."""
        self._begin()
        late = not self._ended.wait(max(0.0, seconds))
        if late:
            self.cancel()
            self._ended.wait(_GRACE)  # it may have ended well before it heard of it, and then that is what happened
        task = self._task
        if task is not None and task.done() and not task.cancelled():
            return task.result()
        raise TimeoutError if late else asyncio.CancelledError

    def cancel(self) -> None:
        """Ends it, from any thread; what has not begun never begins."""
        with self._lock:
            self._stopped = True
            begun = self._task is not None
        if not begun:
            self._drop()
            return
        try:
            self._loop.call_soon_threadsafe(self._cancel)
        except RuntimeError:  # the loop is closed, and nothing runs on it any more
            self._ended.set()

    def _begin(self) -> None:
        try:
            self._loop.call_soon_threadsafe(self._start)
        except RuntimeError:
            self.cancel()

    def _start(self) -> None:
        with self._lock:
            if self._stopped:
                return
            self._task = self._loop.create_task(_whole(self._answer))
        self._task.add_done_callback(self._end)

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _end(self, task: asyncio.Task[Any]) -> None:
        if not task.cancelled():
            task.exception()  # it was told to the thread that waits, or nobody waits any more
        self._ended.set()

    def _drop(self) -> None:
        if asyncio.iscoroutine(self._answer):
            self._answer.close()
        self._ended.set()


async def _whole(answer: Awaitable[Any]) -> Any:
    try:
        return await answer
    except SystemExit as error:  # asyncio would end the loop, and with it the host
        raise RuntimeError(f"the tool wanted to exit: {error}") from error
