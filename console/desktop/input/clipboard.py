"""Carries text through the clipboard: owns the selections until the target has read them, then gives them back."""

from __future__ import annotations

import select
import struct
import time
from collections.abc import Callable
from typing import Any

import xcffib.xproto as xp

from console.contracts.errors import InputError

from ..x11 import REFUSED, X11

SERVE_S, ASK_S, QUIET_S = 4.0, 0.6, 0.25
_TEXT = ("UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "STRING", "TEXT")
_LIMIT = 200_000


class Clipboard:
    """One window on a connection of its own. Both CLIPBOARD and PRIMARY are used: terminals paste the latter."""

    def __init__(self) -> None:
        self._x = X11()
        self._window = self._x.connection.generate_id()
        self._x.core.CreateWindow(
            0, self._window, self._x.root, -9, -9, 1, 1, 0, xp.WindowClass.InputOutput, self._x.screen.root_visual,
            xp.CW.EventMask, [xp.EventMask.PropertyChange],
        )  # fmt: skip
        self._kept: str | None = None
        self._x.sync()

    def carry(self, text: str, paste: Callable[[], None], check: Callable[[], None]) -> None:
        """Offer the text, call `paste`, serve it until it has been read, and put back what was there before.

        Raises `InputError` if nobody asked for it.
        """
        if len(text.encode()) > _LIMIT:
            raise InputError("The text is too long for the clipboard.", "Give it in smaller parts.")
        before = {name: self.read(name) for name in ("CLIPBOARD", "PRIMARY")}
        self._own("CLIPBOARD", "PRIMARY")
        paste()
        taken = self._serve(text, check)
        for name, old in before.items():
            self._restore(name, old)
        if not taken:
            raise InputError("The application did not take the text from the clipboard.", "Click into its field first.")

    def read(self, selection: str = "CLIPBOARD") -> str | None:
        """The text in a selection; None if there is none or its owner does not answer."""
        x = self._x
        if x.core.GetSelectionOwner(x.atom(selection)).reply().owner in (0, self._window):
            return self._kept
        target = x.atom("_OPERATOR_CONSOLE_CLIP")
        x.core.ConvertSelection(self._window, x.atom(selection), x.atom("UTF8_STRING"), target, 0)
        x.connection.flush()
        deadline = time.monotonic() + ASK_S
        while (event := self._next(deadline)) is not None:
            if isinstance(event, xp.SelectionNotifyEvent):
                return x.text(x.ask(self._window, "_OPERATOR_CONSOLE_CLIP", _LIMIT)) if event.property else None
        return None

    def close(self) -> None:
        self._x.close()

    def _own(self, *selections: str) -> None:
        for name in selections:
            self._x.core.SetSelectionOwner(self._window, self._x.atom(name), 0)
        self._x.sync()

    def _restore(self, name: str, text: str | None) -> None:
        """What was there is kept by us from now on: its old owner has been told that it lost it."""
        if name == "CLIPBOARD" and text is not None:
            self._kept = text
            return
        self._x.core.SetSelectionOwner(0, self._x.atom(name), 0)
        self._x.sync()

    def serve_kept(self) -> None:
        """Answer whoever asks for the kept text; called now and then from the input thread."""
        while (event := self._next(time.monotonic())) is not None:
            if isinstance(event, xp.SelectionRequestEvent) and self._kept is not None:
                self._answer(event, self._kept)
            elif isinstance(event, xp.SelectionClearEvent):
                self._kept = None

    def _serve(self, text: str, check: Callable[[], None]) -> bool:
        """Whether the text was asked for. Ends when nobody has asked for a while after that."""
        deadline, quiet, taken = time.monotonic() + SERVE_S, 0.0, False
        while time.monotonic() < deadline:
            check()
            event = self._next(time.monotonic() + 0.03)
            if isinstance(event, xp.SelectionRequestEvent):
                taken = self._answer(event, text) or taken
                quiet = time.monotonic() + QUIET_S
            elif taken and time.monotonic() > quiet:
                break
        return taken

    def _answer(self, request: Any, text: str) -> bool:
        """Give the text or the list of forms; true if it was the text."""
        x = self._x
        name = x.atom_name(request.target)
        where = request.property or request.target
        gave_text = False
        if name == "TARGETS":
            atoms = [x.atom("TARGETS"), *(x.atom(form) for form in _TEXT)]
            x.core.ChangeProperty(0, request.requestor, where, x.atom("ATOM"), 32, len(atoms), atoms)
        elif name in _TEXT:
            data = text.encode("latin-1", "replace") if name == "STRING" else text.encode()
            x.core.ChangeProperty(0, request.requestor, where, request.target, 8, len(data), data)
            gave_text = True
        else:
            where = 0
        packed = struct.pack(
            "=BxH5I8x", 31, 0, request.time, request.requestor, request.selection, request.target, where
        )
        x.core.SendEvent(False, request.requestor, 0, packed)
        x.connection.flush()
        return gave_text

    def _next(self, deadline: float) -> Any:
        """The next event until the deadline, or None."""
        while True:
            try:
                event = self._x.connection.poll_for_event()
            except REFUSED:
                continue
            if event is not None:
                return event
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            select.select([self._x.connection.get_file_descriptor()], [], [], left)
