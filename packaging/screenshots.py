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
from collections.abc import Callable
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from console.contracts.geometry import Rect  # noqa: E402 - the checkout has to be found first
from console.desktop.capture import Capture, as_image  # noqa: E402
from console.testing.private_desktop import PrivateDesktop  # noqa: E402
from tests.display.test_goals import CHROMIUM, ORDERS  # noqa: E402
from tests.display.test_missions import FILL, MISSION, SEND  # noqa: E402
from tests.support.console_window import ConsoleWindow, wait_for, xdotool  # noqa: E402
from tests.support.model_servers import Answer, Asked, ModelServer, Say  # noqa: E402
from tests.support.model_servers.reader import PlannedModel, Turn, act, done, pick  # noqa: E402
from tests.support.screen import Screen  # noqa: E402

ORDER = ["zenity", "--forms", "--title=Order", "--text=New order", "--add-entry=Name", "--add-entry=City"]
COLOURS = 200
GOAL = """Click "old invoice.txt"
Press shift+Delete
Click "Delete" in the window "Attention"
Wait until "old invoice.txt" is gone"""
AT_THE_CLICK = (180, 500)  # the row of the mission's last step
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

    def console(self, goal: str, home: Path, **settings: object) -> ConsoleWindow:
        return ConsoleWindow(home, goal, {"appearance": {"theme": self._theme}, **settings})


def shoot(theme: str, folder: Path) -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:  # a browser may still write
        studio, records = Studio(theme, folder), Path(home)
        _approval(studio, records)
        _clarify(studio, records)
        _model(studio, records)
        _mission(studio, records)


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


def _model(studio: Studio, records: Path) -> None:
    """A model behind a server of its own fills in a form."""
    form = subprocess.Popen(ORDER, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    Screen().wait_for_window("Order")

    def fill(label: str, value: str, thought: str) -> Callable[[Asked], Answer]:
        step = {"type": "set_value", "value": value}
        return lambda asked: act(
            f"Fill in {label}", {**step, "target_id": pick(asked, label, "input")}, thought=thought, pause_s=0.3
        )

    turns: list[Turn | Answer] = [
        fill("Name", "Ada Byron", "An order form is open. The name comes first."),
        fill("City", "London", "The name is there; the city is still empty."),
        done("The order is filled in for Ada Byron in London, and not sent."),
    ]
    os.environ["ANTHROPIC_API_KEY"] = "not-a-key"
    with ModelServer(PlannedModel(turns)) as server:
        model = {"model": "claude-sonnet-4-5", "address": server.address("anthropic")}
        goal = "Fill in the order for Ada Byron in London, but do not send it."
        window = studio.console(goal, records, planner="model", planners={"model": model})
        window.start()
        window.wait_ended()
        studio.take("model")
        xdotool("key", "ctrl+comma")
        tab = window.find("Planners", window="Settings").bounds.center
        xdotool("mousemove", tab.x, tab.y, "click", 1)
        studio.take("planners")
        window.close()
    form.terminate()


def _mission(studio: Studio, records: Path) -> None:
    """A model hands a part of its goal over; what came of it is opened as a program."""
    form = subprocess.Popen(ORDER, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    Screen().wait_for_window("Order")
    programs = [FILL, SEND]
    handed = act("Send the order", {"type": "custom", "adapter": "mission", "action": "run", "params": MISSION})
    planner = PlannedModel([lambda _: handed, done("The order for Zoë Łuk in Århus is sent.")])

    def brain(asked: Asked) -> Answer:
        ours = "You carry out a part of a goal" in asked.text
        return Say(programs.pop(0), pause_s=0.05) if ours else planner(asked)

    with ModelServer(brain) as server:
        model = {"model": "claude-sonnet-4-5", "address": server.address("anthropic")}
        goal = "Order for Zoë Łuk in Århus and send it."
        window = studio.console(goal, records, planner="model", planners={"model": model})
        window.start()
        window.wait_ended()
        time.sleep(1)  # the result is chosen once the window is back
        xdotool("mousemove", *AT_THE_CLICK, "click", 1)
        studio.take("mission")
        xdotool("key", "ctrl+p")
        studio.take("program")
        window.close()
    form.terminate()


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
