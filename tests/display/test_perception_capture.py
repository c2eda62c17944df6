"""Pictures of a real X server."""

from __future__ import annotations

import asyncio
import io
import os
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PIL import Image

from console.contracts.errors import CaptureError, ConsoleError
from console.contracts.geometry import Rect
from console.desktop.capture import Capture
from console.desktop.windows import WindowSystem
from console.testing.private_desktop import PrivateDesktop, end
from tests.support.apps import Apps

pytestmark = pytest.mark.display
RED = """
import tkinter
root = tkinter.Tk(); root.title("Red"); root.geometry("300x200+100+100")
canvas = tkinter.Canvas(root, bg="#ff0000", highlightthickness=0, width=300, height=200); canvas.pack()
canvas.create_rectangle(200, 100, 300, 200, fill="#0000ff", outline="")
root.mainloop()
"""


@pytest.fixture
async def capture() -> AsyncIterator[Capture]:
    capture = Capture()
    yield capture
    await capture.close()


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def test_six_hundred_captures_leave_nothing_open(capture: Capture) -> None:
    small = Rect(x=0, y=0, width=64, height=64)
    await capture.grab(small)
    before = open_files()
    for _ in range(600):
        await capture.grab(small)
    assert open_files() <= before


async def test_three_tasks_and_three_threads_may_ask_at_once(capture: Capture) -> None:
    names: set[str] = set()
    grab = capture._grab

    def watched(region: Rect | None) -> object:
        names.add(threading.current_thread().name)
        return grab(region)

    capture._grab = watched  # type: ignore[method-assign,assignment]  # to see in which thread it runs

    async def many(stagger: float) -> None:
        await asyncio.sleep(stagger)
        for _ in range(30):
            await capture.grab(Rect(x=0, y=0, width=200, height=200))

    def in_a_thread() -> None:
        async def own() -> None:
            mine = Capture()
            for _ in range(30):
                await mine.grab(Rect(x=0, y=0, width=200, height=200))
            await mine.close()

        asyncio.run(own())

    await asyncio.gather(*(many(n / 50) for n in range(3)), *(asyncio.to_thread(in_a_thread) for _ in range(3)))
    assert len(names) == 1


@pytest.mark.parametrize(
    ("asked", "size"),
    [
        ((-30, 0, 100, 50), (70, 50)),
        ((1200, 0, 200, 50), (80, 50)),
        ((0, 0, 1920, 1080), (1280, 800)),
        ((5, 5, 0, 10), None),
        ((3000, 0, 10, 10), None),
    ],
)
async def test_regions_off_the_screen(
    capture: Capture, asked: tuple[int, int, int, int], size: tuple[int, int] | None
) -> None:
    region = Rect(x=asked[0], y=asked[1], width=asked[2], height=asked[3])
    if size is None:
        with pytest.raises(CaptureError):
            await capture.grab(region)
        return
    frame = await capture.grab(region)
    assert (frame.image_width, frame.image_height) == size
    assert len(frame.pixels) == size[0] * size[1] * 3


async def test_colours_are_true_in_all_three_outputs(capture: Capture, app: Apps) -> None:
    app([sys.executable, "-c", RED], "^Red$")
    await asyncio.sleep(0.3)
    windows = WindowSystem()
    box = next(w.bounds for w in await windows.windows() if w.title == "Red")
    await windows.close()
    frame = await capture.grab(box)
    png, jpeg = await capture.encode(frame, "image/png"), await capture.encode(frame, "image/jpeg")
    images = [Image.frombytes("RGB", (frame.image_width, frame.image_height), frame.pixels)]
    images += [Image.open(io.BytesIO(data)).convert("RGB") for data in (png, jpeg)]
    for image in images:
        for place, wanted in (((20, 20), (255, 0, 0)), ((280, 180), (0, 0, 255))):
            pixel = image.getpixel(place)
            assert isinstance(pixel, tuple)
            assert all(abs(a - b) <= 3 for a, b in zip(pixel, wanted, strict=True)), (place, pixel)


async def test_a_bare_screen_is_blank_until_a_window_opens(capture: Capture, app: Apps) -> None:
    assert (await capture.grab()).blank
    app(["zenity", "--info", "--title=Here", "--text=x"], "^Here$")
    await asyncio.sleep(0.3)
    assert not (await capture.grab()).blank


async def test_a_display_that_goes_away_is_a_capture_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a process of its own: nobody knows what the X libraries do when the server is gone."""
    code = """
import asyncio, sys
from console.contracts.errors import ConsoleError
from console.desktop.capture import Capture
from console.desktop.windows import WindowSystem
async def main():
    capture, windows = Capture(), WindowSystem()
    await capture.grab(); await windows.windows()
    print("ready", flush=True); sys.stdin.readline()
    for _ in range(2):
        for call in (capture.grab, windows.windows):
            try: await asyncio.wait_for(call(), 5); print("no error")
            except ConsoleError as error: print(type(error).__name__)
    await capture.close(); await windows.close()
asyncio.run(main())
"""
    with PrivateDesktop(400, 300) as desktop:
        env = {**desktop.env, "PYTHONPATH": os.getcwd()}
        process = subprocess.Popen(
            [sys.executable, "-c", code], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        end(desktop._processes[0])
        out, _ = await asyncio.to_thread(process.communicate, "\n", 30)
    assert process.returncode == 0
    errors = out.split()
    assert len(errors) == 4
    assert set(errors) <= {"CaptureError", "DesktopUnavailable"}
    assert issubclass(CaptureError, ConsoleError)


async def test_a_capture_is_quick(capture: Capture) -> None:
    times = []
    for _ in range(20):
        began = time.perf_counter()
        await capture.grab()
        times.append(time.perf_counter() - began)
    assert sorted(times)[10] < 0.1
