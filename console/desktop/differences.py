"""Compares two frames and says where they differ, in cells of 16 pixels."""

from __future__ import annotations

from collections.abc import Iterable

from PIL import Image, ImageChops

from console.contracts.geometry import Point, Rect
from console.contracts.scene import Frame

CELL = 16
Cell = tuple[int, int]


def changed_cells(before: Frame, after: Frame, ignoring: Iterable[Rect] = ()) -> frozenset[Cell]:
    """The cells with a pixel that differs outside the ignored areas (screen pixels); all of them if the frames do not
    show the same place."""
    if before.bounds != after.bounds or len(before.pixels) != len(after.pixels):
        return all_cells(after)
    if before.pixels == after.pixels:
        return frozenset()
    difference = ImageChops.difference(_image(before), _image(after))
    for area in ignoring:
        x, y = area.x - before.bounds.x, area.y - before.bounds.y
        difference.paste(0, (x, y, x + area.width, y + area.height))
    box = difference.getbbox()
    if box is None:
        return frozenset()
    left, top = box[0] // CELL * CELL, box[1] // CELL * CELL
    # The brightest channel of each pixel, so that no change is averaged away.
    red, green, blue = difference.crop((left, top, *_aligned(box[2], box[3]))).split()
    lit = ImageChops.lighter(ImageChops.lighter(red, green), blue).point([0] + [255] * 255)
    small = lit.reduce(CELL)
    columns = small.width
    return frozenset(
        (left // CELL + index % columns, top // CELL + index // columns)
        for index, value in enumerate(small.tobytes())
        if value
    )


def all_cells(frame: Frame) -> frozenset[Cell]:
    columns, rows = -(-frame.image_width // CELL), -(-frame.image_height // CELL)
    return frozenset((x, y) for x in range(columns) for y in range(rows))


def cells_within(cells: Iterable[Cell], frame: Frame, area: Rect) -> frozenset[Cell]:
    """The cells whose middle lies in the area, which is in screen pixels."""
    return frozenset(cell for cell in cells if area.contains(_middle(cell, frame)))


def grown(area: Rect, by: int) -> Rect:
    """The area with a margin on each side."""
    return Rect(x=area.x - by, y=area.y - by, width=area.width + 2 * by, height=area.height + 2 * by)


def same_within(before: Frame, after: Frame, area: Rect) -> bool:
    """Whether both frames show the same pixels in the area."""
    if before.bounds != after.bounds or len(before.pixels) != len(after.pixels):
        return False
    part = before.bounds.intersection(area)
    if part.empty or not before.pixels:
        return False
    stride, start, length = before.image_width * 3, (part.x - before.bounds.x) * 3, part.width * 3
    for row in range(part.y - before.bounds.y, part.bottom - before.bounds.y):
        offset = row * stride + start
        if before.pixels[offset : offset + length] != after.pixels[offset : offset + length]:
            return False
    return True


def _rect(cell: Cell, frame: Frame) -> Rect:
    return Rect(x=frame.bounds.x + cell[0] * CELL, y=frame.bounds.y + cell[1] * CELL, width=CELL, height=CELL)


def _middle(cell: Cell, frame: Frame) -> Point:
    return _rect(cell, frame).center


def _aligned(right: int, bottom: int) -> tuple[int, int]:
    return -(-right // CELL) * CELL, -(-bottom // CELL) * CELL


def _image(frame: Frame) -> Image.Image:
    return Image.frombuffer("RGB", (frame.image_width, frame.image_height), frame.pixels, "raw", "RGB", 0, 1)
