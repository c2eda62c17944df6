"""The windows of a desktop that is not X11: nothing is known of them, so the screen counts as one. Untested."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from console.contracts.errors import DesktopUnavailable
from console.contracts.geometry import Rect
from console.contracts.scene import WindowInfo

from .capture import Capture
from .devices import WindowState

SCREEN_ID = 1


@dataclass(frozen=True)
class Listed:
    """The screen; the console's own window cannot be told from it."""

    info: WindowInfo
    own: bool = False


class PortableWindows:
    """Offers what `WindowSystem` does as far as pictures alone allow: what is seen is read from pixels."""

    def __init__(self, capture: Capture) -> None:
        self._capture = capture

    async def windows(self) -> tuple[WindowInfo, ...]:
        frame = await self._capture.grab()
        return (WindowInfo(id=SCREEN_ID, title="Screen", app="Screen", bounds=frame.bounds, active=True),)

    async def all_windows(self) -> Sequence[Listed]:
        return [Listed(window) for window in await self.windows()]

    async def window_manager(self) -> str | None:
        return None

    async def own_window_active(self) -> bool:
        return False

    async def active_window(self) -> WindowInfo | None:
        return (await self.windows())[0]

    async def activate(self, window_id: int, timeout_s: float = 2.0) -> bool:
        return window_id == SCREEN_ID

    async def wait_for(self, predicate: Callable[[tuple[WindowInfo, ...]], bool], timeout_s: float) -> bool:
        deadline = time.monotonic() + timeout_s
        while not predicate(await self.windows()):
            if time.monotonic() >= deadline:
                return False
            await asyncio.sleep(0.04)
        return True

    async def close_window(self, window_id: int) -> None:
        _refuse("closed")

    async def move_resize(self, window_id: int, bounds: Rect) -> None:
        _refuse("moved")

    async def set_state(self, window_id: int, state: WindowState) -> None:
        _refuse("changed")

    async def close(self) -> None:
        """There is nothing to close; the capture belongs to whoever made it."""


def _refuse(what: str) -> NoReturn:
    raise DesktopUnavailable(f"Windows cannot be {what} on this system yet.", "Use the keys of the system for it.")
