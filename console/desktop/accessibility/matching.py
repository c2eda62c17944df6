"""Which toplevel of an application is which window, and what lies under other windows."""

from __future__ import annotations

from collections.abc import Sequence

from console.contracts.geometry import Point, Rect
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


def hidden_by(element: SceneElement, windows: Sequence[WindowInfo]) -> bool:
    """Whether the middle and all corners of the element lie under other windows."""
    above: list[Rect] = []
    for window in windows:
        if window.id == element.window_id:
            break
        if not window.minimized:
            above.append(window.frame or window.bounds)
    if not above:
        return False
    box = element.bounds
    corners = [Point.model_construct(x=x, y=y) for x in (box.x, box.right - 1) for y in (box.y, box.bottom - 1)]
    return all(any(cover.contains(point) for cover in above) for point in (box.center, *corners))


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
