"""Types on an X11 server: any text, on any layout, in any state of the locks (XTEST and XKB)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

import xcffib.xkb
import xcffib.xtest

from console.contracts.errors import InputError

from ..x11 import X11
from .keymap import Keymap, SpareKeys, Stroke
from .keys import keysym, keysym_of, split, why_blocked
from .pressed import Pressed

PRESS, RELEASE = 2, 3
CORE_KEYBOARD = 0x100
LOCK_MASK, MODIFIER_MASK = 2, 0xFD & ~0x10  # everything but Lock and Num Lock
HELD_S = 2.0
KEY_S = 0.0015  # an application that draws after each key falls far behind otherwise, and Stop with it
Check = Callable[[], None]


class X11Keyboard:
    """Belongs to one thread. `check` raises when input is to stop; it is asked between any two events."""

    def __init__(self, x: X11, pressed: Pressed, check: Check, delay_ms: int = 0) -> None:
        self._x = x
        self._pressed = pressed
        self._check = check
        self._delay_s = delay_ms / 1000
        self._test = x.connection(xcffib.xtest.key)
        self._xkb = x.connection(xcffib.xkb.key)
        self._xkb.UseExtension(1, 0).reply()
        self._spare = SpareKeys(self._lend)

    def tap(self, combo: Sequence[str]) -> None:
        """Press the keys in order and let them go in reverse. Raises `InputError` for unknown or blocked ones."""
        names = split(combo)
        reason = why_blocked(names)
        if reason:
            raise InputError(f"{'+'.join(names)} is not sent. {reason}", "Do it by hand if it must be.")
        self._wait_for_free_hands()
        keymap = self._keymap()
        strokes = [self._stroke(keysym(name), keymap, any_group=True) for name in names]
        shift = keymap.stroke(keysym("shift"), any_group=True)
        held: list[int] = []
        try:
            for name, stroke in zip(names, strokes, strict=True):
                if stroke.shift and shift is not None and "shift" not in names and len(name) == 1:
                    held.append(self._down(shift.keycode))
                held.append(self._down(stroke.keycode))
                self._pause(0.002)
        finally:
            for keycode in reversed(held):
                self._up(keycode)

    def type(self, text: str) -> None:
        """Every character, or an `InputError` that names those that cannot be typed; then none was."""
        text = text.replace("\r\n", "\n")
        self._wait_for_free_hands()
        keymap = self._keymap()
        needed = {character: keysym_of(character) for character in dict.fromkeys(text)}
        foreign = [symbol for symbol in needed.values() if keymap.stroke(symbol) is None]
        if not self._spare.prepare(foreign, keymap):
            raise TooManyCharacters("The keyboard has not enough free keys for this text.")
        strokes = {character: self._stroke(symbol, keymap) for character, symbol in needed.items()}
        shift = keymap.stroke(keysym("shift"), any_group=True)
        self._without_caps_lock(lambda: self._strike(text, strokes, shift))

    def holding(self, modifiers: Sequence[str], work: Callable[[], None]) -> None:
        """Do something while modifiers are held down."""
        keymap = self._keymap()
        held: list[int] = []
        try:
            for stroke in [self._stroke(keysym(name), keymap, any_group=True) for name in modifiers]:
                held.append(self._down(stroke.keycode))  # noqa: PERF401 - what is down must be known if the next fails
            work()
        finally:
            for keycode in reversed(held):
                self._up(keycode)

    @property
    def has_spare_keys(self) -> bool:
        return bool(self._spare.lent)

    def release(self) -> None:
        """Give the spare keys back. Called when nothing that was typed can still be unread."""
        self._spare.give_back()
        self._x.sync()

    def _strike(self, text: str, strokes: dict[str, Stroke], shift: Stroke | None) -> None:
        for character in text:
            stroke = strokes[character]
            shifted = stroke.shift and shift is not None
            try:
                if shifted and shift is not None:
                    self._down(shift.keycode)
                self._down(stroke.keycode)
            finally:
                self._up(stroke.keycode)
                if shifted and shift is not None:
                    self._up(shift.keycode)
            self._pause(max(self._delay_s, KEY_S))

    def _stroke(self, symbol: int, keymap: Keymap, *, any_group: bool = False) -> Stroke:
        stroke = keymap.stroke(symbol, any_group=any_group) or self._spare.stroke(symbol)
        if stroke is None and self._spare.prepare([symbol], keymap):
            stroke = self._spare.stroke(symbol)
        if stroke is None:
            raise InputError(f"There is no key for {symbol:#x}.", "Use another way to enter it.")
        return stroke

    def _down(self, keycode: int) -> int:
        self._check()
        self._pressed.key(keycode, down=True)
        self._test.FakeInput(PRESS, keycode, 0, 0, 0, 0, 0)
        self._x.sync()
        return keycode

    def _up(self, keycode: int) -> None:
        """Always sent: a key that is down comes up again, whatever has happened."""
        self._test.FakeInput(RELEASE, keycode, 0, 0, 0, 0, 0)
        self._pressed.key(keycode, down=False)
        self._x.sync()

    def _pause(self, seconds: float) -> None:
        if seconds > 0:
            time.sleep(seconds)

    def _keymap(self) -> Keymap:
        setup = self._x.connection.get_setup()
        first, last = setup.min_keycode, setup.max_keycode
        reply = self._x.core.GetKeyboardMapping(first, last - first + 1).reply()
        width, flat = reply.keysyms_per_keycode, list(reply.keysyms)
        rows = [flat[start : start + width] for start in range(0, len(flat), width)]
        self._spare.check(first, rows)
        lent = set(self._spare.lent)
        rows = [[0] * width if first + offset in lent else row for offset, row in enumerate(rows)]
        return Keymap(first, rows, self._xkb.GetState(CORE_KEYBOARD).reply().group)

    def _lend(self, keycode: int, symbol: int) -> None:
        """All columns alike, so neither group nor Shift can make another character of it."""
        self._x.core.ChangeKeyboardMapping(1, keycode, 4, [symbol] * 4)
        self._x.sync()

    def _without_caps_lock(self, work: Callable[[], None]) -> None:
        locked = self._xkb.GetState(CORE_KEYBOARD).reply().lockedMods & LOCK_MASK
        if not locked:
            work()
            return
        self._lock(on=False)
        try:
            work()
        finally:
            self._lock(on=True)

    def _lock(self, *, on: bool) -> None:
        self._xkb.LatchLockState(CORE_KEYBOARD, LOCK_MASK, LOCK_MASK if on else 0, False, 0, 0, False, 0)
        self._x.sync()

    def _wait_for_free_hands(self) -> None:
        """A modifier that the operator holds would turn the text into shortcuts."""
        deadline = time.monotonic() + HELD_S
        while self._xkb.GetState(CORE_KEYBOARD).reply().baseMods & MODIFIER_MASK:
            self._check()
            if time.monotonic() > deadline:
                raise InputError("A modifier key is being held down.", "Let go of Ctrl, Shift, Alt and Super.")
            time.sleep(0.02)


class TooManyCharacters(InputError):
    """More characters that the layout has not than there are spare keys; the clipboard can carry them."""


class StopFlag:
    """Raised by any thread, seen by the input thread before its next event."""

    def __init__(self) -> None:
        self._stopped = threading.Event()

    def set(self) -> None:
        self._stopped.set()

    def clear(self) -> None:
        self._stopped.clear()

    def check(self) -> None:
        if self._stopped.is_set():
            raise InputError("Input was stopped.", "")

    def wait(self, seconds: float) -> None:
        """Sleep, but not past a stop."""
        if self._stopped.wait(seconds):
            self.check()
