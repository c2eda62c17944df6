"""Measures one look at a desktop with five applications: capture, windows, elements and all of it together.

Run as a program: `python tests/bench/bench_observe.py [--json]`.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
ROUNDS = 15
LEAST_NODES = 800
APPS = ("mousepad", "thunar", "galculator", "zenity", "chromium")
CHROMIUM = (
    "chromium", "--force-renderer-accessibility", "--no-sandbox", "--no-first-run", "--disable-sync", "--disable-gpu",
    "--disable-background-networking", "--disable-component-update", "--window-size=760,620",
    "--window-position=500,20",
)  # fmt: skip


def page() -> str:
    """A table that is all in view, and a small form."""
    cells = "".join(
        f"<tr><td>Invoice {n}</td><td>{n * 7} €</td><td><a href='#{n}'>Delete</a></td></tr>" for n in range(64)
    )
    return (
        "<!doctype html><title>Orders</title><style>body{font-size:7px;columns:3}td{padding:0}</style><h1>Orders</h1>"
        f"<label>Name <input></label><table>{cells}</table>"
    )


async def measured(look: Callable[[], Awaitable[Any]], rounds: int = ROUNDS) -> tuple[float, float]:
    """The median and the worst, in ms."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        await look()
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times), max(times)


async def parts(capture: Any, windows: Any, bus: Any) -> dict[str, Any]:
    """Each part on its own."""
    from console.desktop.accessibility.reader import AccessibilityReader

    seen, frame, found = await windows.windows(), await capture.grab(), {}
    found["capture"] = await measured(capture.grab)
    found["png"] = await measured(lambda: capture.encode(frame, "image/png"), 5)
    found["jpeg"] = await measured(lambda: capture.encode(frame, "image/jpeg"), 5)
    found["windows"] = await measured(windows.windows)
    found["elements, all anew"] = await measured(lambda: AccessibilityReader(bus).read(seen), 5)
    return found


async def looks(capture: Any, windows: Any, bus: Any, ocr: Any) -> dict[str, Any]:
    """All parts together, with each application active in turn; the worst is the first look after the switch."""
    from console.desktop.accessibility.reader import AccessibilityReader
    from console.desktop.observe import Observer

    reader = AccessibilityReader(bus)
    observer = Observer(capture, windows, reader, ocr)
    found = {"observe, first": await measured(lambda: observer.observe(""), 1)}
    await asyncio.sleep(2)
    for app in APPS:
        window = next((w for w in await windows.windows() if app in w.app.casefold()), None)
        assert window is not None, f"no window of {app}"
        await windows.activate(window.id)
        await asyncio.sleep(0.6)
        found[f"observe, {app} active"] = await measured(lambda: observer.observe(""))
    scene = await observer.observe("")
    nodes = sum(len(top.read.nodes) for app in reader._apps.values() for top in app.tops.values())
    anomalies = [f"{a.kind}: {a.description}" for a in scene.anomalies]
    return {**found, "nodes": nodes, "elements": len(scene.elements), "anomalies": anomalies}


async def main(titles: list[str]) -> dict[str, Any]:
    from console.desktop.accessibility.bus import AccessibilityBus
    from console.desktop.capture import Capture
    from console.desktop.ocr import Ocr
    from console.desktop.windows import WindowSystem

    capture, windows, bus, ocr = Capture(), WindowSystem(), AccessibilityBus(), Ocr()
    for title in titles:
        assert await windows.wait_for(lambda ws, t=title: any(t in w.title for w in ws), 30), f"no window {title}"
    await asyncio.sleep(2)
    found = {**await parts(capture, windows, bus), **await looks(capture, windows, bus, ocr)}
    await windows.close()
    await capture.close()
    await bus.close()
    ocr.close()
    return found


def on_a_desktop_of_its_own() -> dict[str, Any]:
    from console.testing.private_desktop import PrivateDesktop

    with PrivateDesktop() as desktop, tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "orders.html"
        file.write_text(page(), encoding="utf-8")
        for n in range(30):
            (desktop.home / f"File {n}.txt").touch()
        rows = [text for n in range(60) for text in (str(n), f"Row {n}", f"Value {n}")]
        desktop.start([*CHROMIUM, f"--user-data-dir={folder}/profile", file.as_uri()])
        columns = ["--column=N", "--column=Name", "--column=Value"]
        desktop.start(["zenity", "--list", "--title=Rows", "--width=420", "--height=760", *columns, *rows])
        desktop.start(["thunar", str(desktop.home)])
        desktop.start(["galculator"])
        desktop.start(["mousepad"])
        os.environ.update(desktop.env)
        titles = ["Orders", "Rows", "Thunar", "galculator", "Mousepad"]
        return asyncio.run(main(titles))


def report(found: dict[str, Any]) -> str:
    lines = [f"{'what':<32}{'median ms':>12}{'worst ms':>12}"]
    lines += [f"{name:<32}{v[0]:>12.1f}{v[1]:>12.1f}" for name, v in found.items() if isinstance(v, tuple)]
    enough = "enough" if found["nodes"] >= LEAST_NODES else "too few"
    lines.append(
        f"nodes read: {found['nodes']} ({enough}), elements: {found['elements']}, anomalies: {found['anomalies']}"
    )
    return "\n".join(lines)


if __name__ == "__main__":
    result = on_a_desktop_of_its_own()
    print(json.dumps(result) if "--json" in sys.argv else report(result))
