"""Writes a file so that at any moment either all of it is there or the one before it."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from .folders import made


def write_atomically(path: Path, data: bytes) -> None:
    """Raises `OSError`; nothing of a failed attempt is left behind."""
    made(path.parent)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """The new name itself has to reach the disk; where a folder cannot be opened, the system sees to it."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    with contextlib.suppress(OSError):
        os.fsync(descriptor)
    os.close(descriptor)
