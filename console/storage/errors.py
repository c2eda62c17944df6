"""Says in words what went wrong on disk."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

from console.contracts.errors import StorageError


def spoken(error: Exception, path: Path) -> StorageError:
    """The failure of SQLite or the file system as a sentence with what to do."""
    text = str(error).casefold()
    code = error.errno if isinstance(error, OSError) else None
    if code in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) or "full" in text:
        return StorageError("The disk is full, so the run cannot be written down.", "Free some space, then resume.")
    if "locked" in text or "busy" in text:
        return StorageError("The journal is locked by another program.", "Close it, then resume.")
    if code in (errno.EACCES, errno.EPERM, errno.EROFS) or "readonly" in text or "unable to open" in text:
        return StorageError(
            f"{path} cannot be written.", "Check the rights of the folder, or set OPERATOR_CONSOLE_DATA."
        )
    if is_corrupt(error):
        return StorageError(
            "The journal is damaged.", "Restart the console: it keeps the file aside and begins a new one."
        )
    return StorageError(f"The journal cannot be used: {error}", "Run “operator-console doctor”.")


def is_corrupt(error: Exception) -> bool:
    text = str(error).casefold()
    return isinstance(error, sqlite3.DatabaseError) and (
        "malformed" in text or "not a database" in text or "corrupt" in text
    )
