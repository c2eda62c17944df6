"""Goes on after a pause where there is no window with a button for it."""

from __future__ import annotations

import asyncio

from console.contracts.events import Noticed, RunEvent
from console.core.control import RunControl

from .asking import ReadLine, next_line
from .output import Output

RETRY_S, RETRIES = 5.0, 12


class PauseKeeper:
    """At a terminal, Enter goes on. Without one, a journal that failed is tried again for a minute; any other pause
    stops the run, because nobody is there to say when to go on."""

    def __init__(self, control: RunControl, output: Output, read_line: ReadLine | None) -> None:
        self._control = control
        self._output = output
        self._read_line = read_line
        self._tries = 0
        self._journal_problem: str | None = None
        self._waiting: asyncio.Task[None] | None = None
        control.on_change(self._changed)

    def saw(self, event: RunEvent) -> None:
        """An event with place 0 tells of the journal itself; any other says that it works again."""
        if isinstance(event, Noticed) and event.seq == 0:
            self._journal_problem = event.text
        else:
            self._tries, self._journal_problem = 0, None

    def _changed(self) -> None:
        if self._control.paused and self._waiting is None:
            self._waiting = asyncio.ensure_future(self._wait())

    async def _wait(self) -> None:
        reason = self._control.pause_reason or "The run is paused."
        try:
            if self._read_line is not None:
                self._output.problem(f"Paused: {reason} Press Enter to go on, Ctrl+C to stop.")
                await next_line(self._read_line)
            else:
                await asyncio.sleep(RETRY_S)
        finally:
            self._waiting = None
        if not self._control.paused:
            return
        self._tries += 1
        if self._read_line is None and (self._journal_problem != reason or self._tries > RETRIES):
            self._control.stop(f"Paused, and nobody was there to go on: {reason}")
        else:
            self._control.resume()

    def close(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
