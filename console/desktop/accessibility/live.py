"""Works on single elements by their ids: looks again, acts, sets, reads. Every failure is a `TargetError`."""

from __future__ import annotations

from typing import Any

from console.contracts.errors import TargetError
from console.contracts.geometry import Point
from console.contracts.scene import SceneElement, WindowInfo

from . import roles
from .bus import ACCESSIBLE, AccessibilityBus, AccessibilityError, NotAnswering, Ref
from .details import ACTION, COMPONENT, MAX_OPTIONS, SELECTION, TEXT, VALUE
from .labels import label_of
from .node import Node
from .reader import AccessibilityReader
from .tree import TreeReader

EDITABLE_TEXT = "org.a11y.atspi.EditableText"
_ANYWHERE = 6
_SAME = {
    "click": ("click", "press", "activate", "jump", "toggle", "check", "uncheck", "select", "open", "push"),
    "activate": ("activate", "click", "press", "open"),
    "increment": ("increment",),
    "decrement": ("decrement",),
    "show_menu": ("showmenu", "show menu", "popup", "showcontextmenu", "menu"),
    "expand": ("expand or contract", "expand", "open"),
    "toggle": ("toggle", "check", "uncheck", "click"),
}


class LiveElements:
    """The operations behind the accessibility route."""

    def __init__(self, bus: AccessibilityBus, reader: AccessibilityReader) -> None:
        self._bus = bus
        self._reader = reader
        self._tree = TreeReader(bus)

    async def node(self, element_id: str) -> Node | None:
        """The node as it is now, without its children; None if it is gone or hidden. Raises `NotAnswering`."""
        ref = self._reader.ref(element_id)
        if ref is None:
            return None
        node = Node(ref, None)
        try:
            await self._tree.fill(node)
        except NotAnswering:
            raise
        except (AccessibilityError, ValueError, TypeError, IndexError):
            return None
        return node if roles.SHOWING in node.states and not node.bounds.empty else None

    async def refresh(self, seen: SceneElement, window: WindowInfo | None) -> SceneElement | None:
        """The element as it is now: its place, label, value and state; None if it is gone."""
        try:
            node = await self.node(seen.id)
        except NotAnswering:
            return None
        maker = self._reader.maker(seen.id)
        if node is None or maker is None or node.kind != seen.element_type:
            return None
        bounds = maker.place(node.bounds)
        if window is not None:
            bounds = bounds.intersection(window.frame or window.bounds)
        if bounds.empty:
            return None
        return seen.model_copy(
            update={
                "bounds": bounds,
                "label": label_of(node) or seen.label,  # named by what stands around it
                "value": None if node.protected else node.value,
                "state": roles.element_state(node.kind, node.states),
                "actions": node.actions,
            }
        )

    def offers(self, element: SceneElement, action: str) -> bool:
        return _index(element.actions, action) is not None

    async def act(self, element_id: str, action: str) -> None:
        """Do one of the element's own actions, by the contract's word for it."""
        node = await self._needed(element_id)
        index = _index(node.actions, action)
        if index is None:
            offered = ", ".join(node.actions) or "none"
            raise TargetError(f"It has no action “{action}”.", f"It offers: {offered}.")
        body = await self._call(node.ref, ACTION, "DoAction", "i", (index,))
        if body and body[0] is False:
            raise TargetError(f"The application refused “{action}”.", "Try it with the pointer.")

    async def set_text(self, element_id: str, text: str) -> str | None:
        """Replace the text; the answer is what stands there now, None for a protected field."""
        node = await self._needed(element_id)
        if EDITABLE_TEXT not in await self._interfaces(node):
            raise TargetError("Its text cannot be set.", "Type it instead.")
        body = await self._call(node.ref, EDITABLE_TEXT, "SetTextContents", "s", (text,))
        if body and body[0] is False:
            raise TargetError("The application refused the text.", "Type it instead.")
        return None if node.protected else await self.read_text(element_id)

    async def set_number(self, element_id: str, value: float) -> str | None:
        """Set a slider or number field; the answer is its value now."""
        from dbus_fast import Variant

        node = await self._needed(element_id)
        if VALUE not in await self._interfaces(node):
            raise TargetError("It has no number.", "Type it instead.")
        await self._call(
            node.ref, "org.freedesktop.DBus.Properties", "Set", "ssv", (VALUE, "CurrentValue", Variant("d", value))
        )
        return (await self._needed(element_id)).value

    async def select_option(self, element_id: str, option: str) -> None:
        """Choose an item of a combo box or list by its name."""
        node = await self._needed(element_id)
        options = node.options or (await self._names_of_children(node) if node.kind == "list" else ())
        names = [name.casefold() for name in options]
        if option.casefold() not in names:
            listed = ", ".join(options[:12]) or "none that can be read"
            raise TargetError(f"There is no choice “{option}”.", f"There are: {listed}.")
        body = await self._call(node.ref, SELECTION, "SelectChild", "i", (names.index(option.casefold()),))
        if body and body[0] is False:
            raise TargetError("The application refused the choice.", "Open the list and click it.")

    async def read_text(self, element_id: str) -> str:
        """The text or number in it. Refuses a password."""
        node = await self._needed(element_id)
        if node.protected:
            raise TargetError("A password is never read.", "")
        if TEXT in await self._interfaces(node):
            return str((await self._call(node.ref, TEXT, "GetText", "ii", (0, -1)))[0])
        return node.value if node.value is not None else node.name

    async def focus(self, element_id: str) -> bool:
        """Ask for the keyboard focus; true if it has it afterwards."""
        node = await self._needed(element_id)
        if roles.FOCUSED in node.states:
            return True
        await self._call(node.ref, COMPONENT, "GrabFocus")
        return roles.FOCUSED in (await self._needed(element_id)).states

    async def scroll_into_view(self, element_id: str) -> None:
        """Ask its application to bring it into view."""
        node = await self._needed(element_id)
        body = await self._call(node.ref, COMPONENT, "ScrollTo", "u", (_ANYWHERE,))
        if body and body[0] is False:
            raise TargetError("The application does not scroll to it.", "Scroll with the wheel.")

    async def at(self, element_id: str, point: Point) -> Ref | None:
        """What the application says is at a point of the screen, within the element's toplevel."""
        ref = self._reader.ref(element_id)
        if ref is None:
            return None
        maker = self._reader.maker(element_id)
        place = maker.toolkit_point(point) if maker is not None else point
        try:
            body = await self._bus.call(ref, COMPONENT, "GetAccessibleAtPoint", "iiu", (place.x, place.y, 0))
        except AccessibilityError:
            return None
        return (body[0][0], body[0][1])

    async def _names_of_children(self, node: Node) -> tuple[str, ...]:
        count = int((await self._get(node.ref, ACCESSIBLE, "ChildCount")) or 0)
        if count > MAX_OPTIONS:
            raise TargetError("The list is too long to choose from by name.", "Scroll to it and click it.")
        children = (await self._call(node.ref, ACCESSIBLE, "GetChildren"))[0]
        refs: list[Ref] = [(name, path) for name, path in children]  # type: ignore[attr-defined]
        return tuple([str(await self._get(ref, ACCESSIBLE, "Name") or "") for ref in refs])

    async def _get(self, ref: Ref, interface: str, name: str) -> Any:
        try:
            return await self._bus.get(ref, interface, name)
        except AccessibilityError as error:
            raise TargetError(error.message, "Look again.") from error

    async def _interfaces(self, node: Node) -> frozenset[str]:
        return frozenset(str(name) for name in (await self._call(node.ref, ACCESSIBLE, "GetInterfaces"))[0])  # type: ignore[attr-defined]

    async def _needed(self, element_id: str) -> Node:
        try:
            node = await self.node(element_id)
        except NotAnswering as error:
            raise TargetError("Its application does not answer.", error.hint) from error
        if node is None:
            raise TargetError("It is not there any more.", "Look again.")
        return node

    async def _call(
        self, ref: Ref, interface: str, member: str, signature: str = "", body: tuple[object, ...] = ()
    ) -> list[object]:
        try:
            return await self._bus.call(ref, interface, member, signature, body, timeout=3.0)
        except AccessibilityError as error:
            raise TargetError(error.message, "Look again.") from error


def _index(actions: tuple[str, ...], wanted: str) -> int | None:
    names = [name.casefold() for name in actions]
    for name in _SAME.get(wanted, (wanted.replace("_", " "), wanted)):
        if name in names:
            return names.index(name)
    return None
