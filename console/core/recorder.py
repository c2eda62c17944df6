"""Stamps the events of a run, writes each to the journal, and only then lets it be seen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Set
from contextlib import asynccontextmanager
from typing import Any, TypeVar, cast

from console.contracts.errors import StorageError
from console.contracts.events import Noticed, PhaseChanged, RunEvent, RunPhase, Stamp
from console.contracts.store import RunStore

from .clock import Clock
from .control import RunControl
from .secrecy import redacted

SHORTEST_SECRET = 3  # a shorter one would blot out half of every sentence
RESUMED = "Resumed."
E = TypeVar("E", bound=Stamp)


class Recorder:
    """The only way into the stream. If the journal cannot be written, the run pauses here and nothing is lost."""

    def __init__(
        self,
        store: RunStore,
        control: RunControl,
        clock: Clock,
        run_id: str,
        last_seq: int = 0,
        keys: Set[str] = frozenset(),
    ) -> None:
        self.run_id = run_id
        self.stream: asyncio.Queue[RunEvent | None] = asyncio.Queue()
        self.phase = RunPhase.READY
        self.closing = False
        self._store = store
        self._control = control
        self._clock = clock
        self._seq = last_seq
        self._order = asyncio.Lock()
        self._secrets: set[str] = set()
        self._keys = keys  # may grow while the run goes on
        control.on_hold(self._holding)

    def keep_secret(self, text: str) -> None:
        """From now on the text stands in no event, wherever it may turn up."""
        if len(text) >= SHORTEST_SECRET:
            self._secrets.add(text)

    async def emit(self, event_type: type[E], /, **fields: Any) -> E:
        async with self._order:
            event = event_type(run_id=self.run_id, seq=self._seq + 1, at_ms=self._clock.unix_ms(), **fields)
            if self.hidden:
                event = cast("E", redacted(event, self.hidden))
            await self._write(cast("RunEvent", event))
            self._seq += 1
            self.stream.put_nowait(cast("RunEvent", event))
        return event

    def show(self, event: RunEvent) -> None:
        """Let it be seen without writing it down; secrets are blotted out all the same."""
        self.stream.put_nowait(redacted(event, self.hidden) if self.hidden else event)

    @property
    def hidden(self) -> Set[str]:
        return self._secrets | self._keys if self._keys else self._secrets

    async def enter(self, phase: RunPhase, detail: str = "") -> None:
        """Say what the run is doing, unless it already says so."""
        if phase is not self.phase or detail:
            self.phase = phase
            await self.emit(PhaseChanged, phase=phase, detail=detail)

    @asynccontextmanager
    async def _holding(self, reason: str) -> AsyncIterator[None]:
        """A pause stands in the journal with its reason; so does its end, unless the run ends with it."""
        await self.enter(RunPhase.PAUSED, reason)
        yield
        await self.enter(RunPhase.LOOKING, RESUMED)

    async def picture(self, data: bytes, media: str) -> str | None:
        """Keep an image and give its name; a journal that fails here costs the picture, not the run."""
        try:
            return await self._store.save_blob(data, media)
        except StorageError as error:
            self._tell(error)
            return None

    async def _write(self, event: RunEvent) -> None:
        while True:
            try:
                await self._store.append(event)
                return
            except StorageError as error:
                self._tell(error)
                if self.closing:
                    return
                self._control.pause(error.message)
                await self._control.wait()

    def _tell(self, error: StorageError) -> None:
        """Shown, but with place 0: it is not in the journal."""
        notice = Noticed(
            run_id=self.run_id,
            seq=0,
            at_ms=self._clock.unix_ms(),
            severity="error",
            text=error.message,
            hint=error.hint,
        )
        self.stream.put_nowait(notice)
