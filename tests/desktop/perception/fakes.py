"""Applications on an accessibility bus that exist only here."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from console.contracts.geometry import Rect
from console.contracts.scene import Frame, WindowInfo
from console.desktop.accessibility import roles
from console.desktop.accessibility.bus import ROOT, AccessibilityError, News, NotAnswering, Ref

SHOWING = frozenset({roles.SHOWING, roles.VISIBLE, roles.ENABLED})
_numbers = itertools.count(1)
Box = tuple[int, int, int, int]


@dataclass(eq=False)
class FakeNode:
    """`broken` holds the members that fail; `endless` is the number of children that it claims to have."""

    role: int = 20
    name: str = ""
    box: Box = (0, 0, 50, 20)
    children: list[FakeNode] = field(default_factory=list)
    states: frozenset[int] = SHOWING
    text: str | None = None
    number: float | None = None
    actions: tuple[str, ...] = ()
    description: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    labelled_by: FakeNode | None = None
    broken: frozenset[str] = frozenset()
    endless: int = 0
    path: str = field(default_factory=lambda: f"/node/{next(_numbers)}")


class FakeApp:
    """An application with its toplevels; `stopped` means that it answers nothing."""

    def __init__(
        self, toplevels: Sequence[FakeNode], pid: int, *, toolkit: str = "gtk", sender: str | None = None
    ) -> None:
        self.sender = sender or f":1.{next(_numbers)}"
        self.root = FakeNode(75, "app", children=list(toplevels), path=ROOT)
        self.pid = pid
        self.toolkit = toolkit
        self.stopped = False
        self._known: dict[str, FakeNode] = {}

    def _learn(self) -> None:
        pending, walked = [self.root], set[str]()
        while pending:
            node = pending.pop()
            if node.path not in walked:
                walked.add(node.path)
                self._known[node.path] = node
                pending += [*node.children, *([node.labelled_by] if node.labelled_by else [])]

    def find(self, path: str) -> FakeNode:
        if path not in self._known:
            self._learn()
        if path in self._known:
            return self._known[path]
        if path.startswith("/endless/"):
            number = int(path.rsplit("/", 1)[1])
            return FakeNode(29, f"Row {number}", (0, 20 * number, 200, 20), path=path)
        raise AccessibilityError("There is no such object.")

    def ref(self, node: FakeNode) -> Ref:
        return (self.sender, node.path)


class FakeBus:
    """Answers as the accessibility bus does, and counts what it was asked."""

    def __init__(self, *apps: FakeApp) -> None:
        self.apps = list(apps)
        self.asked: Counter[str] = Counter()
        self.asked_of: Counter[str] = Counter()
        self.on_news: Callable[[News], None] = lambda news: None
        self.missing: AccessibilityError | None = None
        self.delay_s = 0.0
        self.in_flight = self.most_in_flight = 0

    def tell(self, app: FakeApp, node: FakeNode, kind: str = "StateChanged", detail: str = "") -> None:
        self.on_news(News(app.ref(node), kind, detail))

    async def applications(self) -> list[Ref]:
        if self.missing is not None:
            raise self.missing
        return [(app.sender, ROOT) for app in self.apps]

    async def pid(self, sender: str) -> int | None:
        return self._app(sender).pid

    async def get(self, ref: Ref, interface: str, name: str, timeout: float = 1.0) -> Any:
        return (await self.call(ref, interface, name, "", (), timeout))[0]

    async def call(
        self,
        ref: Ref,
        interface: str,
        member: str,
        signature: str = "",
        body: tuple[Any, ...] = (),
        timeout: float = 1.0,
    ) -> list[Any]:
        self.asked[member] += 1
        self.asked_of[ref[1]] += 1
        app = self._app(ref[0])
        if app.stopped:
            await asyncio.sleep(timeout)
            raise NotAnswering("An application does not answer.")
        await asyncio.sleep(self.delay_s)
        node = app.find(ref[1])
        if member in node.broken:
            raise AccessibilityError(f"{member} failed.")
        return [self._answer(app, node, member, body)]

    def _app(self, sender: str) -> FakeApp:
        found = next((app for app in self.apps if app.sender == sender), None)
        if found is None:
            raise AccessibilityError("The name is not there.")
        return found

    def _answer(self, app: FakeApp, node: FakeNode, member: str, body: tuple[Any, ...]) -> Any:
        states = [sum(1 << b - first for b in node.states if first <= b < first + 32) for first in (0, 32)]
        endless = node.endless > 0
        plain: dict[str, Any] = {
            "GetRole": node.role,
            "GetState": states,
            "Name": node.name,
            "Description": node.description,
            "GetAttributes": node.attributes,
            "ToolkitName": app.toolkit,
            "ChildCount": node.endless or len(node.children),
            "GetExtents": list(node.box),
            "GetActions": [[name, "", ""] for name in node.actions],
            "GetRelationSet": [[2, [app.ref(node.labelled_by)]]] if node.labelled_by else [],
            "GetText": node.text,
            "CurrentValue": node.number,
        }
        if member == "GetChildren":
            many = range(node.endless)
            return [(app.sender, f"/endless/{n}") for n in many] if endless else [app.ref(c) for c in node.children]
        if member == "GetChildAtIndex":
            return (app.sender, f"/endless/{body[0]}") if endless else app.ref(node.children[body[0]])
        if plain.get(member) is None:
            raise AccessibilityError(f"No such method: {member}")
        return plain[member]


def window(id_: int, pid: int, *, title: str = "Window", box: Box = (0, 0, 400, 300), **more: Any) -> WindowInfo:
    x, y, width, height = box
    return WindowInfo(
        id=id_,
        title=title,
        app=more.pop("app", f"App{pid}"),
        pid=pid,
        bounds=Rect(x=x, y=y, width=width, height=height),
        **more,
    )


def frame(colour: int = 200, size: tuple[int, int] = (640, 480), spots: Sequence[Box] = ()) -> Frame:
    """A plain picture with darker spots on it."""
    import numpy as np

    pixels = np.full((size[1], size[0], 3), colour, np.uint8)
    for x, y, width, height in spots:
        pixels[y : y + height, x : x + width] = 10
    return Frame(
        id=f"frame-{next(_numbers)}",
        bounds=Rect(x=0, y=0, width=size[0], height=size[1]),
        image_width=size[0],
        image_height=size[1],
        taken_at_ms=0,
        pixels=pixels.tobytes(),
    )


def top(*children: FakeNode, title: str = "Window", box: Box = (0, 0, 400, 300)) -> FakeNode:
    return FakeNode(23, title, box, list(children))
