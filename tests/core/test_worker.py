"""One device, one thread."""

from __future__ import annotations

import asyncio
import threading

from console.core.worker import Worker


async def test_all_calls_run_in_one_thread_that_is_not_the_loop() -> None:
    worker = Worker("device")
    try:
        threads = await asyncio.gather(*(worker.call(threading.get_ident) for _ in range(5)))
        assert len(set(threads)) == 1
        assert threading.get_ident() not in threads
        assert await worker.call(int, "12", base=8) == 10
    finally:
        worker.close()
