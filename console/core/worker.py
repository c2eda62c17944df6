"""One thread for one device: blocking calls are awaited, in order, and never block the loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Worker:
    """Owns one thread. Everything that touches the device is called through it, so the device has one owner."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    async def call(self, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run it in the thread. Cancelling the caller does not interrupt a call that has begun."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, partial(function, *args, **kwargs))

    def close(self) -> None:
        """Drop what is queued and let a call that has begun finish in its own time."""
        self._pool.shutdown(wait=False, cancel_futures=True)
