"""Reads the tree of one application, bounded in nodes and time, and survives what single nodes do wrong."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from console.contracts.geometry import Rect

from . import roles
from .bus import ACCESSIBLE, AccessibilityBus, AccessibilityError, Ref

MAX_NODES, MAX_DEPTH, MAX_CHILDREN = 900, 40, 250
TIME_S = 1.0
COMPONENT, ACTION, TEXT, VALUE, SELECTION = (
    f"org.a11y.atspi.{name}" for name in ("Component", "Action", "Text", "Value", "Selection")
)
_FAR = -(2**31)
_TEXT_LIMIT = 20_000
_LABELLED_BY = 2


@dataclass
class Node:
    """One accessible as it was read. `bounds` are screen pixels as the application reports them."""

    ref: Ref
    parent: Node | None
    role: int = 0
    name: str = ""
    states: frozenset[int] = frozenset()
    bounds: Rect = Rect(x=0, y=0, width=0, height=0)
    actions: tuple[str, ...] = ()
    value: str | None = None
    labelled_by: str = ""
    options: tuple[str, ...] = ()
    children: list[Node] = field(default_factory=list)
    depth: int = 0

    @property
    def kind(self) -> str:
        return roles.element_type(self.role, self.states)

    @property
    def protected(self) -> bool:
        return self.role == roles.PASSWORD_ROLE


@dataclass
class TreeRead:
    """All nodes of one toplevel in document order, and what could not be read."""

    root: Node
    nodes: list[Node] = field(default_factory=list)
    unreadable: int = 0
    truncated: bool = False


@dataclass
class _Growth:
    """What one reading may still take."""

    found: TreeRead
    max_nodes: int
    deadline: float
    count: int = 1

    def allow(self, wanted: int) -> int:
        """How many of the wanted nodes may be read."""
        allowed = 0 if time.monotonic() > self.deadline else min(wanted, self.max_nodes - self.count)
        self.count += allowed
        self.found.truncated = self.found.truncated or allowed < wanted
        return allowed


class TreeReader:
    """Every branch grows on its own, so that the calls of many nodes run side by side."""

    def __init__(self, bus: AccessibilityBus, *, max_nodes: int = MAX_NODES, time_s: float = TIME_S) -> None:
        self._bus = bus
        self._max_nodes = max_nodes
        self._time_s = time_s

    async def read(self, ref: Ref) -> TreeRead:
        """Raises `AccessibilityError` only if the toplevel itself cannot be read."""
        found = TreeRead(Node(ref, None))
        growth = _Growth(found, self._max_nodes, time.monotonic() + self._time_s)
        children = await self.fill(found.root)
        await self._grow(found.root, children, growth)
        found.nodes = list(_in_order(found.root))
        return found

    async def _grow(self, node: Node, refs: Sequence[Ref], growth: _Growth) -> None:
        """Read the children and theirs. What is too much is left out and said."""
        allowed = growth.allow(len(refs)) if node.depth < MAX_DEPTH else 0
        children = [Node(ref, node, depth=node.depth + 1) for ref in refs[:allowed]]
        shown = await asyncio.gather(*(self._grown(child, growth) for child in children))
        node.children = [child for child, visible in zip(children, shown, strict=True) if visible]

    async def _grown(self, node: Node, growth: _Growth) -> bool:
        """Whether the node can be read and is showing; its siblings live on whatever it does."""
        try:
            refs = await self.fill(node)
        except (AccessibilityError, TypeError, ValueError, IndexError):
            growth.found.unreadable += 1
            return False
        if roles.SHOWING not in node.states:
            return False
        await self._grow(node, refs, growth)
        return True

    async def fill(self, node: Node) -> Sequence[Ref]:
        """Read the node itself; the answer is where its children are."""
        bus, ref = self._bus, node.ref
        role, states, name, node.bounds, count = await asyncio.gather(
            bus.call(ref, ACCESSIBLE, "GetRole"),
            bus.call(ref, ACCESSIBLE, "GetState"),
            bus.get(ref, ACCESSIBLE, "Name"),
            self._extents(ref),
            bus.get(ref, ACCESSIBLE, "ChildCount"),
        )
        node.role, node.states, node.name = int(role[0]), roles.bits(role_words(states)), str(name or "")
        if node.parent is not None and roles.SHOWING not in node.states:
            return ()
        if node.role == roles.COMBO_ROLE:
            children = await self._children(node, int(count))
            await self._details(node, children)
            return children if roles.EXPANDED in node.states else ()
        children, _ = await asyncio.gather(self._children(node, int(count)), self._details(node, ()))
        return children

    async def _extents(self, ref: Ref) -> Rect:
        try:
            x, y, width, height = (await self._bus.call(ref, COMPONENT, "GetExtents", "u", (0,)))[0]
        except AccessibilityError:
            return Rect(x=0, y=0, width=0, height=0)
        if _FAR in (x, y):
            return Rect(x=0, y=0, width=0, height=0)
        return Rect(x=x, y=y, width=max(width, 0), height=max(height, 0))

    async def _children(self, node: Node, count: int) -> Sequence[Ref]:
        if count <= 0:
            return ()
        if roles.MANAGES_DESCENDANTS in node.states:
            return await self._visible_children(node, count)
        if count > MAX_CHILDREN:
            return await self._some_children(node.ref, 0, MAX_CHILDREN)
        body = await self._bus.call(node.ref, ACCESSIBLE, "GetChildren")
        return [(name, path) for name, path in body[0] if path != "/org/a11y/atspi/null"]

    async def _visible_children(self, node: Node, count: int) -> Sequence[Ref]:
        """Only what can be seen: a spreadsheet has more children than can ever be read."""
        bounds = node.bounds
        if bounds.empty:
            return ()
        first = await self._index_at(node.ref, bounds.x + 4, bounds.y + 4, bounds.bottom)
        last = await self._index_at(node.ref, bounds.right - 4, bounds.bottom - 4, None)
        start = first or 0
        end = min(last + 1 if last is not None and last >= start else start + MAX_CHILDREN, start + MAX_CHILDREN, count)
        return await self._some_children(node.ref, start, end)

    async def _index_at(self, ref: Ref, x: int, y: int, down_to: int | None) -> int | None:
        """The index of the child at a point, searching below the column headers if there is none."""
        for offset in range(0, 1 if down_to is None else min(60, max(down_to - y, 1)), 12):
            try:
                body = await self._bus.call(ref, COMPONENT, "GetAccessibleAtPoint", "iiu", (x, y + offset, 0))
                child = tuple(body[0])
                if child[1] in ("/org/a11y/atspi/null", ref[1]):
                    continue
                index = await self._bus.call((child[0], child[1]), ACCESSIBLE, "GetIndexInParent")
            except AccessibilityError:
                return None
            if int(index[0]) >= 0:
                return int(index[0])
        return None

    async def _some_children(self, ref: Ref, start: int, end: int) -> Sequence[Ref]:
        bodies = await asyncio.gather(
            *(self._bus.call(ref, ACCESSIBLE, "GetChildAtIndex", "i", (index,)) for index in range(start, end)),
            return_exceptions=True,
        )
        refs = [tuple(body[0]) for body in bodies if isinstance(body, list)]
        return [(name, path) for name, path in refs if path != "/org/a11y/atspi/null"]

    async def _details(self, node: Node, children: Sequence[Ref]) -> None:
        """What only some nodes have; each is left empty where it cannot be read."""
        wanted: list[Any] = []
        if node.kind in roles.CLICKABLE:
            wanted.append(self._actions(node))
        if not node.protected and node.kind in roles.TEXTUAL:
            wanted.append(self._text(node))
        if node.role in roles.VALUE_ROLES:
            wanted.append(self._number(node))
        if node.kind in ("input", "textarea", "combobox", "spinbutton", "slider", "list", "checkbox") and not node.name:
            wanted.append(self._label(node))
        if node.role == roles.COMBO_ROLE and children:
            wanted.append(self._options(node, children))
        if wanted:
            await asyncio.gather(*wanted, return_exceptions=True)

    async def _actions(self, node: Node) -> None:
        body = await self._bus.call(node.ref, ACTION, "GetActions")
        names = [str(entry[0]) for entry in body[0]]
        if names and not any(names):  # Chromium tells them only one by one
            answers = [await self._bus.call(node.ref, ACTION, "GetName", "i", (n,)) for n in range(len(names))]
            names = [str(answer[0]) for answer in answers]
        node.actions = tuple(names)

    async def _text(self, node: Node) -> None:
        body = await self._bus.call(node.ref, TEXT, "GetText", "ii", (0, -1))
        node.value = str(body[0])[:_TEXT_LIMIT]

    async def _number(self, node: Node) -> None:
        node.value = f"{float(await self._bus.get(node.ref, VALUE, 'CurrentValue')):g}"

    async def _label(self, node: Node) -> None:
        body = await self._bus.call(node.ref, ACCESSIBLE, "GetRelationSet")
        for relation, targets in body[0]:
            if relation == _LABELLED_BY and targets:
                name, path = targets[0]
                node.labelled_by = str(await self._bus.get((name, path), ACCESSIBLE, "Name") or "")

    async def _options(self, node: Node, children: Sequence[Ref]) -> None:
        """The choices of a combo box: the items of its list, which need not be open to be named."""
        inner = await self._bus.call(children[0], ACCESSIBLE, "GetChildren")
        refs = [(name, path) for name, path in inner[0]][:MAX_CHILDREN] or list(children)
        names = await asyncio.gather(*(self._bus.get(r, ACCESSIBLE, "Name") for r in refs), return_exceptions=True)
        node.options = tuple(str(name) for name in names if isinstance(name, str) and name)
        for owner in (node.ref, children[0]):
            try:
                chosen = (await self._bus.call(owner, SELECTION, "GetSelectedChild", "i", (0,)))[0]
                node.value = str(await self._bus.get((chosen[0], chosen[1]), ACCESSIBLE, "Name") or "") or None
            except AccessibilityError:
                continue
            if node.value:
                return


def role_words(body: list[Any]) -> list[int]:
    return [int(word) for word in body[0]]


def _in_order(node: Node) -> list[Node]:
    found = [node]
    for child in node.children:
        found.extend(_in_order(child))
    return found
