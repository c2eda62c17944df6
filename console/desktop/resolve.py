"""Finds the target of an action again, live, just before input, without touching anything."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from console.contracts import actions as act
from console.contracts.actions import AnyAction
from console.contracts.errors import PermitVoid, TargetError
from console.contracts.geometry import Rect
from console.contracts.safety import Permit, Target
from console.contracts.scene import Scene, SceneElement, WindowInfo
from console.core.targets import POINT, resolve_target

from .devices import CaptureDevice, ElementDevice, ListedWindow, ObserverDevice, WindowDevice
from .differences import grown, same_within

KEPT_SCENES = 12
_AROUND_POINT = 12
_ACCESSIBLE = "accessibility"


@dataclass(frozen=True)
class Live:
    """The planned scene brought up to date as far as the action needs it, and its target there.

    `own_active` says that the console has the focus, or had it and got out of the way; then the window that had it when
    the step was planned counts as active, and has to be activated again before keys are sent.
    """

    scene: Scene
    target: Target
    planned: Scene
    own_active: bool = False


class LiveResolver:
    """Remembers the latest scenes, because a permit names the one it was issued for."""

    def __init__(
        self, observer: ObserverDevice, capture: CaptureDevice, windows: WindowDevice, elements: ElementDevice
    ) -> None:
        self._observer = observer
        self._capture = capture
        self._windows = windows
        self._elements = elements
        self._scenes: OrderedDict[str, Scene] = OrderedDict()

    def remember(self, scene: Scene) -> None:
        self._scenes[scene.id] = scene
        while len(self._scenes) > KEPT_SCENES:
            self._scenes.popitem(last=False)

    async def resolve(self, action: AnyAction, permit: Permit) -> Live:
        """Raises `TargetError` if the target is gone and `PermitVoid` if the planned scene is not known any more."""
        planned = self._scenes.get(permit.scene_id)
        if planned is None:
            raise PermitVoid(
                "The look at the screen that this was planned on is too old.", "It has to be looked again."
            )
        return await self.again(action, planned)

    async def again(self, action: AnyAction, planned: Scene) -> Live:
        """The same for a member of a batch, which has no permit of its own."""
        resolve_target(action, planned)
        listed = await self._windows.all_windows()
        own_active = _nobody_focused(listed)
        scene = await self._up_to_date(action, planned, listed)
        if own_active:
            scene = _as_if_active(scene, planned)
        return Live(scene, resolve_target(action, scene), planned, own_active)

    async def _up_to_date(self, action: AnyAction, planned: Scene, listed: Sequence[ListedWindow]) -> Scene:
        ids = wanted_ids(action, planned)
        scene = planned.model_copy(update={"windows": _windows_now(planned, listed)})
        if _in_dialog(action, ids, scene) or not await self._looks_the_same(ids, planned):
            return await self._fresh(planned)
        scene = await self._refreshed(scene, ids)
        if _focus_matters(action) and not _still_focused(scene, listed):
            return await self._fresh(planned)
        return scene

    async def _fresh(self, planned: Scene) -> Scene:
        """A whole new look; points still mean pixels of the picture that the planner was given."""
        scene = await self._observer.observe("")
        frame = planned.frame.model_copy(update={"monitors": scene.frame.monitors})
        return scene.model_copy(update={"frame": frame})

    async def _looks_the_same(self, ids: Iterable[str], planned: Scene) -> bool:
        """For what was only seen as pixels: whether the pixels there are still the same."""
        areas = [area for id_ in ids if (area := _seen_area(id_, planned)) is not None]
        if not areas:
            return True
        frame = await self._capture.grab()
        return all(same_within(planned.frame, frame, area) for area in areas)

    async def _refreshed(self, scene: Scene, ids: Iterable[str]) -> Scene:
        wanted = {e.id: e for id_ in ids if (e := _element(id_, scene)) is not None and e.source == _ACCESSIBLE}
        answers = await asyncio.gather(*(self._elements.refresh(e, scene.window_of(e)) for e in wanted.values()))
        now = dict(zip(wanted, answers, strict=True))
        elements = tuple(current for e in scene.elements if (current := now.get(e.id, e)) is not None)
        return scene.model_copy(update={"elements": elements})


def wanted_ids(action: AnyAction, scene: Scene) -> tuple[str, ...]:
    """The ids whose state decides what the action would touch."""
    if isinstance(action, act.ActionBatch):
        return tuple(dict.fromkeys(id_ for member in action.actions for id_ in wanted_ids(member, scene)))
    if action.targets():
        return action.targets()
    if isinstance(action, act.AxAction | act.Dialog):
        found = resolve_target(action, scene).print.element_id
        return (found,) if found else ()
    if _focus_matters(action) and scene.focused_id:
        return (scene.focused_id,)
    return ()


def _focus_matters(action: AnyAction) -> bool:
    return isinstance(action, act.Key | act.KeyCombo | act.TypeText | act.Scroll) and not action.targets()


def _element(target_id: str, scene: Scene) -> SceneElement | None:
    pixel = POINT.fullmatch(target_id)
    if pixel is None:
        return scene.element(target_id)
    return scene.element_at(scene.frame.to_screen(int(pixel[1]), int(pixel[2])))


def _seen_area(target_id: str, planned: Scene) -> Rect | None:
    pixel = POINT.fullmatch(target_id)
    if pixel is not None:
        point = planned.frame.to_screen(int(pixel[1]), int(pixel[2]))
        return grown(Rect(x=point.x, y=point.y, width=1, height=1), _AROUND_POINT)
    element = planned.element(target_id)
    return element.bounds if element is not None and element.source != _ACCESSIBLE else None


def _in_dialog(action: AnyAction, ids: Iterable[str], scene: Scene) -> bool:
    """What is approved in a dialog is bound to its words, so these are read again as well."""
    if isinstance(action, act.Dialog):
        return True
    if isinstance(action, act.ActionBatch):
        return any(_in_dialog(member, wanted_ids(member, scene), scene) for member in action.actions)
    windows = [scene.window_of(e) for id_ in ids if (e := _element(id_, scene)) is not None]
    if _focus_matters(action) or isinstance(action, act.Navigate):
        windows.append(scene.active_window)
    return any(window is not None and (window.dialog or window.modal) for window in windows)


def _still_focused(scene: Scene, listed: Sequence[ListedWindow]) -> bool:
    """With the focus on the console itself, applications do not say which of their elements would have it."""
    if _nobody_focused(listed) or scene.focused_id is None:
        return True
    element = scene.element(scene.focused_id)
    return element is not None and (element.state.focused or element.source != _ACCESSIBLE)


def _nobody_focused(listed: Sequence[ListedWindow]) -> bool:
    """No application has the focus: the console has it, or nothing has since the console got out of the way."""
    return not any(entry.info.active and not entry.own for entry in listed)


def _windows_now(planned: Scene, listed: Sequence[ListedWindow]) -> tuple[WindowInfo, ...]:
    """The windows as they are, under the app names that the observation gave them."""
    apps = {window.id: window.app for window in planned.windows}
    return tuple(
        entry.info.model_copy(update={"app": apps.get(entry.info.id, entry.info.app)})
        for entry in listed
        if not entry.own
    )


def _as_if_active(scene: Scene, planned: Scene) -> Scene:
    """The scene as it will be once the window that was active when the step was planned has the focus again."""
    was = planned.active_window
    if was is None:
        return scene
    if not any(window.id == was.id for window in scene.windows):
        raise TargetError(f"The window “{was.title}” is not there any more.", "Look again.")
    windows = tuple(window.model_copy(update={"active": window.id == was.id}) for window in scene.windows)
    return scene.model_copy(update={"windows": windows, "focused_id": planned.focused_id})
