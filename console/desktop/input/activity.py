"""Watches what the operator does: the stop key, the corners of the screen, and a hand on mouse or keyboard."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence

import xcffib
import xcffib.xproto as xp

from console.contracts.errors import ConsoleError, DesktopUnavailable
from console.contracts.geometry import Point, Rect

from ..x11 import REFUSED, X11
from .device import _monitors
from .keymap import Keymap
from .keys import keysym, split
from .pressed import Pressed

log = logging.getLogger(__name__)
EVERY_S = 0.02
CORNER = 4
JITTER = 8
_MASKS = {"shift": 1, "ctrl": 4, "alt": 8, "super": 64}
_LOCKS = (0, 2, 16, 18)  # with and without Caps Lock and Num Lock


class ActivityMonitor:
    """A thread with its own connection. Callbacks come from that thread.

    `on_stop(reason)` for the stop key and for the pointer thrown into a corner; `on_hand(what)` when the operator moves
    the mouse or holds a key that the console did not press. `problem` says why the stop key could not be had.
    """

    def __init__(
        self,
        pressed: Pressed,
        on_stop: Callable[[str], None],
        on_hand: Callable[[str], None],
        *,
        stop_key: str = "Ctrl+Alt+Escape",
        corners: bool = True,
    ) -> None:
        self.problem: str | None = None
        self._pressed = pressed
        self._on_stop = on_stop
        self._on_hand = on_hand
        self._stop_key = stop_key
        self._corners = corners
        self._end = threading.Event()
        self._ready = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Returns when the stop key works, or `problem` says why it does not."""
        self._end.clear()
        self._thread = threading.Thread(target=self._watch, name="activity", daemon=True)
        self._thread.start()
        self._ready.wait(2)

    def close(self) -> None:
        self._end.set()
        if self._thread is not None:
            self._thread.join(2)
            self._thread = None

    def _watch(self) -> None:
        try:
            x = X11()
        except DesktopUnavailable as error:
            self.problem = error.sentence()
            self._ready.set()
            return
        try:
            self._grab(x)
            self._ready.set()
            self._loop(x)
        except (xcffib.ConnectionException, OSError):
            self._on_stop("The display has gone away.")
        finally:
            self._ready.set()
            try:
                x.close()
            except xcffib.ConnectionException:
                log.info("The display was gone already")

    def _loop(self, x: X11) -> None:
        last = _pointer(x)
        moved = 0
        in_corner = corner_of(last, _monitors(x)) is not None
        while not self._end.wait(EVERY_S):
            while (event := x.connection.poll_for_event()) is not None:
                if isinstance(event, xp.KeyPressEvent):
                    self._on_stop("You pressed the stop key.")
            point = _pointer(x)
            if point != last:
                ours = self._pressed.put_here(point)
                moved = 0 if ours else moved + abs(point.x - last.x) + abs(point.y - last.y)
                corner = corner_of(point, _monitors(x)) if self._corners else None
                if corner and not in_corner and not ours:
                    self._on_stop(f"You moved the pointer into the {corner} corner.")
                in_corner = corner is not None
                if moved > JITTER:
                    moved = 0
                    self._on_hand("You moved the mouse.")
                last = point
            if any(not self._pressed.ours(keycode) for keycode in _held_keys(x)):
                self._on_hand("You pressed a key.")

    def _grab(self, x: X11) -> None:
        try:
            names = split([self._stop_key])
            setup = x.connection.get_setup()
            reply = x.core.GetKeyboardMapping(setup.min_keycode, setup.max_keycode - setup.min_keycode + 1).reply()
            width, flat = reply.keysyms_per_keycode, list(reply.keysyms)
            keymap = Keymap(setup.min_keycode, [flat[at : at + width] for at in range(0, len(flat), width)])
            stroke = keymap.stroke(keysym(names[-1]), any_group=True)
            if stroke is None:
                raise ConsoleError(f"The keyboard has no {names[-1]}.")
            mask = sum(_MASKS[name] for name in names[:-1])
            cookies = [
                x.core.GrabKeyChecked(False, x.root, mask | lock, stroke.keycode, xp.GrabMode.Async, xp.GrabMode.Async)
                for lock in _LOCKS
            ]
            for cookie in cookies:
                cookie.check()
        except (*REFUSED, ConsoleError, KeyError) as error:
            reason = error.sentence() if isinstance(error, ConsoleError) else "another program has it"
            self.problem = f"The stop key {self._stop_key} does not work: {reason}."


def corner_of(point: Point, monitors: Sequence[Rect]) -> str | None:
    """The corner of a monitor that the point is in (a few pixels wide), in words."""
    for box in monitors:
        if not box.contains(point):
            continue
        vertical = "top" if point.y < box.y + CORNER else "bottom" if point.y >= box.bottom - CORNER else ""
        horizontal = "left" if point.x < box.x + CORNER else "right" if point.x >= box.right - CORNER else ""
        if vertical and horizontal:
            return f"{vertical} {horizontal}"
    return None


def _pointer(x: X11) -> Point:
    reply = x.core.QueryPointer(x.root).reply()
    return Point(x=reply.root_x, y=reply.root_y)


def _held_keys(x: X11) -> list[int]:
    held = x.core.QueryKeymap().reply().keys
    return [8 * place + bit for place, byte in enumerate(held) for bit in range(8) if byte >> bit & 1]
