"""The windows of an X11 desktop: who is there, in which order, and what the window manager does with them (EWMH)."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, ParamSpec, TypeVar

import xcffib
import xcffib.xproto as xp

from console.contracts.errors import DesktopUnavailable
from console.contracts.geometry import Rect
from console.contracts.scene import WindowInfo
from console.core.worker import Worker

from .windows_pids import pid_of
from .x11 import REFUSED, X11

P = ParamSpec("P")
R = TypeVar("R")
MARK = "_OPERATOR_CONSOLE"
WindowState = Literal["maximize", "unmaximize", "minimize", "restore", "fullscreen", "unfullscreen", "above"]
_MENUS = frozenset({"POPUP_MENU", "DROPDOWN_MENU", "MENU", "COMBO", "TOOLTIP"})
_UNSEEN = frozenset({"DESKTOP", "DOCK", "DND", "NOTIFICATION"})
_STATES: dict[str, tuple[int, str, str]] = {
    "maximize": (1, "_NET_WM_STATE_MAXIMIZED_HORZ", "_NET_WM_STATE_MAXIMIZED_VERT"),
    "unmaximize": (0, "_NET_WM_STATE_MAXIMIZED_HORZ", "_NET_WM_STATE_MAXIMIZED_VERT"),
    "fullscreen": (1, "_NET_WM_STATE_FULLSCREEN", ""),
    "unfullscreen": (0, "_NET_WM_STATE_FULLSCREEN", ""),
    "above": (1, "_NET_WM_STATE_ABOVE", ""),
}
_PROPERTIES = (
    "_NET_WM_NAME", "WM_NAME", "WM_CLASS", "_NET_WM_PID", "_NET_WM_STATE", "_NET_WM_WINDOW_TYPE", "WM_TRANSIENT_FOR",
    "_NET_FRAME_EXTENTS", MARK,
)  # fmt: skip


@dataclass(frozen=True)
class Listed:
    """A window and whether it is one of the console's own."""

    info: WindowInfo
    own: bool


