"""Programs beside an event loop, and programs that are no longer waited for."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest

from console.ptc.lisp import Limits, run, run_async


async def test_the_loop_goes_on_while_a_program_counts() -> None:
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.005)

    ticking = asyncio.create_task(tick())
    step = await run_async("(reduce + (map inc (range 300000)))", limits=Limits(timeout=10_000))
    ticking.cancel()

    assert step.return_ == 300000 * 300001 // 2
    assert ticks > 5


async def test_a_tool_is_awaited_on_the_loop_of_the_host() -> None:
    threads = []

    async def tool(args: dict[str, Any]) -> str:
        await asyncio.sleep(0)
        threads.append(threading.current_thread())
        return "here"

    step = await run_async("(pmap tool/t [{} {}])", tools={"t": tool})

    assert step.return_ == ("here", "here")
    assert set(threads) == {threading.current_thread()}


async def test_a_program_that_is_cancelled_stops_and_so_does_its_tool() -> None:
    ended = asyncio.Event()

    async def tool(args: dict[str, Any]) -> None:
        try:
            await asyncio.sleep(30)
        finally:
            ended.set()

    task = asyncio.create_task(run_async("(tool/t)", tools={"t": tool}, limits=Limits(timeout=20_000)))
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    await asyncio.wait_for(ended.wait(), 2)


async def test_a_tool_that_never_answers_ends_with_the_time_of_the_program() -> None:
    started = time.monotonic()
    step = await run_async(
        "(println 1) (tool/t)", tools={"t": lambda args: asyncio.sleep(30)}, limits=Limits(timeout=200)
    )

    assert step.fail is not None
    assert step.fail.reason == "timeout"
    assert step.prints == ("1",)
    assert step.tool_calls[0].error == "no answer in time"
    assert time.monotonic() - started < 1


@pytest.mark.parametrize("on_loop", [False, True])
async def test_a_tool_that_blocks_is_not_waited_for(on_loop: bool) -> None:
    released = threading.Event()
    options: dict[str, Any] = {
        "tools": {"t": lambda args: released.wait(20)},
        "limits": Limits(timeout=200),
        "journal": {},
    }
    source = '(task "a" 1) (println 1) (tool/t)'
    started = time.monotonic()
    step = await run_async(source, **options) if on_loop else await asyncio.to_thread(run, source, **options)
    took = time.monotonic() - started
    released.set()

    assert step.fail is not None
    assert (step.fail.reason, step.prints, step.journal) == ("timeout", ("1",), {"a": 1})
    assert took < 1.5
