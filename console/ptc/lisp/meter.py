"""The budget that all threads of one run draw from: time, steps, memory, tool calls and workers.

A runtime takes steps in slices, so the lock and the clock are touched once in some hundreds of evaluations. Memory is
counted in cells: small values are counted when they are made and never given back, up to eight times the limit; a big
collection counts while it is alive, which CPython's reference counts tell exactly.
"""

from __future__ import annotations

import threading
import time
from collections import deque

from .failure import LispFailure
from .limits import Limits
from .values import LispSet

STEP_SLICE = 500
CELL_SLICE = 20_000
BIG = 64
CHURN = 8


class Meter:
    """Shared by the threads of one run."""

    def __init__(self, limits: Limits, *, timeout_ms: float):
        self.limits = limits
        self.started = time.monotonic()
        self.deadline = self.started + timeout_ms / 1000
        self.cancelled = threading.Event()
        self.lock = threading.Lock()
        self.live = 0
        self._freed: deque[int] = deque()
        self.peak = 0
        self.tool_calls = 0
        self.workers = 0
        self.parallel_deadline: float | None = None
        self._steps = limits.max_steps
        self._cells = limits.max_heap * CHURN

    def check(self) -> None:
        """Raises when the time is over or nobody waits for the program any more."""
        if self.cancelled.is_set():
            raise LispFailure("cancelled", "the program was cancelled")
        now = time.monotonic()
        if now > self.deadline:
            raise self.out_of_time()
        if self.parallel_deadline is not None and now > self.parallel_deadline:
            raise LispFailure("timeout", f"parallel work took longer than {self.limits.pmap_timeout} ms")

    def out_of_time(self) -> LispFailure:
        return LispFailure("timeout", f"the program took longer than {self.limits.timeout} ms")

    def remaining(self) -> float:
        """Seconds until the deadline."""
        return min(self.deadline, self.parallel_deadline or self.deadline) - time.monotonic()

    def take_steps(self, owed: int) -> int:
        """A new slice of steps after `owed` more than the last one were used."""
        self.check()
        with self.lock:
            self._steps -= owed + STEP_SLICE
            left = self._steps
        if left < -STEP_SLICE:
            raise LispFailure("timeout", f"the program took more than {self.limits.max_steps} evaluation steps")
        return STEP_SLICE

    def take_cells(self, owed: int) -> int:
        """A new slice of cells for small values."""
        self.check()
        with self.lock:
            self._cells -= owed + CELL_SLICE
            left = self._cells
        if left < -CELL_SLICE:
            raise self.out_of_memory()
        return CELL_SLICE

    def grow(self, cells: int) -> None:
        """A big value of so many cells is alive from now on."""
        with self.lock:
            self._settle()
            self.live += cells
            self.peak = max(self.peak, self.live)
            if self.live <= self.limits.max_heap:
                return
            self.live -= cells
        raise self.out_of_memory()

    def _settle(self) -> None:
        while self._freed:
            self.live -= self._freed.popleft()

    def shrink(self, cells: int) -> None:
        """A big value is gone. Without the lock, for this runs whenever Python frees it, in any thread."""
        self._freed.append(cells)

    def make_room(self, cells: int) -> None:
        """Raises at once when a value of so many cells could not be made."""
        if self._freed:
            with self.lock:
                self._settle()
        if self.live + cells > self.limits.max_heap:
            raise self.out_of_memory()

    def out_of_memory(self) -> LispFailure:
        return LispFailure("memory_exceeded", f"the program needs more than {self.limits.max_heap} cells of memory")

    @property
    def memory_bytes(self) -> int:
        """An estimate of the most that was alive at once."""
        small = self.limits.max_heap * CHURN - self._cells
        return 8 * (self.peak + max(0, min(small, self.limits.max_heap)))


class BigVector(tuple[object, ...]):
    """A vector that tells the meter when it is gone."""

    meter: Meter

    def __del__(self) -> None:
        self.meter.shrink(len(self))


class BigSet(LispSet):
    """A set that tells the meter when it is gone."""

    __slots__ = ("cells", "meter")
    meter: Meter
    cells: int

    def __del__(self) -> None:
        self.meter.shrink(self.cells)


class BigMap(dict[object, object]):
    """A map that tells the meter when it is gone."""

    meter: Meter
    cells: int = 0

    def __del__(self) -> None:
        self.meter.shrink(self.cells)
