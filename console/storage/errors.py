"""Turns what SQLite and the file system say into sentences that a person can act on."""

from __future__ import annotations

import errno
import shutil
import sqlite3
from pathlib import Path

from console.contracts.errors import StorageError

from .folders import OVERRIDE

ROOM = 1 << 20
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_CLOSED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
_CORRUPT = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_UNWRITABLE = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM})


def primary_code(error: BaseException) -> int | None:
    """SQLite's primary result code, if the error has one."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else int(code) & 0xFF


def is_corrupt(error: BaseException) -> bool:
    return primary_code(error) in _CORRUPT


def is_busy(error: BaseException) -> bool:
    return primary_code(error) in _BUSY


def spoken(error: Exception, path: Path) -> StorageError:
    """What happened to the file, and what to do about it."""
    code, folder = primary_code(error), path if path.is_dir() else path.parent
    number = error.errno if isinstance(error, OSError) else None
    if code == sqlite3.SQLITE_FULL or number in _FULL or (code == sqlite3.SQLITE_IOERR and _no_room(folder)):
        return StorageError(
            "The disk is full, so the journal cannot be written.", f"Make room on the disk of {folder}."
        )
    if code in _BUSY:
        return StorageError("The journal is locked by another program.", "Close that program, then go on.")
    if code in _CORRUPT:
        return StorageError("The journal was damaged and has been set aside.", "A new one is begun; go on when ready.")
    if code in _UNWRITABLE or number in _CLOSED or (code == sqlite3.SQLITE_CANTOPEN and folder.exists()):
        return StorageError(
            f"The folder {folder} cannot be written.", f"Give yourself the right to write there, or set {OVERRIDE}."
        )
    hint = f"Check the disk of {folder}, or set {OVERRIDE} to another folder."
    return StorageError(f"The journal cannot be used: {error}.", hint)


def _no_room(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < ROOM
    except OSError:
        return False
