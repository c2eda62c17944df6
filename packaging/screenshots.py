"""Makes the pictures of the README: every view of the window, light and dark, during real runs on a private desktop.

Run it with the project's Python: `.venv/bin/python packaging/screenshots.py [FOLDER]`.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from console.contracts.geometry import Rect  # noqa: E402 - the checkout has to be found first
from console.desktop.capture import Capture, as_image  # noqa: E402
from console.testing.private_desktop import PrivateDesktop  # noqa: E402
from tests.display.test_goals import CHROMIUM, ORDERS  # noqa: E402
from tests.support.console_window import ConsoleWindow, wait_for, xdotool  # noqa: E402
from tests.support.screen import Screen  # noqa: E402

COLOURS = 200
GOAL = """Click "old invoice.txt"
Press shift+Delete
Click "Delete" in the window "Attention"
Wait until "old invoice.txt" is gone"""
BAR = Rect(x=320, y=0, width=640, height=72)


class Studio:
    """Takes the pictures of one theme."""

    def __init__(self, theme: str, folder: Path) -> None:
        self._theme, self._folder = theme, folder
        self._capture = Capture()

    def take(self, name: str, area: Rect | None = None) -> None:
        time.sleep(0.7)
        image = as_image(asyncio.run(self._capture.grab(area)))
        small = image.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        small.save(self._folder / f"{name}-{self._theme}.png", optimize=True)

    def console(self, goal: str, home: Path) -> ConsoleWindow:
        return ConsoleWindow(home, goal, {"appearance": {"theme": self._theme}})


def shoot(theme: str, folder: Path) -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:  # a browser may still write
        studio, records = Studio(theme, folder), Path(home)
        _approval(studio, records)
        _clarify(studio, records)


def _approval(studio: Studio, records: Path) -> None:
    papers = records / "papers"
    papers.mkdir()
    (papers / "old invoice.txt").write_text("x", encoding="utf-8")
    files = subprocess.Popen(["thunar", str(papers)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    Screen().wait_for_window("papers")
    window = studio.console(GOAL, records)
    studio.take("start")
    window.start()
    window.wait_phase("Waiting for you")
    studio.take("bar", BAR)
    window.answer("Approve once")
    window.wait_phase("Waiting for you")
    window.click("Review")
    studio.take("approval")
    window.answer("Approve once")
    window.wait_ended()
    time.sleep(1)
    studio.take("done")
    for key, name in (("ctrl+h", "history"), ("ctrl+comma", "settings")):
        xdotool("key", key)
        studio.take(name)
        xdotool("key", "Escape")
    window.close()
    files.terminate()


def _clarify(studio: Studio, records: Path) -> None:
    page = records / "orders.html"
    page.write_text(ORDERS, encoding="utf-8")
    browser = subprocess.Popen(
        [*CHROMIUM, f"--user-data-dir={records / 'profile'}", page.as_uri()],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    Screen().wait_for_window("Orders")
    time.sleep(2)
    window = studio.console('Click the link "Delete"', records)
    window.start()
    window.wait_phase("Waiting for you")
    window.click("Review")
    wait_for(lambda: window.find("Answer"), "the card")
    studio.take("clarify")
    window.close()
    browser.terminate()


def main() -> int:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "resources" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    for theme in ("light", "dark"):
        with PrivateDesktop() as desktop:
            os.environ.update(desktop.env)
            shoot(theme, folder)
        print(f"{theme}: done")
    return 0


if __name__ == "__main__":
    sys.exit(main())
