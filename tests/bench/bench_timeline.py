"""Measures the window with a long timeline: the longest time that its loop is blocked, and the time to be seen.

Run as a program: `python tests/bench/bench_timeline.py`.
"""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROWS = 20_000
_START = """
import os, time
os.environ["QT_API"] = "pyside6"
from PySide6.QtWidgets import QApplication
app = QApplication([])
from console.contracts.settings import Settings
from console.ui.goal_bar import PlannerChoice
from console.ui.main_window import MainWindow
from console.ui.theme import theme
theme.apply(app, "light")
window = MainWindow([PlannerChoice("instructions", "Instructions")], Settings(), None)
window.show()
while not window.windowHandle().isExposed():
    app.processEvents()
app.processEvents()
"""


def seconds_to_be_seen() -> float:
    """From the start of the process to the window on the screen; the median of five."""
    times = []
    for _ in range(5):
        began = time.monotonic()
        subprocess.run([sys.executable, "-c", _START], cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
        times.append(time.monotonic() - began)
    return sorted(times)[2]


async def longest_gaps() -> dict[str, float]:
    """Seconds that a 5 ms ticker was late, at worst, in each situation."""
    from console.contracts.settings import Settings
    from console.ui.goal_bar import PlannerChoice
    from console.ui.main_window import MainWindow
    from tests.ui import sample_pictures
    from tests.ui.conftest import Gaps
    from tests.ui.sample_events import long_run

    window = MainWindow([PlannerChoice("instructions", "Instructions")], Settings(), sample_pictures.load)
    sample_pictures.stored("files")
    window.resize(1280, 800)
    window.show()
    await asyncio.sleep(0.5)
    events = long_run(ROWS)
    found: dict[str, float] = {}

    async def during(name: str, work: asyncio.Future[None] | None = None, wait_s: float = 0.5) -> None:
        gaps = Gaps()
        ticker = asyncio.ensure_future(gaps.run(0.005))
        if work is not None:
            await work
        await asyncio.sleep(wait_s)
        ticker.cancel()
        found[name] = gaps.longest_s

    async def live(start: int, count: int) -> None:
        """Twenty events every 5 ms: a thousand attempts a second."""
        for place in range(start, start + count, 20):
            for event in events[place : place + 20]:
                window.show_event(event)
            await asyncio.sleep(0.005)

    done = asyncio.Event()
    window.timeline.caught_up.connect(done.set)

    async def at_once() -> None:
        done.clear()
        for event in events:
            window.timeline.show_event_of_run(event)
        await done.wait()

    async def load() -> None:
        done.clear()
        window.load_run(events)
        await done.wait()

    await during("nothing going on")
    window.begin_run()
    await during("1,000 rows in a second", asyncio.ensure_future(live(0, 3000)))
    window.set_running(False)
    began = time.monotonic()
    await during("load 20,000 rows", asyncio.ensure_future(load()), wait_s=0)
    found["load 20,000 rows, in all"] = time.monotonic() - began
    window.begin_run()
    await during("20,000 rows at once", asyncio.ensure_future(at_once()))
    await during("live at 20,000 rows", asyncio.ensure_future(live(6000, 3000)))
    window.timeline.view.verticalScrollBar().setValue(0)
    await during("live while scrolled to the top", asyncio.ensure_future(live(9000, 3000)))
    window.may_close = True
    window.close()
    return found


def main() -> None:
    sys.path.insert(0, str(ROOT))
    os.environ["QT_API"] = "pyside6"
    from PySide6.QtWidgets import QApplication
    from qasync import QEventLoop

    from console.ui.theme import theme

    app = QApplication([])
    theme.apply(app, "light")
    loop = QEventLoop(app)
    with loop:
        found = loop.run_until_complete(longest_gaps())
    for name, seconds in found.items():
        print(f"{name:<34}{seconds * 1000:8.1f} ms")
    print(f"{'window on the screen':<34}{seconds_to_be_seen() * 1000:8.1f} ms")
    print(f"{'memory at its most':<34}{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:8.1f} MB")


if __name__ == "__main__":
    main()
