"""What is old goes, what is needed stays, and a picture goes with the last run that names it."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from console.contracts.errors import StorageError
from console.contracts.events import RunPhase
from console.contracts.settings import StorageSettings
from console.storage import retention
from console.storage.blobs import BlobFolder
from console.storage.journal import PICTURES, Journal
from console.storage.owner import Owner
from console.storage.retention import DAY_MS, FRESH_S, tidy

from .stories import AT, attempted, ended, observed, started

FOR_EVER = StorageSettings(keep_days=0, pictures_gb=0)


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncIterator[Journal]:
    """Three runs with 100 bytes each of their own and one picture in common; `c` is going on."""
    journal = Journal(tmp_path / "data")
    shared = await journal.save_blob(b"s" * 50, "image/png")
    for place, name in enumerate("abc"):
        own = await journal.save_blob(name.encode() * 100, "image/png")
        first = 1 + place * 10
        await journal.append(started(first, name))
        await journal.append(attempted(first + 1, name, before=own, after=shared))
        if name != "c":
            await journal.append(ended(first + 2, run_id=name))
    yield journal
    await journal.close()


def blobs(journal: Journal) -> BlobFolder:
    return BlobFolder(journal.folder / PICTURES)


def at(days: float) -> float:
    """The time (Unix, s) so many days after the first run."""
    return (AT + days * DAY_MS) / 1000


def long_ago(journal: Journal) -> None:
    for path in (journal.folder / PICTURES).glob("??/*"):
        os.utime(path, (at(-1), at(-1)))


async def names(journal: Journal) -> list[str]:
    return sorted(run.run_id for run in await journal.runs())


async def test_ended_runs_go_after_their_days_and_the_others_stay(journal: Journal) -> None:
    long_ago(journal)
    assert await tidy(journal, blobs(journal), StorageSettings(keep_days=2), lambda: at(1)) == []
    assert await tidy(journal, blobs(journal), StorageSettings(keep_days=2), lambda: at(3)) == ["a", "b"]
    assert await names(journal) == ["c"]
    assert sorted(blobs(journal).sizes().values()) == [50, 100], "what the last run names is still there"


async def test_for_ever_is_for_ever(journal: Journal) -> None:
    assert await tidy(journal, blobs(journal), FOR_EVER, lambda: at(9999)) == []


async def test_an_interrupted_run_is_never_deleted(journal: Journal) -> None:
    journal._owner = Owner(1, "gone long ago")
    await journal.append(started(41, "d"))
    assert (await journal.runs())[0].phase is RunPhase.INTERRUPTED
    assert await tidy(journal, blobs(journal), StorageSettings(keep_days=1), lambda: at(99)) == ["a", "b"]
    assert await names(journal) == ["c", "d"]


async def test_the_oldest_go_until_the_pictures_fit(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "GB", 260)
    long_ago(journal)
    keep = StorageSettings(keep_days=0, pictures_gb=1)
    assert await tidy(journal, blobs(journal), keep, lambda: at(1)) == ["a"]
    assert sum(blobs(journal).sizes().values()) == 250
    monkeypatch.setattr(retention, "GB", 10)
    assert await tidy(journal, blobs(journal), keep, lambda: at(1)) == ["b"]
    assert await names(journal) == ["c"]


async def test_a_picture_that_no_run_names_goes_once_it_is_not_fresh(journal: Journal) -> None:
    before = len(blobs(journal).sizes())
    lost = await journal.save_blob(b"lost", "image/png")
    path = blobs(journal).path(lost)
    (path.parent / "notes.txt").write_text("not a picture")
    await tidy(journal, blobs(journal), FOR_EVER)
    assert await journal.blob(lost) == b"lost"
    old = path.stat().st_mtime - FRESH_S - 1
    os.utime(path, (old, old))
    assert await journal.save_blob(b"lost", "image/png") == lost
    await tidy(journal, blobs(journal), FOR_EVER)
    assert await journal.blob(lost) == b"lost", "it has just been saved again, and its event may follow"
    os.utime(path, (old, old))
    await tidy(journal, blobs(journal), FOR_EVER)
    assert len(blobs(journal).sizes()) == before
    assert (path.parent / "notes.txt").exists()
    await journal.append(observed(23, "c", screenshot=None))


async def test_a_run_that_goes_on_is_not_dropped(journal: Journal) -> None:
    assert await journal.drop("c") == []
    assert await names(journal) == ["a", "b", "c"]


async def test_it_is_done_in_the_background_and_closing_waits_for_it(journal: Journal) -> None:
    journal.tidy_in_background(StorageSettings(keep_days=1))
    await journal.close()
    again = Journal(journal.folder)
    assert await names(again) == ["c"]
    await again.close()


async def test_trouble_is_left_for_the_next_time(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails() -> list[tuple[str, int]]:
        raise StorageError("The disk is full.")

    monkeypatch.setattr(journal, "ended_runs", fails)
    assert await tidy(journal, blobs(journal), StorageSettings(keep_days=1), lambda: at(99)) == []
