"""`run`: exit codes, what is printed, prepared decisions."""

from __future__ import annotations

import asyncio
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from console.cli.output import Output
from console.cli.run import _Watcher
from console.contracts.actions import Click
from console.contracts.errors import StorageError
from console.contracts.events import (
    ApprovalGiven,
    ClarifyAnswered,
    DoneChecked,
    Noticed,
    PhaseChanged,
    RunPhase,
    VerifyAnswered,
    VerifyAsked,
)
from console.contracts.moves import AttemptRecord, DoneVerdict, Fail, NextActionHint, StepErr
from console.contracts.operator import ClarifyAnswer, VerifyDecision, VerifyRequest
from console.contracts.safety import ApprovalDecision
from console.core.control import RunControl
from console.storage.journal import Journal
from console.testing.doubles import MemoryStore
from tests.storage.stories import attempted, ended, intended, receipt, stamp, started

from .fakes import ASK, DONE, FakeWiring, batch, say


def decisions(folder: Path, *rows: Any) -> str:
    path = folder / "decisions.json"
    path.write_text(json.dumps(rows))
    return str(path)


def test_succeeded(wiring: FakeWiring) -> None:
    said = say(wiring, "run", "Save the file")
    assert said.code == 0
    lines = said.out.splitlines()
    assert any("✓  Click “Save”" in line for line in lines)
    assert "✓  Done: It is saved" in lines[-2]
    last = json.loads(lines[-1])
    assert last["outcome"]["status"] == "succeeded"
    assert last["step"]["return"] == {"total": 42}
    assert said.err == ""


def test_json(wiring: FakeWiring) -> None:
    said = say(wiring, "run", "Save the file", "--json", "--max-steps", "7", "--timeout", "2.5", "--planner", "replay")
    assert said.code == 0
    assert [line["seq"] for line in said.lines] == list(range(1, len(said.lines) + 1))
    assert said.lines[-1]["event"] == "run_ended"
    assert said.lines[-1]["outcome"]["summary"] == "It is saved"
    assert said.lines[-1]["step"]["fail"] is None
    (order,) = wiring.orders
    assert (order.max_steps, order.timeout_ms, order.planner) == (7, 2500, "replay")


def test_failed(wiring: FakeWiring) -> None:
    wiring.moves = (Fail(reason="There is no such file."),)
    said = say(wiring, "run", "x")
    assert said.code == 1
    assert "✕  Failed: There is no such file." in said.out


def test_a_question_without_an_answer_is_refused(wiring: FakeWiring) -> None:
    wiring.moves = (ASK, DONE)
    said = say(wiring, "run", "x")
    assert said.code == 3
    assert "?  Asks: Which file? · A / B" in said.out


def test_a_denied_approval_that_ended_it_is_refused(wiring: FakeWiring) -> None:
    wiring.moves = (batch("b2"), Fail(reason="It was denied."))
    said = say(wiring, "run", "x")
    assert said.code == 3
    assert "Denied: No prepared decision covers it" in said.out
    assert wiring.desktop is not None
    assert wiring.desktop.performed == []


def test_no_desktop(wiring: FakeWiring) -> None:
    wiring.no_desktop = True
    said = say(wiring, "run", "x")
    assert (said.code, said.out) == (5, "")
    assert said.err == "operator-console: There is no display. Start from a graphical session.\n"


def test_decisions_approve_and_answer(wiring: FakeWiring, tmp_path: Path) -> None:
    wiring.moves = (ASK, batch("b2"), DONE)
    file = decisions(
        tmp_path,
        {"on": "approval", "match": "never", "decide": "deny"},
        {"on": "clarify", "match": "^Which", "decide": "answer", "text": "B"},
        {"on": "approval", "match": "^Delete all$", "decide": "approve", "text": "go on"},
    )
    said = say(wiring, "run", "x", "--decisions", file)
    assert said.code == 0
    assert "✓  You answered: B" in said.out
    assert "✓  Approved: go on" in said.out
    assert wiring.desktop is not None
    assert wiring.desktop.performed == [Click(target_id="b2")]


def test_a_decision_is_used_as_often_as_it_says(wiring: FakeWiring, tmp_path: Path) -> None:
    wiring.moves = (batch("b2"), batch("b1"), batch("b2"), Fail(reason="Denied."))
    once = {"on": "approval", "match": "Delete", "decide": "approve", "times": 1}
    said = say(wiring, "run", "x", "--decisions", decisions(tmp_path, once))
    assert said.code == 3
    assert wiring.desktop is not None
    assert len(wiring.desktop.performed) == 2


