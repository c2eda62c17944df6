"""The words of the row or named group that a node stands in, so that equal things can be told apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from . import roles
from .labels import clean, label_of
from .node import Node

_TEXTS = 12
_UP = 6
_STRIP_HEIGHT = 90
_GROUPS = frozenset({"panel", "group", "list"})
_THINGS = frozenset({"button", "link", "checkbox", "radio", "menuitem"})
_NO_CONTEXT = frozenset({"menu", "menuitem", "tab", "heading"})


class RowTexts:
    """Answers for the nodes of one toplevel."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._texts: dict[Node, tuple[str, ...]] = {}
        self._cells: dict[tuple[Node, int], list[Node]] = {}
        for node in nodes:
            table = node.parent
            if node.role != roles.CELL_ROLE or table is None or table.role in roles.ROW_ROLES:
                continue
            if table.role != roles.CELL_ROLE:
                self._cells.setdefault((table, node.bounds.center.y // 4), []).append(node)

    def of(self, node: Node) -> str:
        """The words beside it, joined; empty if it stands in no row and no named group."""
        if node.role == roles.CELL_ROLE and node.parent is not None:
            cells = self._cells.get((node.parent, node.bounds.center.y // 4), ())
            if cells:
                return _joined(text for cell in sorted(cells, key=lambda c: c.bounds.x) if (text := label_of(cell)))
        if node.kind in _NO_CONTEXT:
            return ""
        below, row = node, node.parent
        for _ in range(_UP):
            if row is None or row.parent is None:
                return ""
            if row.role in roles.ROW_ROLES:
                return _joined(self._words(row))
            if row.name and row.kind in _GROUPS and clean(row.name) != label_of(node):
                return clean(row.name)
            if node.kind in _THINGS and (words := self._beside(row, below)):
                return words
            below, row = row, row.parent
        return ""

    def _beside(self, strip: Node, below: Node) -> str:
        """The words that stand in the same flat strip, where no role says that it is a row."""
        if strip.bounds.empty or strip.bounds.height > _STRIP_HEIGHT or strip.kind == "toolbar":
            return ""
        if not any(child is not below and label_of(child) for child in strip.children):
            return ""
        return _joined(word for child in strip.children if child is not below for word in self._words(child, own=True))

    def _words(self, node: Node, *, own: bool = False) -> tuple[str, ...]:
        """The plain words below a node; the names of buttons and links are what the row is needed to tell apart."""
        if own and (node.kind in _THINGS or not node.children):
            return () if node.kind in _THINGS else _nonempty(_said(node))
        if node not in self._texts:
            texts: list[str] = []
            _collect(node, texts)
            self._texts[node] = tuple(texts)
        return self._texts[node]


def _collect(node: Node, texts: list[str]) -> None:
    for child in node.children:
        if len(texts) >= _TEXTS:
            return
        if child.kind in _THINGS:
            continue
        if child.children and any(c.name or c.value or c.children for c in child.children):
            _collect(child, texts)
        elif words := _said(child):
            texts.append(words)


def _said(node: Node) -> str:
    if node.kind in ("input", "textarea") and not node.protected:
        return clean(node.value or "") or label_of(node)
    return label_of(node)


def _nonempty(text: str) -> tuple[str, ...]:
    return (text,) if text else ()


def _joined(texts: Iterable[str]) -> str:
    return " · ".join(dict.fromkeys(texts))
