"""Reads the tree of one toplevel, bounded in nodes and time, and survives what single nodes do wrong."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from console.contracts.geometry import Rect

from . import roles
from .bus import ACCESSIBLE, AccessibilityBus, AccessibilityError, NotAnswering, Ref
from .details import COMPONENT, NULL, DetailReader
from .node import NOWHERE, Node, TreeRead, in_order

MAX_NODES, MAX_DEPTH, MAX_CHILDREN = 900, 40, 250
TIME_S = 1.0
NODES_AT_ONCE = 10
_FAR = -(2**31)
_BROKEN = (AccessibilityError, TypeError, ValueError, IndexError, AttributeError)


@dataclass
class _Growth:
    """What one reading may still take, and what it need not read again."""

    max_nodes: int
    deadline: float
    known: dict[Ref, Node] = field(default_factory=dict)
    stale: frozenset[Ref] = frozenset()
    touched: frozenset[Ref] = frozenset()
    seen: set[Ref] = field(default_factory=set)
    slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(NODES_AT_ONCE))
    silent: NotAnswering | None = None
    shown: int = 1
    changed: bool = False

    @property
    def over(self) -> bool:
        return self.silent is not None or time.monotonic() > self.deadline

    @property
    def full(self) -> bool:
        return self.shown >= self.max_nodes

    def admit(self, refs: Sequence[Ref]) -> list[Ref]:
        """Those that may be read: each only once, and not more than fit."""
        fresh = [ref for ref in dict.fromkeys(refs) if ref not in self.seen]
        fresh = fresh[: max(2 * self.max_nodes - len(self.seen), 0)]  # many are hidden: little is read of those
        self.seen.update(fresh)
        return fresh


class TreeReader:
    """Every branch grows on its own, so that the calls of many nodes run side by side."""

    def __init__(self, bus: AccessibilityBus, *, max_nodes: int = MAX_NODES, time_s: float = TIME_S) -> None:
        self._bus = bus
        self._details = DetailReader(bus)
        self._max_nodes = max_nodes
        self._time_s = time_s

    async def read(self, ref: Ref, known: TreeRead | None = None, stale: Collection[Ref] = ()) -> TreeRead:
        """The toplevel and all that shows in it; of a known one only the stale nodes and what is new.

        A known tree is changed in place. Raises `AccessibilityError` if the toplevel itself cannot be read and
        `NotAnswering` as soon as the application does not answer in time.
        """
        growth = _Growth(self._max_nodes, time.monotonic() + self._time_s, seen={ref})
        root = known.root if known is not None else None
        if known is not None:
            growth.known = {node.ref: node for node in known.nodes}
            growth.stale = _named(growth.known, stale)
            growth.touched = _with_ancestors(growth.known, growth.stale)
        if root is not None and ref not in growth.stale:
            if ref in growth.touched:
                await self._grow(root, [child.ref for child in root.children], growth)
        else:
            root = Node(ref, None)
            growth.changed = True
            await self._grow(root, await self._filled(root), growth)
        if growth.silent is not None:
            raise growth.silent
        return TreeRead(root, list(in_order(root)), growth.changed or known is None)

    async def _grow(self, node: Node, refs: Sequence[Ref], growth: _Growth) -> None:
        """Read the children and theirs. What is too much is left out and said."""
        again = [child.ref for child in node.children] == list(refs)
        node.late = bool(refs) and growth.over
        wanted = [] if node.depth >= MAX_DEPTH or node.late or growth.full else growth.admit(refs)
        node.cut = (node.cut if again else len(refs) >= MAX_CHILDREN) or len(wanted) < len(set(refs))
        before = (node.children, node.hidden, node.unreadable)
        found = await asyncio.gather(*(self._grown(ref, node, growth) for ref in wanted))
        node.children = [child for child in found if isinstance(child, Node)]
        hidden = tuple(ref for ref, child in zip(wanted, found, strict=True) if child == "hidden")
        node.hidden = (*node.hidden, *hidden) if again else hidden
        node.unreadable = (node.unreadable if again else 0) + found.count("unreadable")
        growth.changed = growth.changed or before != (node.children, node.hidden, node.unreadable)

    async def _grown(self, ref: Ref, parent: Node, growth: _Growth) -> Node | str:
        """The node if it can be read and shows; its siblings live on whatever it does."""
        old = growth.known.get(ref)
        if old is not None and ref not in growth.stale:
            old.parent = parent
            if ref in growth.touched:
                await self._grow(old, [child.ref for child in old.children], growth)
            else:
                kept = [node.ref for node in in_order(old)]
                growth.seen.update(kept)
                growth.shown += len(kept)
            return old
        node = Node(ref, parent, depth=parent.depth + 1)
        try:
            async with growth.slots:
                if growth.over or growth.full:
                    parent.late, parent.cut = parent.late or growth.over, True
                    return "late"
                refs = await self.fill(node)
        except NotAnswering as error:
            growth.silent = error
            return "silent"
        except _BROKEN:
            return "unreadable"
        if roles.SHOWING not in node.states:
            return "hidden"
        growth.changed = True
        growth.shown += 1
        await self._grow(node, refs, growth)
        return node

    async def _filled(self, root: Node) -> Sequence[Ref]:
        try:
            return await self.fill(root)
        except AccessibilityError:
            raise
        except _BROKEN as error:
            raise AccessibilityError(f"A window answers nonsense: {error}") from error

    async def fill(self, node: Node) -> Sequence[Ref]:
        """Read the node itself; the answer is where its children are. Of a hidden one only the states are read."""
        bus, ref = self._bus, node.ref
        node.states = roles.bits(await bus.call(ref, ACCESSIBLE, "GetState"))
        if node.parent is not None and roles.SHOWING not in node.states:
            return ()
        role, name, node.bounds = await asyncio.gather(
            bus.call(ref, ACCESSIBLE, "GetRole"), bus.get(ref, ACCESSIBLE, "Name"), self._extents(ref)
        )
        node.role, node.name = int(role[0]), str(name or "")
        leaf = node.role in roles.LEAF_ROLES
        count = 0 if leaf else int(await bus.get(ref, ACCESSIBLE, "ChildCount"))
        if node.role == roles.COMBO_ROLE:
            children = await self._children(node, count)
            await self._details.read(node, children)
            return children if roles.EXPANDED in node.states else ()
        children, _ = await asyncio.gather(self._children(node, count), self._details.read(node, ()))
        return children

    async def _extents(self, ref: Ref) -> Rect:
        try:
            x, y, width, height = (await self._bus.call(ref, COMPONENT, "GetExtents", "u", (0,)))[0]
        except NotAnswering:
            raise
        except AccessibilityError:
            return NOWHERE
        if _FAR in (x, y):
            return NOWHERE
        return Rect(x=x, y=y, width=max(width, 0), height=max(height, 0))

    async def _children(self, node: Node, count: int) -> Sequence[Ref]:
        if count <= 0:
            return ()
        if roles.MANAGES_DESCENDANTS in node.states or count > MAX_CHILDREN:
            return await self._visible_children(node, count)
        body = await self._bus.call(node.ref, ACCESSIBLE, "GetChildren")
        return [(name, path) for name, path in body[0] if path != NULL]

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
                if child[1] in (NULL, ref[1]):
                    continue
                index = await self._bus.call((child[0], child[1]), ACCESSIBLE, "GetIndexInParent")
            except NotAnswering:
                raise
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
        return [(name, path) for name, path in refs if path != NULL]


def _named(known: dict[Ref, Node], stale: Collection[Ref]) -> frozenset[Ref]:
    """The known nodes that are to be read again: also those with a hidden child that may show by now."""
    found = {ref for ref in stale if ref in known}
    if len(found) < len(stale):
        others = {*stale} - found
        found |= {node.ref for node in known.values() if node.hidden and not others.isdisjoint(node.hidden)}
    return frozenset(found)


def _with_ancestors(known: dict[Ref, Node], refs: frozenset[Ref]) -> frozenset[Ref]:
    found: set[Ref] = set()
    for ref in refs:
        step: Node | None = known[ref]
        while step is not None and step.ref not in found:
            found.add(step.ref)
            step = step.parent
    return frozenset(found)
