"""The SQLite file of the journal: opened when needed, set aside when it is damaged. Used from one thread."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from .errors import is_busy, is_corrupt, primary_code, spoken
from .folders import made
from .salvage import salvage
from .schema import migrate

log = logging.getLogger(__name__)
R = TypeVar("R")
Work = Callable[[sqlite3.Connection], R]
BUSY_S, RETRY_S = 5.0, 0.02
SUFFIXES = ("", "-wal", "-shm")


class Database:
    """Gives its connection to a piece of work. `tell` hears of a damaged file; every failure is a `StorageError`."""

    def __init__(self, path: Path, tell: Callable[[str], None], busy_s: float = BUSY_S) -> None:
        self.path = path
        self._tell = tell
        self._busy_s = busy_s
        self._open: sqlite3.Connection | None = None
        self._level = ""

    def read(self, work: Work[R]) -> R:
        return self._guarded(lambda: work(self._connected()))

    def write(self, work: Work[R], *, durable: bool = False) -> R:
        """Do the work in one transaction. What was committed outlives a killed process, and with `durable` a loss of
        power as well, for which the disk itself has to answer."""
        return self._guarded(lambda: self._transaction(work, "FULL" if durable else "NORMAL"))

    def close(self) -> None:
        connection, self._open = self._open, None
        if connection is not None:
            with contextlib.suppress(sqlite3.Error):
                connection.close()

    def _guarded(self, work: Callable[[], R]) -> R:
        try:
            return work()
        except (sqlite3.Error, OSError) as error:
            if is_corrupt(error):
                self._replace()
            elif primary_code(error) == sqlite3.SQLITE_IOERR:
                self.close()  # what failed there may work again with a new connection
            raise spoken(error, self.path) from error

    def _transaction(self, work: Work[R], level: str) -> R:
        connection = self._connected()
        if level != self._level:
            connection.execute(f"PRAGMA synchronous = {level}")
            self._level = level
        connection.execute("BEGIN IMMEDIATE")
        try:
            result = work(connection)
            connection.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            raise
        return result

    def _connected(self) -> sqlite3.Connection:
        if self._open is None:
            try:
                self._open = self._connect()
            except sqlite3.DatabaseError as error:
                if not is_corrupt(error):
                    raise
                self._replace()
        if self._open is None:
            self._open = self._connect()
        return self._open

    def _connect(self) -> sqlite3.Connection:
        made(self.path.parent)
        connection = sqlite3.connect(self.path, timeout=self._busy_s, isolation_level=None)
        try:
            self._to_wal(connection)
            connection.execute("PRAGMA secure_delete = ON")  # what is forgotten is gone from the file as well
            migrate(connection)
        except BaseException:
            connection.close()
            raise
        self._level = ""
        return connection

    def _to_wal(self, connection: sqlite3.Connection) -> None:
        """Two consoles that begin at once are in each other's way here, and SQLite does not wait for this by itself."""
        deadline = time.monotonic() + self._busy_s
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if not is_busy(error) or time.monotonic() > deadline:
                    raise
            time.sleep(RETRY_S)

    def _replace(self) -> None:
        """Keep the damaged file, begin a new one, and take over what can still be read."""
        self.close()
        aside = self.path.with_name(f"{self.path.stem}.corrupt-{time.strftime('%Y%m%d-%H%M%S')}{self.path.suffix}")
        try:
            for suffix in SUFFIXES:
                part = Path(f"{self.path}{suffix}")
                if part.exists():
                    part.replace(f"{aside}{suffix}")
            self._open = self._connect()
            saved = salvage(aside, self._open)
        except (sqlite3.Error, OSError) as error:
            log.info("The damaged journal could not be replaced", exc_info=True)
            self.close()
            self._tell(f"The journal is damaged and could not be set aside: {error}.")
            return
        kept = f"{saved} events could be taken over." if saved else "Nothing in it could be read."
        self._tell(f"The journal was damaged. It is kept as {aside}, and a new one was begun. {kept}")
