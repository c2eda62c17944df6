"""The screenshots of a report: small copies inside it, with what was touched outlined."""

from __future__ import annotations

import base64
import contextlib
import io
from dataclasses import dataclass

from PIL import Image

from console.contracts.geometry import Rect
from console.contracts.safety import Target

WIDTH, QUALITY, INSIDE = 960, 80, 300
TRACE = 500  # the outline is a five-hundredth of the picture's width, so that it shows at any size


@dataclass(frozen=True)
class Shot:
    """A picture of `width` by `height` pixels. `source` is empty where the same one stands earlier in the report, under
    the name `id`; `box` and `point` are pixels of the picture."""

    id: str
    caption: str
    file: str
    width: int
    height: int
    source: str
    box: Rect | None
    point: tuple[int, int] | None
    stroke: float


class Gallery:
    """The pictures of one report, by name. Each is put into it once; when it holds enough, the others are shown from
    the files beside it, so that the report of a long run can still be opened."""

    def __init__(self, inside: int = INSIDE) -> None:
        self._inside = inside
        self._small: dict[str, str] = {}
        self._sizes: dict[str, tuple[int, int]] = {}
        self._shown: set[str] = set()

    def add(self, name: str, data: bytes) -> None:
        """What is no picture is left out."""
        with contextlib.suppress(OSError), Image.open(io.BytesIO(data)) as image:
            if len(self._small) < self._inside:
                self._small[name] = _small(image)
            self._sizes[name] = image.size

    def shot(self, name: str, caption: str, file: str, target: Target | None = None) -> Shot | None:
        """None if there is no such picture."""
        if name not in self._sizes:
            return None
        width, height = self._sizes[name]
        whole = Rect(x=0, y=0, width=width, height=height)
        box = target.bounds.intersection(whole) if target is not None and target.bounds is not None else None
        point = target.point if target is not None else None
        source = "" if name in self._shown else self._small.get(name, file)
        self._shown.add(name)
        return Shot(
            id=f"picture-{name[:16]}",
            caption=caption,
            file=file,
            width=width,
            height=height,
            source=source,
            box=None if box is None or box.empty else box,
            point=(point.x, point.y) if point is not None and whole.contains(point) else None,
            stroke=max(width / TRACE, 2.0),
        )


def _small(image: Image.Image) -> str:
    """A smaller copy as a data URI."""
    small = image.convert("RGB")
    small.thumbnail((WIDTH, WIDTH))
    out = io.BytesIO()
    small.save(out, "JPEG", quality=QUALITY)
    return f"data:image/jpeg;base64,{base64.b64encode(out.getvalue()).decode()}"
