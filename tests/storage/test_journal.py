"""The journal keeps what it was given, and says at once what it cannot keep."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from console.contracts.actions import Wait
from console.contracts.errors import StorageError
from console.contracts.events import MemoryChanged, Noticed, RunPhase
from console.contracts.moves import AttemptRecord
from console.storage.folders import OVERRIDE, config_folder, data_folder
from console.storage.journal import Journal

from .stories import AT, attempted, ended, intended, observed, other_process, phase, picture, stamp, started

TEXT = st.text(max_size=40)
JSON = st.recursive(st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXT, lambda s: st.lists(s, max_size=3))


async def test_events_come_back_as_they_were(journal: Journal) -> None:
    story = [started(), phase(2), intended(3), attempted(4), ended(5)]
    for event in story:
        await journal.append(event)
    assert await journal.events("r1") == story
    assert await journal.events("unknown") == []


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=TEXT, value=JSON, key=TEXT)
def test_any_text_and_value_comes_back(
    tmp_path_factory: pytest.TempPathFactory, text: str, value: object, key: str
) -> None:
    async def story() -> None:
        journal = Journal(tmp_path_factory.mktemp("data"))
        record = AttemptRecord(step_purpose=text, action=Wait(ms=1), succeeded=False, error=text, data=value)
        events = [started(goal=text), MemoryChanged(**stamp(2), key=key, value=value), attempted(3, record=record)]
        for event in events:
            await journal.append(event)
        await journal.close()
        again = Journal(journal.folder)
        assert await again.events("r1") == events
        await again.close()

    asyncio.run(story())


async def test_the_same_event_twice_is_kept_once(journal: Journal) -> None:
    for event in (started(), attempted(2), attempted(2)):
        await journal.append(event)
    assert [run.attempts for run in await journal.runs()] == [1]
    assert len(await journal.events("r1")) == 2


async def test_another_event_in_the_same_place_is_refused(journal: Journal) -> None:
    await journal.append(started())
    await journal.append(attempted(2))
    with pytest.raises(StorageError, match="another event 2"):
        await journal.append(attempted(2, sentence="Click “Delete”"))
    assert (await journal.events("r1"))[1] == attempted(2)


async def test_the_history_follows_the_run(journal: Journal) -> None:
    await journal.append(started())
    assert (await journal.runs())[0].phase is RunPhase.READY
    await journal.append(phase(2, RunPhase.WAITING))
    await journal.append(attempted(3))
    (run,) = await journal.runs()
    assert (run.phase, run.attempts, run.summary, run.ended_at_ms) == (RunPhase.WAITING, 1, "", None)
    await journal.append(ended(4, "refused", summary="Which one?"))
    (run,) = await journal.runs()
    assert (run.phase, run.summary, run.ended_at_ms) == (RunPhase.REFUSED, "Which one?", AT + 4000)


async def test_newest_first_and_not_too_many(journal: Journal) -> None:
    for n in range(4):
        await journal.append(started(n + 1, f"r{n}", goal=f"goal {n}"))
    assert [run.run_id for run in await journal.runs(limit=3)] == ["r3", "r2", "r1"]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("zażółć", ["a"]),
        ("ZAŻÓŁĆ", ["a"]),
        ("100%", ["b"]),
        ("100_", []),
        ("invoice SENT", ["b"]),
        ("invoice missing", []),
        ("back\\slash", ["c"]),
        ("'; DROP TABLE runs; --", []),
        ("  ", ["c", "b", "a"]),
    ],
)
async def test_search(journal: Journal, words: str, found: list[str]) -> None:
    await journal.append(started(1, "a", goal="Zażółć gęślą"))
    await journal.append(started(2, "b", goal="Invoice at 100%"))
    await journal.append(ended(3, run_id="b", summary="It was sent"))
    await journal.append(started(3, "c", goal="a back\\slash 1000"))
    assert [run.run_id for run in await journal.runs(words)] == found


async def test_recent_goals_stand_once(journal: Journal) -> None:
    for n, goal in enumerate(("one", "two", "one", "three"), 1):
        await journal.append(started(n, f"r{n}", goal=goal))
    assert await journal.recent_goals() == ["three", "one", "two"]
    assert await journal.recent_goals(limit=1) == ["three"]


async def test_forgetting_leaves_nothing_but_shared_pictures(journal: Journal) -> None:
    mine, shared = await journal.save_blob(picture("red"), "image/jpeg"), await journal.save_blob(b"x", "image/png")
    await journal.append(started(1, "a", goal="a secret plan"))
    await journal.append(attempted(2, "a", before=mine, after=shared))
    await journal.append(ended(3, run_id="a"))
    await journal.append(started(4, "b"))
    await journal.append(observed(5, "b", screenshot=shared))
    await journal.forget("a")
    assert [run.run_id for run in await journal.runs()] == ["b"]
    assert await journal.events("a") == []
    assert await journal.blob(shared) == b"x"
    with pytest.raises(StorageError, match="missing"):
        await journal.blob(mine)
    with pytest.raises(StorageError, match="still going on"):
        await journal.forget("b")
    await journal.close()
    assert b"a secret plan" not in (journal.folder / "journal.db").read_bytes()


async def test_an_event_of_another_version_stands_as_a_notice(journal: Journal) -> None:
    await journal.append(started())
    await journal.append(attempted(2))
    with sqlite3.connect(journal.folder / "journal.db") as db:
        db.execute("UPDATE events SET kind = 'hologram_shown', body = '{\"event\": \"hologram_shown\"}' WHERE seq = 2")
    db.close()
    _, notice = await journal.events("r1")
    assert isinstance(notice, Noticed)
    assert notice.headline() == (
        "Event 2 (hologram shown) cannot be read by this version. Open the run with a newer console."
    )


async def test_a_run_whose_process_is_gone_was_interrupted_and_can_go_on(journal: Journal, tmp_path: Path) -> None:
    code = (
        "import asyncio, os\n"
        "from tests.storage.stories import *\n"
        "from console.storage.journal import Journal\n"
        "async def story():\n"
        "    journal = Journal()\n"
        "    await journal.append(started())\n"
        "    await journal.append(phase(2, RunPhase.ACTING))\n"
        "    print('ready', flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(story())\n"
    )
    env = {**os.environ, OVERRIDE: str(journal.folder)}
    with await asyncio.to_thread(other_process, code, env=env) as other:
        assert (await journal.runs())[0].phase is RunPhase.ACTING, "another console's run is not interrupted"
        with pytest.raises(StorageError, match="carried out by another console"):
            await journal.append(phase(3))
        other.kill()
        await asyncio.to_thread(other.wait)
    assert (await journal.runs())[0].phase is RunPhase.INTERRUPTED
    await journal.append(started(3, resumed_from=2))
    (run,) = await journal.runs()
    assert (run.phase, run.started_at_ms) == (RunPhase.READY, AT + 1000)


async def test_a_cancelled_append_is_finished_and_then_cancelled(journal: Journal) -> None:
    """So that the recorder, which counts only what returned, and the file never disagree about the next number."""
    await journal.append(started())
    gate = threading.Event()
    blocker = asyncio.ensure_future(journal._events_worker.call(gate.wait))
    returned = False

    async def record() -> None:
        nonlocal returned
        await journal.append(phase(2))
        returned = True
        await asyncio.sleep(60)

    task = asyncio.create_task(record())
    await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.sleep(0.01)
    assert not task.done()
    gate.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    await blocker
    assert returned
    assert len(await journal.events("r1")) == 2


async def test_two_consoles_that_begin_at_once_share_the_file(tmp_path: Path) -> None:
    for n in range(5):
        one, other = Journal(tmp_path / str(n)), Journal(tmp_path / str(n))
        await asyncio.gather(*(j.append(started(1, f"r{n}")) for n, j in enumerate((one, other) * 5)))
        assert len(await one.runs()) == 10
        await one.close()
        await other.close()


async def test_check_says_whether_it_can_be_used(journal: Journal) -> None:
    await journal.check()
    assert (journal.folder / "journal.db").exists()


def test_the_environment_names_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(OVERRIDE, str(tmp_path))
    assert data_folder() == config_folder() == tmp_path
    monkeypatch.delenv(OVERRIDE)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "d"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "c"))
    assert data_folder().name == config_folder().name == "operator-console"
    assert data_folder() != config_folder()


async def test_the_folder_is_private(journal: Journal) -> None:
    await journal.append(started())
    assert journal.folder.stat().st_mode & 0o077 == 0
