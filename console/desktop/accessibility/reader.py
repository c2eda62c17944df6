"""Reads the elements of all visible windows, and reads again only what has changed."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from console.contracts.geometry import Rect
from console.contracts.scene import Frame, SceneAnomaly, SceneElement, WindowInfo

from ..identity import Identities, Thing
from . import anomalies as told
from .bus import ACCESSIBLE, ROOT, AccessibilityBus, AccessibilityError, News, NotAnswering, Ref
from .details import NULL
from .elements import ElementMaker
from .matching import Covers, is_mute, key_of, matched, popup_of
from .node import Node, TreeRead
from .pixels import ChangedAreas, ChangedPixels
from .tree import TreeReader

log = logging.getLogger(__name__)
APP_S, TOTAL_S, PING_S, STALE_S, REST_S = 1.6, 3.0, 0.3, 15.0, 6.0
YOUNG_S = 1.5  # an application that has just come learns a little later that somebody wants its news


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
class _Top:
    """One toplevel, where its window stood when it was read, and the elements made of it."""

    read: TreeRead
    bounds: Rect | None
    whole_at: float
    made_for: tuple[object, ...] = ()
    made: list[SceneElement] = field(default_factory=list)


@dataclass
class _App:
    """One application on the bus, and what was last read of it."""

    sender: str
    pid: int | None
    name: str = ""
    tops: dict[Ref, _Top] = field(default_factory=dict)
    news: set[Ref] = field(default_factory=set)
    silent_until: float = 0.0
    trouble: tuple[SceneAnomaly, ...] = ()
    toolkit: str | None = None
    born: float = field(default_factory=time.monotonic)

    def drop(self, *trouble: SceneAnomaly) -> None:
        """Nothing that was read of it counts any more."""
        self.tops.clear()
        self.trouble = trouble


class AccessibilityReader:
    """Active window first, each application bounded, a silent one skipped and named."""

    def __init__(self, bus: AccessibilityBus) -> None:
        self._bus = bus
        self._ids = Identities("ax")
        self._tree = TreeReader(bus)
        self._pixels = ChangedPixels()
        self._apps: dict[str, _App] = {}
        self._pids: dict[str, int | None] = {}
        self._makers: dict[str, ElementMaker] = {}
        bus.on_news = self._heard

    def ref(self, element_id: str) -> Ref | None:
        found = self._ids.ref(element_id)
        return found if isinstance(found, tuple) else None

    def maker(self, element_id: str) -> ElementMaker | None:
        """What placed the element on the screen, to place it again."""
        return self._makers.get(element_id)

    async def read(self, windows: Sequence[WindowInfo], frame: Frame | None = None) -> AccessibilitySnapshot:
        """The elements of these windows (topmost first). Never raises: what cannot be read is an anomaly.

        The frame is the picture of the same moment; only with one is anything kept from the last time.
        """
        try:
            apps = await self._owners(windows)
        except AccessibilityError as error:
            self._apps.clear()
            return AccessibilitySnapshot(anomalies=(told.none_at_all(error),))
        areas = await self._areas(frame)
        shown = [w for w in windows if not w.minimized]
        deadline = asyncio.get_running_loop().time() + TOTAL_S
        self._renew_the_oldest(apps)
        await asyncio.gather(*(self._refresh(app, shown, areas, deadline) for app in apps))
        return self._assemble(apps, windows)

    def _heard(self, news: News) -> None:
        app = self._apps.get(news.ref[0])
        if app is not None:
            app.news.add(news.ref)

    async def _areas(self, frame: Frame | None) -> ChangedAreas | None:
        if frame is None:
            self._pixels.forget()
            return None
        tiles = await asyncio.to_thread(self._pixels.look, frame)
        return ChangedAreas(tiles, frame, self._pixels.late) if tiles is not None else None

    def _renew_the_oldest(self, apps: Sequence[_App]) -> None:
        """What changes without a word and without a trace on the screen is read again some day; not all at once."""
        tops = [(top.whole_at, app, ref) for app in apps for ref, top in app.tops.items()]
        age, app, ref = min(tops, key=lambda t: t[0], default=(time.monotonic(), None, None))
        if app is not None and ref is not None and time.monotonic() - age > STALE_S:
            del app.tops[ref]

    async def _owners(self, windows: Sequence[WindowInfo]) -> list[_App]:
        """The applications that own a visible window, that of the active one first."""
        refs = await self._bus.applications()
        unknown = [sender for sender, _ in refs if sender not in self._pids]
        self._pids.update(zip(unknown, await asyncio.gather(*(self._bus.pid(s) for s in unknown)), strict=True))
        present = {sender for sender, _ in refs}
        self._apps = {s: a for s, a in self._apps.items() if s in present}
        ranked = sorted((w for w in windows if not w.minimized and w.pid), key=lambda w: not w.active)
        rank = {w.pid: place for place, w in reversed(list(enumerate(ranked)))}
        owners = [s for s, _ in refs if self._pids[s] in rank]
        for sender in owners:
            self._apps.setdefault(sender, _App(sender, self._pids[sender]))
        return sorted((self._apps[s] for s in owners), key=lambda a: rank[a.pid])

    async def _refresh(
        self, app: _App, windows: Sequence[WindowInfo], areas: ChangedAreas | None, deadline: float
    ) -> None:
        mine = [w for w in windows if w.pid == app.pid]
        app.name = next((w.app or w.title for w in mine), "") or app.name
        if time.monotonic() < app.silent_until:
            return
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout_at(min(deadline, loop.time() + APP_S)):
                await self._read_app(app, mine, windows, areas)
        except NotAnswering:
            app.silent_until = time.monotonic() + REST_S
            app.drop(told.silent(app.name))
        except TimeoutError:
            app.drop(told.took_too_long(app.name))
        except AccessibilityError:
            app.drop(told.unreadable(app.name, 0))
        except asyncio.CancelledError:
            app.drop()
            raise
        except Exception:
            log.exception("%s could not be read", app.name)
            app.drop(told.unreadable(app.name, 0))

    async def _read_app(
        self, app: _App, mine: Sequence[WindowInfo], windows: Sequence[WindowInfo], areas: ChangedAreas | None
    ) -> None:
        news, app.news = app.news, set()
        body = await self._bus.call((app.sender, ROOT), ACCESSIBLE, "GetChildren", timeout=PING_S)
        refs: list[Ref] = [(name, path) for name, path in body[0] if path != NULL]
        known = app.tops if time.monotonic() - app.born > YOUNG_S else {}
        pairs, _ = matched([top.read for top in known.values()], mine)
        homes = {id(read): window for window, read in pairs}
        reads = await asyncio.gather(
            *(self._read_top(known.get(ref), ref, homes, news, windows, areas) for ref in refs),
            return_exceptions=True,
        )
        for error in reads:
            if isinstance(error, BaseException) and not isinstance(error, AccessibilityError):
                raise error
            if isinstance(error, NotAnswering):
                raise error
        app.tops = {ref: top for ref, top in zip(refs, reads, strict=True) if isinstance(top, _Top)}
        if refs and not app.tops:
            raise AccessibilityError("No window of it could be read.")
        lost = sum(isinstance(error, BaseException) for error in reads)
        app.trouble = told.of_reads([top.read for top in app.tops.values()], app.name, lost)
        if app.toolkit is None and any(len(top.read.nodes) <= 1 for top in app.tops.values()):
            app.toolkit = await self._toolkit(app)

    async def _read_top(
        self,
        top: _Top | None,
        ref: Ref,
        homes: dict[int, WindowInfo],
        news: set[Ref],
        windows: Sequence[WindowInfo],
        areas: ChangedAreas | None,
    ) -> _Top:
        window = homes.get(id(top.read)) if top is not None else None
        if top is None or areas is None or window is None or window.bounds != top.bounds:
            read = await self._tree.read(ref)
            return _Top(read, None, time.monotonic())
        late = {node.ref for node in top.read.nodes if node.late}
        stale = {ref, *news, *late}
        own = areas.of(window, windows)
        if own.any():
            maker = ElementMaker(window, top.read.root.bounds)
            stale |= {n.ref for n in top.read.nodes if _unplaced(n) or own.touch(maker.place(n.bounds))}
        elif not late and news.isdisjoint(node.ref for node in top.read.nodes) and not _hides_any(top.read, news):
            top.read.changed = False
            return top
        top.read = await self._tree.read(ref, top.read, stale)
        return top

    async def _toolkit(self, app: _App) -> str:
        try:
            return str(await self._bus.get((app.sender, ROOT), "org.a11y.atspi.Application", "ToolkitName"))
        except AccessibilityError:
            return ""

    def _assemble(self, apps: Sequence[_App], windows: Sequence[WindowInfo]) -> AccessibilitySnapshot:
        shown: list[tuple[_App, _Top, WindowInfo, list[WindowInfo]]] = []
        for app in apps:
            tops = {id(top.read): top for top in app.tops.values()}
            # Minimised windows take part, or their tree would be taken for that of another window of the same title.
            pairs, left = matched([top.read for top in tops.values()], [w for w in windows if w.pid == app.pid])
            popups = [w for w in left if w.menu]
            shown += [(app, tops[id(read)], w, popups) for w, read in pairs if not w.minimized]
        things = [Thing(n.ref, partial(key_of, n, w), n.kind, w.id) for _, t, w, _ in shown for n in t.read.nodes]
        ids = iter(self._ids.assign(things, {w.id for w in windows}))
        elements: list[SceneElement] = []
        covered: set[int] = set()
        mute: list[tuple[int, Rect]] = []
        off: list[SceneAnomaly] = []
        self._makers = {}
        for app, top, window, popups in shown:
            own = [next(ids) for _ in top.read.nodes]
            maker = ElementMaker(window, top.read.root.bounds)
            _make(top, maker, window, popups, own)
            mute += [(window.id, maker.place(node.bounds)) for node in top.read.nodes if is_mute(node)]
            self._makers.update(dict.fromkeys((e.id for e in top.made), maker))
            elements += top.made
            if len(top.read.nodes) > 1:
                covered.update(e.window_id for e in top.made if e.window_id is not None)
                covered.add(window.id)
            elif told.is_chromium(window, app.toolkit):
                off.append(told.switched_off(window))
        covers = Covers(windows)
        visible = tuple(e for e in elements if not covers.hide(e))
        trouble = [anomaly for app in apps for anomaly in app.trouble]
        pids = {app.pid for app in apps}
        off += [told.switched_off(w) for w in windows if w.pid not in pids and told.is_chromium(w, None) and not w.menu]
        return AccessibilitySnapshot(
            visible, tuple(dict.fromkeys((*trouble, *off))), _focused(visible, windows), frozenset(covered), tuple(mute)
        )


def _make(top: _Top, maker: ElementMaker, window: WindowInfo, popups: Sequence[WindowInfo], ids: Sequence[str]) -> None:
    """The elements of a toplevel; those of the last time if nothing about them has changed."""
    made_for = (window, tuple(popups), tuple(ids))
    if top.read.changed or made_for != top.made_for:
        homes = {node: popup_of(node, maker.place(node.bounds), popups) for node in top.read.nodes} if popups else {}
        top.made, top.made_for = maker.elements(top.read.nodes, ids, homes), made_for
    top.bounds = window.bounds


def _unplaced(node: Node) -> bool:
    """Whether it had no place yet when it was read, so that nothing on the screen tells of it."""
    return node.bounds.width <= 1 or node.bounds.height <= 1


def _hides_any(read: TreeRead, refs: set[Ref]) -> bool:
    return bool(refs) and any(not refs.isdisjoint(node.hidden) for node in read.nodes if node.hidden)


def _focused(elements: Sequence[SceneElement], windows: Sequence[WindowInfo]) -> str | None:
    active = {w.id for w in windows if w.active}
    active |= {w.id for w in windows if w.menu and w.transient_for in active}
    found = (e.id for e in elements if e.state.focused and e.window_id in active and e.element_type != "window")
    return next(found, None)