def test_a_question_may_be_declined(wiring: FakeWiring, tmp_path: Path) -> None:
    wiring.moves = (ASK,)
    said = say(wiring, "run", "x", "--decisions", decisions(tmp_path, {"on": "clarify", "decide": "deny"}))
    assert said.code == 3
    assert "✕  Question declined" in said.out


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([{"on": "approval", "decide": "approve"}, {"on": "approval", "match": "(", "decide": "deny"}],
         "Decision 2, “match”: is no regular expression"),
        ([{"on": "dinner", "decide": "deny"}], "Decision 1, “on”: Input should be 'approval' or 'clarify'"),
        ([{"on": "approval", "decide": "answer"}], "Decision 1: an approval is approved or denied"),
        ([{"on": "clarify", "decide": "approve"}], "Decision 1: a question is answered or denied"),
        ([{"on": "approval", "decide": "deny", "time": 1}], "Decision 1, “time”: Extra inputs"),
        ([{"on": "approval", "decide": "deny", "times": 0}], "Decision 1, “times”"),
        ({"on": "approval"}, "have to be a list"),
    ],
)  # fmt: skip
def test_wrong_decisions_name_the_row(wiring: FakeWiring, tmp_path: Path, rows: Any, words: str) -> None:
    path = tmp_path / "d.json"
    path.write_text(json.dumps(rows))
    said = say(wiring, "run", "x", "--decisions", str(path))
    assert said.code == 2
    assert words in said.err
    assert said.err.count("\n") == 1


def test_decisions_that_cannot_be_read(wiring: FakeWiring, tmp_path: Path) -> None:
    (tmp_path / "d.json").write_text("{")
    assert "is not JSON" in say(wiring, "run", "x", "--decisions", str(tmp_path / "d.json")).err
    said = say(wiring, "run", "x", "--decisions", str(tmp_path / "none.json"))
    assert said.code == 2
    assert "cannot be read" in said.err


