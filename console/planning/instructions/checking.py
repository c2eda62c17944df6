"""Says whether a condition holds on the screen, and what is seen instead."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from console.contracts.action import quoted
from console.contracts.base import Json
from console.contracts.view import PlanningElement

from .kinds import NOUNS
from .matching import anything, match, readable
from .models import Condition, Thing
from .names import Fit, fit, has_words, plain
from .sight import Sight

_NUMBER = re.compile(r"[-+−]?\d[\d.,' ]*(?:[eE][-+]?\d+)?")
_STANDS_OUT = 3
_CONTENT = ("text area", "field")
_TICKABLE = frozenset({"checkbox", "radio", "switch", "menuitem", "togglebutton"})


@dataclass(frozen=True)
class Seen:
    """`instead` says what is there when it does not hold; `ambiguous` are several that may be meant."""

    holds: bool
    instead: str = ""
    near: tuple[str, ...] = ()


def check(condition: Condition, sight: Sight, values: Mapping[str, Json]) -> Seen:
    """Whether it holds now. `condition` has no names of values left in it but a bare one as its thing."""
    match condition.kind:
        case "visible":
            seen = _visible(condition.thing, sight)
        case "window_open":
            open_ = [w for w in sight.windows_like(condition.text) if not w.minimized]
            titles = tuple(window.title for window in sight.windows if window.title)
            seen = Seen(bool(open_), f"the open windows are: {', '.join(map(quoted, titles)) or 'none'}")
        case "window_active":
            active = sight.active
            fits = active is not None and active in sight.windows_like(condition.text)
            seen = Seen(
                fits, f"{quoted(active.title or active.app)} is in front" if active else "no window is in front"
            )
        case "equals" | "contains":
            seen = _text(condition, sight, values)
        case _:
            seen = _state(condition, sight)
    if condition.negated and not (seen.instead == _ABSENT and condition.kind != "visible"):
        return Seen(not seen.holds, "it is so" if seen.holds else seen.instead, seen.near)
    return seen


_ABSENT = "it is not on the screen"


def _visible(thing: Thing, sight: Sight) -> Seen:
    found = match(thing, sight)
    if found.found:
        return Seen(True)
    bare = bool(thing.label) and not (thing.relation or thing.ordinal)
    words = plain(thing.label)
    if bare and any(
        has_words(plain(e.value or ""), words)
        for e in sight.elements
        if not thing.window or sight.in_window(e, thing.window)
    ):
        return Seen(True)
    titles = [window.title for window in sight.windows if not window.minimized]
    if bare and not thing.kind and not thing.window and any(fit(thing.label, title) <= Fit.PLAIN for title in titles):
        return Seen(True)
    return Seen(False, _ABSENT, found.near)


def read_target(thing: Thing, sight: Sight) -> tuple[PlanningElement, ...]:
    """The elements whose text is meant. “The display” without a label is the one that holds the content."""
    if thing.kind in ("display", "text") and not (thing.label or thing.relation or thing.ordinal):
        content = _content(thing, sight)
        if content:
            return content
    found = match(thing, sight, readable).found
    noun = NOUNS.get(thing.label.casefold()) if thing.literal else None
    if not found and noun and not (thing.kind or thing.relation):
        return read_target(thing.model_copy(update={"label": "", "kind": noun, "literal": ""}), sight)
    return found


def _content(thing: Thing, sight: Sight) -> tuple[PlanningElement, ...]:
    """The field that holds the content; without one, the only text that is a number or that stands out by size."""
    for kind in _CONTENT:
        found = match(thing.model_copy(update={"kind": kind, "literal": ""}), sight, readable, must=True).found
        for better in (lambda e: bool(e.value), lambda e: e.state.focused):
            found = tuple(element for element in found if better(element)) or found
        if found:
            return found
    texts = [e for e in match(thing.model_copy(update={"literal": ""}), sight).found if not e.clickable]
    numbers = [element for element in texts if _NUMBER.fullmatch(text_of(element).strip())]
    if len(numbers) == 1:
        return tuple(numbers)
    by_size = sorted(texts, key=lambda e: -(e.bounds.area if e.bounds else 0))
    areas = [element.bounds.area if element.bounds else 0 for element in by_size[:2]]
    return tuple(by_size[:1]) if len(areas) == 2 and areas[0] >= _STANDS_OUT * areas[1] else ()


def text_of(element: PlanningElement) -> str:
    """What it says: its value, or its label where it is nothing but a label."""
    if element.value is not None:
        return element.value
    return "" if element.settable else element.label or ""


def _text(condition: Condition, sight: Sight, values: Mapping[str, Json]) -> Seen:
    thing = condition.thing
    name = _value_named(thing, values)
    if name is not None:
        shown = [str(values[name])]
    else:
        elements = read_target(thing, sight)
        if not elements:
            return Seen(False, _ABSENT, match(thing, sight).near)
        shown = [text_of(element) for element in elements]
    wanted = condition.text
    holds = any(
        same_text(wanted, text) if condition.kind == "equals" else plain(wanted) in plain(text) for text in shown
    )
    return Seen(holds, f"it is {quoted(shown[0], 120)}")


def _value_named(thing: Thing, values: Mapping[str, Json]) -> str | None:
    """“total”, “the value total”, and a name like “result” that is a word for a kind of thing as well."""
    if thing.relation or thing.window or thing.ordinal or thing.kind not in ("", "display"):
        return None
    spoken = thing.literal.removeprefix("the ")
    return next(
        (name for name in (thing.label, spoken, spoken.removeprefix("value ")) if name and name in values), None
    )


def same_text(wanted: str, shown: str) -> bool:
    """Equal but for white space, or equal as numbers."""
    if " ".join(wanted.split()) == " ".join(shown.split()):
        return True
    try:
        return float(wanted) == float(shown)
    except ValueError:
        return False


def _state(condition: Condition, sight: Sight) -> Seen:
    tick = condition.kind == "ticked"
    suits = (lambda e: e.state.checked is not None or e.element_type in _TICKABLE) if tick else anything
    found = match(condition.thing, sight, suits).found
    if not found:
        return Seen(False, _ABSENT, match(condition.thing, sight).near)
    states = [bool(e.state.checked or e.state.selected) if tick else e.state.enabled for e in found]
    return Seen(all(states), f"it is not {condition.kind}")
