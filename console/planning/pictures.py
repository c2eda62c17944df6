"""Makes a screenshot fit what a provider takes, and brings points of the sent picture back to the screenshot."""

from __future__ import annotations

import asyncio
import io
import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from console.contracts.errors import PlannerError
from console.contracts.geometry import Point

if TYPE_CHECKING:
    from PIL.Image import Image

PNG_HEAD = struct.Struct(">8s4x4sII")
JPEG_QUALITIES = (85, 70, 55, 40)
SMALLER = 0.75


@dataclass(frozen=True)
class PictureLimits:
    """Sides and area in pixels, bytes as they stand in the request (base64); each side is a `multiple` of pixels."""

    long_side: int
    short_side: int | None = None
    pixels: int | None = None
    base64_bytes: int = 5_000_000
    multiple: int = 1


# The sizes are those up to which a provider does not scale the picture down itself, since its points would be
# off otherwise; the bytes are its limit for one picture, or less.
LIMITS: dict[str, PictureLimits] = {
    "anthropic": PictureLimits(long_side=1568, pixels=1_150_000, base64_bytes=5_000_000),
    "openai": PictureLimits(long_side=2048, short_side=1200),
    "google": PictureLimits(long_side=3072, base64_bytes=7_000_000),
    "compatible": PictureLimits(long_side=1568, pixels=1_500_000, base64_bytes=4_000_000),
    # Qwen2.5-VL, on which UI-TARS 1.5 stands, brings both sides to a multiple of 28 and answers in those pixels.
    "ui_tars": PictureLimits(long_side=1932, pixels=1_500_000, base64_bytes=4_000_000, multiple=28),
}


def limits_of(provider: str) -> PictureLimits:
    return LIMITS["openai" if provider == "openai_chat" else provider]


@dataclass(frozen=True)
class SentPicture:
    """What is sent: `data` of `media_type`, `width`×`height` pixels, made from a screenshot of the source's size."""

    data: bytes
    media_type: str
    width: int
    height: int
    source_width: int
    source_height: int

    @property
    def base64_bytes(self) -> int:
        return base64_size(len(self.data))

    def to_source(self, x: float, y: float) -> Point:
        """The pixel of the screenshot that the point (x, y) of the picture means. Raises `PlannerError` outside."""
        finite = all(isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v) for v in (x, y))
        if not finite or not (0 <= x < self.width and 0 <= y < self.height):
            raise PlannerError(
                f"The point ({x}, {y}) is not in the picture.",
                f"It is {self.width} pixels wide and {self.height} high, counted from 0.",
            )
        return Point(
            x=int(x * self.source_width / self.width),
            y=int(y * self.source_height / self.height),
        )


def base64_size(count: int) -> int:
    return 4 * math.ceil(count / 3)


async def fitted(png: bytes, limits: PictureLimits) -> SentPicture:
    """The PNG as it is if it fits, which costs nothing; else what `fit` makes of it, in a thread."""
    same = _as_it_is(png, limits)
    return same if same is not None else await asyncio.to_thread(fit, png, limits)


def _as_it_is(png: bytes, limits: PictureLimits) -> SentPicture | None:
    width, height = png_size(png)
    whole = width % limits.multiple == 0 and height % limits.multiple == 0
    if _scale(width, height, limits) == 1 and whole and base64_size(len(png)) <= limits.base64_bytes:
        return SentPicture(png, "image/png", width, height, width, height)
    return None


def fit(png: bytes, limits: PictureLimits) -> SentPicture:
    """The PNG as it is if it fits, else smaller, or as a JPEG; up to half a second. Raises `PlannerError` if it is no
    picture."""
    same = _as_it_is(png, limits)
    if same is not None:
        return same
    width, height = png_size(png)
    scale = _scale(width, height, limits)
    from PIL import Image

    with Image.open(io.BytesIO(png)) as opened:
        image = opened.convert("RGB")
    for data, media, size in _attempts(image, scale, limits.multiple):
        if base64_size(len(data)) <= limits.base64_bytes:
            return SentPicture(data, media, *size, width, height)
    raise PlannerError("The screenshot cannot be made small enough.", "Send it without the picture.")


def halved(picture: SentPicture) -> SentPicture:
    """The same at half the size, for a provider that did not take it."""
    from PIL import Image

    with Image.open(io.BytesIO(picture.data)) as opened:
        image = opened.convert("RGB")
    size = (max(picture.width // 2, 1), max(picture.height // 2, 1))
    data = _jpeg(image.resize(size, Image.Resampling.LANCZOS), JPEG_QUALITIES[0])
    return SentPicture(data, "image/jpeg", *size, picture.source_width, picture.source_height)


def png_size(png: bytes) -> tuple[int, int]:
    """Width and height from the head of the file."""
    try:
        magic, chunk, width, height = PNG_HEAD.unpack_from(png)
    except struct.error as error:
        raise PlannerError("The screenshot is no PNG.", "Look again.") from error
    if magic != b"\x89PNG\r\n\x1a\n" or chunk != b"IHDR" or not (width and height):
        raise PlannerError("The screenshot is no PNG.", "Look again.")
    return width, height


def _scale(width: int, height: int, limits: PictureLimits) -> float:
    scale = min(1.0, limits.long_side / max(width, height))
    if limits.short_side is not None:
        scale = min(scale, limits.short_side / min(width, height))
    if limits.pixels is not None:
        scale = min(scale, math.sqrt(limits.pixels / (width * height)))
    return scale


def _attempts(image: Image, scale: float, multiple: int) -> Iterator[tuple[bytes, str, tuple[int, int]]]:
    """PNG at the size that is allowed, then JPEG of falling quality, then smaller ones."""
    from PIL import Image as Images

    first = True
    while min(image.size) * scale >= 1:
        size = (_side(image.width * scale, multiple), _side(image.height * scale, multiple))
        small = image if size == image.size else image.resize(size, Images.Resampling.LANCZOS)
        if first:
            kept = io.BytesIO()
            small.save(kept, "PNG", compress_level=1)
            yield kept.getvalue(), "image/png", size
        for quality in JPEG_QUALITIES:
            yield _jpeg(small, quality), "image/jpeg", size
        first, scale = False, scale * SMALLER


def _side(length: float, multiple: int) -> int:
    return max(int(length) // multiple, 1) * multiple


def _jpeg(image: Image, quality: int) -> bytes:
    kept = io.BytesIO()
    image.save(kept, "JPEG", quality=quality)
    return kept.getvalue()
