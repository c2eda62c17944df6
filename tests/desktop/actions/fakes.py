"""A small desktop in memory: windows, elements and a record of everything that was sent to it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from console.contracts.actions import AnyAction
from console.contracts.desktop import Performed
from console.contracts.errors import InputError, TargetError
from console.contracts.geometry import Point, Rect
from console.contracts.moves import StepErr, StepOk
from console.contracts.safety import Permit
from console.contracts.scene import Frame, Monitor, Scene, SceneElement, WindowInfo
from console.contracts.settings import DesktopSettings
from console.contracts.view import ElementState
from console.core.permits import PermitBook
from console.core.targets import resolve_target
from console.desktop.apps import AppCatalogue, Launch
from console.desktop.live import LiveDesktop

SCREEN = Rect(x=0, y=0, width=320, height=192)
WINDOW = Rect(x=0, y=16, width=240, height=160)
EDITABLE = ("input", "textarea", "spinbutton", "combobox")


@dataclass
class Listed:
    info: WindowInfo
    own: bool = False


@dataclass
class World:
    """What the fakes share. `log` holds every device call that changes something, in order."""

    windows: list[Listed] = field(default_factory=list)
    elements: dict[str, SceneElement] = field(default_factory=dict)
    log: list[tuple[Any, ...]] = field(default_factory=list)
    on: dict[str, Callable[..., None]] = field(default_factory=dict)
    ink: dict[tuple[int, int], int] = field(default_factory=dict)
    now: float = 1000.0
    later: list[tuple[float, Callable[[], None]]] = field(default_factory=list)

    def did(self, name: str, *args: Any) -> None:
        self.log.append((name, *args))
        if name in self.on:
            self.on[name](*args)

    def names(self) -> list[str]:
        return [entry[0] for entry in self.log]

    def put(self, element: SceneElement) -> None:
        self.elements[element.id] = element

    def change(self, element_id: str, **fields: Any) -> None:
        element = self.elements[element_id]
        state = {k: fields.pop(k) for k in list(fields) if k in ElementState.model_fields}
        self.put(element.model_copy(update={**fields, "state": element.state.model_copy(update=state)}))

    def focus(self, element_id: str) -> None:
        for other in list(self.elements):
            self.change(other, focused=other == element_id)

    @property
    def focused(self) -> SceneElement | None:
        return next((e for e in self.elements.values() if e.state.focused), None)

    def activate(self, window_id: int) -> None:
        self.windows.sort(key=lambda w: w.info.id != window_id)
        for listed in self.windows:
            listed.info = listed.info.model_copy(update={"active": listed.info.id == window_id})

    def paint(self, area: Rect, colour: int = 200) -> None:
        for x in range(area.x, area.right):
            for y in range(area.y, area.bottom):
                self.ink[(x, y)] = colour

    def after(self, seconds: float, change: Callable[[], None]) -> None:
        self.later.append((self.now + seconds, change))

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        due = [change for at, change in self.later if at <= self.now]
        self.later = [(at, change) for at, change in self.later if at > self.now]
        for change in due:
            change()


class FakeClock:
    def __init__(self, world: World) -> None:
        self._world = world

    def now(self) -> float:
        return self._world.now

    def unix_ms(self) -> int:
        return int(self._world.now * 1000)


class FakeCapture:
    def __init__(self, world: World) -> None:
        self._world = world
        self._ids = itertools.count(1)

    async def grab(self, region: Rect | None = None) -> Frame:
        pixels = bytearray(SCREEN.width * SCREEN.height * 3)
        for (x, y), colour in self._world.ink.items():
            offset = (y * SCREEN.width + x) * 3
            pixels[offset : offset + 3] = bytes((colour,) * 3)
        return Frame(
            id=f"f{next(self._ids)}",
            bounds=SCREEN,
            image_width=SCREEN.width,
            image_height=SCREEN.height,
            taken_at_ms=int(self._world.now * 1000),
            monitors=(Monitor(name="only", bounds=SCREEN, primary=True),),
            pixels=bytes(pixels),
        )

    async def encode(self, frame: Frame, media: str) -> bytes:
        return media.encode()


class FakeWindows:
    def __init__(self, world: World) -> None:
        self._world = world
        self.stubborn = False

    async def all_windows(self) -> tuple[Listed, ...]:
        return tuple(Listed(entry.info, entry.own) for entry in self._world.windows)

    async def activate(self, window_id: int, timeout_s: float = 2.0) -> bool:
        self._world.did("activate", window_id)
        if self.stubborn:
            return False
        self._world.activate(window_id)
        return True

    async def close_window(self, window_id: int) -> None:
        self._world.did("close_window", window_id)

    async def move_resize(self, window_id: int, bounds: Rect) -> None:
        self._world.did("move_resize", window_id, bounds)

    async def set_state(self, window_id: int, state: str) -> None:
        self._world.did("set_state", window_id, state)

    async def wait_for(self, predicate: Callable[[tuple[WindowInfo, ...]], bool], timeout_s: float) -> bool:
        for _ in range(10):
            if predicate(tuple(entry.info for entry in self._world.windows if not entry.own)):
                return True
            await self._world.sleep(timeout_s / 10)
        return False


class FakeElements:
    def __init__(self, world: World) -> None:
        self._world = world
        self.refuses_text = False
        self.takes_focus = True

    async def refresh(self, seen: SceneElement, window: WindowInfo | None) -> SceneElement | None:
        return self._world.elements.get(seen.id)

    def offers(self, element: SceneElement, action: str) -> bool:
        return action in element.actions

    async def act(self, element_id: str, action: str) -> None:
        self._need(element_id)
        self._world.did("act", element_id, action)

    async def focus(self, element_id: str) -> bool:
        self._need(element_id)
        self._world.did("focus", element_id)
        if self.takes_focus:
            self._world.focus(element_id)
        return self.takes_focus

    async def set_text(self, element_id: str, text: str) -> str | None:
        if self.refuses_text:
            raise TargetError("Its text cannot be set.", "Type it instead.")
        self._world.did("set_text", element_id, text)
        self._world.change(element_id, value=text)
        return None if self._need(element_id).protected else text

    async def set_number(self, element_id: str, value: float) -> str | None:
        self._world.did("set_number", element_id, value)
        self._world.change(element_id, value=f"{value:g}")
        return f"{value:g}"

    async def select_option(self, element_id: str, option: str) -> None:
        if option not in self._need(element_id).select_options:
            raise TargetError(f"There is no choice “{option}”.", "Choose another.")
        self._world.did("select_option", element_id, option)
        self._world.change(element_id, value=option)

    async def read_text(self, element_id: str) -> str:
        element = self._need(element_id)
        if element.protected:
            raise TargetError("A password is never read.")
        self._world.did("read_text", element_id)
        return element.value or ""

    def _need(self, element_id: str) -> SceneElement:
        if element_id not in self._world.elements:
            raise TargetError("It is not there any more.", "Look again.")
        return self._world.elements[element_id]


class FakeInput:
    """Types into the focused element of the world; `loses` characters if told to."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.loses = ""
        self.stopped = False

    async def move(self, point: Point) -> None:
        self._world.did("move", point.x, point.y)

    async def click(
        self, point: Point, *, button: str = "left", count: int = 1, modifiers: Sequence[str] = (), hold_ms: int = 0
    ) -> None:
        self._world.did("click", point.x, point.y, button, count, tuple(modifiers), hold_ms)
        hit = next(
            (e for e in self._world.elements.values() if e.bounds.contains(point) and e.element_type in EDITABLE), None
        )
        if hit is not None:
            self._world.focus(hit.id)

    async def scroll(self, point: Point, dx: int, dy: int, *, modifiers: Sequence[str] = ()) -> None:
        self._world.did("scroll", point.x, point.y, dx, dy)

    async def drag(self, points: Sequence[Point], *, modifiers: Sequence[str] = ()) -> None:
        self._world.did("drag", *[(p.x, p.y) for p in points])

    async def keys(self, combo: Sequence[str]) -> None:
        if "foo" in combo:
            raise InputError("There is no key “foo”.", "Use a name such as Return.")
        self._world.did("keys", *combo)
        focused = self._world.focused
        if tuple(combo) == ("ctrl", "a") and focused is not None:
            self._world.change(focused.id, value="")

    async def type_text(self, text: str) -> None:
        self._world.did("type", text)
        focused = self._world.focused
        if focused is not None and focused.element_type in EDITABLE:
            arrived = "".join(c for c in text if c not in self.loses)
            self._world.change(focused.id, value=(focused.value or "") + arrived)

    def stop_now(self) -> None:
        self.stopped = True
        self._world.did("stop_now")

    def reset(self) -> None:
        self.stopped = False

    async def release_all(self) -> None:
        self._world.did("release_all")


