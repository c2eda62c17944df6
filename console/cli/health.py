"""What works on this machine, and how to mend what does not."""

from __future__ import annotations

import asyncio
import os
import platform
import sqlite3
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeVar

from console import __version__
from console.contracts.errors import ConsoleError
from console.contracts.health import Finding, Health
from console.contracts.scene import Frame
from console.contracts.store import RunStore

from .wiring import Parts, Probes, ServerProbe

if TYPE_CHECKING:
    from console.desktop.accessibility.diagnosis import Part

T = TypeVar("T")
PATIENCE_S = 6.0
SERVER_PATIENCE_S = 20.0  # some fetch a package first
PACKAGES = ("pydantic", "PySide6-Essentials", "mss", "PyAutoGUI", "python3-xlib", "xcffib", "dbus-fast", "rapidocr")


async def look_over(parts: Parts) -> list[Finding]:
    """Everything, with the journal and what there is to say about it."""
    notices: list[str] = []
    store, probes = parts.open_store(notices.append), parts.probes()
    try:
        found = await examine(probes, store)
    finally:
        await probes.close()
        await store.close()
    return found + [Finding("Journal", "warn", notice) for notice in notices]


async def examine(probes: Probes, store: RunStore, environment: Mapping[str, str] = os.environ) -> list[Finding]:
    """Every part in turn; none can hold up the others for long."""
    session = _session(environment)
    found = [_versions(), session, _display(environment)]
    found.append(await _try("Window manager", probes.window_manager, _manager, bad="warn"))
    found.append(await _try("Input", probes.input, lambda _: Finding("Input", "ok", "keys and pointer can be sent")))
    found.append(await _try("Screen capture", probes.grab, _picture))
    found.append(await _try("Accessibility", probes.accessibility, _accessible, bad="warn"))
    found.append(_ocr())
    found += await asyncio.gather(*(_server(probe) for probe in probes.servers))
    found += [Finding("Tools", "warn", problem, "Mend it in mcp.json.") for problem in probes.server_problems]
    found.append(await _try("Journal", lambda: store.runs(limit=1), lambda _: Finding("Journal", "ok", "can be used")))
    return found


def _versions() -> Finding:
    python = platform.python_version()
    text = f"console {__version__}, Python {python}, SQLite {sqlite3.sqlite_version}, {', '.join(_installed())}"
    missing = [name for name in PACKAGES if _version(name) is None and name not in ("xcffib", "python3-xlib")]
    if missing:
        return Finding("Versions", "bad", f"{text}; missing: {', '.join(missing)}", "Install the console again.")
    if _version("python-xlib") is not None:
        return Finding(
            "Versions",
            "warn",
            f"{text}; python-xlib and python3-xlib overwrite each other",
            "pip uninstall python-xlib",
        )
    return Finding("Versions", "ok", text)


def _installed() -> Iterator[str]:
    for name in PACKAGES:
        number = _version(name)
        if number is not None:
            yield f"{name} {number}"


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _session(environment: Mapping[str, str]) -> Finding:
    kind = environment.get("XDG_SESSION_TYPE", "")
    if kind == "wayland" or (environment.get("WAYLAND_DISPLAY") and not environment.get("DISPLAY")):
        text = "Wayland lets no program see or drive the others"
        return Finding("Session", "warn", text, "Log out, and choose an X11 (Xorg) session when you log in.")
    return Finding("Session", "ok", f"{kind or 'not named'} on {platform.system()}")


def _display(environment: Mapping[str, str]) -> Finding:
    if not sys.platform.startswith("linux"):
        return Finding("Display", "ok", "the system's own")
    name = environment.get("DISPLAY")
    if not name:
        return Finding(
            "Display", "bad", "DISPLAY is not set", "Start from a graphical session, or on a virtual one with xvfb-run."
        )
    return Finding("Display", "ok", name)


def _manager(name: str | None) -> Finding:
    if name is None:
        return Finding(
            "Window manager",
            "warn",
            "there is none, so windows cannot be brought to the front",
            "Start one, such as openbox.",
        )
    return Finding("Window manager", "ok", name)


def _picture(frame: Frame) -> Finding:
    text = f"{frame.image_width} by {frame.image_height} pixels, {len(frame.monitors)} monitor(s)"
    if frame.blank:
        mend = "Wake the screen, or let the system's settings allow this program to record it."
        return Finding("Screen capture", "warn", f"{text}, but the picture is blank", mend)
    return Finding("Screen capture", "ok", text)


def _accessible(parts: Sequence[Part]) -> Finding:
    """The first part that is missing, since those after it hang on it."""
    missing = next((part for part in parts if not part.ok), None)
    if missing is not None:
        return Finding("Accessibility", "warn", f"{missing.name}: {missing.detail}", missing.hint)
    return Finding("Accessibility", "ok", f"can be read: {parts[-1].detail}")


def _ocr() -> Finding:
    missing = [name for name in ("rapidocr", "onnxruntime") if find_spec(name) is None]
    if missing:
        return Finding(
            "Reading pixels", "warn", f"{' and '.join(missing)} cannot be found", "Install the console again."
        )
    return Finding("Reading pixels", "ok", "ready")


async def _server(probe: ServerProbe) -> Finding:
    """A server that is not there is no hindrance: a run goes on without its tools."""
    if probe.tools is None:
        return Finding("Tools", "ok", f"{probe.name}: switched off")
    try:
        async with asyncio.timeout(SERVER_PATIENCE_S):
            count = len(await probe.tools())
    except TimeoutError:
        text, mend = f"no answer within {SERVER_PATIENCE_S:g} s", "Look at it in Settings, under Tools."
        return Finding("Tools", "warn", f"{probe.name}: {text}", mend)
    except ConsoleError as error:
        return Finding("Tools", "warn", f"{probe.name}: {error.message}", error.hint)
    return Finding("Tools", "ok", f"{probe.name}: {count} {'tool' if count == 1 else 'tools'}")


async def _try(
    part: str, probe: Callable[[], Awaitable[T]], judge: Callable[[T], Finding], bad: Health = "bad"
) -> Finding:
    """Whatever a part does when it is tried is a finding about it."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            return judge(await probe())
    except TimeoutError:
        return Finding(part, bad, f"no answer within {PATIENCE_S:g} s", "Log out and in again.")
    except ConsoleError as error:
        return Finding(part, bad, error.message, error.hint)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - mouseinfo ends the process where tkinter is missing
        return Finding(part, bad, f"{type(error).__name__}: {error}".removesuffix(": "), "Install the console again.")
