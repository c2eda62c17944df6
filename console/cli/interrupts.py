"""Ctrl+C and its kin: the first stops in good order, the second at once."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

from .exits import Exit
from .output import Output

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
LET_GO_S = 0.5
LetGo = Callable[[], Coroutine[Any, Any, None]]


@contextlib.asynccontextmanager
async def interrupts(
    stop: Callable[[str], None], let_go: LetGo, output: Output, leave: Callable[[int], object] = os._exit
) -> AsyncIterator[None]:
    """Inside, the first signal calls `stop` with the reason; the second calls `let_go` (which releases every key) and
    leaves the process soon after, whatever still runs."""
    loop = asyncio.get_running_loop()
    seen = 0
    releasing: list[asyncio.Future[None]] = []

    def heard(number: int) -> None:
        nonlocal seen
        seen += 1
        if seen == 1:
            stop("Stopped with Ctrl+C." if number == signal.SIGINT else "Stopped by the system.")
            output.problem("Stopping. Press Ctrl+C again to leave at once.")
        else:
            releasing.append(asyncio.ensure_future(let_go()))
            loop.call_later(LET_GO_S, leave, int(Exit.STOPPED))

    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number in SIGNALS:
        with contextlib.suppress(NotImplementedError):  # Windows has no handlers in the loop
            loop.add_signal_handler(number, heard, number)
    try:
        yield
    finally:
        for number in SIGNALS:
            with contextlib.suppress(NotImplementedError):
                loop.remove_signal_handler(number)
            signal.signal(number, before[number])
