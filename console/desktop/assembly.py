"""Puts the devices of this platform together."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from console.contracts.adapter import Adapter
from console.contracts.errors import DesktopUnavailable
from console.contracts.safety import PermitOffice
from console.contracts.settings import DesktopSettings

from .accessibility.bus import AccessibilityBus
from .accessibility.diagnosis import diagnose
from .accessibility.live import LiveElements
from .accessibility.reader import AccessibilityReader
from .actions.job import OwnWindows
from .capture import Capture
from .glances import Glances
from .guard import require_live_display
from .input.device import X11Input
from .live import Closer, LiveDesktop
from .observe import Observer
from .ocr import Ocr
from .windows import WindowSystem
from .x11 import X11


class Opened(NamedTuple):
    """The desktop; its input device, whose ledger tells the operator's input from ours; and looks at it in between."""

    desktop: LiveDesktop
    input: X11Input
    glances: Glances


def open_desktop(
    office: PermitOffice,
    settings: DesktopSettings,
    own: OwnWindows | None = None,
    *,
    adapters: Sequence[Adapter] = (),
    closers: Sequence[Closer] = (),
) -> Opened:
    """Raises `DesktopUnavailable` where there is none. `closers` are called before the devices are closed."""
    _require_x11()
    bus = AccessibilityBus()
    reader = AccessibilityReader(bus)
    capture, windows, keys = Capture(), WindowSystem(), X11Input(settings.typing_delay_ms)
    ocr = Ocr() if settings.ocr else None

    async def close_ocr() -> None:
        if ocr is not None:
            ocr.close()

    desktop = LiveDesktop(
        observer=Observer(capture, windows, reader, ocr),
        capture=capture,
        windows=windows,
        accessibility=LiveElements(bus, reader),
        input=keys,
        office=office,
        settings=settings,
        adapters=adapters,
        closers=(*closers, keys.close, close_ocr, capture.close, windows.close, bus.close),
        own=own,
    )
    return Opened(desktop, keys, Glances(capture, windows))


def open_probes() -> dict[str, Callable[[], Awaitable[Any]]]:
    """Each part on its own, to be tried once; `close` closes what was opened."""
    opened: list[Callable[[], Awaitable[None]]] = []

    async def window_manager() -> str | None:
        windows = WindowSystem()
        opened.append(windows.close)
        return await windows.window_manager()

    async def grab() -> Any:
        capture = Capture()
        opened.append(capture.close)
        return await capture.grab()

    async def keyboard() -> None:
        _require_x11()
        device = X11Input()
        opened.append(device.close)
        await device.connect()

    async def close() -> None:
        for shut in opened:
            await shut()

    return {
        "window_manager": window_manager,
        "grab": grab,
        "input": keyboard,
        "accessibility": diagnose,
        "close": close,
    }


def _require_x11() -> None:
    """Raises `DesktopUnavailable` before anything is opened that would find out later."""
    require_live_display()
    if not sys.platform.startswith("linux"):
        raise DesktopUnavailable(
            f"The live desktop is not supported on {sys.platform} yet.", "Use a Linux desktop with an X11 session."
        )
    X11().close()
