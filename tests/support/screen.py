"""Looks at the X server directly, so that a test does not have to trust the console about it."""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass

import xcffib
import xcffib.xproto

WAIT_S = 20.0


@dataclass(frozen=True)
class XWindow:
    """A managed window: id, title, process (0 when it does not say)."""

    id: int
    title: str
    pid: int


@dataclass(frozen=True)
class Held:
    """What is pressed at the server: keycodes, and the mask of modifiers and buttons at the pointer."""

    keycodes: tuple[int, ...]
    mask: int

    def __bool__(self) -> bool:
        return bool(self.keycodes or self.mask)


class Screen:
    """One connection to the display of the test."""

    def __init__(self, display: str | None = None) -> None:
        self._connection = xcffib.connect(display or os.environ["DISPLAY"])
        self._core = self._connection.core
        self.root = self._connection.get_setup().roots[0].root

    def close(self) -> None:
        self._connection.disconnect()

    def windows(self) -> list[XWindow]:
        """The managed windows, oldest first; one that closes meanwhile is left out."""
        found = []
        for window in self._numbers(self.root, "_NET_CLIENT_LIST"):
            try:
                title = self._text(window, "_NET_WM_NAME") or self._text(window, "WM_NAME")
                pid = next(iter(self._numbers(window, "_NET_WM_PID")), 0)
            except xcffib.xproto.WindowError:
                continue
            found.append(XWindow(window, title, pid))
        return found

    def active(self) -> int:
        """The id of the active window, 0 when there is none."""
        return next(iter(self._numbers(self.root, "_NET_ACTIVE_WINDOW")), 0)

    def wait_for_window(self, title: str, timeout_s: float = WAIT_S) -> XWindow:
        """The first window whose title has a match of the regular expression."""
        deadline = time.monotonic() + timeout_s
        while True:
            windows = self.windows()
            for window in windows:
                if re.search(title, window.title):
                    return window
            if time.monotonic() > deadline:
                raise AssertionError(f"no window “{title}” within {timeout_s:g} s, only {[w.title for w in windows]}")
            time.sleep(0.02)

    def wait_active(self, window: XWindow, timeout_s: float = WAIT_S) -> None:
        deadline = time.monotonic() + timeout_s
        while self.active() != window.id:
            assert time.monotonic() < deadline, f"“{window.title}” did not become active"
            time.sleep(0.02)

    def held(self) -> Held:
        keys = self._core.QueryKeymap().reply().keys
        pressed = tuple(8 * byte + bit for byte in range(32) for bit in range(8) if keys[byte] >> bit & 1)
        return Held(pressed, self._core.QueryPointer(self.root).reply().mask)

    def pointer(self) -> tuple[int, int]:
        """Where the pointer is, in pixels of the screen."""
        reply = self._core.QueryPointer(self.root).reply()
        return reply.root_x, reply.root_y

    def _numbers(self, window: int, name: str) -> list[int]:
        return [int(number) for number in self._property(window, name, 32).value.to_atoms()]

    def _text(self, window: int, name: str) -> str:
        return bytes(self._property(window, name, 8).value.buf()).decode("utf-8", "replace")

    def _property(self, window: int, name: str, width: int) -> xcffib.xproto.GetPropertyReply:
        atom = self._core.InternAtom(False, len(name), name).reply().atom
        return self._core.GetProperty(False, window, atom, xcffib.xproto.Atom.Any, 0, 4096).reply()
