"""The tables of the journal and how an older file becomes a present one."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from console.contracts.errors import StorageError

from .folders import OVERRIDE

Script = tuple[str, ...]

_FIRST: Script = (
    """CREATE TABLE runs (
        run_id TEXT PRIMARY KEY, goal TEXT NOT NULL, planner TEXT NOT NULL, started_at_ms INTEGER NOT NULL,
        ended_at_ms INTEGER, phase TEXT NOT NULL, summary TEXT NOT NULL DEFAULT '', attempts INTEGER NOT NULL DEFAULT 0,
        words TEXT NOT NULL DEFAULT '', owner_pid INTEGER NOT NULL, owner_started TEXT NOT NULL)""",
    "CREATE INDEX runs_by_time ON runs (started_at_ms)",
    """CREATE TABLE events (
        id INTEGER PRIMARY KEY, run_id TEXT NOT NULL, seq INTEGER NOT NULL, at_ms INTEGER NOT NULL, kind TEXT NOT NULL,
        body TEXT NOT NULL, UNIQUE (run_id, seq))""",
    "CREATE TABLE pictures (run_id TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (run_id, name)) WITHOUT ROWID",
    "CREATE INDEX pictures_by_name ON pictures (name)",
)
MIGRATIONS: tuple[Script, ...] = (_FIRST,)


def migrate(connection: sqlite3.Connection, migrations: Sequence[Script] = MIGRATIONS) -> None:
    """Bring the file to the newest version, one whole step at a time. Raises `StorageError` for a newer file."""
    if version_of(connection) == len(migrations):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = version_of(connection)  # again: another console may have been quicker
        if version > len(migrations):
            raise StorageError(
                "The journal was written by a newer console.", f"Update this one, or set {OVERRIDE} to another folder."
            )
        for script in migrations[version:]:
            for statement in script:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(migrations)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def version_of(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
