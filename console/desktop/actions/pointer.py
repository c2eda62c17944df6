"""Clicks, points, scrolls, drags and selects."""

from __future__ import annotations

from console.contracts.action import Modifier
from console.contracts.actions import Click, Drag, Hover, Scroll, Select
from console.contracts.errors import TargetError
from console.contracts.geometry import Point
from console.contracts.safety import Target, TargetPrint
from console.contracts.scene import SceneElement

from .job import ACCESSIBILITY, NATIVE, Aim, Job, Outcome

MAX_NOTCHES = 100
# Kinds whose accessibility action does what a click does; for rows “activate” would be a double click, a combo box
# only opens, and a menu opened this way closes when the pointer moves.
_BUTTONS = frozenset({"button", "checkbox", "radio", "switch", "link"})


async def click(action: Click, job: Job) -> Outcome:
    aim = await job.aim(action.target_id)
    plain = (action.button or "left") == "left" and (action.count or 1) == 1
    if plain and not action.modifiers and not action.hold_ms and acts_by_itself(job, aim.element, action.target_id):
        return await press(job, aim)
    job.via(NATIVE)
    await job.hands.input.move(aim.point)
    await job.ready(rest=True)
    await job.unobscured(aim)
    await job.hands.input.click(
        aim.point,
        button=action.button or "left",
        count=action.count or 1,
        modifiers=action.modifiers or (),
        hold_ms=action.hold_ms or 0,
    )
    return Outcome()


def acts_by_itself(job: Job, element: SceneElement | None, target_id: str) -> bool:
    """Whether the accessibility action is the more reliable click. A point means the pixel, never the element."""
    if element is None or element.id != target_id or element.element_type not in _BUTTONS:
        return False
    return job.hands.elements.offers(element, "click")


async def press(job: Job, aim: Aim) -> Outcome:
    """The element's own action. It is not tried another way if it fails: it may have happened."""
    assert aim.element is not None
    job.via(ACCESSIBILITY)
    await job.ready()
    await job.hands.elements.act(aim.element.id, "click")
    return Outcome()


async def hover(action: Hover, job: Job) -> Outcome:
    aim = await job.aim(action.target_id)
    job.via(NATIVE)
    await job.ready()
    await job.hands.input.move(aim.point)
    return Outcome()


async def scroll(action: Scroll, job: Job) -> Outcome:
    if not action.dx and not action.dy:
        raise TargetError("Scrolling by nothing does nothing.", "Give dx or dy in notches.")
    if max(abs(action.dx), abs(action.dy)) > MAX_NOTCHES:
        raise TargetError(f"More than {MAX_NOTCHES} notches at once are not sent.", "Scroll in smaller parts.")
    aim = await (job.aim(action.target_id) if action.target_id else aim_at_focus(job))
    job.via(NATIVE)
    await job.hands.input.move(aim.point)
    await job.ready(rest=True)
    await job.unobscured(aim)
    await job.hands.input.scroll(aim.point, action.dx, action.dy, modifiers=action.modifiers or ())
    return Outcome()


async def drag(action: Drag, job: Job) -> Outcome:
    end = job.aim_of(action.to_target_id)
    start = await job.aim(action.from_target_id)
    # Raising the window of the start may have covered the end.
    await job.unobscured(end)
    await _drag(job, [start.point, *(action.via or ()), end.point], action.modifiers or ())
    return Outcome()


async def select(action: Select, job: Job) -> Outcome:
    """Text from one pixel to another, by dragging."""
    start = _aim_at(job, Point(x=action.from_x, y=action.from_y))
    end = _aim_at(job, Point(x=action.to_x, y=action.to_y))
    await job.to_front(start.window)
    await job.unobscured(start)
    await _drag(job, [start.point, end.point], ())
    return Outcome()


async def _drag(job: Job, points: list[Point], modifiers: tuple[Modifier, ...]) -> None:
    for point in points:
        job.on_a_monitor(point)
    job.via(NATIVE)
    await job.hands.input.move(points[0])
    await job.ready(rest=True)
    await job.hands.input.drag(points, modifiers=modifiers)


def _aim_at(job: Job, point: Point) -> Aim:
    window = job.scene.window_at(point)
    print_ = TargetPrint(window_id=window.id if window else None, label=f"({point.x}, {point.y})")
    return Aim(point, Target(print=print_, point=point), window=window)


async def aim_at_focus(job: Job) -> Aim:
    """The middle of what has the focus: the element if its place is known, else the window."""
    target, window = job.live.target, job.scene.active_window
    area = target.bounds or (window.bounds if window else None)
    if area is None:
        raise TargetError("No window is active.", "Name what to scroll.")
    aim = Aim(area.center, target, job.scene.element(target.print.element_id), window)
    job.aimed = aim
    job.on_a_monitor(aim.point)
    await job.to_front(window)
    await job.unobscured(aim)
    return aim
