"""Moves and clicks by PyAutoGUI, with what it does not have added by XTEST."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import xcffib.xtest

from console.contracts.action import MouseButton
from console.contracts.errors import InputError
from console.contracts.geometry import Point, Rect

from ..guard import import_pyautogui
from ..x11 import X11
from .pressed import Pressed

BUTTONS: dict[MouseButton, int] = {"left": 1, "middle": 2, "right": 3, "back": 8, "forward": 9}
BUTTON_PRESS, BUTTON_RELEASE = 4, 5
MAX_NOTCHES = 50
# A click right after a jump is missed by windows that had no time to see the pointer enter.
SETTLE_S, BETWEEN_CLICKS_S, PRESS_S = 0.03, 0.06, 0.012
DRAG_STEP = 24
NUMBER_OF_STEPS = 64


class Pointer:
    """Belongs to the input thread."""

    def __init__(self, x: X11, pressed: Pressed, wait: Callable[[float], None], check: Callable[[], None]) -> None:
        self._x = x
        self._pressed = pressed
        self._wait = wait
        self._check = check
        self._gui: Any = import_pyautogui()
        self._test = x.connection(xcffib.xtest.key)

    def move(self, point: Point) -> None:
        """Go there in two moves, so that the window sees the pointer come."""
        near = Point(x=point.x - 1, y=point.y) if point.x > 0 else Point(x=point.x + 1, y=point.y)
        self._jump(near)
        self._jump(point)
        self._wait(SETTLE_S)

    def click(self, button: MouseButton, count: int, hold_s: float) -> None:
        """Click where the pointer is."""
        for number in range(count):
            if number:
                self._wait(BETWEEN_CLICKS_S)
            try:
                self._down(button)
                self._wait(max(hold_s, PRESS_S))
            finally:
                self._up(button)

    def scroll(self, dx: int, dy: int) -> None:
        """Whole notches: positive `dy` scrolls down, positive `dx` to the right; at most 50 each way."""
        for amount, forth, back in ((dy, 5, 4), (dx, 7, 6)):
            for _ in range(min(abs(amount), MAX_NOTCHES)):
                self._check()
                number = forth if amount > 0 else back
                self._fake(BUTTON_PRESS, number)
                self._fake(BUTTON_RELEASE, number)
                self._wait(0.008)

    def drag(self, points: Sequence[Point]) -> None:
        """Hold the left button from the first point to the last, with a real path in between."""
        self.move(points[0])
        try:
            self._down("left")
            self._wait(0.08)
            for start, end in itertools.pairwise(points):
                for point in path(start, end):
                    self._jump(point)
                    self._wait(0.008)
            self._wait(0.12)
        finally:
            self._up("left")

    def _jump(self, point: Point) -> None:
        self._check()
        self._pressed.place(point)
        self._gui.moveTo(point.x, point.y, _pause=False)

    def _down(self, button: MouseButton) -> None:
        self._check()
        self._pressed.button(BUTTONS[button], down=True)
        if button in ("left", "middle", "right"):
            self._gui.mouseDown(button=button, _pause=False)
        else:
            self._fake(BUTTON_PRESS, BUTTONS[button])

    def _up(self, button: MouseButton) -> None:
        if button in ("left", "middle", "right"):
            self._gui.mouseUp(button=button, _pause=False)
        else:
            self._fake(BUTTON_RELEASE, BUTTONS[button])
        self._pressed.button(BUTTONS[button], down=False)

    def _fake(self, kind: int, number: int) -> None:
        self._test.FakeInput(kind, number, 0, 0, 0, 0, 0)
        self._x.sync()


def path(start: Point, end: Point) -> list[Point]:
    """The points between, about every two dozen pixels, the last being the end."""
    steps = max(2, min(NUMBER_OF_STEPS, math.ceil(math.hypot(end.x - start.x, end.y - start.y) / DRAG_STEP)))
    return [
        Point(x=start.x + round((end.x - start.x) * n / steps), y=start.y + round((end.y - start.y) * n / steps))
        for n in range(1, steps + 1)
    ]


def require_on_screen(point: Point, monitors: Sequence[Rect]) -> None:
    """Raises `InputError` for a point that no monitor shows."""
    if not any(monitor.contains(point) for monitor in monitors):
        raise InputError(f"The point ({point.x}, {point.y}) is on no monitor.", "Choose a point that is visible.")
