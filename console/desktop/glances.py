"""The screen now and then, for the operator's eyes: it never holds up a run and leaves nothing behind."""

from __future__ import annotations

import asyncio

from console.contracts.scene import Frame

from .capture import Capture
from .observe import without_own
from .windows import WindowSystem


class Glances:
    """Uses the devices of the run, through their workers, and only while the run itself wants no picture."""

    def __init__(self, capture: Capture, windows: WindowSystem) -> None:
        self._capture = capture
        self._windows = windows

    async def look(self) -> Frame | None:
        """The whole screen with the console's own windows greyed, as in the planner's picture; None while the run is
        taking pictures of its own. Raises `CaptureError` or `DesktopUnavailable`."""
        if self._capture.busy:
            return None
        listed = await self._windows.all_windows()
        if self._capture.busy:
            return None
        frame = await self._capture.grab()
        return await asyncio.to_thread(without_own, frame, listed)
