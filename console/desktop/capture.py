"""Takes pictures of the screen with one long-lived `mss` object in one thread."""

from __future__ import annotations

import io
import itertools
import os
import sys
import time
from collections.abc import Sequence
from typing import Any

from PIL import Image

from console.contracts.desktop import ImageMedia
from console.contracts.errors import CaptureError, DesktopUnavailable
from console.contracts.geometry import Rect
from console.contracts.scene import Frame, Monitor
from console.core.worker import Worker

from .guard import require_live_display

BLANK_SHARE = 0.999
_SAMPLE = (64, 40)


class Capture:
    """Grabs frames. Geometry is read anew each time, and only `CaptureError` and `DesktopUnavailable` come out."""

    def __init__(self) -> None:
        require_live_display()
        self._worker = Worker("capture")
        self._encoder = Worker("encode")
        self._mss: Any = None
        self._ids = itertools.count(1)
        self._wanted = 0

    @property
    def busy(self) -> bool:
        """Whether a picture is being taken or waits for its turn."""
        return self._wanted > 0

    async def grab(self, region: Rect | None = None) -> Frame:
        """The whole virtual screen, or the part of the region that is on it (physical pixels)."""
        self._wanted += 1
        try:
            return await self._worker.call(self._grab, region)
        finally:
            self._wanted -= 1

    async def encode(self, frame: Frame, media: ImageMedia) -> bytes:
        """The frame as PNG (fast, lossless) or JPEG (quality 85)."""
        return await self._encoder.call(encode, frame, media)

    async def close(self) -> None:
        await self._worker.call(self._forget)
        self._worker.close()
        self._encoder.close()

    def _grab(self, region: Rect | None) -> Frame:
        try:
            return self._frame(region)
        except (CaptureError, DesktopUnavailable):
            raise
        except Exception as error:  # mss lets errors of its back-ends through, each of its own family
            self._forget()
            wayland = os.environ.get("XDG_SESSION_TYPE") == "wayland"
            hint = "Log in to an X11 session." if wayland else "Check that the display is still there."
            raise CaptureError(f"The screen could not be captured: {error}", hint) from error

    def _forget(self) -> None:
        """Close the connection; if that fails, it is gone all the same."""
        broken, self._mss = self._mss, None
        try:
            if broken is not None:
                broken.close()
        except Exception:  # noqa: BLE001 - the server is gone, and with it everything to close
            return

    def _frame(self, region: Rect | None) -> Frame:
        if self._mss is None:
            import mss

            self._mss = mss.MSS() if hasattr(mss, "MSS") else mss.mss()
        self._mss._monitors = None  # mss keeps the geometry of its first look; monitors come and go
        boxes = [_rect(box) for box in self._mss.monitors]
        whole = boxes[0]
        wanted = whole if region is None else region.intersection(whole)
        if wanted.empty:
            raise CaptureError(
                "The region is not on the screen.", f"The screen is {whole.width} by {whole.height} pixels."
            )
        shot = self._mss.grab({"left": wanted.x, "top": wanted.y, "width": wanted.width, "height": wanted.height})
        width, height = shot.size
        image = Image.frombytes("RGB", (width, height), bytes(shot.raw), "raw", "BGRX")
        return Frame(
            id=f"frame-{os.getpid()}-{next(self._ids)}",
            bounds=wanted,
            image_width=width,
            image_height=height,
            taken_at_ms=time.time_ns() // 1_000_000,
            monitors=monitors(boxes[1:] or boxes, width / wanted.width),
            blank=is_blank(image),
            pixels=image.tobytes(),
        )


def encode(frame: Frame, media: ImageMedia) -> bytes:
    out = io.BytesIO()
    image = as_image(frame)
    if media == "image/png":
        image.save(out, "PNG", compress_level=1)
    else:
        image.save(out, "JPEG", quality=85)
    return out.getvalue()


def as_image(frame: Frame) -> Image.Image:
    return Image.frombytes("RGB", (frame.image_width, frame.image_height), frame.pixels)


def monitors(boxes: Sequence[Rect], scale: float) -> tuple[Monitor, ...]:
    """The monitors with the scale of this capture: image pixels for each pixel of the screen."""
    return tuple(
        Monitor(name=f"{sys.platform}-{n}", bounds=box, scale=scale, primary=n == 1) for n, box in enumerate(boxes, 1)
    )


def is_blank(image: Image.Image) -> bool:
    """Whether practically the whole picture has one colour."""
    small = image.resize(_SAMPLE, Image.Resampling.NEAREST)
    colours = small.getcolors(_SAMPLE[0] * _SAMPLE[1]) or []
    most = max((count for count, _ in colours), default=0)
    if most < BLANK_SHARE * _SAMPLE[0] * _SAMPLE[1]:
        return False
    extrema: Any = image.getextrema()
    return all(high - low <= 8 for low, high in extrema)


def _rect(box: dict[str, int]) -> Rect:
    return Rect(x=box["left"], y=box["top"], width=box["width"], height=box["height"])
