"""A console that is killed loses no event and repeats nothing."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.apps import ReceiverWindow
from tests.support.console_window import wait_for

pytestmark = pytest.mark.display
WORDS = [f"w{n}." for n in range(8)]
GOAL = "\n".join(f'Type "{word}"' for word in WORDS)


def test_killed_at_random_moments_and_resumed_nothing_is_done_twice(receiver: ReceiverWindow, tmp_path: Path) -> None:
    _kill_often(receiver, tmp_path, 4)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_killed_at_fifty_moments(new_receiver: type[ReceiverWindow], tmp_path: Path) -> None:
    for number in range(10):
        folder = tmp_path / str(number)
        folder.mkdir()
        _kill_often(new_receiver(title=f"Receiver {number}"), folder, 5, f"Receiver {number}")


def _kill_often(receiver: ReceiverWindow, folder: Path, kills: int, title: str = "Receiver") -> None:
    """Kill the run and resume it, over and over; what is in the window tells what was really done."""
    chance = random.Random(str(folder))
    env = {**os.environ, "OPERATOR_CONSOLE_DATA": str(folder / "data")}
    env.pop("OPERATOR_CONSOLE_FORBID_DEVICES", None)
    goal = f"Switch to {title}\n{GOAL}"
    command = [sys.executable, "-m", "console", "run", "--json"]
    run_id, seen = "", 0
    for _ in range(kills):
        arguments = ["--resume", run_id] if run_id else [goal]
        decisions = folder / "decisions.json"
        decisions.write_text(json.dumps(_decisions(receiver)), encoding="utf-8")
        process = subprocess.Popen(
            [*command, *arguments, "--decisions", str(decisions)], env=env, stdout=subprocess.PIPE
        )
        time.sleep(chance.uniform(0.8, 2.6))
        process.send_signal(signal.SIGKILL)
        printed = [json.loads(line) for line in process.communicate()[0].splitlines() if line.endswith(b"}")]
        run_id = run_id or next((event["run_id"] for event in printed if "run_id" in event), "")
        events = _journal(folder / "data", run_id) if run_id else []
        shown = [event["seq"] for event in printed if event.get("run_id") == run_id and event.get("seq")]
        assert set(shown) <= set(events), "an event was shown that is not in the journal"
        assert events == list(range(1, len(events) + 1)), "an event of the journal was lost"
        assert len(events) >= seen
        seen = len(events)
        if printed and "outcome" in printed[-1]:
            break
    wait_for(lambda: receiver.state.get("text") is not None, "the text")
    _resume_to_the_end([*command, *(["--resume", run_id] if run_id else [goal])], folder, env, receiver)
    typed = re.findall(r"w\d\.", receiver.text)
    assert len(typed) == len(set(typed)), f"done twice: {receiver.text}"
    assert sorted(typed) == sorted(WORDS), receiver.text


def _resume_to_the_end(command: list[str], folder: Path, env: dict[str, str], receiver: ReceiverWindow) -> None:
    decisions = folder / "decisions.json"
    decisions.write_text(json.dumps(_decisions(receiver)), encoding="utf-8")
    subprocess.run([*command, "--decisions", str(decisions)], env=env, capture_output=True, timeout=90, check=False)


def _decisions(receiver: ReceiverWindow) -> list[dict[str, str]]:
    """What a person would say who looks at the window: it happened if the whole word is there."""
    there = [word for word in WORDS if word in receiver.text]
    happened = [
        {"on": "clarify", "match": f"interrupted during.*{re.escape(word)}", "decide": "answer", "text": "It happened"}
        for word in there
    ]
    return [
        *happened,
        {"on": "clarify", "match": "interrupted during", "decide": "answer", "text": "It did not happen"},
    ]


def _journal(data: Path, run_id: str) -> list[int]:
    path = data / "journal.db"
    if not path.exists():
        return []
    with sqlite3.connect(path, timeout=5) as db:
        return [row[0] for row in db.execute("SELECT seq FROM events WHERE run_id = ? ORDER BY seq", (run_id,))]
