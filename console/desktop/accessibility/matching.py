"""Which toplevel of an application is which window, and what lies under other windows."""

from __future__ import annotations

from collections.abc import Sequence

from console.contracts.geometry import Rect
from console.contracts.scene import SceneElement, WindowInfo

from . import roles
from .node import Node, TreeRead


def matched(
    toplevels: Sequence[TreeRead], windows: Sequence[WindowInfo]
) -> tuple[list[tuple[WindowInfo, TreeRead]], list[WindowInfo]]:
    """Each toplevel of an application with the window that shows it, by title, then by place; and what is left."""
    left = list(windows)
    pairs: list[tuple[WindowInfo, TreeRead]] = []
    rest: list[TreeRead] = []
    for read in toplevels:
        same = [w for w in left if w.title and w.title == read.root.name]
        best = min(same, key=lambda w: _distance(w.bounds, read.root.bounds), default=None)
        if best is None:
            rest.append(read)
            continue
        left.remove(best)
        pairs.append((best, read))
    for read in rest:
        if roles.SHOWING not in read.root.states and not read.root.children:
            continue
        best = min(left, key=lambda w: _distance(w.bounds, read.root.bounds), default=None)
        if best is not None:
            left.remove(best)
            pairs.append((best, read))
    return pairs, left


def popup_of(node: Node, box: Rect, popups: Sequence[WindowInfo]) -> WindowInfo | None:
    """The pop-up window that shows the node: the items of a menu stand in the tree of the window that opened it."""
    if not popups or node.role == roles.COMBO_ROLE or not _in_popup_part(node):
        return None
    return next((w for w in popups if w.bounds.contains(box.center)), None)


def _in_popup_part(node: Node) -> bool:
    step = node.parent
    while step is not None:
        if step.role in (*roles.MENU_ROLES, roles.COMBO_ROLE):
            return True
        step = step.parent
    return False


class Covers:
    """What lies over each window, to tell which elements cannot be seen."""

    def __init__(self, windows: Sequence[WindowInfo]) -> None:
        self._above: dict[int, list[tuple[int, int, int, int]]] = {}
        above: list[tuple[int, int, int, int]] = []
        for window in windows:
            self._above[window.id] = list(above)
            if not window.minimized:
                box = window.frame or window.bounds
                above.append((box.x, box.y, box.right, box.bottom))
        self._all = above

    def hide(self, element: SceneElement) -> bool:
        """Whether the middle and all corners of the element lie under other windows."""
        box = element.bounds
        left, top, right, bottom = box.x, box.y, box.right - 1, box.bottom - 1
        above = self._above.get(element.window_id, self._all) if element.window_id is not None else self._all
        over = [c for c in above if c[0] <= right and c[2] > left and c[1] <= bottom and c[3] > top]
        if not over:
            return False
        middle = (left + box.width // 2, top + box.height // 2)
        points = (middle, (left, top), (right, top), (left, bottom), (right, bottom))
        return all(any(c[0] <= x < c[2] and c[1] <= y < c[3] for c in over) for x, y in points)


def key_of(node: Node, window: WindowInfo) -> str:
    """What the node is, without what changes while it lives: its place, its value, the title of its window."""
    path: list[str] = []
    step = node.parent
    while step is not None and len(path) < 6:
        path.append(f"{step.role}:{step.name[:40] if step.parent is not None else ''}")
        step = step.parent
    return f"{window.app}|{window.dialog}|{node.name[:80]}|{'/'.join(path)}"


def is_mute(node: Node) -> bool:
    """A large surface without parts or words: an icon view, a drawing, a game."""
    drawn = node.kind in ("panel", "canvas", "unknown", "image", "list")
    return drawn and not node.children and not node.name and node.bounds.area >= 20_000 and node.bounds.height >= 60


def _distance(a: Rect, b: Rect) -> int:
    return abs(a.x - b.x) + abs(a.y - b.y) + abs(a.width - b.width) + abs(a.height - b.height)
