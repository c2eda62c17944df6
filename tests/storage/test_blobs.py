"""Pictures are kept once, whole, and come back as they were."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.contracts.errors import StorageError
from console.storage import atomic
from console.storage.blobs import BlobFolder
from console.storage.journal import Journal

from .stories import picture


@given(data=st.binary(max_size=200))
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    blobs = BlobFolder(tmp_path_factory.mktemp("blobs"))
    assert blobs.load(blobs.save(data, "image/png")) == data


async def test_the_same_bytes_are_stored_once(journal: Journal) -> None:
    first = await journal.save_blob(picture(), "image/jpeg")
    assert await journal.save_blob(picture(), "image/jpeg") == first
    files = [path for path in (journal.folder / "blobs").rglob("*") if path.is_file()]
    assert [path.name for path in files] == [first]
    assert files[0].parent.name == first[:2]
    assert await journal.blob(first) == picture()


def test_what_is_no_picture(tmp_path: Path) -> None:
    blobs = BlobFolder(tmp_path)
    with pytest.raises(StorageError, match="not kept"):
        blobs.save(b"x", "text/html")
    for name in ("../journal.db", "/etc/passwd", "", f"{'a' * 64}.jpg/../x"):
        with pytest.raises(StorageError, match="not the name"):
            blobs.load(name)


def test_missing_damaged_and_unreadable(tmp_path: Path) -> None:
    blobs = BlobFolder(tmp_path)
    name = blobs.save(b"picture", "image/png")
    blobs.path(name).write_bytes(b"another")
    with pytest.raises(StorageError, match="damaged"):
        blobs.load(name)
    blobs.path(name).unlink()
    with pytest.raises(StorageError, match="missing"):
        blobs.load(name)
    blobs.remove(name)
    blobs.path(name).mkdir()
    with pytest.raises(StorageError):
        blobs.load(name)
    with pytest.raises(StorageError):
        blobs.remove(name)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    atomic.write_atomically(path, b"old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(atomic.os, "fsync", full)
        with pytest.raises(OSError, match="space"):
            atomic.write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_a_folder_that_cannot_be_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(path: object, flags: int) -> int:
        raise PermissionError

    monkeypatch.setattr(atomic.os, "open", closed)
    atomic._sync_folder(tmp_path)
