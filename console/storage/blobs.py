"""Pictures by their content: each is kept once, under the hash of its bytes."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from console.contracts.errors import StorageError

from .errors import spoken

_SUFFIX = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp"}


class BlobFolder:
    """Files below one folder, fanned out by the first two digits of their names. Used from one thread."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def save(self, data: bytes, media: str) -> str:
        """The name, `<sha256>.<suffix>`. A file appears whole or not at all."""
        name = f"{hashlib.sha256(data).hexdigest()}.{_SUFFIX.get(media, 'bin')}"
        path = self._path(name)
        if path.exists():
            return name
        part = path.with_suffix(f".part{os.getpid()}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with part.open("wb") as file:
                file.write(data)
            part.replace(path)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise spoken(error, path) from error
        return name

    def load(self, name: str) -> bytes:
        if not name or "/" in name or name.startswith("."):
            raise StorageError(f"“{name}” is no picture.", "")
        try:
            return self._path(name).read_bytes()
        except OSError as error:
            raise StorageError("The picture is not there any more.", "It may have been cleaned up.") from error

    def _path(self, name: str) -> Path:
        return self._root / name[:2] / name
