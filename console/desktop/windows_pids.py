"""The process behind a window that does not name it, as the X server knows it (X-Resource)."""

from __future__ import annotations

from xcffib import res

from .x11 import REFUSED, X11


def pid_of(x: X11, window: int) -> int | None:
    """None for a client on another machine, and where the server does not tell."""
    try:
        spec = res.ClientIdSpec.synthetic(client=window, mask=res.ClientIdMask.LocalClientPID)
        reply = x.connection(res.key).QueryClientIds(1, [spec]).reply()
    except REFUSED:
        return None
    found = [int(number) for one in reply.ids for number in one.value]
    return found[0] if found and found[0] > 0 else None
