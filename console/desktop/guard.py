"""Opens the way to the devices only where there is a desktop that may be used."""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
import types
import warnings
from pathlib import Path
from typing import Any

from console.contracts.errors import DesktopUnavailable

FORBID = "OPERATOR_CONSOLE_FORBID_DEVICES"


def require_live_display() -> None:
    """Raise `DesktopUnavailable` unless devices may be opened here. Called before every device is made."""
    if os.environ.get(FORBID) == "1":
        raise DesktopUnavailable("Devices are switched off here.", f"Unset {FORBID} to use the live desktop.")
    if not sys.platform.startswith("linux"):
        return
    if os.environ.get("XDG_SESSION_TYPE") == "wayland":
        # An X server inside it would show only its own few windows, and a step on them would look like success.
        raise DesktopUnavailable("On Wayland other windows cannot be seen or driven.", "Log in to an X11 session.")
    if not os.environ.get("DISPLAY"):
        raise DesktopUnavailable("There is no display.", "Start it on a desktop, or set DISPLAY.")
    _provide_xauthority()


def _provide_xauthority() -> None:
    """python3-xlib wants the file to exist even where the server asks for none; an empty one will do."""
    named = os.environ.get("XAUTHORITY")
    if Path(named or Path.home() / ".Xauthority").exists():
        return
    empty = Path(tempfile.gettempdir()) / f"operator-console-{os.getuid()}.xauth"
    empty.touch(mode=0o600)
    os.environ["XAUTHORITY"] = str(empty)


def import_pyautogui() -> Any:
    """PyAutoGUI with its own fail-safe and pauses off: the console has its own.

    mouseinfo is a helper that is not used here and that ends the process where tkinter is missing, so it is left out.
    """
    require_live_display()
    if "mouseinfo" not in sys.modules:
        sys.modules["mouseinfo"] = types.ModuleType("mouseinfo")
    try:
        xauth = importlib.import_module("Xlib.xauth")
        xauth.print = lambda *_, **__: None  # type: ignore[attr-defined]  # it warns of the empty authority file on our standard output
    except ImportError:
        pass  # only the X11 back-end of PyAutoGUI needs it
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # its helpers leave files open while they are imported
            import pyautogui

            _close_pipes(sys.modules.get("pyscreeze"))
    except (Exception, SystemExit) as error:
        raise DesktopUnavailable(f"The pointer cannot be used: {error}", "Run “operator-console doctor”.") from error
    pyautogui.FAILSAFE = False
    pyautogui.PAUSE = 0
    pyautogui.MINIMUM_DURATION = 0
    return pyautogui


def _close_pipes(pyscreeze: types.ModuleType | None) -> None:
    """pyscreeze looks for a screenshot program and keeps the pipes of that search for good."""
    search = getattr(pyscreeze, "whichProc", None)
    for pipe in (getattr(search, "stdout", None), getattr(search, "stderr", None)):
        if pipe is not None:
            pipe.close()
