"""Shows the screen as it is now while a run is under way, for as long as somebody can see it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from console.contracts.errors import ConsoleError
from console.contracts.scene import Frame

from .main_window import MainWindow

EVERY_S = 0.5
Look = Callable[[], Awaitable[Frame | None]]


async def follow(window: MainWindow, look: Look, every_s: float = EVERY_S) -> None:
    """Until it is cancelled. A picture that cannot be had is passed over: the run says what is wrong."""
    while True:
        await asyncio.sleep(every_s)
        if not window.wants_live:
            continue
        try:
            frame = await look()
        except ConsoleError:
            continue
        if frame is not None and window.wants_live:
            window.set_live_frame(frame)
