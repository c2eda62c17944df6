"""The screenshots of a report: small copies inside it, with what was touched outlined."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping
from dataclasses import dataclass

from PIL import Image

from console.contracts.geometry import Rect
from console.contracts.safety import Target

WIDTH, QUALITY = 960, 80
TRACE = 500  # the outline is a five-hundredth of the picture's width, so that it shows at any size


@dataclass(frozen=True)
class Shot:
    """A picture of `width` by `height` pixels. `data` is empty where the same one stands earlier in the report, under
    the name `id`; `box` and `point` are pixels of the picture."""

    id: str
    caption: str
    file: str
    width: int
    height: int
    data: str
    box: Rect | None
    point: tuple[int, int] | None
    stroke: float


class Gallery:
    """Makes the shots of one report from the bytes of its images, by name; each image is put into it once."""

    def __init__(self, images: Mapping[str, bytes]) -> None:
        self._images = images
        self._sizes: dict[str, tuple[int, int]] = {}

    def shot(self, name: str | None, caption: str, file: str, target: Target | None = None) -> Shot | None:
        """None if there is no such image, or it is none."""
        if name is None or name not in self._images:
            return None
        data = ""
        if name not in self._sizes:
            try:
                self._sizes[name], data = _small(self._images[name])
            except OSError:
                return None
        width, height = self._sizes[name]
        whole = Rect(x=0, y=0, width=width, height=height)
        box = target.bounds.intersection(whole) if target is not None and target.bounds is not None else None
        point = target.point if target is not None else None
        return Shot(
            id=f"picture-{name[:16]}",
            caption=caption,
            file=file,
            width=width,
            height=height,
            data=data,
            box=None if box is None or box.empty else box,
            point=(point.x, point.y) if point is not None and whole.contains(point) else None,
            stroke=max(width / TRACE, 2.0),
        )


def _small(data: bytes) -> tuple[tuple[int, int], str]:
    """The size of the whole picture and a smaller copy as a data URI."""
    with Image.open(io.BytesIO(data)) as image:
        size = image.size
        small = image.convert("RGB")
    small.thumbnail((WIDTH, WIDTH))
    out = io.BytesIO()
    small.save(out, "JPEG", quality=QUALITY)
    return size, f"data:image/jpeg;base64,{base64.b64encode(out.getvalue()).decode()}"
