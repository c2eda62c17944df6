"""One accessible, and one toplevel with all that was read of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from console.contracts.geometry import Rect

from . import roles
from .bus import Ref

NOWHERE = Rect(x=0, y=0, width=0, height=0)


@dataclass(eq=False)
class Node:
    """One accessible as it was read. `bounds` are screen pixels as the application reports them.

    `hidden` are the children that do not show, `unreadable` counts those that failed, `cut` says that there are more
    children than were read, and `late` that time was what lacked.
    """

    ref: Ref
    parent: Node | None
    role: int = 0
    name: str = ""
    states: frozenset[int] = frozenset()
    bounds: Rect = NOWHERE
    actions: tuple[str, ...] = ()
    value: str | None = None
    labelled_by: str = ""
    description: str = ""
    options: tuple[str, ...] = ()
    children: list[Node] = field(default_factory=list)
    depth: int = 0
    hidden: tuple[Ref, ...] = ()
    unreadable: int = 0
    cut: bool = False
    late: bool = False

    @property
    def kind(self) -> str:
        if self.role == roles.CELL_ROLE and any(action.casefold() == "toggle" for action in self.actions):
            return "checkbox"
        return roles.element_type(self.role, self.states)

    @property
    def protected(self) -> bool:
        return self.role == roles.PASSWORD_ROLE


@dataclass(eq=False)
class TreeRead:
    """All nodes of one toplevel in document order."""

    root: Node
    nodes: list[Node] = field(default_factory=list)
    changed: bool = True

    @property
    def unreadable(self) -> int:
        return sum(node.unreadable for node in self.nodes)

    @property
    def truncated(self) -> bool:
        return any(node.cut for node in self.nodes)


def in_order(node: Node) -> Iterator[Node]:
    """The node and all below it, as they stand in the document."""
    pending = [node]
    while pending:
        step = pending.pop()
        yield step
        pending.extend(reversed(step.children))
