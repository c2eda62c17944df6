"""Tools that answer just as nobody waits any more, and threads that must not be left behind."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest

from console.ptc.lisp import Limits, LispStep, run_async
from console.ptc.lisp.host import Host


def _threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("lisp-")]


async def _all_threads_end() -> None:
    async with asyncio.timeout(3):
        while _threads():
            await asyncio.sleep(0.01)


def _reason(step: LispStep) -> str | None:
    return None if step.fail is None else step.fail.reason


async def test_what_a_tool_did_as_its_time_ended_is_written_down() -> None:
    async def tool(args: dict[str, Any]) -> str:
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            return "done after all"
        return "never"

    step = await run_async("(tool/t)", tools={"t": tool}, limits=Limits(timeout=100))

    assert _reason(step) == "timeout"
    assert [(call.result, call.error) for call in step.tool_calls] == [("done after all", None)]


async def test_a_call_is_written_down_as_it_ended_however_close_the_end_of_the_time_is() -> None:
    for delay in range(40):
        finished = []

        async def tool(args: dict[str, Any], delay: int = delay, finished: list[int] = finished) -> int:
            await asyncio.sleep(0.010 + delay / 4000)
            finished.append(delay)
            return delay

        step = await run_async("(tool/t)", tools={"t": tool}, limits=Limits(timeout=15))
        (call,) = step.tool_calls
        assert (call.error is None) == bool(finished)
    await _all_threads_end()


async def test_a_tool_that_is_called_after_the_end_never_begins() -> None:
    begun = []

    async def tool() -> None:
        begun.append(1)

    host = Host(loop=asyncio.get_running_loop())
    host.cancel_pending()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.to_thread(host.wait_for, tool(), 30)

    await asyncio.sleep(0)
    assert begun == []


async def test_a_loop_that_is_closed_answers_nothing() -> None:
    loop = asyncio.new_event_loop()
    loop.close()

    with pytest.raises(asyncio.CancelledError):
        await asyncio.to_thread(Host(loop=loop).wait_for, asyncio.sleep(30), 30)


def test_a_loop_that_stands_still_is_not_waited_for() -> None:
    loop = asyncio.new_event_loop()
    try:
        with pytest.raises(TimeoutError):
            Host(loop=loop).wait_for(asyncio.sleep(30), 0.05)
        loop.run_until_complete(asyncio.sleep(0))
        assert asyncio.all_tasks(loop) == set()
    finally:
        loop.close()


@pytest.mark.parametrize("error", [SystemExit(3), ValueError("no")])
async def test_a_tool_on_the_loop_of_the_host_ends_nothing_but_its_program(error: BaseException) -> None:
    async def tool(args: dict[str, Any]) -> None:
        raise error

    assert _reason(await run_async("(tool/t)", tools={"t": tool})) == "tool_error"


async def test_a_tool_that_fails_when_nobody_waits_is_no_noise() -> None:
    failed = asyncio.Event()

    async def tool(args: dict[str, Any]) -> None:
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            await asyncio.sleep(0.3)
            failed.set()
            raise ValueError("too late") from None

    step = await run_async("(tool/t)", tools={"t": tool}, limits=Limits(timeout=50))
    await failed.wait()

    assert _reason(step) == "timeout"
    assert step.tool_calls[0].error == "no answer in time"


@pytest.mark.parametrize(
    "source",
    [
        "(tool/t)",
        "(pmap tool/t [{} {} {} {}])",
        "(pcalls tool/t (fn [] (pmap tool/t [{} {}])))",
        "(defn f [n] (if (zero? n) (tool/t) (first (map f [(dec n)])))) (f 200)",
        "(reduce + (map inc (range 1000000000)))",
        "(map (fn [a] (map (fn [b] (map inc (range 900))) (range 900))) (range 900))",
    ],
)
@pytest.mark.parametrize("cancelled", [True, False])
async def test_no_thread_outlives_its_program(source: str, cancelled: bool) -> None:
    tools = {"t": lambda args: asyncio.sleep(30)}
    limits = Limits(timeout=20_000 if cancelled else 150)
    task = asyncio.create_task(run_async(source, tools=tools, limits=limits))
    if cancelled:
        await asyncio.sleep(0.05)
        task.cancel()
    started = time.monotonic()
    await asyncio.wait([task])
    await _all_threads_end()

    assert time.monotonic() - started < 1
