"""Who stands where: the same row, below, above, left and right of something else."""

from __future__ import annotations

import math
from collections.abc import Sequence

from console.contracts.geometry import Rect
from console.contracts.view import PlanningElement

from .models import Relation
from .names import has_words, plain

_ROW_OF_PIXELS = 8
_TOUCH = 3
_TALL = 4


def reading_order(elements: Sequence[PlanningElement]) -> list[PlanningElement]:
    """From the top, and in a line from the left; what has no place stays last in the order it came."""
    return sorted(elements, key=lambda e: (e.bounds.center.y // _ROW_OF_PIXELS, e.bounds.x) if e.bounds else (10**9, 0))


def row_words(element: PlanningElement, elements: Sequence[PlanningElement]) -> str:
    """The words of its row as the app tells them, else what stands in the same line (text read off the picture)."""
    if element.context or element.bounds is None:
        return element.context or ""
    box = element.bounds
    line: list[tuple[int, str]] = []
    for other in elements:
        if other.id == element.id or other.window != element.window or other.bounds is None or not other.label:
            continue
        level = other.bounds.y <= box.center.y < other.bounds.bottom and other.bounds.height < _TALL * box.height
        if level and other.label != element.label:
            line.append((other.bounds.x, other.label))
    return " · ".join(dict.fromkeys(text for _, text in sorted(line)))


def in_row_of(candidates: Sequence[PlanningElement], words: str) -> list[PlanningElement]:
    """Those whose row or group, as the app tells it, says the words."""
    wanted = plain(words)
    return [element for element in candidates if has_words(plain(element.context or ""), wanted)]


def beside(
    candidates: Sequence[PlanningElement], relation: Relation, anchors: Sequence[PlanningElement]
) -> list[PlanningElement]:
    """Those that stand so to one of the anchors, the nearest only (several if they are equally near)."""
    found: dict[str, tuple[float, PlanningElement]] = {}
    for anchor in anchors:
        for element in candidates:
            if element.id == anchor.id or element.bounds is None or anchor.bounds is None:
                continue
            if not _stands(element.bounds, relation, anchor.bounds):
                continue
            distance = _distance(element.bounds, anchor.bounds, relation)
            if element.id not in found or distance < found[element.id][0]:
                found[element.id] = (distance, element)
    if not found:
        return []
    least = min(distance for distance, _ in found.values())
    return [element for distance, element in found.values() if distance <= least + _TOUCH]


def _stands(box: Rect, relation: Relation, anchor: Rect) -> bool:
    same_line = box.y < anchor.bottom and anchor.y < box.bottom
    match relation:
        case "row":
            return same_line
        case "left":
            return same_line and box.right <= anchor.x + _TOUCH
        case "right":
            return same_line and box.x >= anchor.right - _TOUCH
        case "below":
            return box.y >= anchor.bottom - _TOUCH
        case "above":
            return box.bottom <= anchor.y + _TOUCH
        case _:
            return True


def _distance(box: Rect, anchor: Rect, relation: Relation) -> float:
    """Between the edges; what is not straight below or above counts as farther."""
    across = max(box.x - anchor.right, anchor.x - box.right, 0)
    down = max(box.y - anchor.bottom, anchor.y - box.bottom, 0)
    aside = 2 if relation in ("below", "above") else 1
    return math.hypot(across * aside, down)


def overlap(one: Rect, other: Rect) -> bool:
    """Whether one lies wholly or mostly in the other."""
    common = one.intersection(other).area
    return common > 0 and common >= 0.8 * min(one.area, other.area)
