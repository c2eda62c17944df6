"""Finds the elements that an instruction means, and says what is near if there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from console.contracts.action import quoted
from console.contracts.view import PlanningElement

from .kinds import TYPES, specificity
from .models import Thing
from .names import Fit, fit, near_texts, plain
from .places import beside, in_row_of, overlap, reading_order, row_words
from .sight import Sight
from .things import DIALOG

Suits = Callable[[PlanningElement], bool]
_GROUPS = ((Fit.EXACT, Fit.PLAIN), (Fit.PREFIX, Fit.PREFIX), (Fit.WITHIN, Fit.WITHIN))


@dataclass(frozen=True)
class Match:
    """What fits: one is found, several are ambiguous. `near` is for “did you mean”; `alike` are spelled almost so."""

    found: tuple[PlanningElement, ...] = ()
    alike: tuple[PlanningElement, ...] = ()
    near: tuple[str, ...] = ()

    @property
    def only(self) -> PlanningElement | None:
        return self.found[0] if len(self.found) == 1 else None


def clickable(element: PlanningElement) -> bool:
    return element.clickable


def settable(element: PlanningElement) -> bool:
    return element.settable


def anything(element: PlanningElement) -> bool:
    return True


def readable(element: PlanningElement) -> bool:
    return bool(element.value) or element.settable


def match(thing: Thing, sight: Sight, suits: Suits = anything, *, must: bool = False) -> Match:
    """The elements that the thing may mean. `suits` is preferred; with `must` nothing else will do."""
    pool = _pool(thing, sight, suits if must else anything)
    literal = _by_literal(thing, sight, suits, must)
    found = literal or _placed(thing, sight, pool, suits)
    if found:
        return Match(found=tuple(found))
    alike = [e for e in pool if thing.label and _fit(thing.label, e) == Fit.ALIKE]
    return Match(alike=tuple(_distinct(alike)), near=near(thing.label or thing.anchor, pool))


def near(words: str, elements: Sequence[PlanningElement]) -> tuple[str, ...]:
    """The labels most like the words."""
    return near_texts(words, tuple(dict.fromkeys(element.label for element in elements if element.label)))


def _pool(thing: Thing, sight: Sight, suits: Suits) -> list[PlanningElement]:
    """What may be meant as far as window and use go. A dialog that blocks is looked at alone if it has the thing."""
    elements = [e for e in sight.elements if suits(e)]
    if thing.window == DIALOG:
        title = sight.dialog_title()
        return [e for e in elements if e.window == title] if title is not None else []
    if thing.window:
        return [e for e in elements if sight.in_window(e, thing.window)]
    return elements


def _by_literal(thing: Thing, sight: Sight, suits: Suits, must: bool) -> list[PlanningElement]:
    """A label that reads exactly like the unquoted phrase: “Point of Sale”, “Save in Archive”."""
    if not thing.literal or thing.literal == thing.label:
        return []
    pool = _pool(Thing(), sight, suits if must else anything)
    hits = [element for element in pool if _fit(thing.literal, element) <= Fit.PLAIN]
    return _preferred(hits, sight, suits)


def _placed(thing: Thing, sight: Sight, pool: Sequence[PlanningElement], suits: Suits) -> list[PlanningElement]:
    if thing.relation is None:
        return _ordered(thing, _labelled(thing, sight, pool, suits, keep_all=bool(thing.ordinal)))
    candidates = _labelled(thing, sight, pool, suits, keep_all=True)
    if not thing.label and not thing.kind:
        candidates = [element for element in candidates if suits(element)]
    if thing.relation == "row":
        in_row = in_row_of(candidates, thing.anchor)
        if in_row:
            return _ordered(thing, in_row)
    anchors = [e for e in sight.elements if _fit(thing.anchor, e) <= Fit.PLAIN]
    anchors = anchors or [e for e in sight.elements if _fit(thing.anchor, e) <= Fit.WITHIN]
    return _ordered(thing, beside(candidates, thing.relation, anchors))


def _labelled(
    thing: Thing, sight: Sight, pool: Sequence[PlanningElement], suits: Suits, *, keep_all: bool
) -> list[PlanningElement]:
    """Those of the kind and label; without `keep_all` only the preferred ones."""
    types = TYPES.get(thing.kind, ())
    of_kind = [element for element in pool if not types or element.element_type in types]
    if sight.modal is not None and not thing.window:
        found = _labelled_in([e for e in of_kind if e.window == sight.modal], thing, sight, suits, keep_all)
        if found:
            return found
    found = _labelled_in(of_kind, thing, sight, suits, keep_all)
    if found or not types or not thing.label:
        return found
    # The screen may call a “button” a link: the label decides, if it fits well.
    other = [element for element in pool if _fit(thing.label, element) <= Fit.PLAIN]
    return _labelled_in(other, thing, sight, suits, keep_all)


def _labelled_in(
    pool: Sequence[PlanningElement], thing: Thing, sight: Sight, suits: Suits, keep_all: bool
) -> list[PlanningElement]:
    if not thing.label:
        return _distinct(pool) if keep_all else _preferred(pool, sight, suits)
    for best, worst in _GROUPS:
        hits = [element for element in pool if best <= _fit(thing.label, element) <= worst]
        if hits and keep_all:
            return _distinct([element for element in hits if suits(element)] or hits)
        if hits:
            return _best_spelled(_preferred(hits, sight, suits), thing.label)
    return []


def _fit(label: str, element: PlanningElement) -> Fit:
    """By label; by value only where there is no label, so that what was typed is not taken for a name."""
    return fit(label, element.label or ("" if element.settable else element.value or ""))


def _preferred(hits: Sequence[PlanningElement], sight: Sight, suits: Suits) -> list[PlanningElement]:
    """Narrowed by use, front window and state, each only if something remains."""
    left = list(hits)
    for better in (suits, sight.in_active_window, lambda e: e.state.enabled):
        left = [element for element in left if better(element)] or left
    return _distinct(left)


def _best_spelled(hits: Sequence[PlanningElement], label: str) -> list[PlanningElement]:
    best = min((_fit(label, element) for element in hits), default=Fit.NONE)
    return [element for element in hits if _fit(label, element) == best]


def _distinct(hits: Sequence[PlanningElement]) -> list[PlanningElement]:
    """Without those that are the same thing again: same name, one within the other; the more telling role stays."""
    kept: list[PlanningElement] = []
    for element in sorted(hits, key=lambda e: specificity(e.element_type)):
        twin = any(
            plain(element.label or "") == plain(other.label or "")
            and element.bounds is not None
            and other.bounds is not None
            and element.window == other.window
            and overlap(element.bounds, other.bounds)
            for other in kept
        )
        if not twin:
            kept.append(element)
    order = {element.id: place for place, element in enumerate(hits)}
    return sorted(kept, key=lambda e: order[e.id])


def _ordered(thing: Thing, hits: Sequence[PlanningElement]) -> list[PlanningElement]:
    if not thing.ordinal or not hits:
        return list(hits)
    place = thing.ordinal - 1 if thing.ordinal > 0 else -1
    ordered = reading_order(hits)
    return [ordered[place]] if -len(ordered) <= place < len(ordered) else []


def described(candidates: Sequence[PlanningElement], sight: Sight) -> tuple[str, ...]:
    """A name for each that tells it from the others: by row, by window, by place."""
    windows = len({element.window for element in candidates}) > 1
    names = []
    for element in candidates:
        name = element.label or element.value or f"the {element.element_type}"
        row = row_words(element, sight.elements)
        name += f" in the row {quoted(row, 80)}" if row else ""
        name += f" in the window {quoted(element.window)}" if windows and element.window else ""
        names.append(name)
    if len(set(names)) == len(names):
        return tuple(names)
    order = {element.id: place for place, element in enumerate(reading_order(candidates), 1)}
    kinds = len({element.element_type for element in candidates}) > 1
    return tuple(
        name
        if names.count(name) == 1
        else f"{name} ({element.element_type + ', ' if kinds else ''}number {order[element.id]} from the top)"
        for name, element in zip(names, candidates, strict=True)
    )
