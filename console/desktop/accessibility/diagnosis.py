"""Says which part of accessibility is missing, and how to get it."""

from __future__ import annotations

import os
from dataclasses import dataclass

from .bus import ACCESSIBLE, AccessibilityBus, AccessibilityError


@dataclass(frozen=True)
class Part:
    """One part that was looked at; `hint` says what to do where it is not ok."""

    name: str
    ok: bool
    detail: str
    hint: str = ""


async def diagnose() -> list[Part]:
    """From the session bus to the applications; ends at the first part that is missing. Never hangs, never raises."""
    if not os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        return [Part("Session bus", False, "There is none.", "Start the desktop with “dbus-run-session”.")]
    bus = AccessibilityBus()
    try:
        return await _from_the_bus_on(bus)
    finally:
        await bus.close()


async def _from_the_bus_on(bus: AccessibilityBus) -> list[Part]:
    try:
        await bus.connected()
    except AccessibilityError as error:
        if "session bus" in error.message:
            return [Part("Session bus", False, error.message, error.hint or "Log in again.")]
        missing = Part("Accessibility bus", False, error.message, error.hint or "Install “at-spi2-core”.")
        return [Part("Session bus", True, "answers"), missing]
    found = [Part("Session bus", True, "answers"), Part("Accessibility bus", True, "answers")]
    try:
        refs = await bus.applications()
    except AccessibilityError as error:
        return [*found, Part("Registry", False, error.message, "Install “at-spi2-core” and log in again.")]
    found.append(Part("Registry", True, "answers"))
    names: list[str] = []
    for ref in refs:
        if await bus.pid(ref[0]) == os.getpid():
            continue  # the console says nothing about the others
        try:
            names.append(str(await bus.get(ref, ACCESSIBLE, "Name", 0.5) or "unnamed"))
        except AccessibilityError:
            names.append("one that does not answer")
    hint = "Set GTK_MODULES=gail:atk-bridge and QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1, then start the applications again."
    if not names:
        return [*found, Part("Applications", False, "None can be read.", hint)]
    return [*found, Part("Applications", True, ", ".join(sorted(names)))]
