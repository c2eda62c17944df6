"""What the console holds down and where it put the pointer, known to every thread."""

from __future__ import annotations

import threading
import time
from collections import deque

from console.contracts.geometry import Point

REMEMBER_S = 0.4


class Pressed:
    """The ledger of our own input. It is written before an event is sent, so nothing sent is unknown."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._keys: set[int] = set()
        self._buttons: set[int] = set()
        self._recent_keys: dict[int, float] = {}
        self._places: deque[tuple[float, Point]] = deque(maxlen=256)
        self.last_event_at = 0.0

    def key(self, keycode: int, *, down: bool) -> None:
        with self._lock:
            self.last_event_at = time.monotonic()
            self._recent_keys[keycode] = self.last_event_at
            (self._keys.add if down else self._keys.discard)(keycode)

    def button(self, number: int, *, down: bool) -> None:
        with self._lock:
            self.last_event_at = time.monotonic()
            (self._buttons.add if down else self._buttons.discard)(number)

    def place(self, point: Point) -> None:
        with self._lock:
            self.last_event_at = time.monotonic()
            self._places.append((self.last_event_at, point))

    def take(self) -> tuple[list[int], list[int]]:
        """The keycodes and buttons held down; they are forgotten, so the caller lets them go."""
        with self._lock:
            held = sorted(self._keys), sorted(self._buttons)
            self._keys.clear()
            self._buttons.clear()
            now = time.monotonic()
            self._recent_keys.update(dict.fromkeys(held[0], now))
            return held

    def ours(self, keycode: int) -> bool:
        """Whether we hold the key or did so a moment ago."""
        with self._lock:
            return keycode in self._keys or time.monotonic() - self._recent_keys.get(keycode, -9.0) < REMEMBER_S

    def put_here(self, point: Point) -> bool:
        """Whether we put the pointer there, as the last thing or a moment ago."""
        with self._lock:
            if not self._places:
                return False
            since = time.monotonic() - REMEMBER_S
            return self._places[-1][1] == point or any(p == point for at, p in self._places if at >= since)
