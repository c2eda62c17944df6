"""Turns the nodes of a toplevel into scene elements: labels, rows, places on the screen."""

from __future__ import annotations

from collections.abc import Sequence

from console.contracts.geometry import Rect
from console.contracts.scene import SceneElement, WindowInfo

from . import roles
from .tree import Node

_NEAR = 260
_ROW_TEXTS = 12
_CONTEXT = 200
_LABEL = 48  # a longer text beside a field is a message, not its name


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


class ElementMaker:
    """Makes the elements of one window; `ids` go with the nodes."""

    def __init__(self, window: WindowInfo, frame_box: Rect) -> None:
        self._window = window
        self._dx, self._dy = (0, 0) if frame_box.empty else offset(frame_box, window)

    def elements(self, nodes: Sequence[Node], ids: Sequence[str]) -> list[SceneElement]:
        labels = [n for n in nodes if n.kind in ("label", "text") and 0 < len(n.name) <= _LABEL and not n.bounds.empty]
        rows = _RowTexts(nodes)
        made = [self._element(node, id_, labels, rows) for node, id_ in zip(nodes, ids, strict=True)]
        return [element for element in made if element is not None]

    def _element(self, node: Node, id_: str, labels: Sequence[Node], rows: _RowTexts) -> SceneElement | None:
        bounds = self.place(node.bounds).intersection(self._window.frame or self._window.bounds)
        kind = node.kind
        settable = kind in ("input", "textarea", "spinbutton", "slider", "combobox") or roles.EDITABLE in node.states
        clickable = kind in roles.CLICKABLE or bool(node.actions)
        label = _clean(node.name or node.labelled_by or (_neighbour(node, labels) if settable else ""))
        if not label and kind in ("text", "label", "cell", "heading"):
            label = _clean(node.value or "")[:_CONTEXT]
        if _says_the_same(node, label):
            return None
        if (
            bounds.empty
            or (kind in roles.SILENT and not (label and clickable))
            or (kind in ("text", "label", "image") and not label)
        ):
            return None
        value = None if node.protected or _clean(node.value or "") == label else node.value
        return SceneElement(
            id=id_,
            element_type=kind,
            label=label,
            value=value if kind != "combobox" else (node.value or node.name or None),
            state=roles.element_state(kind, node.states),
            bounds=bounds,
            clickable=clickable,
            settable=settable and not (kind == "input" and roles.EDITABLE not in node.states),
            select_options=tuple(f"{name}|{name}" for name in node.options),
            actions=node.actions,
            window_id=self._window.id,
            window=self._window.title,
            app=self._window.app,
            pid=self._window.pid,
            context=rows.of(node)[:_CONTEXT],
            protected=node.protected,
        )

    def place(self, box: Rect) -> Rect:
        return Rect(x=box.x + self._dx, y=box.y + self._dy, width=box.width, height=box.height)


class _RowTexts:
    """The words of the row or named group that a node stands in."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._cache: dict[int, str] = {}
        self._cells: dict[tuple[int, int], list[Node]] = {}
        for node in nodes:
            if node.kind == "cell" and node.parent is not None and node.parent.role not in roles.ROW_ROLES:
                self._cells.setdefault((id(node.parent), node.bounds.center.y // 4), []).append(node)

    def of(self, node: Node) -> str:
        if node.kind == "cell" and node.parent is not None:
            cells = self._cells.get((id(node.parent), node.bounds.center.y // 4))
            if cells:
                return " · ".join(text for cell in sorted(cells, key=lambda c: c.bounds.x) if (text := _words(cell)))
        row = node.parent
        for _ in range(6):
            if row is None or row.parent is None:
                return ""
            if row.role in roles.ROW_ROLES:
                return self._row(row)
            if row.name and row.kind in ("panel", "group", "list"):
                return _clean(row.name)
            row = row.parent
        return ""

    def _row(self, row: Node) -> str:
        if id(row) not in self._cache:
            texts: list[str] = []
            _collect(row, texts)
            self._cache[id(row)] = " · ".join(dict.fromkeys(texts))
        return self._cache[id(row)]


def _says_the_same(node: Node, label: str) -> bool:
    """Whether the node only repeats its parent's words, or only holds the thing that carries them."""
    if node.kind in ("text", "label") and label:
        parent = node.parent
        return parent is not None and _clean(parent.name or parent.value or "") == label
    return node.kind == "cell" and len(node.children) == 1 and node.children[0].kind in ("link", "button", "checkbox")


def _collect(node: Node, texts: list[str]) -> None:
    """The plain words below a node; the names of buttons and links are what the row is needed to tell apart."""
    for child in node.children:
        if len(texts) >= _ROW_TEXTS:
            return
        if child.kind in ("button", "link", "checkbox", "menuitem"):
            continue
        if child.children and any(c.name or c.value or c.children for c in child.children):
            _collect(child, texts)
        elif words := _words(child):
            texts.append(words)


def _words(node: Node) -> str:
    return _clean(node.name or ("" if node.protected else node.value or ""))


def _clean(text: str) -> str:
    """One line without the marks that stand for embedded objects."""
    return " ".join(text.replace("\ufffc", " ").split())


def _neighbour(node: Node, labels: Sequence[Node]) -> str:
    """The nearest label to the left of a field, else the nearest above it."""
    box = node.bounds
    left = [n for n in labels if n.bounds.right <= box.x + 4 and box.y - 6 <= n.bounds.center.y <= box.bottom + 6]
    if left:
        best = max(left, key=lambda n: n.bounds.right)
        if box.x - best.bounds.right <= _NEAR:
            return best.name
    above = [
        n
        for n in labels
        if n.bounds.bottom <= box.y + 4
        and n.bounds.x < box.right
        and n.bounds.right > box.x
        and box.y - n.bounds.bottom <= 30
    ]
    return max(above, key=lambda n: n.bounds.bottom).name if above else ""
