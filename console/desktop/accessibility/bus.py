"""The accessibility bus: calls that end in time, and news of what has changed."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dbus_fast import BusType, Message, MessageType, Variant
from dbus_fast.aio import MessageBus

from console.contracts.errors import ConsoleError

ROOT = "/org/a11y/atspi/accessible/root"
REGISTRY = "org.a11y.atspi.Registry"
ACCESSIBLE = "org.a11y.atspi.Accessible"
IN_FLIGHT, IN_FLIGHT_PER_APP = 24, 16
EVENTS = (
    "object:children-changed", "object:state-changed", "object:text-changed", "object:property-change",
    "object:value-changed",
    "object:visible-data-changed", "object:selection-changed", "object:bounds-changed", "window:create",
    "window:destroy",
    "document:load-complete",
)  # fmt: skip
# What shows nowhere.
_SILENT_DETAILS = frozenset(
    {"defunct", "accessible-role", "accessible-parent", "accessible-description", "widget", "renderer"}
)
Ref = tuple[str, str]


class AccessibilityError(ConsoleError):
    """One call failed; the rest of the tree is not touched by it."""


class NotAnswering(AccessibilityError):
    """No answer in time: the whole application is busy or stopped, so nothing else of it is worth asking."""


@dataclass(frozen=True)
class News:
    """Something about an accessible has changed: `kind` is the member of the signal, `detail` what of it."""

    ref: Ref
    kind: str
    detail: str


class AccessibilityBus:
    """Connects when first used and again when the bus was lost."""

    def __init__(self) -> None:
        self._bus: MessageBus | None = None
        self._slots = asyncio.Semaphore(IN_FLIGHT)
        self._slots_of: dict[str, asyncio.Semaphore] = {}
        self._connecting = asyncio.Lock()
        self.on_news: Callable[[News], None] = lambda news: None

    async def connected(self) -> MessageBus:
        """Raises `AccessibilityError` with what is missing."""
        async with self._connecting:
            if self._bus is None or not self._bus.connected:
                address = await _address()
                try:
                    self._bus = await MessageBus(bus_address=address).connect()
                except Exception as error:
                    raise AccessibilityError("The accessibility bus cannot be reached.", "Log in again.") from error
                self._slots_of.clear()
                self._bus.add_message_handler(self._heard)
                await self._listen()
            return self._bus

    async def call(
        self,
        ref: Ref,
        interface: str,
        member: str,
        signature: str = "",
        body: tuple[Any, ...] = (),
        timeout: float = 1.0,
    ) -> list[Any]:
        """The body of the reply. Raises `AccessibilityError` for an error or a lost bus, `NotAnswering` for no answer.

        No application gets all slots, so one that does not answer does not hold up the others.
        """
        bus = self._bus if self._bus is not None and self._bus.connected else await self.connected()
        message = Message(
            destination=ref[0], path=ref[1], interface=interface, member=member, signature=signature, body=list(body)
        )
        async with self._slots_of.setdefault(ref[0], asyncio.Semaphore(IN_FLIGHT_PER_APP)), self._slots:
            try:
                async with asyncio.timeout(timeout):
                    reply = await bus.call(message)
            except TimeoutError:
                raise NotAnswering("An application does not answer.", "Wait for it, or close it.") from None
            except (OSError, EOFError, ValueError) as error:
                raise AccessibilityError(f"The accessibility bus was lost: {error}") from error
        if reply is None or reply.message_type is MessageType.ERROR:
            raise AccessibilityError(str(reply.body[0]) if reply and reply.body else "The call failed.")
        return list(reply.body)

    async def get(self, ref: Ref, interface: str, name: str, timeout: float = 1.0) -> Any:
        """A property, without its variant."""
        body = await self.call(ref, "org.freedesktop.DBus.Properties", "Get", "ss", (interface, name), timeout)
        return body[0].value

    async def pid(self, sender: str) -> int | None:
        try:
            body = await self.call(
                ("org.freedesktop.DBus", "/org/freedesktop/DBus"),
                "org.freedesktop.DBus",
                "GetConnectionUnixProcessID",
                "s",
                (sender,),
            )
        except AccessibilityError:
            return None
        return int(body[0])

    async def applications(self) -> list[Ref]:
        body = await self.call((REGISTRY, ROOT), ACCESSIBLE, "GetChildren")
        return [(name, path) for name, path in body[0]]

    async def close(self) -> None:
        if self._bus is not None and self._bus.connected:
            self._bus.disconnect()
            await asyncio.sleep(0)
        self._bus = None

    async def _listen(self) -> None:
        """Ask for news, so that what has not changed need not be read again."""
        bus = self._bus
        if bus is None:
            return
        rule = "type='signal',interface='org.a11y.atspi.Event.{}'"
        for kind in ("Object", "Window", "Document"):
            await _try(
                bus,
                "org.freedesktop.DBus",
                "/org/freedesktop/DBus",
                "org.freedesktop.DBus",
                "AddMatch",
                rule.format(kind),
            )
        for event in EVENTS:
            await _try(bus, REGISTRY, "/org/a11y/atspi/registry", REGISTRY, "RegisterEvent", event)

    def _heard(self, message: Message) -> bool | None:
        if message.message_type is MessageType.SIGNAL and (message.interface or "").startswith("org.a11y.atspi.Event"):
            detail = str(message.body[0]) if message.body else ""
            if detail not in _SILENT_DETAILS:
                self.on_news(News((message.sender or "", message.path or ""), message.member or "", detail))
        return None


async def _try(bus: MessageBus, destination: str, path: str, interface: str, member: str, argument: str) -> None:
    """News are a saving, not a need: where they cannot be had, everything is read anew."""
    message = Message(
        destination=destination, path=path, interface=interface, member=member, signature="s", body=[argument]
    )
    try:
        await asyncio.wait_for(bus.call(message), 1.0)
    except (TimeoutError, OSError, EOFError):
        return


async def _switch_on(session: MessageBus) -> None:
    """Say that accessibility is wanted, as a screen reader does: Qt and Chromium show nothing before."""
    message = Message(
        destination="org.a11y.Bus",
        path="/org/a11y/bus",
        interface="org.freedesktop.DBus.Properties",
        member="Set",
        signature="ssv",
        body=["org.a11y.Status", "IsEnabled", Variant("b", True)],
    )
    await asyncio.wait_for(session.call(message), 3.0)


async def _address() -> str:
    """Where the accessibility bus is, from the session bus."""
    if not os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        raise AccessibilityError(
            "There is no session bus, so applications cannot be read.", "Start the desktop with “dbus-run-session”."
        )
    try:
        session = await asyncio.wait_for(MessageBus(bus_type=BusType.SESSION).connect(), 2.0)
    except Exception as error:
        raise AccessibilityError("The session bus does not answer.", "Log in again.") from error
    try:
        message = Message(
            destination="org.a11y.Bus", path="/org/a11y/bus", interface="org.a11y.Bus", member="GetAddress"
        )
        reply = await asyncio.wait_for(session.call(message), 3.0)
    except TimeoutError:
        reply = None
    finally:
        session.disconnect()
    if reply is None or reply.message_type is MessageType.ERROR or not reply.body or not reply.body[0]:
        raise AccessibilityError(
            "There is no accessibility bus.", "Install the package “at-spi2-core” and log in again."
        )
    return str(reply.body[0])
