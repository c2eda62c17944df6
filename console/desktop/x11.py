"""One connection to the X server, with atoms and properties by name."""

from __future__ import annotations

import struct
from typing import Any

import xcffib
import xcffib.xproto as xp

from console.contracts.errors import DesktopUnavailable

from .guard import require_live_display

ANY = 0
# What the server answers for a window that is gone: an error of its own, which has no common class with other failures.
REFUSED = (xcffib.Error, xcffib.ProtocolException)


class X11:
    """Belongs to one thread. A server that goes away is a `DesktopUnavailable`."""

    def __init__(self) -> None:
        require_live_display()
        try:
            self.connection: Any = xcffib.connect()
        except Exception as error:
            raise DesktopUnavailable(
                "The display cannot be reached.", "Check DISPLAY and that the X server runs."
            ) from error
        setup = self.connection.get_setup()
        self.core: Any = self.connection.core
        self.screen = setup.roots[self.connection.pref_screen]
        self.root: int = self.screen.root
        self._atoms: dict[str, int] = {}
        self._names: dict[int, str] = {}

    def atom(self, name: str) -> int:
        if name not in self._atoms:
            self._atoms[name] = self.core.InternAtom(False, len(name), name).reply().atom
        return self._atoms[name]

    def atom_name(self, atom: int) -> str:
        if atom not in self._names:
            self._names[atom] = self.core.GetAtomName(atom).reply().name.to_string()
        return self._names[atom]

    def ask(self, window: int, name: str, longs: int = 1024) -> Any:
        """A cookie for the property; give it to one of the readers below."""
        return self.core.GetProperty(False, window, self.atom(name), ANY, 0, longs)

    def ints(self, cookie: Any) -> tuple[int, ...]:
        reply = _reply(cookie)
        if reply is None or reply.format != 32:
            return ()
        raw = reply.value.buf()
        return struct.unpack(f"={len(raw) // 4}I", raw[: len(raw) // 4 * 4])

    def text(self, cookie: Any) -> str:
        reply = _reply(cookie)
        if reply is None or reply.format != 8:
            return ""
        raw: bytes = bytes(reply.value.buf())
        latin = reply.type == self.atom("STRING")
        return raw.decode("latin-1" if latin else "utf-8", "replace")

    def send_to_root(self, window: int, message: str, *data: int) -> None:
        """A client message about the window to the window manager (EWMH)."""
        values = [*data, 0, 0, 0, 0, 0][:5]
        event = struct.pack("=BBHII5I", 33, 32, 0, window, self.atom(message), *(v & 0xFFFFFFFF for v in values))
        mask = xp.EventMask.SubstructureNotify | xp.EventMask.SubstructureRedirect
        self.core.SendEvent(False, self.root, mask, event)
        self.connection.flush()

    def sync(self) -> None:
        """Return when the server has seen everything sent so far."""
        self.core.GetInputFocus().reply()

    def close(self) -> None:
        self.connection.disconnect()


def _reply(cookie: Any) -> Any:
    """The reply, or None for a window that has gone."""
    try:
        return cookie.reply()
    except REFUSED:
        return None


def reachable(error: Exception) -> bool:
    return not isinstance(error, xcffib.ConnectionException)
