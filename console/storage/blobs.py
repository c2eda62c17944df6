"""Images by the hash of their bytes: each is stored once, in a file of its own."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from console.contracts.errors import StorageError

from .atomic import write_atomically
from .errors import spoken

SUFFIXES = {"image/jpeg": "jpg", "image/png": "png"}
_NAME = re.compile(r"[0-9a-f]{64}\.(jpg|png)")


class BlobFolder:
    """The folder of images. A name is the SHA-256 of the bytes and a suffix for the kind of image."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def save(self, data: bytes, media: str) -> str:
        """Raises `StorageError`. What it returns from is on the disk."""
        if media not in SUFFIXES:
            raise StorageError(f"Images of the kind {media} are not kept.", "Give a JPEG or a PNG.")
        name = f"{hashlib.sha256(data).hexdigest()}.{SUFFIXES[media]}"
        path = self.path(name)
        try:
            if path.exists():
                os.utime(path)  # as good as new, so that it is not swept away before an event names it
            else:
                write_atomically(path, data)
        except OSError as error:
            raise spoken(error, path) from error
        return name

    def load(self, name: str) -> bytes:
        path = self.path(name)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            raise StorageError(
                "A screenshot is missing from the journal.", "It may have been deleted by hand."
            ) from None
        except OSError as error:
            raise spoken(error, path) from error
        if hashlib.sha256(data).hexdigest() != path.stem:
            raise StorageError("A screenshot in the journal is damaged.", "Its file has been changed.")
        return data

    def remove(self, name: str) -> None:
        path = self.path(name)
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise spoken(error, path) from error

    def sizes(self) -> dict[str, int]:
        """Every image with its size in bytes."""
        return {path.name: stat.st_size for path, stat in self._files()}

    def sweep(self, named: Collection[str], before_s: float) -> None:
        """Remove what is not named and was last saved before that time (Unix, seconds)."""
        for path, stat in self._files():
            if path.name not in named and stat.st_mtime < before_s:
                self.remove(path.name)

    def _files(self) -> Iterator[tuple[Path, os.stat_result]]:
        for path in self.folder.glob("??/*"):
            if _NAME.fullmatch(path.name):
                with contextlib.suppress(FileNotFoundError):
                    yield path, path.stat()

    def path(self, name: str) -> Path:
        """Where the image is; two letters of the hash make the folder, so that none grows large."""
        if not _NAME.fullmatch(name):
            raise StorageError(f"“{name}” is not the name of a screenshot.")
        return self.folder / name[:2] / name
