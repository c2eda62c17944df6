"""The live desktop on real devices, with a gate that says yes, for the display tests."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from console.contracts.actions import AnyAction
from console.contracts.desktop import Performed
from console.contracts.scene import Scene, SceneElement
from console.contracts.settings import DesktopSettings
from console.core.permits import PermitBook
from console.core.targets import resolve_target
from console.desktop.accessibility.bus import AccessibilityBus
from console.desktop.accessibility.live import LiveElements
from console.desktop.accessibility.reader import AccessibilityReader
from console.desktop.capture import Capture
from console.desktop.input.device import X11Input
from console.desktop.live import LiveDesktop
from console.desktop.observe import Observer
from console.desktop.windows import WindowSystem


class Rig:
    """Plans each action on a fresh look, gets its permit and performs it."""

    def __init__(self, desktop: LiveDesktop, book: PermitBook, input_: X11Input, windows: WindowSystem) -> None:
        self.desktop = desktop
        self.book = book
        self.input = input_
        self.windows = windows
        self.scene: Scene | None = None

    async def look(self) -> Scene:
        self.scene = await self.desktop.observe("")
        return self.scene

    async def find(self, label: str, kind: str = "", timeout_s: float = 8.0) -> SceneElement:
        """The element of that label, waited for."""
        return await self.wait(
            lambda e: e.label == label and kind in ("", e.element_type), f"{kind} {label!r}", timeout_s
        )

    async def wait(self, fits: Callable[[SceneElement], bool], what: str, timeout_s: float = 8.0) -> SceneElement:
        deadline = time.monotonic() + timeout_s
        while True:
            scene = await self.look()
            hit = next((e for e in scene.elements if fits(e)), None)
            if hit is not None:
                return hit
            assert time.monotonic() < deadline, (
                f"{what} not among {[(e.element_type, e.label) for e in scene.elements]}"
            )
            await asyncio.sleep(0.1)

    async def do(self, action: AnyAction, scene: Scene | None = None) -> Performed:
        scene = scene or await self.look()
        permit = self.book.issue(action, resolve_target(action, scene).print, scene.id, approved=True)
        return await self.desktop.perform(action, permit)


@asynccontextmanager
async def rig() -> AsyncIterator[Rig]:
    capture, windows, bus, input_, book = Capture(), WindowSystem(), AccessibilityBus(), X11Input(), PermitBook()
    reader = AccessibilityReader(bus)
    desktop = LiveDesktop(
        observer=Observer(capture, windows, reader, None),
        capture=capture,
        windows=windows,
        accessibility=LiveElements(bus, reader),
        input=input_,
        office=book,
        settings=DesktopSettings(),
        closers=(input_.close, capture.close, windows.close, bus.close),
    )
    try:
        yield Rig(desktop, book, input_, windows)
    finally:
        await desktop.close()