class FakeObserver:
    def __init__(self, world: World, capture: FakeCapture) -> None:
        self._world = world
        self._capture = capture
        self._ids = itertools.count(1)

    async def observe(self, goal: str) -> Scene:
        focused = self._world.focused
        return Scene(
            id=f"s{next(self._ids)}",
            taken_at_ms=0,
            frame=await self._capture.grab(),
            windows=tuple(entry.info for entry in self._world.windows if not entry.own),
            elements=tuple(self._world.elements.values()),
            focused_id=focused.id if focused else None,
        )


class FakeProcess:
    def __init__(self, pid: int, returncode: int | None = None) -> None:
        self.pid, self.returncode = pid, returncode


class FakeStarter:
    def __init__(self, world: World) -> None:
        self._world = world
        self.process = FakeProcess(77)

    async def start(self, launch: Launch, *arguments: str) -> FakeProcess:
        self._world.did("start", launch.argv, *arguments)
        return self.process

    def close(self) -> None: ...


class Stage:
    """A live desktop on fakes. `do` plans on a fresh look, gets a permit as the gate would, and performs."""

    def __init__(self, *, catalogue: AppCatalogue | None = None, adapters: Sequence[Any] = ()) -> None:
        self.world = World()
        self.world.windows = [Listed(window(1, "Notes", "Mousepad"))]
        self.book = PermitBook(now=lambda: self.world.now)
        self.capture = FakeCapture(self.world)
        self.windows = FakeWindows(self.world)
        self.elements = FakeElements(self.world)
        self.input = FakeInput(self.world)
        self.starter = FakeStarter(self.world)
        self.desktop = LiveDesktop(
            observer=FakeObserver(self.world, self.capture),
            capture=self.capture,
            windows=self.windows,
            accessibility=self.elements,
            input=self.input,
            office=self.book,
            adapters=adapters,
            settings=DesktopSettings(settle_ms=1500),
            clock=FakeClock(self.world),
            apps=catalogue or AppCatalogue({"PATH": "", "XDG_DATA_DIRS": "/nonexistent", "HOME": "/nonexistent"}),
            starter=self.starter,  # type: ignore[arg-type]
            sleep=self.world.sleep,
        )

    async def plan(self, action: AnyAction) -> Permit:
        scene = await self.desktop.observe("")
        return self.book.issue(action, resolve_target(action, scene).print, scene.id, approved=True)

    async def do(self, action: AnyAction) -> Performed:
        return await self.desktop.perform(action, await self.plan(action))


def window(id_: int, title: str, app: str, **fields: Any) -> WindowInfo:
    return WindowInfo(
        **{"id": id_, "title": title, "app": app, "pid": id_, "bounds": WINDOW, "active": id_ == 1, **fields}
    )


def element(id_: str, kind: str = "button", label: str = "", **fields: Any) -> SceneElement:
    state = {k: fields.pop(k) for k in list(fields) if k in ElementState.model_fields}
    place = {
        "window_id": 1,
        "window": "Notes",
        "app": "Mousepad",
        "pid": 1,
        "bounds": Rect(x=32, y=48, width=64, height=24),
    }
    button = kind in ("button", "checkbox", "radio")
    known = {"actions": ("click",) if button else (), "clickable": button, "settable": kind in EDITABLE}
    return SceneElement(
        **{"id": id_, "element_type": kind, "label": label, **place, **known, "state": ElementState(**state), **fields}
    )


def problem(performed: Performed) -> str:
    assert isinstance(performed.result, StepErr), performed
    return performed.result.message


def fine(performed: Performed) -> StepOk:
    assert isinstance(performed.result, StepOk), performed
    return performed.result
