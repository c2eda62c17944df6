"""The parts that look, put together without the parts that act."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from console.contracts.scene import Scene, SceneElement
from console.desktop.accessibility.bus import AccessibilityBus
from console.desktop.accessibility.live import LiveElements
from console.desktop.accessibility.reader import AccessibilityReader
from console.desktop.capture import Capture
from console.desktop.observe import Observer
from console.desktop.ocr import Ocr
from console.desktop.windows import WindowSystem

WAIT_S = 20.0


class Eyes:
    """Looks until what a test waits for is there."""

    def __init__(self, ocr: Ocr | None = None) -> None:
        self.bus = AccessibilityBus()
        self.reader = AccessibilityReader(self.bus)
        self.live = LiveElements(self.bus, self.reader)
        self.capture, self.windows = Capture(), WindowSystem()
        self.observer = Observer(self.capture, self.windows, self.reader, ocr)

    async def look(self) -> Scene:
        return await self.observer.observe("")

    async def until(self, fits: Callable[[Scene], object], what: str, timeout_s: float = WAIT_S) -> Scene:
        deadline = time.monotonic() + timeout_s
        while not fits(scene := await self.look()):
            seen = [(e.element_type, e.label, e.value) for e in scene.elements]
            assert time.monotonic() < deadline, f"{what} did not come: {seen}, {scene.anomalies}"
            await asyncio.sleep(0.05)
        return scene

    async def find(self, label: str, kind: str = "") -> SceneElement:
        scene = await self.until(lambda s: named(s, label, kind), f"{kind} “{label}”")
        return named(scene, label, kind)[0]

    async def close(self) -> None:
        await self.windows.close()
        await self.capture.close()
        await self.bus.close()


def named(scene: Scene, label: str, kind: str = "") -> list[SceneElement]:
    return [e for e in scene.elements if e.label == label and kind in ("", e.element_type)]


@asynccontextmanager
async def eyes(ocr: Ocr | None = None) -> AsyncIterator[Eyes]:
    found = Eyes(ocr)
    try:
        yield found
    finally:
        await found.close()
        if ocr is not None:
            ocr.close()


def chromium(folder: Path, page: str, *flags: str) -> list[str]:
    """The command that shows the page, with a profile of its own and without the network."""
    file = folder / "page.html"
    file.write_text(page, encoding="utf-8")
    quiet = ["--no-sandbox", "--no-first-run", "--disable-sync", "--disable-gpu", "--disable-background-networking"]
    quiet += ["--disable-component-update", "--window-position=20,20", "--window-size=900,700"]
    return ["chromium", *quiet, f"--user-data-dir={folder}/profile", *flags, file.as_uri()]
