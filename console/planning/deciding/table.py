"""The elements of the view as a numbered table, one line each, and the way back from a number to an id."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from console.contracts.view import PlanningElement, PlanningView

from ..models.reading import Unreadable

LONGEST_LABEL, LONGEST_VALUE, LONGEST_OPTIONS, LONGEST_CONTEXT = 120, 200, 400, 80
_NUMBER = re.compile(r"\[?#?(\d{1,5})\]?")


def quoted(text: str, longest: int) -> str:
    """Text of the screen on one line, in quotes, which cannot end the block that it stands in."""
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    return json.dumps(cut, ensure_ascii=False).replace("</", "<\\/")


def line(number: int, element: PlanningElement) -> str:
    """`[3] button "Save" @412,90 focused`"""
    parts = [f"[{number}] {element.element_type}"]
    if element.label:
        parts.append(quoted(element.label, LONGEST_LABEL))
    if element.value and element.value != element.label:
        parts.append(f"value={quoted(element.value, LONGEST_VALUE)}")
    if element.context and element.context != element.label:
        parts.append(f"in={quoted(element.context, LONGEST_CONTEXT)}")
    if element.bounds is not None and not element.bounds.empty:
        center = element.bounds.center
        parts.append(f"@{center.x},{center.y}")
    parts += _states(element)
    if element.select_options:
        parts.append(f"options={quoted(element.select_options, LONGEST_OPTIONS)}")
    return " ".join(parts)


def _states(element: PlanningElement) -> list[str]:
    state = element.state
    told = [
        ("focused", state.focused),
        ("selected", state.selected),
        ("disabled", not state.enabled),
        ("checked", state.checked is True),
        ("unchecked", state.checked is False),
        ("expanded", state.expanded is True),
        ("collapsed", state.expanded is False),
        ("settable", element.settable),
        ("text", not element.clickable and not element.settable),
        ("seen only in the picture", element.source == "ocr"),
    ]
    return [word for word, holds in told if holds]


def table(elements: Sequence[PlanningElement]) -> str:
    """Under the title of each window; the numbers are those of the view, from 1."""
    lines: list[str] = []
    by_window: dict[str, list[str]] = {}
    for number, element in enumerate(elements, 1):
        by_window.setdefault(element.window or "", []).append(line(number, element))
    for window, rows in by_window.items():
        lines.append(f"Window {quoted(window, LONGEST_LABEL)}:" if window else "Elsewhere:")
        lines += rows
    return "\n".join(lines) or "(no elements are known; there is only the picture)"


class Targets:
    """From what the model calls a target to an id of the view. Points are left to the picture they belong to."""

    def __init__(self, view: PlanningView, shown: int) -> None:
        self._elements = view.elements[:shown]
        self._ids = {element.id for element in view.elements}

    def __call__(self, said: str) -> str:
        """Raises `Unreadable` for a number that is not in the table."""
        if said in self._ids or not said or said.startswith("point:"):
            return said
        number = _NUMBER.fullmatch(said)
        if number is None:
            return said
        place = int(number[1])
        if not 1 <= place <= len(self._elements):
            raise Unreadable(f"There is no element {place}; the table goes from 1 to {len(self._elements)}.")
        return self._elements[place - 1].id
