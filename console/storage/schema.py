"""The tables of the journal and how an older file is brought up to date."""

from __future__ import annotations

import sqlite3

from console.contracts.errors import StorageError

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE runs (
        run_id TEXT PRIMARY KEY, goal TEXT NOT NULL, planner TEXT NOT NULL, started_at_ms INTEGER NOT NULL,
        ended_at_ms INTEGER, phase TEXT NOT NULL, summary TEXT NOT NULL DEFAULT '', attempts INTEGER NOT NULL DEFAULT 0,
        owner_pid INTEGER NOT NULL, owner_started TEXT NOT NULL
    );
    CREATE TABLE events (
        run_id TEXT NOT NULL REFERENCES runs(run_id) ON DELETE CASCADE, seq INTEGER NOT NULL, kind TEXT NOT NULL,
        at_ms INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (run_id, seq)
    ) WITHOUT ROWID;
    CREATE INDEX runs_by_time ON runs(started_at_ms DESC);
    """,
)
VERSION = len(MIGRATIONS)


def prepare(connection: sqlite3.Connection) -> None:
    """Bring the file to the newest version, each step in one transaction. Raises for a file from a newer console."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise StorageError(
            "The journal was written by a newer console.", "Update the console, or set OPERATOR_CONSOLE_DATA."
        )
    for number, script in enumerate(MIGRATIONS[version:], version + 1):
        connection.executescript(f"BEGIN; {script} PRAGMA user_version = {number}; COMMIT;")
