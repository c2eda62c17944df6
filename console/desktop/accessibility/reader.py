"""Reads the elements of all visible windows, and reads again only what has changed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from console.contracts.geometry import Rect
from console.contracts.scene import SceneAnomaly, SceneElement, WindowInfo

from ..identity import Identities
from . import roles
from .bus import ACCESSIBLE, ROOT, AccessibilityBus, AccessibilityError, Ref
from .elements import ElementMaker
from .tree import Node, TreeRead, TreeReader

TOTAL_S, PING_S, STALE_S, REST_S = 3.0, 0.3, 8.0, 6.0
MUTE_AREA = 20_000


@dataclass(frozen=True)
class AccessibilitySnapshot:
    """What the applications say. `covered` are the windows that have a tree, so need no reading of pixels, but for the
    parts in `mute`, where something is drawn of which the application says nothing."""

    elements: tuple[SceneElement, ...] = ()
    anomalies: tuple[SceneAnomaly, ...] = ()
    focused_id: str | None = None
    covered: frozenset[int] = frozenset()
    mute: tuple[tuple[int, Rect], ...] = ()


@dataclass
class _App:
    """One application on the bus, and what was last read of it."""

    sender: str
    pid: int | None
    name: str = ""
    toplevels: list[TreeRead] = field(default_factory=list)
    read_at: float = 0.0
    dirty: bool = True
    placed: tuple[tuple[int, Rect, str], ...] = ()
    silent_until: float = 0.0
    being_read: bool = False


class AccessibilityReader:
    """Active window first, each application bounded, a silent one skipped and named."""

    def __init__(self, bus: AccessibilityBus) -> None:
        self._bus = bus
        self._ids = Identities("ax")
        self._tree = TreeReader(bus)
        self._apps: dict[str, _App] = {}
        self._pids: dict[str, int | None] = {}
        self._makers: dict[str, ElementMaker] = {}
        bus.on_event = self._changed

    def ref(self, element_id: str) -> Ref | None:
        found = self._ids.ref(element_id)
        return found if isinstance(found, tuple) else None

    def maker(self, element_id: str) -> ElementMaker | None:
        """What placed the element on the screen, to place it again."""
        return self._makers.get(element_id)

    async def read(self, windows: Sequence[WindowInfo]) -> AccessibilitySnapshot:
        """The elements of these windows (topmost first). Never raises: what cannot be read is an anomaly."""
        try:
            apps = await self._owners(windows)
        except AccessibilityError as error:
            return AccessibilitySnapshot(
                anomalies=(SceneAnomaly(kind="no_accessibility", description=error.sentence()),)
            )
        shown = [w for w in windows if not w.minimized]
        anomalies: list[SceneAnomaly] = []
        try:
            async with asyncio.timeout(TOTAL_S):
                await asyncio.gather(*(self._refresh(app, shown, anomalies) for app in apps))
        except TimeoutError:
            anomalies.append(SceneAnomaly(kind="truncated", description="Reading the applications took too long."))
        return self._assemble(apps, windows, anomalies)

    def _changed(self, sender: str, detail: str) -> None:
        """GTK makes the cells of a table anew for each reading and tells their names; that is no change."""
        app = self._apps.get(sender)
        if app is not None and not (app.being_read and detail == "accessible-name"):
            app.dirty = True

    async def _owners(self, windows: Sequence[WindowInfo]) -> list[_App]:
        """The applications that own a visible window, that of the active one first."""
        refs = await self._bus.applications()
        unknown = [sender for sender, _ in refs if sender not in self._pids]
        self._pids.update(zip(unknown, await asyncio.gather(*(self._bus.pid(s) for s in unknown)), strict=True))
        present = {sender for sender, _ in refs}
        self._apps = {s: a for s, a in self._apps.items() if s in present}
        rank: dict[int | None, int] = {
            w.pid: place for place, w in reversed(list(enumerate(sorted(windows, key=lambda w: not w.active)))) if w.pid
        }
        owners = [s for s, _ in refs if self._pids[s] in rank]
        for sender in owners:
            self._apps.setdefault(sender, _App(sender, self._pids[sender]))
        return sorted((self._apps[s] for s in owners), key=lambda a: rank[a.pid])

    async def _refresh(self, app: _App, windows: Sequence[WindowInfo], anomalies: list[SceneAnomaly]) -> None:
        mine = [w for w in windows if w.pid == app.pid]
        if not mine:
            return
        placed = tuple(sorted((w.id, w.bounds, w.title) for w in mine))
        now = time.monotonic()
        if now < app.silent_until:
            anomalies.append(_silent(mine))
            return
        fresh = not app.dirty and placed == app.placed and now - app.read_at < STALE_S
        if fresh and app.toplevels and not any(w.active for w in mine):
            return
        app.being_read = True
        try:
            await self._read_app(app, anomalies, mine)
            app.placed, app.read_at = placed, now
        except AccessibilityError:
            app.toplevels, app.dirty, app.silent_until = [], True, time.monotonic() + REST_S
            anomalies.append(_silent(mine))
        finally:
            app.being_read = False

    async def _read_app(self, app: _App, anomalies: list[SceneAnomaly], windows: Sequence[WindowInfo]) -> None:
        app.dirty = False
        body = await self._bus.call((app.sender, ROOT), ACCESSIBLE, "GetChildren", timeout=PING_S)
        refs: list[Ref] = [(name, path) for name, path in body[0] if path != "/org/a11y/atspi/null"]
        reads = await asyncio.gather(*(self._tree.read(ref) for ref in refs), return_exceptions=True)
        app.toplevels = [r for r in reads if isinstance(r, TreeRead)]
        title = windows[0].app if windows else app.sender
        if any(r.truncated for r in app.toplevels):
            anomalies.append(
                SceneAnomaly(kind="truncated", description=f"{title} has more elements than were read.", app=title)
            )
        unreadable = sum(r.unreadable for r in app.toplevels) + sum(isinstance(r, Exception) for r in reads)
        if unreadable:
            text = f"{unreadable} elements of {title} could not be read."
            anomalies.append(SceneAnomaly(kind="unreadable_nodes", description=text, app=title))
        if reads and not app.toplevels:
            raise AccessibilityError("No window of it could be read.")

    def _assemble(
        self, apps: Sequence[_App], windows: Sequence[WindowInfo], anomalies: list[SceneAnomaly]
    ) -> AccessibilitySnapshot:
        # Minimised windows take part, or their tree would be taken for that of another window of the same title.
        pairs = [(w, read) for app in apps for w, read in _matched(app, windows) if not w.minimized]
        things = [((n.ref), _key(n, w), n.kind) for w, read in pairs for n in read.nodes]
        ids = iter(self._ids.assign(things))
        elements: list[SceneElement] = []
        covered: set[int] = set()
        mute: list[tuple[int, Rect]] = []
        self._makers = {}
        for window, read in pairs:
            own = [next(ids) for _ in read.nodes]
            maker = ElementMaker(window, read.root.bounds)
            made = maker.elements(read.nodes, own)
            mute += [(window.id, maker.place(node.bounds)) for node in read.nodes if _is_mute(node)]
            self._makers.update(dict.fromkeys((e.id for e in made), maker))
            elements += made
            if len(read.nodes) > 1:
                covered.add(window.id)
            elif _is_browser(window):
                anomalies.append(_accessibility_off(window))
        visible = tuple(e for e in elements if not hidden_by(e, windows))
        focused = next(
            (e.id for e in visible if e.state.focused and _in_active(e, windows) and e.element_type != "window"), None
        )
        return AccessibilitySnapshot(visible, tuple(dict.fromkeys(anomalies)), focused, frozenset(covered), tuple(mute))


def _matched(app: _App, windows: Sequence[WindowInfo]) -> list[tuple[WindowInfo, TreeRead]]:
    """Each toplevel of the application with the X window that shows it: by title, then by place."""
    left = [w for w in windows if w.pid == app.pid]
    pairs: list[tuple[WindowInfo, TreeRead]] = []
    rest: list[TreeRead] = []
    for read in app.toplevels:
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
    return pairs


def _distance(a: Rect, b: Rect) -> int:
    return abs(a.x - b.x) + abs(a.y - b.y) + abs(a.width - b.width) + abs(a.height - b.height)


def _key(node: Node, window: WindowInfo) -> str:
    """What the node is, without what changes while it lives: its place, its value, the title of its window."""
    path: list[str] = []
    step = node.parent
    while step is not None and len(path) < 6:
        path.append(f"{step.role}:{step.name[:40] if step.parent is not None else ''}")
        step = step.parent
    return f"{window.app}|{window.dialog}|{node.name[:80]}|{'/'.join(path)}"


def hidden_by(element: SceneElement, windows: Sequence[WindowInfo]) -> bool:
    """Whether the middle and all corners of the element lie under other windows."""
    above: list[Rect] = []
    for window in windows:
        if window.id == element.window_id:
            break
        if not window.minimized:
            above.append(window.frame or window.bounds)
    box = element.bounds
    points = [
        box.center,
        *(type(box.center)(x=x, y=y) for x in (box.x, box.right - 1) for y in (box.y, box.bottom - 1)),
    ]
    return all(any(cover.contains(point) for cover in above) for point in points)


def _in_active(element: SceneElement, windows: Sequence[WindowInfo]) -> bool:
    return any(w.active and w.id == element.window_id for w in windows)


def _silent(windows: Sequence[WindowInfo]) -> SceneAnomaly:
    name = windows[0].app or windows[0].title if windows else "An application"
    return SceneAnomaly(kind="app_not_answering", description=f"{name} does not answer.", app=name)


def _is_mute(node: Node) -> bool:
    """A large surface without parts or words: an icon view, a drawing, a game."""
    drawn = node.kind in ("panel", "canvas", "unknown", "image", "list")
    return drawn and not node.children and not node.name and node.bounds.area >= MUTE_AREA and node.bounds.height >= 60


def _is_browser(window: WindowInfo) -> bool:
    return any(name in window.app.casefold() for name in ("chrom", "electron", "brave", "edge", "vivaldi", "code"))


def _accessibility_off(window: WindowInfo) -> SceneAnomaly:
    text = f"Accessibility is off in {window.app}. Start it with --force-renderer-accessibility to see its elements."
    return SceneAnomaly(kind="accessibility_off", description=text, app=window.app)
