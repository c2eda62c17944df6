"""Plans clicks, points, menus, drags and scrolls."""

from __future__ import annotations

from console.contracts.actions import AxAction, Click, Drag, Hover, Scroll
from console.contracts.view import PlanningElement

from .context import Context, Way
from .matching import clickable
from .models import ChooseMenu, ClickOn, Direction, DragTo, PointAt, ScrollBy, ScrollUntil, Thing
from .outcomes import Act, Finished, GiveUp, Halt, Outcome

MOST_SCROLLS, NOTCHES = 30, 5
_MENU_TYPES = frozenset({"menu", "menuitem", "checkbox", "radio", "button"})
_WAYS: dict[Direction, tuple[int, int]] = {"down": (0, 1), "up": (0, -1), "right": (1, 0), "left": (-1, 0)}


def click(instruction: ClickOn, context: Context) -> Outcome:
    over = context.settled()
    if over is not None:
        return over
    target = context.one(instruction.thing, clickable)
    plain = instruction.button == "left" and instruction.count == 1 and not instruction.modifiers
    fields = {
        "button": None if instruction.button == "left" else instruction.button,
        "count": None if instruction.count == 1 else instruction.count,
        "modifiers": instruction.modifiers or None,
    }
    given = {key: value for key, value in fields.items() if value is not None}
    ways: list[Way] = [lambda: [("", Click.model_validate({"target_id": target.id, **given}))]]
    if plain and target.source != "ocr":
        ways.append(lambda: [("", AxAction(target_id=target.id, action="click"))])
    if target.bounds is not None:
        ways.append(lambda: [("", Click.model_validate({"target_id": _point(target), **given}))])
    return context.act(*ways)


def _point(target: PlanningElement) -> str:
    center = target.bounds.center if target.bounds else None
    return f"point:{center.x},{center.y}" if center else target.id


def point_at(instruction: PointAt, context: Context) -> Outcome:
    over = context.settled()
    if over is not None:
        return over
    target = context.one(instruction.thing)
    return context.act(lambda: [("", Hover(target_id=target.id))])


def choose_menu(instruction: ChooseMenu, context: Context) -> Outcome:
    """One entry of the path a turn, because each opens what holds the next."""
    over = context.settled()
    if over is not None:
        return over
    path = instruction.path
    place = min(context.entry.parts, len(path) - 1)
    target = context.one(Thing(label=path[place], window=instruction.window if place == 0 else ""), _in_menu)
    last = place == len(path) - 1
    action: Click | AxAction = Click(target_id=target.id)
    if context.entry.switches % 2:
        action = AxAction(target_id=target.id, action="click")
    what = "" if last else f".{place + 1}"
    return Act((context.step(action, what, "" if last else f"Open the menu “{context.fill(path[place])}”"),))


def _in_menu(element: PlanningElement) -> bool:
    return element.element_type in _MENU_TYPES


def drag(instruction: DragTo, context: Context) -> Outcome:
    over = context.settled(again_is_safe=False)
    if over is not None:
        return over
    start, end = context.one(instruction.thing), context.one(instruction.onto)
    return context.act(lambda: [("", Drag(from_target_id=start.id, to_target_id=end.id))], again_is_safe=False)


def scroll(instruction: ScrollBy, context: Context) -> Outcome:
    over = context.settled()
    if over is not None:
        return over
    target = context.one(instruction.thing).id if instruction.thing else None
    return context.act(lambda: [("", _scroll(instruction.direction, instruction.notches, target))])


def scroll_until(instruction: ScrollUntil, context: Context) -> Outcome:
    """Finished when it is seen; otherwise some notches more, and then another look."""
    if context.look(instruction.thing).found:
        return Finished()
    if len(context.entry.failures) > 1:
        return context.failed()
    if context.entry.parts >= MOST_SCROLLS:
        near = ", ".join(f"“{label}”" for label in context.look(instruction.thing).near)
        hint = f" The nearest that is there: {near}." if near else ""
        words = context.filled(instruction.thing).words()
        raise Halt(GiveUp(f"Instruction {context.entry.key}: {words} did not come into view by scrolling.{hint}"))
    target = context.one(instruction.inside).id if instruction.inside else None
    action = _scroll(instruction.direction, NOTCHES, target)
    return Act((context.step(action, f".{context.entry.parts + 1}"),))


def _scroll(direction: Direction, notches: int, target: str | None) -> Scroll:
    dx, dy = _WAYS[direction]
    fields = {"dx": dx * notches, "dy": dy * notches, **({"target_id": target} if target else {})}
    return Scroll.model_validate(fields)