def test_goals_from_elsewhere(wiring: FakeWiring, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "goal.txt").write_text("\ufeffSave\nand close", "utf-8")
    assert say(wiring, "run", "--goal-file", str(tmp_path / "goal.txt")).code == 0
    monkeypatch.setattr(sys, "stdin", io.StringIO("From stdin"))
    assert say(wiring, "run", "--goal-file", "-").code == 0
    assert [order.goal for order in wiring.orders] == ["Save\nand close", "From stdin"]


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["run"], "There is no goal."),
        (["run", "  "], "There is no goal."),
        (["run", "--goal-file", "none.txt"], "cannot be read"),
        (["run", "--goal-file", "bytes.txt"], "is not UTF-8 text"),
        (["run", "x", "--planner", "oracle"], "Choose one of: instructions, replay."),
        (["run", "x", "--ask"], "--ask needs a terminal"),
    ],
)
def test_wrong_use(
    wiring: FakeWiring, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argv: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bytes.txt").write_bytes(b"\xff\xfe\xff")
    said = say(wiring, *argv)
    assert (said.code, said.out) == (2, "")
    assert words in said.err
    assert said.err.count("\n") == 1


def test_a_planner_without_its_key(wiring: FakeWiring) -> None:
    wiring.planner_fails = True
    said = say(wiring, "run", "x")
    assert (said.code, said.err) == (1, "operator-console: The planner needs a key. Set one in the settings.\n")


def test_a_run_without_an_end(wiring: FakeWiring) -> None:
    wiring.events = (started(),)
    said = say(wiring, "run", "x")
    assert said.code == 1
    assert "gave no end" in said.err


def test_report(wiring: FakeWiring, tmp_path: Path) -> None:
    said = say(wiring, "run", "Save the file", "--report", str(tmp_path / "out"))
    assert said.code == 0
    assert f"The report is in {tmp_path / 'out/report.html'}." in said.err
    assert json.loads((tmp_path / "out/step.json").read_text())["return"] == {"total": 42}
    (tmp_path / "file").write_text("")
    said = say(wiring, "run", "Save the file", "--report", str(tmp_path / "file"))
    assert said.code == 0, "the run has succeeded all the same"
    assert "could not be written" in said.err


def test_an_interrupted_run_goes_on(wiring: FakeWiring, tmp_path: Path) -> None:
    async def leave_behind() -> None:
        journal = Journal(wiring.folder)
        for event in (started(goal="Save the file", planner="replay"), intended(2)):
            await journal.append(event)
        await journal.close()

    asyncio.run(leave_behind())
    wiring.moves = (DONE,)
    said = say(wiring, "run", "--resume", "r1", "--decisions", decisions(
        tmp_path, {"on": "clarify", "match": "Did it happen", "decide": "answer", "text": "It happened"}
    ))  # fmt: skip
    assert said.code == 0
    (order,) = wiring.orders
    assert (order.goal, order.planner, order.run_id) == ("Save the file", "replay", "r1")
    assert wiring.desktop is not None
    assert wiring.desktop.performed == []
    again = say(wiring, "run", "--resume", "last")
    assert (again.code, again.err) == (1, "operator-console: This run has ended. Start it again with the same goal.\n")


def test_a_journal_that_fails_is_tried_again(wiring: FakeWiring, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.cli.pauses.RETRY_S", 0.01)
    wiring.store = lambda tell: MemoryStore(failures=3)
    said = say(wiring, "run", "x")
    assert said.code == 0
    assert said.out.count("The disk is full. Free some space.") == 3


def test_a_journal_that_keeps_failing_stops_the_run(wiring: FakeWiring, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.cli.pauses.RETRY_S", 0.001)
    wiring.store = lambda tell: MemoryStore(failures=1000)
    said = say(wiring, "run", "x")
    assert said.code == 4


class Broken(io.StringIO):
    def write(self, text: str) -> int:
        raise BrokenPipeError


def test_a_run_that_nobody_watches_is_stopped() -> None:
    control = RunControl()
    watcher = _Watcher(Output(Broken(), io.StringIO()), control, as_json=False)
    watcher.show(started())
    watcher.show(attempted(2))
    assert control.stop_reason == "Nobody reads the output any more."


def test_every_event_worth_showing_is_one_line() -> None:
    record = AttemptRecord(
        step_purpose="save",
        action=Click(target_id="b1"),
        succeeded=False,
        error="It did\nnothing\x1b[2J.",
        next_action_hint=NextActionHint.DIFFERENT_TARGET,
    )
    out = io.StringIO()
    watcher = _Watcher(Output(out, io.StringIO()), RunControl(), as_json=False)
    for event in (
        started(),
        PhaseChanged(**stamp(2), phase=RunPhase.ACTING),
        attempted(3, record=record, receipt=receipt()),
        ApprovalGiven(**stamp(4), request_id="q", attempt_id="a", decision=ApprovalDecision(verdict="approve")),
        ClarifyAnswered(**stamp(5), request_id="q", answer=ClarifyAnswer(text="yes")),
        VerifyAsked(**stamp(6), request=VerifyRequest(request_id="q", summary="saved", problem="no grader")),
        VerifyAnswered(**stamp(7), request_id="q", decision=VerifyDecision(verdict="reject", reason="I see nothing")),
        DoneChecked(**stamp(8), summary="saved", verdict=DoneVerdict(verified=True)),
        DoneChecked(**stamp(9), summary="saved", problem="no grader"),
        Noticed(**stamp(10), severity="info", text="Slow.", hint="Wait."),
        ended(11, "stopped", summary="Stopped by you."),
    ):
        watcher.show(event)
    texts = [line[10:] for line in out.getvalue().splitlines()]
    assert texts[:-1] == [
        "   Goal: Save the file · run r1",
        "✕  Click “Save” — It did nothing [2J. · observed · hint: different target · 0.3 s",
        "✓  Approved",
        "✓  You answered: yes",
        "?  Is it done? saved · no grader",
        "!  You said that it is not done · I see nothing",
        "✓  Checked: it holds",
        "!  Could not check: no grader",
        "!  Slow. Wait.",
        "✕  Stopped: Stopped by you. · 0.9 s",
    ]


def test_a_step_that_failed_says_so(wiring: FakeWiring) -> None:
    wiring.results = (StepErr(message="The button is gone."),)
    assert "— The button is gone." in say(wiring, "run", "x").out


def test_storage_trouble_has_one_sentence(wiring: FakeWiring) -> None:
    def broken(tell: object) -> object:
        raise StorageError("The journal is locked.", "Close the other console.")

    wiring.store = broken
    assert say(wiring, "runs").err == "operator-console: The journal is locked. Close the other console.\n"
