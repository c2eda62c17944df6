"""The operator's hand on a run: pause, go on, one step, stop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext

from .clock import Clock, Stopwatch, SystemClock

Listener = Callable[[], None]
Holding = Callable[[str], AbstractAsyncContextManager[None]]
ONE_STEP = "One step at a time."


class RunControl:
    """Used from the loop of the run. `on_change` is called after every change of what it says."""

    def __init__(self, clock: Clock | None = None) -> None:
        self.watch = Stopwatch(clock or SystemClock())
        self.paused = False
        self.pause_reason = ""
        self.stop_reason: str | None = None
        self.waiting_for_operator = False
        self._single = False
        self._go = asyncio.Event()
        self._go.set()
        self._cancel: Callable[[], object] | None = None
        self._listeners: list[Listener] = []
        self._holding: Holding = lambda reason: nullcontext()

    @property
    def stopping(self) -> bool:
        return self.stop_reason is not None

    @property
    def single_step(self) -> bool:
        return self._single

    def on_change(self, listener: Listener) -> None:
        self._listeners.append(listener)

    def on_hold(self, holding: Holding) -> None:
        """`holding` is entered with the reason where the run holds, and left where it goes on."""
        self._holding = holding

    def bind(self, cancel: Callable[[], object], clock: Clock, already_ms: int) -> None:
        """The run says how it is cancelled; its time starts now."""
        self.watch = Stopwatch(clock, already_ms)
        self._cancel = cancel
        if self.stopping:
            cancel()

    def pause(self, reason: str = "") -> None:
        if self.paused or self.stopping:
            return
        self.paused, self.pause_reason = True, reason
        self._go.clear()
        self._changed()

    def resume(self) -> None:
        """Go on, without stopping after each step."""
        self._single = False
        self._let_go()

    def step_once(self) -> None:
        """Do one step, then pause again."""
        self._single = True
        self._let_go()

    def stop(self, reason: str = "Stopped by you.") -> None:
        """End the run now. The second call does nothing."""
        if self.stopping:
            return
        self.stop_reason = reason
        self._go.set()
        self._changed()
        if self._cancel is not None:
            self._cancel()

    async def gate(self) -> None:
        """Wait here while paused, and have the run say so."""
        while not self._go.is_set():
            async with self._holding(self.pause_reason):
                await self.wait()

    async def wait(self) -> None:
        """Wait while paused, without a word; the time does not count."""
        while not self._go.is_set():
            self.watch.pause()
            try:
                await self._go.wait()
            finally:
                self.watch.go_on()

    def step_done(self) -> None:
        """A step has been carried out: in single-step mode the run pauses."""
        if self._single:
            self.pause(ONE_STEP)

    @asynccontextmanager
    async def waiting(self) -> AsyncIterator[None]:
        """Inside, the operator is asked and the time does not count."""
        self.waiting_for_operator = True
        self.watch.pause()
        self._changed()
        try:
            yield
        finally:
            self.waiting_for_operator = False
            self.watch.go_on()
            self._changed()

    def _let_go(self) -> None:
        self.paused, self.pause_reason = False, ""
        self._go.set()
        self._changed()

    def _changed(self) -> None:
        for listener in tuple(self._listeners):
            listener()
