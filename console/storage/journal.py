"""The run journal: SQLite in one thread, every event on disk before it is shown."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ParamSpec, TypeVar

import platformdirs

from console.contracts.events import RUN_EVENT, Attempted, PhaseChanged, RunEnded, RunEvent, RunPhase, RunStarted
from console.contracts.store import RunSummary
from console.core.worker import Worker

from .blobs import BlobFolder
from .errors import is_corrupt, spoken
from .owner import alive, this_process
from .schema import prepare

P = ParamSpec("P")
R = TypeVar("R")
BUSY_S = 5.0
_COLUMNS = "run_id, goal, planner, started_at_ms, ended_at_ms, phase, summary, attempts"
_ENDS = {
    "succeeded": RunPhase.DONE,
    "failed": RunPhase.FAILED,
    "refused": RunPhase.REFUSED,
    "stopped": RunPhase.STOPPED,
}


def data_folder() -> Path:
    """Where runs are kept: OPERATOR_CONSOLE_DATA, or the platform's folder for user data."""
    return Path(os.environ.get("OPERATOR_CONSOLE_DATA") or platformdirs.user_data_dir("operator-console"))


class Journal:
    """Implements `RunStore`. `notices` are sentences for the operator about the file itself."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or data_folder()
        self.notices: list[str] = []
        self._path = self.folder / "journal.db"
        self._blobs = BlobFolder(self.folder / "blobs")
        self._worker = Worker("journal")
        self._connection: sqlite3.Connection | None = None

    async def append(self, event: RunEvent) -> None:
        """When it returns, the event is on disk. The same event twice is kept once."""
        await self._call(self._append, event)

    async def save_blob(self, data: bytes, media: str) -> str:
        return await self._worker.call(self._blobs.save, data, media)

    async def blob(self, name: str) -> bytes:
        return await self._worker.call(self._blobs.load, name)

    async def events(self, run_id: str) -> Sequence[RunEvent]:
        return await self._call(self._events, run_id)

    async def runs(self, search: str = "", limit: int = 200) -> Sequence[RunSummary]:
        return await self._call(self._runs, search, limit)

    async def recent_goals(self, limit: int = 50) -> Sequence[str]:
        """The goals that were run last, each once, newest first."""
        return tuple(dict.fromkeys(run.goal for run in await self.runs(limit=limit * 4)))[:limit]

    async def forget(self, run_id: str) -> None:
        """Remove a run from the history."""
        await self._call(self._forget, run_id)

    async def check(self) -> str:
        """Open it and try it out. Answers where it is; raises `StorageError`."""
        return await self._call(self._check)

    async def close(self) -> None:
        await self._worker.call(self._close)
        self._worker.close()

    async def _call(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return await self._worker.call(function, *args, **kwargs)
        except (sqlite3.Error, OSError) as error:
            raise spoken(error, self._path) from error

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            try:
                self._connection = self._connect()
            except sqlite3.DatabaseError as error:
                if not is_corrupt(error):
                    raise
                self._keep_aside()
                self._connection = self._connect()
            self._mark_interrupted(self._connection)
        return self._connection

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=BUSY_S, check_same_thread=False, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            # FULL would add one fsync an event for the loss of power alone; a killed process loses nothing with NORMAL.
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA foreign_keys = ON")
            if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise sqlite3.DatabaseError("database disk image is malformed")
            prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _keep_aside(self) -> None:
        """A damaged journal is never deleted."""
        aside = self._path.with_name(f"journal.damaged-{time.strftime('%Y%m%d-%H%M%S')}.db")
        self._path.replace(aside)
        for suffix in ("-wal", "-shm"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        self.notices.append(f"The journal was damaged. It is kept as {aside.name} and a new one has begun.")

    def _mark_interrupted(self, connection: sqlite3.Connection) -> None:
        """Runs without an end whose process is gone."""
        rows = connection.execute(
            "SELECT run_id, owner_pid, owner_started FROM runs WHERE ended_at_ms IS NULL"
        ).fetchall()
        for run_id, pid, since in rows:
            if not alive(pid, since):
                connection.execute("UPDATE runs SET phase = ? WHERE run_id = ?", (RunPhase.INTERRUPTED.value, run_id))

    def _append(self, event: RunEvent) -> None:
        connection = self._open()
        body = RUN_EVENT.dump_json(event).decode()
        connection.execute("BEGIN IMMEDIATE")
        try:
            if isinstance(event, RunStarted):
                self._begin(connection, event)
            connection.execute(
                "INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?)",
                (event.run_id, event.seq, event.event, event.at_ms, body),
            )
            self._follow(connection, event)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def _begin(self, connection: sqlite3.Connection, event: RunStarted) -> None:
        """A run that goes on after an interruption keeps its row and gets a new owner."""
        pid, since = this_process()
        connection.execute(
            "INSERT INTO runs (run_id, goal, planner, started_at_ms, phase, owner_pid, owner_started) "
            "VALUES (?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (run_id) DO UPDATE SET owner_pid = excluded.owner_pid, owner_started = excluded.owner_started, "
            "phase = excluded.phase, ended_at_ms = NULL",
            (event.run_id, event.goal, event.planner, event.at_ms, RunPhase.LOOKING.value, pid, since),
        )

    def _follow(self, connection: sqlite3.Connection, event: RunEvent) -> None:
        """Keep the line of the history in step."""
        if isinstance(event, PhaseChanged):
            connection.execute("UPDATE runs SET phase = ? WHERE run_id = ?", (event.phase.value, event.run_id))
        elif isinstance(event, Attempted):
            connection.execute("UPDATE runs SET attempts = attempts + 1 WHERE run_id = ?", (event.run_id,))
        elif isinstance(event, RunEnded):
            connection.execute(
                "UPDATE runs SET phase = ?, ended_at_ms = ?, summary = ? WHERE run_id = ?",
                (_ENDS[event.end].value, event.at_ms, event.outcome.sentence(), event.run_id),
            )

    def _events(self, run_id: str) -> Sequence[RunEvent]:
        rows = self._open().execute("SELECT body FROM events WHERE run_id = ? ORDER BY seq", (run_id,))
        return tuple(RUN_EVENT.validate_json(body) for (body,) in rows)

    def _runs(self, search: str, limit: int) -> Sequence[RunSummary]:
        words = [f"%{_escaped(word)}%" for word in search.split()]
        where = " AND ".join(["(goal LIKE ? ESCAPE '!' OR summary LIKE ? ESCAPE '!')"] * len(words)) or "1"
        values = [value for word in words for value in (word, word)]
        rows = self._open().execute(
            f"SELECT {_COLUMNS} FROM runs WHERE {where} ORDER BY started_at_ms DESC, rowid DESC LIMIT ?",
            (*values, limit),
        )
        names = _COLUMNS.split(", ")
        return tuple(RunSummary.model_validate(dict(zip(names, row, strict=True))) for row in rows)

    def _forget(self, run_id: str) -> None:
        self._open().execute("DELETE FROM runs WHERE run_id = ?", (run_id,))

    def _check(self) -> str:
        connection = self._open()
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")
        return str(self._path)

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _escaped(word: str) -> str:
    return word.replace("!", "!!").replace("%", "!%").replace("_", "!_")
