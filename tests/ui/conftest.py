"""A window of the console for a test, with the pictures of the sample run."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from console.contracts.settings import Settings
from console.ui.goal_bar import PlannerChoice
from console.ui.main_window import MainWindow
from console.ui.theme import theme

from . import sample_pictures

PLANNERS = (
    PlannerChoice("instructions", "Instructions"),
    PlannerChoice("replay", "Replay"),
    PlannerChoice("program", "A program"),
)


@pytest.fixture(autouse=True)
def light(qapp: QApplication) -> None:
    qapp.setQuitOnLastWindowClosed(False)
    if not qapp.styleSheet():
        theme.apply(qapp, "light")


@pytest.fixture
def window(qtbot: QtBot, qt_loop: asyncio.AbstractEventLoop) -> Iterator[MainWindow]:
    """Shown; it closes without a question when the test is over."""
    window = MainWindow(PLANNERS, Settings(), sample_pictures.load)
    qtbot.addWidget(window)
    window.resize(1280, 800)
    with qtbot.waitExposed(window):
        window.show()
    yield window
    window.may_close = True


@dataclass
class Gaps:
    """A ticker that notes the longest time between two of its ticks."""

    longest_s: float = 0.0
    ticks: int = 0

    async def run(self, every_s: float = 0.02) -> None:
        loop = asyncio.get_running_loop()
        last = loop.time()
        while True:
            await asyncio.sleep(every_s)
            now = loop.time()
            self.longest_s, last, self.ticks = max(self.longest_s, now - last - every_s), now, self.ticks + 1


@pytest.fixture
def gaps() -> Gaps:
    return Gaps()
