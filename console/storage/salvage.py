"""Takes over from a damaged journal what can still be read."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from .schema import MIGRATIONS, version_of

_TABLES = {
    "runs": "run_id, goal, planner, started_at_ms, ended_at_ms, phase, summary, attempts, words, owner_pid, "
    "owner_started",
    "events": "run_id, seq, at_ms, kind, body",
    "pictures": "run_id, name",
}


def salvage(broken: Path, into: sqlite3.Connection) -> int:
    """Copy every row that can be read; gives the number of events. Raises only for the new file."""
    with contextlib.closing(sqlite3.connect(f"file:{quote(str(broken))}?mode=ro", uri=True)) as source:
        try:
            if version_of(source) != len(MIGRATIONS):
                return 0
        except sqlite3.DatabaseError:
            return 0
        into.execute("BEGIN IMMEDIATE")
        counts = {table: _copied(source, into, table, columns) for table, columns in _TABLES.items()}
        into.execute("COMMIT")
    return counts["events"]


def _copied(source: sqlite3.Connection, into: sqlite3.Connection, table: str, columns: str) -> int:
    """From both ends, because reading stops at the first page that is damaged."""
    marks = ", ".join("?" for _ in columns.split(","))
    before = into.total_changes
    for order in ("ASC", "DESC"):
        rows = _readable(source, f"SELECT {columns} FROM {table} ORDER BY 1 {order}, 2 {order}")
        into.executemany(f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})", rows)
    return into.total_changes - before


def _readable(source: sqlite3.Connection, query: str) -> Iterator[tuple[object, ...]]:
    with contextlib.suppress(sqlite3.DatabaseError):
        yield from source.execute(query)
