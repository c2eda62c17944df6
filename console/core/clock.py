"""Time, as something that a test can hold in its hand."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Seconds that only go forward, and the time of day."""

    def now(self) -> float:
        """Monotonic seconds."""
        ...

    def unix_ms(self) -> int: ...


class SystemClock:
    """The machine's clocks."""

    def now(self) -> float:
        return time.monotonic()

    def unix_ms(self) -> int:
        return time.time_ns() // 1_000_000


class Stopwatch:
    """Counts active time: pausing it leaves out what the operator takes, nested pauses count once."""

    def __init__(self, clock: Clock, already_ms: int = 0) -> None:
        self._clock = clock
        self._counted = already_ms / 1000
        self._since: float | None = clock.now()
        self._pauses = 0

    def pause(self) -> None:
        self._pauses += 1
        if self._since is not None:
            self._counted += self._clock.now() - self._since
            self._since = None

    def go_on(self) -> None:
        self._pauses -= 1
        if self._pauses == 0:
            self._since = self._clock.now()

    @property
    def active_ms(self) -> int:
        running = 0.0 if self._since is None else self._clock.now() - self._since
        return int((self._counted + running) * 1000)
