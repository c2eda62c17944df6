"""Turns the nodes of a toplevel into scene elements: what each is called, where it stands and what can be done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from console.contracts.geometry import Point, Rect
from console.contracts.scene import SceneElement, WindowInfo

from . import roles
from .labels import Neighbours, clean, label_of, repeats_its_row
from .node import Node
from .rows import RowTexts

_CONTEXT = 200
SCALE_SLACK = 0.04  # of the factor: sides in units of the toolkit are rounded
_SETTABLE = frozenset({"input", "textarea", "spinbutton", "slider", "combobox"})
_NAMED_BY_NEIGHBOUR = _SETTABLE | {"list"}
_NEEDS_WORDS = frozenset({"text", "label", "image"})
_NEEDS_WORDS_OR_ACTIONS = frozenset({"menu", "menuitem"})


def offset(frame_box: Rect, window: WindowInfo) -> tuple[int, int]:
    """What to add to the boxes of a toplevel. Some toolkits report them relative to their window; then the frame's box
    agrees neither with the window nor with its decorated frame."""
    for real in (window.bounds, window.frame or window.bounds):
        if abs(frame_box.x - real.x) <= 3 and abs(frame_box.y - real.y) <= 3:
            return 0, 0
    inside = (window.frame or window.bounds).contains(frame_box.center)
    if (frame_box.x, frame_box.y) != (0, 0) and inside:
        return 0, 0
    return window.bounds.x - frame_box.x, window.bounds.y - frame_box.y


def scaled(frame_box: Rect, window: WindowInfo) -> tuple[float, Rect]:
    """How many pixels a unit of the toolkit has, and what part of the window its frame stands for.

    On a scaled desktop some toolkits report in units of their own; then the frame's box is smaller than the window, by
    the same factor both ways.
    """
    for real in (window.bounds, window.frame or window.bounds):
        if frame_box.empty or real.empty:
            continue
        across, down = real.width / frame_box.width, real.height / frame_box.height
        scale = round(across * 4) / 4
        if scale > 1 and abs(across - scale) < SCALE_SLACK and abs(down - scale) < SCALE_SLACK:
            return scale, real
    return 1.0, window.bounds


class ElementMaker:
    """Makes the elements of one window; `ids` go with the nodes."""

    def __init__(self, window: WindowInfo, frame_box: Rect) -> None:
        self._window = window
        self._frame = frame_box
        self._scale, self._real = scaled(frame_box, window)
        self._dx, self._dy = (0, 0) if frame_box.empty else offset(frame_box, window)

    def elements(
        self, nodes: Sequence[Node], ids: Sequence[str], homes: Mapping[Node, WindowInfo | None] | None = None
    ) -> list[SceneElement]:
        """`homes` names the pop-up window of the nodes that stand in one."""
        neighbours, rows = Neighbours(nodes), RowTexts(nodes)
        homes = homes or {}
        made = [
            self._element(node, id_, homes.get(node) or self._window, neighbours, rows)
            for node, id_ in zip(nodes, ids, strict=True)
        ]
        return [element for element in made if element is not None]

    def _element(
        self, node: Node, id_: str, window: WindowInfo, neighbours: Neighbours, rows: RowTexts
    ) -> SceneElement | None:
        bounds = self.place(node.bounds)
        bounds = bounds if bounds.empty else bounds.intersection(window.frame or window.bounds)
        if bounds.empty:
            return None
        kind = node.kind
        label = label_of(node)
        if not label and kind in _NAMED_BY_NEIGHBOUR:
            label = neighbours.label(node)
        if _is_noise(node, kind, label):
            return None
        row = rows.of(node)[:_CONTEXT]
        if not label and kind == "checkbox" and node.role == roles.CELL_ROLE:
            label = row  # in a table the words stand in the cell beside it
        settable = kind in _SETTABLE or roles.EDITABLE in node.states
        value = None if node.protected or clean(node.value or "") == label else node.value
        return SceneElement(
            id=id_,
            element_type=kind,
            label=label,
            value=value if kind != "combobox" else (node.value or node.name or None),
            description=clean(node.description) if clean(node.description) != label else "",
            state=roles.element_state(kind, node.states),
            bounds=bounds,
            clickable=kind in roles.CLICKABLE or bool(node.actions),
            settable=settable and not (kind == "input" and roles.EDITABLE not in node.states),
            select_options=tuple(f"{name}|{name}" for name in _options(node)),
            actions=node.actions,
            window_id=window.id,
            window=window.title,
            app=window.app,
            pid=window.pid,
            context=row,
            protected=node.protected,
        )

    def place(self, box: Rect) -> Rect:
        """The pixels of the screen that a box of the toolkit covers."""
        if self._scale != 1:
            left, top = self._pixels(box.x, box.y)
            right, bottom = self._pixels(box.right, box.bottom)
            return Rect(x=left, y=top, width=right - left, height=bottom - top)
        if not self._dx and not self._dy:
            return box
        return Rect(x=box.x + self._dx, y=box.y + self._dy, width=box.width, height=box.height)

    def toolkit_point(self, point: Point) -> Point:
        """The point of the toolkit's own space that a pixel of the screen is in."""
        if self._scale != 1:
            across, down = (point.x - self._real.x) / self._scale, (point.y - self._real.y) / self._scale
            return Point(x=self._frame.x + int(across), y=self._frame.y + int(down))
        return Point(x=point.x - self._dx, y=point.y - self._dy)

    def _pixels(self, x: int, y: int) -> tuple[int, int]:
        across, down = (x - self._frame.x) * self._scale, (y - self._frame.y) * self._scale
        return self._real.x + round(across), self._real.y + round(down)


def _options(node: Node) -> Sequence[str]:
    if node.kind == "list":
        return tuple(label for child in node.children if child.kind == "listitem" and (label := label_of(child)))
    return node.options


def _is_noise(node: Node, kind: str, label: str) -> bool:
    """What says nothing, only repeats its parent's words, or only holds the thing that carries them."""
    if kind in roles.SILENT:
        return not (label and (node.actions or (kind == "list" and node.children)))
    if not label and (kind in _NEEDS_WORDS or (kind in _NEEDS_WORDS_OR_ACTIONS and not node.actions)):
        return True
    if kind in ("text", "label"):
        return repeats_its_row(node, label)
    parent = node.parent
    if kind != "cell":
        return False
    if parent is not None and parent.kind == "cell" and label in ("", label_of(parent)):
        return True
    return len(node.children) == 1 and node.children[0].kind in ("link", "button", "checkbox")
