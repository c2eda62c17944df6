"""Finds what an action is about to touch in a scene, and the words for it."""

from __future__ import annotations

import re
from collections.abc import Callable

from console.contracts import actions as act
from console.contracts.action import Naming, quoted
from console.contracts.actions import AnyAction
from console.contracts.errors import TargetError
from console.contracts.geometry import Point, Rect
from console.contracts.safety import Target, TargetPrint
from console.contracts.scene import Scene, SceneElement, WindowInfo

POINT = re.compile(r"point:(-?\d+),(-?\d+)")
WORDS_OF_A_DIALOG = 400
_SPEAKING_TYPES = frozenset({"text", "heading", "label", "alert", "statusbar"})


def resolve_target(action: AnyAction, scene: Scene) -> Target:
    """The target of the action in this scene. Raises `TargetError` if an id is not there.

    The desktop calls this again on a fresh look just before input, so the same rules make both prints.
    """
    if isinstance(action, act.ActionBatch):
        return _joined([resolve_target(member, scene) for member in action.actions])
    if isinstance(action, act.Drag):
        return _joined([_by_id(target_id, scene) for target_id in action.targets()])
    if isinstance(action, act.AxAction) and not action.target_id:
        return _by_label(action, scene)
    if isinstance(action, act.Dialog):
        return _in_dialog(action, scene)
    if isinstance(action, act.Select):
        return _of_area(action, scene)
    if isinstance(action, act.QuitApp | act.ActivateApp | act.Window):
        return _of_app(action, scene)
    if isinstance(action, act.LaunchApp):
        return Target(print=TargetPrint(app=action.app_name))
    if isinstance(action, act.Navigate):
        return Target(print=_window_print(scene, scene.active_window).model_copy(update={"label": action.url}))
    if isinstance(action, act.Custom):
        return Target(print=TargetPrint(app=action.adapter, label=action.action))
    if action.targets():
        return _by_id(action.targets()[0], scene)
    if isinstance(action, act.Key | act.KeyCombo | act.TypeText | act.Scroll):
        return _focused(scene)
    return Target(print=TargetPrint())


def namer(scene: Scene) -> Naming:
    """Words for the ids of a scene: the label, the row if the label alone is not unique, and the window."""

    def name(target_id: str) -> str:
        element = scene.element(target_id)
        if element is None:
            hit = POINT.fullmatch(target_id)
            return f"the point ({hit[1]}, {hit[2]})" if hit else quoted(target_id)
        words = quoted(element.label) if element.label else f"the {element.element_type}"
        twins = [e for e in scene.elements if e.label == element.label and e.window_id == element.window_id]
        if len(twins) > 1 and element.context and element.context != element.label:
            words += f" in the row {quoted(element.context)}"
        return words + (f" in {quoted(element.window)}" if element.window else "")

    return name


def dialog_words(scene: Scene, window: WindowInfo | None) -> str:
    """What the dialog says, if the window is one; bounded, in reading order."""
    if window is None or not (window.dialog or window.modal):
        return ""
    spoken = [e for e in scene.elements if e.window_id == window.id and e.element_type in _SPEAKING_TYPES and e.label]
    spoken.sort(key=lambda e: (e.bounds.y, e.bounds.x))
    return " ".join(e.label for e in spoken)[:WORDS_OF_A_DIALOG]


def _window_print(scene: Scene, window: WindowInfo | None) -> TargetPrint:
    if window is None:
        return TargetPrint()
    return TargetPrint(
        window_id=window.id, window=window.title, app=window.app, scene_words=dialog_words(scene, window)
    )


def _element_print(scene: Scene, element: SceneElement, target_id: str) -> TargetPrint:
    window = scene.window_of(element)
    return TargetPrint(
        element_id=target_id,
        element_type=element.element_type,
        label=element.label,
        window_id=element.window_id,
        window=window.title if window else element.window,
        app=element.app,
        scene_words=dialog_words(scene, window),
    )


def _of_element(scene: Scene, element: SceneElement) -> Target:
    return Target(
        print=_element_print(scene, element, element.id),
        bounds=element.bounds,
        point=element.bounds.center,
        protected=element.protected,
    )


def _by_id(target_id: str, scene: Scene) -> Target:
    pixel = POINT.fullmatch(target_id)
    if pixel:
        return _at_pixel(int(pixel[1]), int(pixel[2]), target_id, scene)
    element = scene.element(target_id)
    if element is None:
        raise TargetError(f"There is no element {target_id} on the screen.", "Look again and choose one that is there.")
    return _of_element(scene, element)


