"""Reads the selectors of expectations and extractions, and finds what they name in a scene."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from console.contracts.geometry import Rect
from console.contracts.scene import Scene

How = Literal["is", "contains", "starts"]
_BY_ROLE = re.compile(r"\s*([a-zA-Z_]+)\[name\s*([*^]?)=\s*(['\"])(.*)\3\s*\]\s*", re.DOTALL)
_BY_WORDS = re.compile(r"\s*(text|id)\s*=\s*(?:(['\"])(.*)\2|(.+?))\s*", re.DOTALL)
_HOW: dict[str, How] = {"": "is", "*": "contains", "^": "starts"}
# Role names of ARIA and of AT-SPI for the element types of the contract.
_TYPES_OF_ROLE: dict[str, tuple[str, ...]] = {
    "textbox": ("input", "textarea"),
    "entry": ("input", "textarea"),
    "input": ("input", "textarea"),
    "select": ("combobox",),
    "option": ("listitem", "menuitem"),
    "listitem": ("listitem", "row", "cell", "treeitem"),
    "row": ("row", "listitem", "treeitem", "cell"),
    "cell": ("cell", "row"),
    "gridcell": ("cell",),
    "label": ("text", "label", "heading"),
    "text": ("text", "label", "heading"),
    "menuitem": ("menuitem", "menu"),
    "img": ("image",),
    "checkbox": ("checkbox", "switch", "menuitem"),
}
_WINDOW_ROLES = frozenset({"window", "frame", "dialog", "alertdialog", "alert"})


@dataclass(frozen=True)
class Selector:
    """`role` is empty for a selector by text; `by_id` looks for the console's own element id."""

    words: str
    how: How = "is"
    role: str = ""
    by_id: bool = False


@dataclass(frozen=True)
class Found:
    """What a selector hit: an element, or a window (then `element_id` is empty)."""

    text: str
    label: str
    bounds: Rect
    element_id: str = ""
    protected: bool = False


def parse_selector(selector: str) -> Selector | None:
    """None for a selector that only a browser connection could evaluate."""
    by_role = _BY_ROLE.fullmatch(selector)
    if by_role:
        role, sign, _, words = by_role.groups()
        return Selector(words=_plain(words), how=_HOW[sign], role=role.casefold())
    by_words = _BY_WORDS.fullmatch(selector)
    if not by_words:
        return None
    kind, quote, quoted, bare = by_words.groups()
    if kind == "id":
        return Selector(words=quoted if quote else bare, by_id=True)
    return Selector(words=_plain(quoted), how="is") if quote else Selector(words=_plain(bare), how="contains")


def why_not(selector: str) -> str:
    """The sentence for a selector that `parse_selector` does not take."""
    return f"The selector {selector} can only be looked up through a browser connection, and there is none."


def find(selector: Selector, scene: Scene) -> list[Found]:
    """Everything in the scene that the selector names, elements first."""
    if selector.by_id:
        hit = scene.element(selector.words)
        return [] if hit is None else [Found(hit.value or hit.label, hit.label, hit.bounds, hit.id, hit.protected)]
    types = _TYPES_OF_ROLE.get(selector.role, (selector.role,)) if selector.role else ()
    found = [
        Found(_text_of(e.value, e.label), e.label, e.bounds, e.id, e.protected)
        for e in scene.elements
        if (not types or e.element_type in types)
        and (_fits(selector, e.label) or (not types and not e.protected and _fits(selector, e.value or "")))
    ]
    if selector.role in _WINDOW_ROLES:
        found += [
            Found(w.title, w.title, w.bounds)
            for w in scene.windows
            if _fits(selector, w.title) and (selector.role in ("window", "frame") or w.dialog or w.modal)
        ]
    return found


def _text_of(value: str | None, label: str) -> str:
    return value if value is not None else label


def _plain(text: str) -> str:
    return " ".join(text.split())


def _fits(selector: Selector, text: str) -> bool:
    """Exact words in their case, as a person quoted them; a part of them without regard to case."""
    shown = _plain(text)
    if selector.how == "is":
        return shown == selector.words
    if not selector.words:
        return False
    folded, wanted = shown.casefold(), selector.words.casefold()
    return folded.startswith(wanted) if selector.how == "starts" else wanted in folded
