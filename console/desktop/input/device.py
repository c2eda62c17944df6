"""The input device: one thread that sends, one way to stop it at once, and everything let go afterwards."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar

import xcffib
import xcffib.xtest

from console.contracts.action import Modifier, MouseButton
from console.contracts.errors import DesktopUnavailable, InputError
from console.contracts.geometry import Point, Rect
from console.core.worker import Worker

from ..guard import require_live_display
from ..x11 import REFUSED, X11
from .clipboard import Clipboard
from .pointer import BUTTON_RELEASE, Pointer, require_on_screen
from .pressed import Pressed
from .x11_keyboard import RELEASE, StopFlag, TooManyCharacters, X11Keyboard

P = ParamSpec("P")
R = TypeVar("R")
PASTE = ("shift", "insert")
LONG_FOREIGN_TEXT = 400


class X11Input:
    """Keyboard and pointer of an X11 server. Only `InputError` and `DesktopUnavailable` come out."""

    def __init__(self, typing_delay_ms: int = 0) -> None:
        require_live_display()
        self.pressed = Pressed()
        self._delay_ms = typing_delay_ms
        self._worker = Worker("input")
        self._stop = StopFlag()
        self._parts: tuple[X11, X11Keyboard, Pointer] | None = None
        self._clipboard: Clipboard | None = None
        self._releasing = threading.Lock()
        self._release_server: X11 | None = None

    @property
    def last_event_at(self) -> float:
        """When the last event was sent (monotonic seconds)."""
        return self.pressed.last_event_at

    async def connect(self) -> None:
        """Open the device without sending anything."""
        await self._call(lambda: self._ready and None)

    async def move(self, point: Point) -> None:
        await self._call(self._move, point)

    async def click(
        self,
        point: Point,
        *,
        button: MouseButton = "left",
        count: int = 1,
        modifiers: Sequence[Modifier] = (),
        hold_ms: int = 0,
    ) -> None:
        await self._call(self._click, point, button, count, modifiers, hold_ms / 1000)

    async def scroll(self, point: Point, dx: int, dy: int, *, modifiers: Sequence[Modifier] = ()) -> None:
        await self._call(self._scroll, point, dx, dy, modifiers)

    async def drag(self, points: Sequence[Point], *, modifiers: Sequence[Modifier] = ()) -> None:
        await self._call(self._drag, tuple(points), modifiers)

    async def keys(self, combo: Sequence[str]) -> None:
        """Press the keys together. Raises `InputError` for an unknown or blocked one."""
        await self._call(lambda: self._ready[1].tap(combo))

    async def type_text(self, text: str) -> None:
        """Type it exactly, or raise `InputError`."""
        await self._call(self._type, text)

    def stop_now(self) -> None:
        """No event is sent from now on until `reset`; what is held is let go. Safe from any thread."""
        self._stop.set()
        self._let_go()

    def reset(self) -> None:
        self._stop.clear()

    async def release_all(self) -> None:
        """Let go of everything that we hold, by a connection that nothing else can keep busy."""
        await asyncio.get_running_loop().run_in_executor(None, self._let_go)

    async def close(self) -> None:
        self.stop_now()
        await self._worker.call(self._close)
        self._worker.close()

    async def _call(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """In the input thread. When the caller is cancelled, sending stops at once."""
        try:
            return await self._worker.call(function, *args, **kwargs)
        except asyncio.CancelledError:
            self.stop_now()
            raise
        except (xcffib.ConnectionException, OSError) as error:
            self._parts = None
            raise DesktopUnavailable("The display has gone away.", "Start the desktop again.") from error
        except InputError:
            raise
        except REFUSED as error:
            raise InputError(f"The X server refused the input: {error}", "Look again.") from error

    @property
    def _ready(self) -> tuple[X11, X11Keyboard, Pointer]:
        if self._parts is None:
            x = X11()
            keyboard = X11Keyboard(x, self.pressed, self._stop.check, self._delay_ms)
            self._parts = x, keyboard, Pointer(x, self.pressed, self._stop.wait, self._stop.check)
        return self._parts

    def _move(self, point: Point) -> None:
        x, _, pointer = self._ready
        require_on_screen(point, _monitors(x))
        pointer.move(point)

    def _click(
        self, point: Point, button: MouseButton, count: int, modifiers: Sequence[Modifier], hold_s: float
    ) -> None:
        self._move(point)
        self._holding(modifiers, lambda: self._ready[2].click(button, count, hold_s))

    def _scroll(self, point: Point, dx: int, dy: int, modifiers: Sequence[Modifier]) -> None:
        self._move(point)
        self._holding(modifiers, lambda: self._ready[2].scroll(dx, dy))

    def _drag(self, points: Sequence[Point], modifiers: Sequence[Modifier]) -> None:
        monitors = _monitors(self._ready[0])
        for point in points:
            require_on_screen(point, monitors)
        self._holding(modifiers, lambda: self._ready[2].drag(points))

    def _holding(self, modifiers: Sequence[Modifier], work: Callable[[], None]) -> None:
        self._ready[1].holding(modifiers, work)

    def _type(self, text: str) -> None:
        keyboard = self._ready[1]
        foreign = sum(ord(character) > 0xFF for character in text)
        if foreign <= LONG_FOREIGN_TEXT:
            try:
                keyboard.type(text)
                return
            except TooManyCharacters:
                pass
        if self._clipboard is None:
            self._clipboard = Clipboard()
        self._clipboard.carry(text.replace("\r\n", "\n"), lambda: keyboard.tap(PASTE), self._stop.check)

    def _let_go(self) -> None:
        keycodes, buttons = self.pressed.take()
        if not keycodes and not buttons:
            return
        with self._releasing:
            try:
                if self._release_server is None:
                    self._release_server = X11()
                test = self._release_server.connection(xcffib.xtest.key)
                for keycode in keycodes:
                    test.FakeInput(RELEASE, keycode, 0, 0, 0, 0, 0)
                for button in buttons:
                    test.FakeInput(BUTTON_RELEASE, button, 0, 0, 0, 0, 0)
                self._release_server.sync()
            except (DesktopUnavailable, xcffib.ConnectionException):
                self._release_server = None  # no server, so nothing is held any more

    def _close(self) -> None:
        if self._clipboard is not None:
            self._clipboard.close()
            self._clipboard = None
        if self._parts is not None:
            x, keyboard, _ = self._parts
            if keyboard.has_spare_keys:
                time.sleep(0.15)  # what was typed last may not have been read yet
            keyboard.release()
            x.close()
            self._parts = None
        with self._releasing:
            if self._release_server is not None:
                self._release_server.close()
                self._release_server = None


def _monitors(x: X11) -> list[Rect]:
    """The monitors by RandR; the whole screen where it is not there."""
    import xcffib.randr

    try:
        randr: Any = x.connection(xcffib.randr.key)
        found = randr.GetMonitors(x.root, 1).reply().monitors
        return [Rect(x=m.x, y=m.y, width=m.width, height=m.height) for m in found]
    except REFUSED:
        size = x.core.GetGeometry(x.root).reply()
        return [Rect(x=0, y=0, width=size.width, height=size.height)]