class WindowSystem:
    """All calls go to one thread with one connection. The console's own windows are never in the lists."""

    def __init__(self) -> None:
        self._worker = Worker("windows")
        self._x: X11 | None = None
        self._tops: dict[int, int] = {}
        self._hosted_by = _number(os.environ.get("WINDOWID"))

    async def windows(self) -> tuple[WindowInfo, ...]:
        """Topmost first, menus and other pop-ups included."""
        return tuple(listed.info for listed in await self.all_windows() if not listed.own)

    async def all_windows(self) -> tuple[Listed, ...]:
        """The same with the console's own windows, for hit tests."""
        return await self._call(self._list)

    async def active_window(self) -> WindowInfo | None:
        return next((w for w in await self.windows() if w.active), None)

    async def own_window_active(self) -> bool:
        return any(listed.own and listed.info.active for listed in await self.all_windows())

    async def window_manager(self) -> str | None:
        """Its name, or None where none runs."""
        return await self._call(self._manager)

    async def activate(self, window_id: int, timeout_s: float = 2.0) -> bool:
        """Bring it to the front with the focus; true once it is active."""
        await self._call(self._send, window_id, "_NET_ACTIVE_WINDOW", 2, 0, 0)
        return await self.wait_for(lambda ws: any(w.id == window_id and w.active for w in ws), timeout_s)

    async def close_window(self, window_id: int) -> None:
        """Ask it to close, as its close button does."""
        await self._call(self._send, window_id, "_NET_CLOSE_WINDOW", 0, 2)

    async def move_resize(self, window_id: int, bounds: Rect) -> None:
        """Place its client area; a maximised window is restored first."""
        await self.set_state(window_id, "unmaximize")
        flags = xp.Gravity.Static | (0xF << 8) | (2 << 12)
        args = (flags, bounds.x, bounds.y, bounds.width, bounds.height)
        await self._call(self._send, window_id, "_NET_MOVERESIZE_WINDOW", *args)

    async def set_state(self, window_id: int, state: WindowState) -> None:
        if state == "minimize":
            await self._call(self._send, window_id, "WM_CHANGE_STATE", 3)
            return
        if state == "restore":
            await self.set_state(window_id, "unmaximize")
            await self.activate(window_id)
            return
        how, first, second = _STATES[state]
        await self._call(self._set_state, window_id, how, first, second)

    async def wait_for(self, predicate: Callable[[tuple[WindowInfo, ...]], bool], timeout_s: float) -> bool:
        """Whether the windows came to satisfy it in time."""
        deadline = time.monotonic() + timeout_s
        while True:
            if predicate(await self.windows()):
                return True
            if time.monotonic() >= deadline:
                return False
            await asyncio.sleep(0.04)

    async def close(self) -> None:
        if self._x is not None:
            await self._worker.call(self._x.close)
            self._x = None
        self._worker.close()

    async def _call(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return await self._worker.call(function, *args, **kwargs)
        except xcffib.ConnectionException as error:
            self._x = None
            raise DesktopUnavailable("The display has gone away.", "Start the desktop again.") from error

    @property
    def _server(self) -> X11:
        if self._x is None:
            self._x = X11()
        return self._x

    def _send(self, window_id: int, message: str, *data: int) -> None:
        self._server.send_to_root(window_id, message, *data)

    def _set_state(self, window_id: int, how: int, first: str, second: str) -> None:
        x = self._server
        x.send_to_root(window_id, "_NET_WM_STATE", how, x.atom(first), x.atom(second) if second else 0, 2)

    def _manager(self) -> str | None:
        x = self._server
        check = x.ints(x.ask(x.root, "_NET_SUPPORTING_WM_CHECK"))
        if not check or x.ints(x.ask(check[0], "_NET_SUPPORTING_WM_CHECK")) != check:
            return None  # what one that has ended has left behind
        return x.text(x.ask(check[0], "_NET_WM_NAME")) or "unnamed"

    def _list(self) -> tuple[Listed, ...]:
        x = self._server
        clients = x.ints(x.ask(x.root, "_NET_CLIENT_LIST_STACKING")) or x.ints(x.ask(x.root, "_NET_CLIENT_LIST"))
        active = (*x.ints(x.ask(x.root, "_NET_ACTIVE_WINDOW")), 0)[0] or x.core.GetInputFocus().reply().focus
        tops = list(x.core.QueryTree(x.root).reply().children)
        order = {top: place for place, top in enumerate(tops)}
        above = {client: self._top_of(client, order) for client in clients}
        self._tops = above
        frames = set(above.values())
        popups = _viewable(x, [top for top in tops if top not in frames and top not in clients])
        if not clients:
            clients, popups = tuple(tops), []
            above = {client: client for client in clients}
        reader = _Reader(x, active, self._hosted_by)
        found = [
            (order.get(above[c], 0), r) for c, r in zip(clients, reader.read(clients, popup=False), strict=True) if r
        ]
        found += [(order[p], r) for p, r in zip(popups, reader.read(popups, popup=True), strict=True) if r]
        return tuple(listed for _, listed in sorted(found, key=lambda pair: -pair[0]))

    def _top_of(self, window: int, order: dict[int, int]) -> int:
        """The child of the root that holds the window, which is the frame of a reparenting window manager."""
        known = self._tops.get(window)
        if known in order:
            return known
        for _ in range(8):
            if window in order:
                return window
            try:
                window = self._server.core.QueryTree(window).reply().parent
            except REFUSED:
                break
        return window


def _viewable(x: X11, windows: Sequence[int]) -> list[int]:
    """Those that are on the screen: toolkits keep dozens of pop-ups ready that are not."""
    asked = [(window, x.core.GetWindowAttributes(window)) for window in windows]
    found = []
    for window, cookie in asked:
        try:
            seen = cookie.reply()
        except REFUSED:
            continue
        if seen.map_state == xp.MapState.Viewable and seen._class != xp.WindowClass.InputOnly:
            found.append(window)
    return found


class _Reader:
    """Reads many windows with few round trips: all questions first, then all answers."""

    def __init__(self, x: X11, active: int, hosted_by: int | None) -> None:
        self._x = x
        self._active = active
        self._hosted_by = hosted_by

    def read(self, windows: Any, *, popup: bool) -> list[Listed | None]:
        x = self._x
        asked = [
            (
                w,
                x.core.GetWindowAttributes(w),
                x.core.GetGeometry(w),
                x.core.TranslateCoordinates(w, x.root, 0, 0),
                {name: x.ask(w, name) for name in _PROPERTIES},
            )
            for w in windows
        ]
        return [self._one(*question, popup=popup) for question in asked]

    def _one(
        self, window: int, attributes: Any, geometry: Any, origin: Any, asked: dict[str, Any], *, popup: bool
    ) -> Listed | None:
        x = self._x
        got: dict[str, Any] = {
            name: (x.text(c) if name in ("_NET_WM_NAME", "WM_NAME", "WM_CLASS") else x.ints(c))
            for name, c in asked.items()
        }
        try:
            seen, size, place = attributes.reply(), geometry.reply(), origin.reply()
        except REFUSED:
            return None
        kinds = {x.atom_name(a).removeprefix("_NET_WM_WINDOW_TYPE_") for a in got["_NET_WM_WINDOW_TYPE"]}
        states = {x.atom_name(a).removeprefix("_NET_WM_STATE_") for a in got["_NET_WM_STATE"]}
        mapped = seen.map_state == xp.MapState.Viewable
        minimized = "HIDDEN" in states
        if seen._class == xp.WindowClass.InputOnly or (not mapped and not minimized) or kinds & _UNSEEN:
            return None
        if popup and (size.width <= 1 or size.height <= 1 or not (kinds or got["WM_CLASS"])):
            return None
        bounds = Rect(x=place.dst_x, y=place.dst_y, width=size.width, height=size.height)
        classes = [part for part in str(got["WM_CLASS"]).split("\0") if part]
        pid = (*got["_NET_WM_PID"], None)[0] or pid_of(x, window)
        transient = (*got["WM_TRANSIENT_FOR"], 0)[0]
        info = WindowInfo(
            id=window,
            title=str(got["_NET_WM_NAME"] or got["WM_NAME"]),
            app=classes[-1] if classes else "",
            pid=pid,
            bounds=bounds,
            frame=_framed(bounds, got["_NET_FRAME_EXTENTS"]),
            active=window == self._active and not minimized,
            minimized=minimized,
            modal="MODAL" in states,
            dialog="DIALOG" in kinds or (bool(transient) and not kinds & _MENUS and not popup),
            menu=popup or bool(kinds & _MENUS),
            transient_for=transient or None,
        )
        return Listed(info, own=pid == os.getpid() or bool(got[MARK]) or window == self._hosted_by)


def _framed(bounds: Rect, extents: Any) -> Rect:
    if len(extents) != 4:
        return bounds
    left, right, top, bottom = extents
    return Rect(
        x=bounds.x - left, y=bounds.y - top, width=bounds.width + left + right, height=bounds.height + top + bottom
    )


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdigit() else None
