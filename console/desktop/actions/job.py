"""What a handler works with: the live scene, the devices, and the checks that come before any input."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from console.contracts.action import quoted
from console.contracts.actions import Click
from console.contracts.adapter import Adapter
from console.contracts.effects import ObservedEffect
from console.contracts.errors import InputError, TargetError
from console.contracts.geometry import Point
from console.contracts.moves import StepErr, StepOk
from console.contracts.receipt import AccessibilityRoute, NativeInputRoute, OtherRoute, Route
from console.contracts.safety import Target
from console.contracts.scene import Scene, SceneElement, WindowInfo
from console.contracts.settings import DesktopSettings
from console.core.clock import Clock
from console.core.targets import POINT, resolve_target

from ..apps import AppCatalogue, AppStarter
from ..devices import AccessibilityDevice, InputDevice, ListedWindow, ObserverDevice, WindowDevice
from ..resolve import Live
from ..settle import Sample, Settler

HOVER_REST_MS = 240
MakeWay = Callable[[Point], Awaitable[bool]]
MENU_GOES_S = 0.15
ACCESSIBILITY, NATIVE = AccessibilityRoute(), NativeInputRoute()


async def _stay(point: Point) -> bool:
    return False


@dataclass(frozen=True)
class OwnWindows:
    """The console's own windows: they make way for a place (true if they did), and are told that the screen settles.

    A console without a window has nothing to move away and nothing to show.
    """

    make_way: MakeWay = _stay
    settling: Callable[[], None] = lambda: None


@dataclass(frozen=True)
class Hands:
    """The devices, as the handlers use them."""

    observer: ObserverDevice
    windows: WindowDevice
    elements: AccessibilityDevice
    input: InputDevice
    settler: Settler
    apps: AppCatalogue
    starter: AppStarter
    adapters: Mapping[str, Adapter]
    settings: DesktopSettings
    clock: Clock
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    own: OwnWindows = field(default_factory=OwnWindows)


@dataclass(frozen=True)
class Outcome:
    """What a handler came to. `effect` is what it read back itself; None leaves that to the effect watch."""

    result: StepOk | StepErr = field(default_factory=StepOk)
    effect: ObservedEffect | None = None


@dataclass(frozen=True)
class Aim:
    """Where input goes: the pixel, the element that is there if it has one, and its window."""

    point: Point
    target: Target
    element: SceneElement | None = None
    window: WindowInfo | None = None


@dataclass(frozen=True)
class Baseline:
    """What things were like just before the input: the screen, and the elements that may tell of an effect."""

    sample: Sample
    target: SceneElement | None = None
    focused: SceneElement | None = None


class Job:
    """One action on its way to the devices."""

    def __init__(self, hands: Hands, live: Live) -> None:
        self.hands = hands
        self.live = live
        self.route: Route = OtherRoute(detail="nothing was sent")
        self.baseline: Baseline | None = None
        self.aimed: Aim | None = None

    @property
    def scene(self) -> Scene:
        return self.live.scene

    def via(self, route: Route) -> None:
        """Say which way is taken, before it is."""
        self.route = route

    def aim_of(self, target_id: str) -> Aim:
        """Where the id is, by the live scene. Raises `TargetError`."""
        target = resolve_target(Click(target_id=target_id), self.scene)
        element = self.scene.element(target_id)
        if element is None and target.point is not None and POINT.fullmatch(target_id):
            under = self.scene.element_at(target.point)
            element = under if under and under.window_id in (None, target.print.window_id) else None
        if target.point is None:
            raise TargetError("It has no place on the screen.", "Look again.")
        return Aim(target.point, target, element, self._window(target.print.window_id))

    async def aim(self, target_id: str) -> Aim:
        """Bring the target to the front and make sure that input would reach it and nothing else."""
        aim = self.aim_of(target_id)
        self.aimed = aim
        self.on_a_monitor(aim.point)
        if aim.element is not None and not aim.element.state.enabled and self.scene.element(target_id):
            raise TargetError(f"{_name(aim)} is greyed out.", "Find out what it is waiting for.")
        if POINT.fullmatch(target_id):
            # What was seen at the pixel was the console, whatever would come to light under it.
            cover = await self._cover(aim)
            if cover is not None and cover.own:
                await self.hands.own.make_way(aim.point)
                raise TargetError(f"The console covers {_name(aim)}.", "Look again: it has moved, if it could.")
        await self.to_front(aim.window)
        await self.unobscured(aim)
        return aim

    async def to_front(self, window: WindowInfo | None) -> None:
        """Give the window the focus, unless it has it or is a menu, which would close."""
        if window is None or window.menu:
            return
        active = await self.active_window()
        if active is not None and active.info.id == window.id:
            return
        if not await self.hands.windows.activate(window.id):
            raise TargetError(f"The window {quoted(window.title)} did not come to the front.", _in_front(active))

    async def active_window(self) -> ListedWindow | None:
        return next((entry for entry in await self.hands.windows.all_windows() if entry.info.active), None)

    async def guard_keys(self, window_id: int | None) -> None:
        """Keys go to the intended window or nowhere, and never to the console."""
        active = await self.active_window()
        if active is not None and active.own:
            raise InputError("The console itself has the focus, so no key was sent.", "Activate the application first.")
        if window_id is not None and (active is None or active.info.id != window_id):
            name = quoted(active.info.title) if active else "no window"
            raise InputError(f"The focus went to {name}, so no key was sent.", "Look again.")

    async def unobscured(self, aim: Aim) -> None:
        """Raises `TargetError` if something else lies over the pixel, first of all the console."""
        cover = await self._cover(aim)
        if cover is not None and cover.own and await self.hands.own.make_way(aim.point):
            cover = await self._cover(aim)
        if cover is not None and cover.info.menu and not cover.own:
            # A tooltip goes when the pointer comes; a menu that stays is in the way.
            await self.hands.input.move(aim.point)
            await self.hands.sleep(MENU_GOES_S)
            cover = await self._cover(aim)
        if cover is None:
            return
        if cover.own:
            raise TargetError(f"The console covers {_name(aim)}.", "Move the console's window away.")
        raise TargetError(f"The window {quoted(cover.info.title)} covers {_name(aim)}.", "Deal with that window first.")

    async def ready(self, *, rest: bool = False) -> None:
        """Take down what things are like just before the input; with `rest`, once hovering has had its effect."""
        if self.baseline is not None:
            return
        settler = self.hands.settler
        sample = (await settler.settle(HOVER_REST_MS)).sample if rest else await settler.sample()
        element = self.aimed.element if self.aimed else None
        focused = self.scene.element(self.scene.focused_id) if self.scene.focused_id else None
        self.baseline = Baseline(
            sample,
            target=await self.again(element),
            focused=await self.again(focused) if focused is not None and focused != element else None,
        )

    async def again(self, element: SceneElement | None) -> SceneElement | None:
        """The element as it is now; None if it is gone or never had a tree to ask."""
        if element is None or element.source != "accessibility":
            return None
        return await self.hands.elements.refresh(element, self.scene.window_of(element))

    def _window(self, window_id: int | None) -> WindowInfo | None:
        return next((window for window in self.scene.windows if window.id == window_id), None)

    def on_a_monitor(self, point: Point) -> None:
        monitors = self.scene.frame.monitors
        if monitors and not any(monitor.bounds.contains(point) for monitor in monitors):
            raise TargetError(f"({point.x}, {point.y}) is on no monitor.", "Bring it into view first.")

    async def _cover(self, aim: Aim) -> ListedWindow | None:
        """The window over the pixel if it is not the target's own."""
        for entry in await self.hands.windows.all_windows():
            window = entry.info
            if window.minimized or not (window.frame or window.bounds).contains(aim.point):
                continue
            if entry.own:
                return entry
            expected = aim.target.print.window_id
            mine = expected is None or window.id == expected
            same_app = aim.window is not None and window.pid in (None, aim.window.pid)
            in_menu = window.menu and same_app and _of_menu(aim.element)
            return None if mine or in_menu else entry
        return None


def _of_menu(element: SceneElement | None) -> bool:
    return element is not None and element.element_type in ("menuitem", "menu", "listitem")


def _name(aim: Aim) -> str:
    if aim.target.print.label:
        return quoted(aim.target.print.label)
    return f"the point ({aim.point.x}, {aim.point.y})"


def _in_front(active: ListedWindow | None) -> str:
    if active is None or active.own:
        return "Look again."
    return f"{quoted(active.info.title)} is in front: deal with it first."
