"""The run journal: every event of every run in one SQLite file, its pictures in files beside it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeVar

from console.contracts.errors import StorageError
from console.contracts.events import ActionIntended, RunEvent, RunStarted
from console.contracts.settings import StorageSettings
from console.contracts.store import RunSummary
from console.core.worker import Worker

from . import tables
from .blobs import BlobFolder
from .database import BUSY_S, Database
from .folders import data_folder
from .owner import this_process
from .retention import tidy
from .scrub import scrubbed

P = ParamSpec("P")
R = TypeVar("R")
Tell = Callable[[str], None]
RECENT_GOALS = 50
TIDY_S = 1.0
FILE, PICTURES = "journal.db", "blobs"


class Journal:
    """Implements `RunArchive`. `notices` collects what the operator should know about the file itself; `tell` hears it
    at once, in the thread of the loop that uses the journal."""

    def __init__(self, folder: Path | None = None, tell: Tell | None = None, *, busy_s: float = BUSY_S) -> None:
        self.folder = folder or data_folder()
        self.notices: list[str] = []
        self._tell = tell
        self._owner = this_process()
        self._mine: set[str] = set()
        self._database = Database(self.folder / FILE, self._notice, busy_s)
        self._blobs = BlobFolder(self.folder / PICTURES)
        self._events_worker = Worker("journal")
        self._pictures_worker = Worker("pictures")
        self._closed = False
        self._tidying: asyncio.Future[list[str]] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def append(self, event: RunEvent) -> None:
        """Also raises `StorageError` if another living process carries out this run. A write that has begun is
        finished even when the caller is cancelled, so that the caller knows which number comes next."""
        await _to_the_end(self._call(self._append, event))

    async def save_blob(self, data: bytes, media: str) -> str:
        return await self._pictures_worker.call(self._blobs.save, data, media)

    async def blob(self, name: str) -> bytes:
        return await self._pictures_worker.call(self._blobs.load, name)

    async def events(self, run_id: str) -> Sequence[RunEvent]:
        return await self._read(partial(tables.events, run_id=run_id))

    async def runs(self, search: str = "", limit: int = 200) -> Sequence[RunSummary]:
        return await self._read(partial(tables.runs, search=search, limit=limit))

    async def recent_goals(self, limit: int = RECENT_GOALS) -> Sequence[str]:
        """The goals of the last runs, each once, newest first."""
        return await self._read(partial(tables.goals, limit=limit))

    async def forget(self, run_id: str) -> None:
        """Delete a run and the pictures that only it has. A run that is going on is not deleted."""
        names = await self._call(self._forget, run_id)
        for name in names:
            await self._pictures_worker.call(self._blobs.remove, name)

    async def ended_runs(self) -> Sequence[tuple[str, int]]:
        return await self._read(tables.ended)

    async def named_pictures(self) -> Collection[str]:
        return await self._read(tables.named_pictures)

    async def drop(self, run_id: str) -> Sequence[str]:
        return await self._call(self._drop, run_id)

    def tidy_in_background(self, keep: StorageSettings) -> None:
        """Delete what is old; closing the journal waits a moment for it and leaves the rest for the next time."""
        blobs = BlobFolder(self.folder / PICTURES)
        self._tidying = asyncio.ensure_future(tidy(self, blobs, keep))

    async def check(self) -> None:
        """Raises `StorageError` unless the file can be written and read."""
        await self._call(self._database.write, lambda db: None)
        await self._read(lambda db: db.execute("SELECT count(*) FROM runs").fetchone())

    async def close(self) -> None:
        """Waits for what has been asked for. Closing again does nothing."""
        if self._closed:
            return
        self._closed = True
        if self._tidying is not None:
            await asyncio.wait({self._tidying}, timeout=TIDY_S)
            self._tidying.cancel()
        await self._events_worker.call(self._database.close)
        self._events_worker.close()
        self._pictures_worker.close()

    async def _read(self, work: Callable[..., R]) -> R:
        return await self._call(self._database.read, work)

    async def _call(self, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        self._loop = asyncio.get_running_loop()
        return await self._events_worker.call(function, *args, **kwargs)

    def _append(self, event: RunEvent) -> None:
        """The intent reaches the disk itself before input is sent; so does the start of a run."""
        clean = scrubbed(event)
        new = event.run_id not in self._mine

        def work(db: tables.Connection) -> None:
            if new:
                tables.claim(db, event.run_id, self._owner)
            tables.add(db, clean, self._owner)

        self._database.write(work, durable=isinstance(event, RunStarted | ActionIntended))
        self._mine.add(event.run_id)

    def _forget(self, run_id: str) -> list[str]:
        def work(db: tables.Connection) -> list[str]:
            if tables.going_on(db, run_id):
                raise StorageError("This run is still going on.", "Stop it first.")
            return tables.forget(db, run_id)

        self._mine.discard(run_id)
        orphans = self._database.write(work)
        self._database.read(lambda db: db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone())  # there it was, too
        return orphans

    def _drop(self, run_id: str) -> list[str]:
        def work(db: tables.Connection) -> list[str]:
            return tables.forget(db, run_id) if tables.has_ended(db, run_id) else []

        return self._database.write(work)

    def _notice(self, sentence: str) -> None:
        self.notices.append(sentence)
        if self._tell is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(self._tell, sentence)


async def _to_the_end(work: Awaitable[None]) -> None:
    """Wait for work that cannot be interrupted; a cancellation in the meantime takes effect right after it."""
    task = asyncio.ensure_future(work)
    cancelled = 0
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            cancelled += 1
    caller = asyncio.current_task()
    for _ in range(cancelled):
        if caller is not None:
            caller.uncancel()
            caller.cancel()
    task.result()
