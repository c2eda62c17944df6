"""Ranks elements by how likely the goal needs them; a pure function of labels, types and states."""

from __future__ import annotations

import re

from console.contracts.scene import SceneElement

ACTIONABLE = frozenset(
    {"button", "link", "input", "textarea", "checkbox", "radio", "combobox", "select", "menuitem", "tab", "slider",
     "spinbutton",
     "menu", "switch", "togglebutton"}
)  # fmt: skip
SETTABLE = frozenset({"input", "textarea", "combobox", "select", "spinbutton"})
_GENERIC = frozenset(
    {"ok", "save", "next", "cancel", "submit", "close", "apply", "open", "retry", "back", "continue", "yes", "no",
     "done"}
)  # fmt: skip
_STOP = frozenset(
    {"the", "and", "for", "with", "into", "from", "that", "this", "then", "open", "find", "search", "read", "get",
     "show", "click",
     "type", "press", "set", "app", "window", "wait", "until", "next", "you", "are", "all", "not", "its"}
)  # fmt: skip
_QUOTED = re.compile(r"“([^”]+)”|\"([^\"]+)\"|«([^»]+)»|(?<!\w)'([^']+)'(?!\w)")
_WORD = re.compile(r"\w{3,}")
_EXTRACTS = re.compile(r"\b(extract|read|list|collect|what is|how many|tell me|report)\b", re.IGNORECASE)


class GoalWords:
    """The words of a goal that count: keywords, quoted phrases, and whether it asks for information."""

    def __init__(self, goal: str) -> None:
        self.phrases = frozenset(
            " ".join(part for part in match if part).casefold().strip() for match in _QUOTED.findall(goal)
        )
        found = dict.fromkeys(_WORD.findall(goal.casefold()))
        self.keywords = tuple(word for word in found if word not in _STOP)
        self.joined = " ".join(_WORD.findall(goal.casefold()))
        self.extracts = bool(_EXTRACTS.search(goal))

    def score(self, element: SceneElement) -> float:
        """Higher is more likely needed; may be below zero."""
        label = element.label.casefold()
        text = f"{label} {(element.value or '').casefold()} {element.element_type}"
        actionable = element.clickable or element.settable or element.element_type in ACTIONABLE
        points = 2.0 * sum(word in text for word in self.keywords)
        points += 50.0 if label and label.rstrip(":*… ") in self.phrases else 0.0
        points += 20.0 if " " in label and label in self.joined else 0.0
        points += 3.0 if self.extracts and element.element_type in ("text", "heading") else 0.0
        points += 1.0 if actionable else 0.0
        points += 0.5 if element.state.enabled else 0.0
        points += 0.5 if element.actions else 0.0
        return points + _of_label(label, actionable)


def _of_label(label: str, actionable: bool) -> float:
    points = 2.0 if len(label) > 30 else 1.0 if len(label) > 15 else 0.0
    if actionable and len(label) <= 5:
        points -= 1.0
    if actionable and label in _GENERIC:
        points -= 1.5
    return points
