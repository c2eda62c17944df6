"""Where the picture has changed since the last look, so that only what stands there is read again."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from console.contracts.geometry import Rect
from console.contracts.scene import Frame, WindowInfo

from .anomalies import is_chromium

TILE = 32
LINGER_S = 1.2  # an application may tell of a change a little later than it shows it
LATE_S = 3.0  # and Chromium quite a while later, when something was scrolled
Grid = NDArray[np.bool_]


class ChangedPixels:
    """Compares each frame with the one before, in tiles."""

    def __init__(self, linger_s: float = LINGER_S) -> None:
        self._last: Frame | None = None
        self._changed_at: NDArray[np.float64] = np.zeros((0, 0))
        self._linger_s = linger_s
        self.late: Grid | None = None

    def look(self, frame: Frame) -> Grid | None:
        """The tiles that have changed lately, None where nothing is known: then all is to be read."""
        last, self._last = self._last, frame
        shape = (-(-frame.image_height // TILE), -(-frame.image_width // TILE))
        now = time.monotonic()
        same = last is not None and last.bounds == frame.bounds and len(last.pixels) == len(frame.pixels)
        if last is None or not same or self._changed_at.shape != shape:
            self._changed_at = np.full(shape, now)
            return None
        if last.pixels != frame.pixels:
            self._changed_at[changed_tiles(last, frame)] = now
        age = now - self._changed_at
        self.late = _grid(age <= max(self._linger_s, LATE_S))
        return _grid(age <= self._linger_s)

    def forget(self) -> None:
        self._last = None


def changed_tiles(before: Frame, after: Frame) -> Grid:
    """Which tiles of two frames of the same size differ."""
    rows, row_bytes = after.image_height, after.image_width * 3
    wide = row_bytes % 8 == 0  # eight bytes at a time where the rows allow it
    kind: type[np.unsignedinteger] = np.uint64 if wide else np.uint8
    one, other = (np.frombuffer(frame.pixels, kind).reshape(rows, -1) for frame in (before, after))
    differ = one != other
    across = TILE * 3 // 8 if wide else TILE * 3
    down, right = -rows % TILE, -differ.shape[1] % across
    padded = np.pad(differ, ((0, down), (0, right))) if down or right else differ
    return _grid(padded.reshape(padded.shape[0] // TILE, TILE, -1, across).any(axis=(1, 3)))


def _grid(values: Any) -> Grid:
    return np.asarray(values, dtype=np.bool_)


class ChangedAreas:
    """The changed tiles of one frame, asked by rectangles of the screen."""

    def __init__(self, tiles: Grid, frame: Frame, late: Grid | None = None) -> None:
        self._tiles = tiles
        self._late = tiles if late is None else late
        self._frame = frame

    def of(self, window: WindowInfo, windows: Sequence[WindowInfo]) -> ChangedAreas:
        """Without what lies wholly under windows of other applications (`windows` topmost first)."""
        tiles = (self._late if is_chromium(window, None) else self._tiles).copy()
        for other in windows:
            if other.id == window.id:
                break
            if other.pid == window.pid or other.minimized:
                continue
            left, top, right, bottom = self._span(other.frame or other.bounds, inner=True)
            tiles[top:bottom, left:right] = False
        return ChangedAreas(tiles, self._frame)

    def any(self) -> bool:
        return bool(self._tiles.any())

    def touch(self, box: Rect) -> bool:
        left, top, right, bottom = self._span(box, inner=False)
        return bool(self._tiles[top:bottom, left:right].any())

    def _span(self, box: Rect, *, inner: bool) -> tuple[int, int, int, int]:
        """The tiles that the box touches, or those that lie wholly in it."""
        across = self._frame.image_width / self._frame.bounds.width / TILE
        down = self._frame.image_height / self._frame.bounds.height / TILE
        x, y = self._frame.bounds.x, self._frame.bounds.y
        low, high = (np.ceil, np.floor) if inner else (np.floor, np.ceil)
        left, top = max(int(low((box.x - x) * across)), 0), max(int(low((box.y - y) * down)), 0)
        return left, top, max(int(high((box.right - x) * across)), 0), max(int(high((box.bottom - y) * down)), 0)
