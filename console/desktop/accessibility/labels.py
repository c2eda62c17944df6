"""What an accessible is called: its name, what labels it, or the label that stands beside it."""

from __future__ import annotations

from collections.abc import Sequence

from . import roles
from .node import Node

_NEAR = 260
_LABEL = 48  # a longer text beside a field is a message, not its name
_LONGEST = 200
_SAID_BY_VALUE = frozenset({"text", "label", "cell", "heading"})
_WORDS = frozenset({"cell", "text", "label"})
_DEEP = 4
_FIELDS = frozenset({"input", "textarea", "spinbutton", "slider", "combobox", "checkbox", "radio", "button"})


def clean(text: str) -> str:
    """One line without the marks that stand for embedded objects."""
    return " ".join(text.replace("\ufffc", " ").split())


def label_of(node: Node) -> str:
    """What the application calls it, empty if it does not."""
    if label := clean(node.name or node.labelled_by):
        return label
    if node.kind in _SAID_BY_VALUE and not node.protected and (label := clean(node.value or "")[:_LONGEST]):
        return label
    if node.kind in ("cell", "listitem", "treeitem"):  # GTK puts pictures and words of one row into parts of their own
        words: list[str] = []
        _collect_words(node, words)
        if words:
            return " ".join(dict.fromkeys(words))[:_LONGEST]
    return clean(node.description)


def repeats_its_row(node: Node, label: str) -> bool:
    """Whether a row, cell or item above the words is called by them already."""
    step = node.parent
    for _ in range(_DEEP):
        if step is None:
            return False
        if step.kind not in roles.SILENT:
            return label == (label_of(step) or clean(step.value or ""))
        step = step.parent
    return False


def _collect_words(node: Node, words: list[str], deep: int = _DEEP) -> None:
    for child in node.children:
        if child.kind in _WORDS and (word := clean(child.name)):
            words.append(word)
        elif deep > 1 and child.kind not in _FIELDS:
            _collect_words(child, words, deep - 1)


class Neighbours:
    """The labels of a toplevel that name no other field yet."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        taken = {clean(n.name or n.labelled_by) for n in nodes if n.kind in _FIELDS}
        self._labels = [
            (n, label)
            for n in nodes
            if n.kind in ("label", "text")
            and not n.bounds.empty
            and 0 < len(label := label_of(n)) <= _LABEL
            and label not in taken
        ]

    def label(self, node: Node) -> str:
        """The nearest label to the left of a field, else the nearest above it."""
        box = node.bounds
        left = [
            (box.x - n.bounds.right, label)
            for n, label in self._labels
            if n.bounds.right <= box.x + 4 and box.y - 6 <= n.bounds.center.y <= box.bottom + 6
        ]
        gap, label = min(left, default=(_NEAR + 1, ""))
        if gap <= _NEAR:
            return label
        above = [
            (box.y - n.bounds.bottom, label)
            for n, label in self._labels
            if n.bounds.bottom <= box.y + 4
            and n.bounds.x < box.right
            and n.bounds.right > box.x
            and box.y - n.bounds.bottom <= 30
        ]
        return min(above, default=(0, ""))[1]
