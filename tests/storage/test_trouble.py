"""Full, locked, damaged, closed to us, from the future: each is a sentence, and nothing is lost."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from console.contracts.errors import StorageError
from console.contracts.events import RunPhase
from console.storage import errors, owner
from console.storage.database import Database
from console.storage.errors import spoken
from console.storage.folders import OVERRIDE
from console.storage.journal import Journal
from console.storage.owner import Owner, this_process
from console.storage.salvage import salvage
from console.storage.schema import MIGRATIONS, migrate, version_of

from .stories import attempted, ended, files_below, other_process, picture, started


def file_of(journal: Journal) -> Path:
    return journal.folder / "journal.db"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of one megabyte."""
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)]
    if os.name != "posix" or os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("a file system cannot be mounted here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def fill(path: Path) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT)
    with contextlib.suppress(OSError):
        while True:
            os.write(descriptor, b"x" * 4096)
    os.close(descriptor)


async def append_for_ever(journal: Journal) -> None:
    for seq in itertools.count(2):
        await journal.append(attempted(seq))


async def test_a_full_disk_is_told_and_the_event_can_be_written_later(small_disk: Path) -> None:
    journal = Journal(small_disk / "data")
    await journal.append(started())
    filler = small_disk / "filler"
    fill(filler)
    with pytest.raises(StorageError, match="disk is full") as told:
        await append_for_ever(journal)
    written = len(await journal.events("r1"))
    assert "Make room" in told.value.hint
    with pytest.raises(StorageError, match="disk is full"):
        await journal.save_blob(picture(), "image/jpeg")
    filler.unlink()
    await journal.append(attempted(written + 1))
    assert len(await journal.events("r1")) == written + 1
    assert files_below(journal.folder, ".writing-*") == []
    await journal.close()


def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    """The limit of the process stands for whatever else makes a write fail half-way."""
    code = (
        "import asyncio, resource, signal\n"
        "from tests.storage.stories import *\n"
        "from console.contracts.errors import StorageError\n"
        "from console.storage.journal import Journal\n"
        "async def story():\n"
        "    journal = Journal()\n"
        "    await journal.append(started())\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))\n"
        "    seq = 1\n"
        "    try:\n"
        "        while True:\n"
        "            await journal.append(attempted(seq + 1))\n"
        "            seq += 1\n"
        "    except StorageError as error:\n"
        "        print(error.sentence())\n"
        "    try:\n"
        "        await journal.save_blob(b'x' * 300_000, 'image/png')\n"
        "    except StorageError as error:\n"
        "        print(error.sentence())\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))\n"
        "    await journal.append(attempted(seq + 1))\n"
        "    print(len(await journal.events('r1')) == seq + 1)\n"
        "asyncio.run(story())\n"
    )
    env = {**os.environ, OVERRIDE: str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    first, second, complete = done.stdout.splitlines()
    assert "journal cannot be" in first
    assert "disk is full" in second
    assert complete == "True"


async def test_a_locked_journal_is_told_and_goes_on_when_free(journal: Journal) -> None:
    await journal.append(started())
    code = (
        "import sqlite3, sys\n"
        "db = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "db.execute('BEGIN EXCLUSIVE')\n"
        "print('locked', flush=True)\n"
        "sys.stdin.readline()\n"
    )
    newcomer = Journal(journal.folder, busy_s=0.1)
    with other_process(code, str(file_of(journal))) as other:
        with pytest.raises(StorageError, match="locked by another program"):
            await journal.append(attempted(2))
        assert len(await journal.events("r1")) == 1, "reading goes on"
        with pytest.raises(StorageError, match="locked by another program"):
            await newcomer.append(attempted(2))
        other.communicate(b"\n")
    await newcomer.append(attempted(2))
    assert len(await journal.events("r1")) == 2
    await newcomer.close()


async def test_a_new_file_that_somebody_holds(journal: Journal) -> None:
    """Before it is in WAL mode, its holder keeps readers out as well."""
    journal.folder.mkdir()
    holder = sqlite3.connect(file_of(journal), isolation_level=None)
    holder.execute("CREATE TABLE other (x)")
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StorageError, match="locked by another program"):
        await journal.append(started())
    holder.execute("ROLLBACK")
    holder.close()
    await journal.append(started())


def test_the_change_to_wal_is_tried_again(tmp_path: Path) -> None:
    class Contended:
        """Busy at the first try, as when another console makes the same change."""

        tries = 0

        def execute(self, statement: str) -> None:
            self.tries += 1
            if self.tries == 1:
                error = sqlite3.OperationalError("database is locked")
                error.sqlite_errorcode = sqlite3.SQLITE_BUSY
                raise error

    connection = Contended()
    Database(tmp_path / "journal.db", lambda _: None)._to_wal(connection)  # type: ignore[arg-type]
    assert connection.tries == 2


@pytest.mark.parametrize("rubbish", [b"this is no database" * 300, b"SQLite format 3\0" + b"\xff" * 5000])
async def test_a_file_that_is_none_is_kept_aside(tmp_path: Path, rubbish: bytes) -> None:
    (tmp_path / "journal.db").write_bytes(rubbish)
    heard: list[str] = []
    threads: set[threading.Thread] = set()

    def tell(sentence: str) -> None:
        heard.append(sentence)
        threads.add(threading.current_thread())

    journal = Journal(tmp_path, tell)
    await journal.append(started())
    assert len(await journal.runs()) == 1
    (aside,) = files_below(tmp_path, "journal.corrupt-*.db")
    assert aside.read_bytes() == rubbish
    assert journal.notices == heard
    assert threads == {threading.current_thread()}, "a window may be told"
    assert "Nothing in it could be read." in heard[0]
    await journal.close()


async def test_damage_in_the_middle_costs_only_what_stood_there(journal: Journal) -> None:
    """Found while the run goes on: what can be read is taken over, the append is refused once and works after that."""
    story = [started(), *(attempted(n) for n in range(2, 400))]
    for event in story:
        await journal.append(event)
    await journal.close()
    with file_of(journal).open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(size // 2 // 4096 * 4096)
        file.write(b"\xff" * 8192)
    again = Journal(journal.folder)
    with pytest.raises(StorageError, match="damaged and has been set aside"):
        await again.events("r1")
    await again.append(attempted(400))
    saved = await again.events("r1")
    assert len(saved) > 100
    assert [event for event in story if event in saved] == list(saved)[:-1]
    assert (await again.runs())[0].goal == "Save the file"
    assert "events could be taken over" in again.notices[0]
    await again.close()


async def test_a_run_goes_on_in_a_new_file(journal: Journal) -> None:
    await journal.append(started())
    await journal.close()
    file_of(journal).write_bytes(b"gone")
    again = Journal(journal.folder)
    await again.append(attempted(2))
    await again.append(ended(3))
    (run,) = await again.runs()
    assert (run.goal, run.phase) == ("", RunPhase.DONE)
    assert await again.recent_goals() == []
    await again.close()


async def test_a_damaged_file_that_cannot_be_moved(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    journal.folder.mkdir()
    file_of(journal).write_bytes(b"no database" * 100)

    def refuse(self: Path, target: object) -> Path:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(StorageError):
        await journal.append(started())
    assert "could not be set aside" in journal.notices[0]


async def test_a_journal_from_the_future_is_left_alone(journal: Journal) -> None:
    await journal.append(started())
    await journal.close()
    with sqlite3.connect(file_of(journal)) as db:
        db.execute("PRAGMA user_version = 999")
    db.close()
    before = file_of(journal).read_bytes()
    again = Journal(journal.folder)
    with pytest.raises(StorageError, match="newer console") as told:
        await again.runs()
    assert OVERRIDE in told.value.hint
    assert file_of(journal).read_bytes() == before
    await again.close()


def test_an_older_file_is_brought_up_step_by_step(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "old.db", isolation_level=None)
    migrate(db)
    db.execute("INSERT INTO pictures VALUES ('r', 'p')")
    later = (*MIGRATIONS, ("ALTER TABLE pictures ADD COLUMN size INTEGER NOT NULL DEFAULT 7",))
    migrate(db, later)
    migrate(db, later)
    assert version_of(db) == len(later)
    assert db.execute("SELECT * FROM pictures").fetchall() == [("r", "p", 7)]
    with pytest.raises(sqlite3.OperationalError):
        migrate(db, (*later, ("CREATE TABLE extra (x)", "CREATE NONSENSE")))
    assert version_of(db) == len(later)
    assert not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'extra'").fetchall(), "all or nothing"
    db.close()


def test_nothing_is_taken_over_from_another_version(tmp_path: Path) -> None:
    with (
        contextlib.closing(sqlite3.connect(tmp_path / "old.db")) as old,
        contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as new,
    ):
        old.execute("PRAGMA user_version = 77")
        migrate(new)
        assert salvage(tmp_path / "old.db", new) == 0


async def test_a_file_that_is_a_folder(journal: Journal) -> None:
    file_of(journal).mkdir(parents=True)
    with pytest.raises(StorageError):
        await journal.runs()


async def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    journal = Journal(tmp_path / "data")
    with pytest.raises(StorageError, match="cannot be used"):
        await journal.append(started())
    with pytest.raises(StorageError):
        await journal.save_blob(b"x", "image/png")
    await journal.close()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (PermissionError(errno.EACCES, "no"), "cannot be written"),
        (OSError(errno.EROFS, "read-only"), "cannot be written"),
        (OSError(errno.EDQUOT, "quota"), "disk is full"),
        (OSError(errno.EIO, "I/O"), "cannot be used"),
    ],
)
def test_what_the_system_says_in_words(error: OSError, words: str, tmp_path: Path) -> None:
    told = spoken(error, tmp_path / "journal.db")
    assert words in told.message
    assert told.hint


def test_an_io_error_on_a_full_disk_is_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR | 3 << 8
    monkeypatch.setattr(errors, "ROOM", shutil.disk_usage(tmp_path).total * 2)
    assert "full" in spoken(error, tmp_path / "journal.db").message
    assert "cannot be used" in spoken(error, tmp_path / "nowhere" / "journal.db").message


async def test_a_read_only_database(tmp_path: Path) -> None:
    database = Database(tmp_path / "journal.db", lambda _: None)
    database.write(lambda db: None)
    database.read(lambda db: db.execute("PRAGMA query_only = ON"))
    with pytest.raises(StorageError, match="cannot be written"):
        database.write(lambda db: db.execute("DELETE FROM runs"))
    database.close()


def test_who_is_alive(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    me = this_process()
    assert me.alive()
    assert not Owner(me.pid, "another start").alive()
    sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    theirs = Owner(sleeper.pid, owner._started(sleeper.pid) or "")
    assert theirs.alive()
    monkeypatch.setattr(owner, "PROC", tmp_path / "none")
    owner._boot.cache_clear()
    assert theirs.alive(), "without /proc, that it answers has to do"
    sleeper.kill()
    monkeypatch.undo()
    os.waitid(os.P_PID, sleeper.pid, os.WEXITED | os.WNOWAIT)
    assert not theirs.alive(), "a zombie does nothing any more"
    sleeper.wait()
    assert not theirs.alive()
    monkeypatch.setattr(owner, "PROC", tmp_path / "none")
    assert not theirs.alive()
    assert owner._boot() == ""
    owner._boot.cache_clear()


def test_signals_are_not_sent_where_they_would_do_harm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(owner, "PROC", tmp_path / "none")

    def denied(pid: int, number: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "kill", denied)
    assert Owner(1, "").alive(), "somebody else's process is alive"
    monkeypatch.setattr(os, "name", "nt")
    assert not Owner(1, "").alive()
    monkeypatch.undo()
