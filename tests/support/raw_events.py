"""Records what the X server itself takes in: the truth about which input was sent, and when."""

from __future__ import annotations

import os
import select
import struct
import threading
import time
from dataclasses import dataclass
from typing import Self

import xcffib
import xcffib.xinput
import xcffib.xproto

_MASTERS = 1
_NAMES = {13: "key_press", 14: "key_release", 15: "press", 16: "release", 17: "motion"}


@dataclass(frozen=True)
class RawEvent:
    """`kind`, the keycode or button, and the time in seconds on the clock of `time.monotonic`, to the millisecond."""

    kind: str
    detail: int
    t: float


class RawEvents:
    """Listens on a connection of its own, in a thread, from entering to leaving the context."""

    def __init__(self, display: str | None = None) -> None:
        self._connection = xcffib.connect(display or os.environ["DISPLAY"])
        self._events: list[RawEvent] = []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="raw events", daemon=True)

    def __enter__(self) -> Self:
        root = self._connection.get_setup().roots[0].root
        xinput = self._connection(xcffib.xinput.key)
        xinput.XIQueryVersion(2, 2).reply()
        mask = sum(1 << number for number in _NAMES)
        masks = [xcffib.xinput.EventMask.synthetic(_MASTERS, 1, [mask])]
        xinput.XISelectEventsChecked(root, 1, masks).check()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join(5)
        self._connection.disconnect()

    @property
    def events(self) -> list[RawEvent]:
        """What came so far, in the order of the server."""
        return list(self._events)

    def last(self, *kinds: str) -> RawEvent | None:
        """The newest one of these kinds, or of any."""
        return next((event for event in reversed(self.events) if not kinds or event.kind in kinds), None)

    def quiet(self, for_s: float = 0.3, timeout_s: float = 10.0) -> list[RawEvent]:
        """Wait until nothing has come for a while; all events so far."""
        deadline = time.monotonic() + timeout_s
        count, since = len(self._events), time.monotonic()
        while time.monotonic() - since < for_s and time.monotonic() < deadline:
            time.sleep(0.01)
            if len(self._events) != count:
                count, since = len(self._events), time.monotonic()
        return self.events

    def _listen(self) -> None:
        descriptor = self._connection.get_file_descriptor()
        while not self._ended.is_set():
            event = self._connection.poll_for_event()
            if event is None:
                select.select([descriptor], [], [], 0.05)
                continue
            kind = _NAMES.get(getattr(event, "event_number", 0))
            if kind is not None:
                self._events.append(RawEvent(kind, event.detail, _monotonic(event.time)))


def _monotonic(server_ms: int) -> float:
    """The server counts milliseconds of the same clock, in 32 bits."""
    now_ms = int(time.monotonic() * 1000)
    behind = struct.unpack("i", struct.pack("I", (server_ms - now_ms) & 0xFFFFFFFF))[0]
    return (now_ms + int(behind)) / 1000
