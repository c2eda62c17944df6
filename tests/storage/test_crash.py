"""A killed process loses nothing that `append` returned from."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from console.contracts.events import RunPhase
from console.storage.folders import OVERRIDE
from console.storage.journal import Journal

KILLS = 20
# Says each number after its event was appended; the pictures go the same way.
WRITER = """
import asyncio, sys
from tests.storage.stories import *
from console.storage.journal import Journal
async def story():
    journal = Journal()
    known = list(await journal.events("r1"))
    seq = len(known)
    if not seq:
        seq = 1
        await journal.append(started())
        print(seq, flush=True)
    while True:
        seq += 1
        name = await journal.save_blob(b"picture %d" % seq, "image/jpeg") if seq % 5 == 0 else None
        await journal.append(intended(seq) if seq % 2 else attempted(seq, before=name))
        print(seq, flush=True)
asyncio.run(story())
"""


def kill_a_writer(folder: Path, after_s: float) -> int:
    """The last number that the writer had said."""
    env = {**os.environ, OVERRIDE: str(folder)}
    with subprocess.Popen([sys.executable, "-c", WRITER], env=env, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        first = writer.stdout.readline()
        time.sleep(after_s)
        writer.kill()
        said = (first + writer.stdout.read()).split(b"\n")
    return int(said[-2])


async def look(folder: Path, at_least: int) -> None:
    journal = Journal(folder)
    events = await journal.events("r1")
    assert [event.seq for event in events] == list(range(1, len(events) + 1)), "no gap, nothing twice"
    assert len(events) >= at_least
    assert (await journal.runs())[0].phase is RunPhase.INTERRUPTED
    for event in events[-12:]:
        if getattr(event, "before", None):
            assert await journal.blob(event.before) == b"picture %d" % event.seq
    assert not journal.notices
    await journal.close()


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_kill_at_any_moment(tmp_path: Path) -> None:
    """Each writer goes on where the one before it was killed."""
    for _ in range(KILLS):
        said = kill_a_writer(tmp_path, random.uniform(0, 0.12))
        asyncio.run(look(tmp_path, said))
