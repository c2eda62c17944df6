"""The screen now and then: greyed where the console is, and never in the way of the run."""

from __future__ import annotations

from typing import Any

from console.contracts.scene import Frame
from console.desktop.capture import as_image
from console.desktop.glances import Glances
from console.desktop.windows import Listed

from .fakes import frame, window


class Devices:
    """Capture and windows in one; `busy_at` are the turns at which the run takes a picture of its own."""

    def __init__(self, *busy_at: int) -> None:
        self.busy_at, self.asked, self.grabbed = busy_at, 0, 0

    @property
    def busy(self) -> bool:
        self.asked += 1
        return self.asked in self.busy_at

    async def all_windows(self) -> tuple[Listed, ...]:
        return (Listed(window(1, 7, box=(10, 10, 50, 40)), own=True),)

    async def grab(self) -> Frame:
        self.grabbed += 1
        return frame(spots=[(5, 5, 90, 90)])


def glances(devices: Any) -> Glances:
    return Glances(devices, devices)


async def test_the_console_is_greyed_as_in_the_planners_picture() -> None:
    seen = await glances(Devices()).look()
    assert seen is not None
    assert as_image(seen).getpixel((20, 20)) == (128, 128, 128)
    assert as_image(seen).getpixel((80, 80)) != (128, 128, 128)


async def test_a_run_that_looks_itself_is_not_held_up() -> None:
    for turn in (1, 2):
        devices = Devices(turn)
        assert await glances(devices).look() is None
        assert devices.grabbed == 0
