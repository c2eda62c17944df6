"""Waits until the screen has come to rest after an action, and notices what keeps moving by itself."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from console.contracts.geometry import Rect
from console.contracts.scene import Frame, WindowInfo
from console.core.clock import Clock
from console.core.worker import Worker

from .devices import CaptureDevice, WindowDevice
from .differences import Cell, all_cells, changed_cells

FLOOR_MS = 60
PAUSE_MS = 40
# A caret, a tick of a clock: less than this is rest, and so is what repeats in a small place.
TINY_CELLS = 2
REPEATS = 3
TOOLTIP_HEIGHT = 48
SMALL_SHARE = 0.02


@dataclass(frozen=True)
class Sample:
    """The screen at one moment: its picture, its windows (none of the console's), and which window is active."""

    frame: Frame
    windows: tuple[WindowInfo, ...] = ()
    active: int | None = None

    @property
    def titles(self) -> dict[int, str]:
        """Of what a person would call a window or a menu; a tooltip comes and goes by itself."""
        return {w.id: w.title for w in self.windows if not is_tooltip(w)}

    def window(self, window_id: int | None) -> WindowInfo | None:
        return next((w for w in self.windows if w.id == window_id), None)


def is_tooltip(window: WindowInfo) -> bool:
    """X says only that it is a pop-up, so its size has to tell: a menu of a single line is rare."""
    return window.menu and window.bounds.height <= TOOLTIP_HEIGHT


@dataclass(frozen=True)
class Settled:
    """The last sample, whether the screen was at rest by then, and the cells that move all the time."""

    sample: Sample
    settled: bool
    restless: frozenset[Cell] = frozenset()


class Settler:
    """Two equal samples are rest. `sleep` is there for tests."""

    def __init__(
        self,
        capture: CaptureDevice,
        windows: WindowDevice,
        clock: Clock,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._capture = capture
        self._windows = windows
        self._clock = clock
        self._sleep = sleep
        self._worker = Worker("compare")

    async def sample(self) -> Sample:
        frame, listed = await asyncio.gather(self._capture.grab(), self._windows.all_windows())
        shown = tuple(entry.info for entry in listed if not entry.own and not entry.info.minimized)
        active = next((entry.info.id for entry in listed if entry.info.active), None)
        return Sample(frame, shown, active)

    async def changes(self, before: Frame, after: Frame, ignoring: Sequence[Rect] = ()) -> frozenset[Cell]:
        return await self._worker.call(changed_cells, before, after, ignoring)

    async def settle(self, ceiling_ms: int) -> Settled:
        """Rest, or the last sample before the ceiling with `settled` false."""
        begun = self._clock.now()
        last = await self.sample()
        moved: Counter[Cell] = Counter()
        while True:
            await self._sleep(PAUSE_MS / 1000)
            now = await self.sample()
            changed = await self.changes(last.frame, now.frame)
            passed_ms = (self._clock.now() - begun) * 1000
            moved.update(changed)
            restless = frozenset(cell for cell, times in moved.items() if times >= REPEATS)
            at_rest = now.titles == last.titles and now.active == last.active and _is_rest(changed, restless, now.frame)
            last = now
            if at_rest and passed_ms >= FLOOR_MS:
                return Settled(last, True, restless)
            if passed_ms >= ceiling_ms:
                return Settled(last, False, restless)

    def close(self) -> None:
        self._worker.close()


def _is_rest(changed: frozenset[Cell], restless: frozenset[Cell], frame: Frame) -> bool:
    if len(changed - restless) <= TINY_CELLS:
        return len(changed) <= TINY_CELLS or len(restless) <= SMALL_SHARE * len(all_cells(frame))
    return False
