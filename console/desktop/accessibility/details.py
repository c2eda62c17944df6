"""Reads of one accessible what only some have: actions, text, number, label and choices."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from . import roles
from .bus import ACCESSIBLE, AccessibilityBus, AccessibilityError, NotAnswering, Ref
from .node import Node

MAX_OPTIONS = 250
COMPONENT, ACTION, TEXT, VALUE, SELECTION = (
    f"org.a11y.atspi.{name}" for name in ("Component", "Action", "Text", "Value", "Selection")
)
NULL = "/org/a11y/atspi/null"
_TEXT_LIMIT = 20_000
_LABELLED_BY = 2
_FIELDS = frozenset({"input", "textarea", "combobox", "spinbutton", "slider", "list", "checkbox", "button"})
_ALIKE = frozenset({"link", "cell", "listitem", "columnheader"})
_SAID_BY_NAME = frozenset({"text", "label", "heading"})


class DetailReader:
    """Each detail is left empty where it cannot be read. The text of a password field is never asked for."""

    def __init__(self, bus: AccessibilityBus) -> None:
        self._bus = bus
        self._action_names: dict[tuple[str, int, frozenset[int], int], tuple[str, ...]] = {}

    async def read(self, node: Node, children: Sequence[Ref]) -> None:
        """Raises `NotAnswering` only."""
        wanted: list[Any] = []
        kind = node.kind
        if kind in roles.CLICKABLE and kind != "row":
            wanted.append(self._actions(node))
        if not node.protected and kind in roles.TEXTUAL and not (node.name and kind in _SAID_BY_NAME):
            wanted.append(self._text(node))
        if node.role in roles.VALUE_ROLES:
            wanted.append(self._number(node))
        if not node.name and kind in _FIELDS:
            wanted.append(self._label(node))
        if not node.name and kind in roles.CLICKABLE | _FIELDS and kind not in ("cell", "row"):
            wanted.append(self._description(node))
        if node.role == roles.COMBO_ROLE and children:
            wanted.append(self._options(node, children))
        if not wanted:
            return
        for result in await asyncio.gather(*wanted, return_exceptions=True):
            if isinstance(result, NotAnswering):
                raise result

    async def _actions(self, node: Node) -> None:
        body = await self._bus.call(node.ref, ACTION, "GetActions")
        names = [str(entry[0]) for entry in body[0]]
        node.actions = tuple(names) if any(names) or not names else await self._one_by_one(node, len(names))

    async def _one_by_one(self, node: Node, count: int) -> tuple[str, ...]:
        """Chromium tells the names of actions only one by one. Those of links, cells and items are all the same."""
        alike = (node.ref[0], node.role, node.states, count)
        if alike in self._action_names:
            return self._action_names[alike]
        answers = [await self._bus.call(node.ref, ACTION, "GetName", "i", (n,)) for n in range(count)]
        names = tuple(str(answer[0]) for answer in answers)
        if node.kind in _ALIKE:
            self._action_names[alike] = names
        return names

    async def _text(self, node: Node) -> None:
        body = await self._bus.call(node.ref, TEXT, "GetText", "ii", (0, -1))
        node.value = str(body[0])[:_TEXT_LIMIT]

    async def _number(self, node: Node) -> None:
        node.value = f"{float(await self._bus.get(node.ref, VALUE, 'CurrentValue')):.10g}"

    async def _label(self, node: Node) -> None:
        body = await self._bus.call(node.ref, ACCESSIBLE, "GetRelationSet")
        for relation, targets in body[0]:
            if relation == _LABELLED_BY and targets:
                name, path = targets[0]
                node.labelled_by = str(await self._bus.get((name, path), ACCESSIBLE, "Name") or "")

    async def _description(self, node: Node) -> None:
        """What stands in for a name: the tooltip of a button with a picture, the words inside an empty field."""
        node.description = str(await self._bus.get(node.ref, ACCESSIBLE, "Description") or "")
        if not node.description and node.kind in ("input", "textarea", "combobox"):
            attributes = (await self._bus.call(node.ref, ACCESSIBLE, "GetAttributes"))[0]
            node.description = str(attributes.get("placeholder-text") or attributes.get("placeholder") or "")

    async def _options(self, node: Node, children: Sequence[Ref]) -> None:
        """The choices of a combo box: the items of its list, which need not be open to be named."""
        inner = await self._bus.call(children[0], ACCESSIBLE, "GetChildren")
        refs = [(name, path) for name, path in inner[0]][:MAX_OPTIONS] or list(children)
        names = await asyncio.gather(*(self._bus.get(r, ACCESSIBLE, "Name") for r in refs), return_exceptions=True)
        node.options = tuple(str(name) for name in names if isinstance(name, str) and name)
        for owner in (node.ref, children[0]):
            try:
                chosen = (await self._bus.call(owner, SELECTION, "GetSelectedChild", "i", (0,)))[0]
                node.value = str(await self._bus.get((chosen[0], chosen[1]), ACCESSIBLE, "Name") or "") or None
            except AccessibilityError:
                continue
            if node.value:
                return
