"""Where windows are not known, the screen is one window."""

from __future__ import annotations

from typing import Any

import pytest

from console.contracts.errors import DesktopUnavailable
from console.desktop.portable_windows import SCREEN_ID, PortableWindows

from .fakes import frame


class Pictures:
    async def grab(self) -> Any:
        return frame()

    async def close(self) -> None: ...


async def test_the_screen_is_the_only_window() -> None:
    pictures: Any = Pictures()
    windows = PortableWindows(pictures)
    (screen,) = await windows.windows()
    assert (screen.active, screen.bounds.width) == (True, 640)
    assert await windows.active_window() == screen
    assert [(entry.info, entry.own) for entry in await windows.all_windows()] == [(screen, False)]
    assert await windows.activate(SCREEN_ID)
    assert await windows.wait_for(lambda ws: len(ws) == 1, 1)
    assert not await windows.wait_for(lambda ws: False, 0.01)
    assert (await windows.window_manager(), await windows.own_window_active()) == (None, False)
    for refused in (windows.close_window(1), windows.move_resize(1, screen.bounds), windows.set_state(1, "above")):
        with pytest.raises(DesktopUnavailable, match="on this system"):
            await refused
    await windows.close()