def _at_pixel(x: int, y: int, target_id: str, scene: Scene) -> Target:
    frame = scene.frame
    if not (0 <= x < frame.image_width and 0 <= y < frame.image_height):
        raise TargetError(
            f"The point ({x}, {y}) is outside the picture.",
            f"It is {frame.image_width} by {frame.image_height} pixels.",
        )
    point = frame.to_screen(x, y)
    if frame.monitors and not any(monitor.bounds.contains(point) for monitor in frame.monitors):
        raise TargetError(f"The point ({x}, {y}) is on no monitor.", "Choose a point that is visible.")
    element = scene.element_at(point)
    window = scene.window_at(point)
    if element is not None and (window is None or element.window_id in (None, window.id)):
        print_ = _element_print(scene, element, target_id)
    else:
        print_ = _window_print(scene, window).model_copy(update={"element_id": target_id})
    return Target(print=print_, bounds=Rect(x=point.x, y=point.y, width=1, height=1), point=point)


def _by_label(action: act.AxAction, scene: Scene) -> Target:
    wanted = (action.label or "").casefold()
    hits = [
        e
        for e in scene.elements
        if e.label.casefold() == wanted and (not action.role_hint or e.element_type == action.role_hint)
    ]
    if not wanted or not hits:
        raise TargetError(f"Nothing on the screen is called {quoted(action.label or '')}.", "Name it as it is shown.")
    if len(hits) > 1:
        raise TargetError(f"{len(hits)} things are called {quoted(action.label or '')}.", "Use the id of one of them.")
    return _of_element(scene, hits[0])


def _in_dialog(action: act.Dialog, scene: Scene) -> Target:
    window = next((w for w in scene.windows if (w.dialog or w.modal) and not w.minimized), None)
    if window is None:
        raise TargetError("There is no dialog on the screen.", "Look again.")
    button = next(
        (
            e
            for e in scene.elements
            if action.op == "click"
            and e.window_id == window.id
            and e.label.casefold() == (action.button or "").casefold()
        ),
        None,
    )
    if button is not None:
        return _of_element(scene, button)
    return Target(print=_window_print(scene, window), bounds=window.bounds)


def _of_area(action: act.Select, scene: Scene) -> Target:
    start = Point(x=action.from_x, y=action.from_y)
    x, y = min(action.from_x, action.to_x), min(action.from_y, action.to_y)
    area = Rect(x=x, y=y, width=abs(action.to_x - action.from_x) + 1, height=abs(action.to_y - action.from_y) + 1)
    return Target(print=_window_print(scene, scene.window_at(start)), bounds=area, point=start)


def _of_app(action: act.QuitApp | act.ActivateApp | act.Window, scene: Scene) -> Target:
    """Bound to the titles of the app's windows, because a title tells of unsaved work."""
    name = action.app if isinstance(action, act.Window) else action.app_name
    if not name:
        return Target(print=_window_print(scene, scene.active_window))
    wanted = name.casefold()
    windows = [w for w in scene.windows if wanted in w.app.casefold() or wanted in w.title.casefold()]
    titles = " · ".join(sorted(w.title for w in windows))
    only = windows[0] if len(windows) == 1 else None
    return Target(
        print=TargetPrint(app=name, window=titles, window_id=only.id if only else None),
        bounds=only.bounds if only else None,
    )


def _focused(scene: Scene) -> Target:
    element = scene.element(scene.focused_id) if scene.focused_id else None
    window = scene.active_window
    if element is not None and window is not None and element.window_id in (None, window.id):
        return _of_element(scene, element)
    return Target(print=_window_print(scene, window), bounds=window.bounds if window else None)


def _joined(targets: list[Target]) -> Target:
    """Several targets as one: the permit covers all of them or none."""
    if len(targets) == 1:
        return targets[0]

    def all_of(field: Callable[[TargetPrint], str]) -> str:
        return " → ".join(dict.fromkeys(text for t in targets if (text := field(t.print))))

    first = next((t for t in targets if t.point), Target(print=TargetPrint()))
    return Target(
        print=TargetPrint(
            element_id=" → ".join(t.print.element_id for t in targets),
            element_type=all_of(lambda p: p.element_type),
            label=all_of(lambda p: p.label),
            window_id=targets[0].print.window_id if targets else None,
            window=all_of(lambda p: p.window),
            app=all_of(lambda p: p.app),
            scene_words=all_of(lambda p: p.scene_words),
        ),
        bounds=first.bounds,
        point=first.point,
        protected=any(t.protected for t in targets),
    )
