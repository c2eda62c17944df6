"""`act`: one receipt for each line, through the gate and into the history."""

from __future__ import annotations

import io
import sys
from typing import Any

import pytest

from console.contracts.actions import Click, Key
from console.contracts.errors import CaptureError
from console.contracts.moves import StepErr
from console.testing.doubles import FakeDesktop, MemoryStore

from .fakes import FakeWiring, Said, say

SAVE, DELETE, TAB = (
    '{"type":"click","target_id":"b1"}',
    '{"type":"click","target_id":"b2"}',
    '{"type":"key","key":"Tab"}',
)


def act(monkeypatch: pytest.MonkeyPatch, wiring: FakeWiring, lines: list[str], *argv: str) -> Said:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return say(wiring, "act", *argv)


def statuses(said: Said) -> list[Any]:
    return [(line["action_kind"], line["status"]) for line in said.lines]


def test_each_line_has_its_receipt(wiring: FakeWiring, monkeypatch: pytest.MonkeyPatch) -> None:
    said = act(monkeypatch, wiring, [SAVE, "", TAB, TAB, TAB, TAB], "--json")
    assert said.code == 0
    assert statuses(said) == [("click", "ok"), *[("key", "ok")] * 4]
    assert wiring.desktop is not None
    assert wiring.desktop.performed == [Click(target_id="b1"), *[Key(key="Tab")] * 4]
    (run,) = say(wiring, "runs", "--json").lines
    assert (run["run_id"], run["attempts"], run["phase"]) == (said.lines[0]["run_id"], 5, "Done")
    assert run["summary"] == "5 of 5 actions were done."


def test_what_is_destructive_needs_a_yes(wiring: FakeWiring, monkeypatch: pytest.MonkeyPatch) -> None:
    said = act(monkeypatch, wiring, [DELETE, SAVE])
    assert (said.code, statuses(said)) == (3, [("click", "denied"), ("click", "ok")])
    assert "Nobody is there" in said.lines[0]["error"]
    (run,) = say(wiring, "runs", "--json").lines
    assert (run["phase"], run["summary"]) == ("Failed", "1 of 2 actions were done.")
    said = act(monkeypatch, wiring, [DELETE], "--yes")
    assert (said.code, statuses(said)) == (0, [("click", "ok")])


def test_one_failure_does_not_keep_the_next_from_being_tried(
    wiring: FakeWiring, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiring.results = (StepErr(message="It is gone."),)
    said = act(monkeypatch, wiring, [SAVE, '{"type":"click","target_id":"nowhere"}', SAVE])
    assert (said.code, statuses(said)) == (1, [("click", "failed"), ("click", "failed"), ("click", "ok")])
    assert said.lines[1]["target"] == "nowhere"


def test_a_line_that_is_no_action(wiring: FakeWiring, monkeypatch: pytest.MonkeyPatch) -> None:
    said = act(monkeypatch, wiring, ["jump", SAVE])
    assert (said.code, statuses(said)) == (2, [("invalid", "failed"), ("click", "ok")])
    assert said.err.startswith("Line 1 is no action: ")


def test_a_screen_that_cannot_be_seen(wiring: FakeWiring, monkeypatch: pytest.MonkeyPatch) -> None:
    async def blind(self: FakeDesktop, goal: str) -> None:
        raise CaptureError("The screen could not be captured.", "Wake it.")

    monkeypatch.setattr(FakeDesktop, "observe", blind)
    said = act(monkeypatch, wiring, [SAVE])
    assert (said.code, said.lines[0]["error"]) == (1, "The screen could not be captured. Wake it.")


def test_a_reader_that_went_away(wiring: FakeWiring, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: object, value: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("console.cli.output.Output.json", broken)
    said = act(monkeypatch, wiring, [SAVE, SAVE, SAVE])
    assert said.code == 4
    assert wiring.desktop is not None
    assert len(wiring.desktop.performed) == 1


def test_a_journal_that_fails_stops_it(wiring: FakeWiring, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.cli.pauses.RETRY_S", 0.001)
    wiring.store = lambda tell: MemoryStore(failures=1)
    said = act(monkeypatch, wiring, [SAVE])
    assert said.code == 4
    assert wiring.desktop is not None
    assert wiring.desktop.performed == []
    assert wiring.desktop.released >= 1


def test_no_desktop(wiring: FakeWiring, monkeypatch: pytest.MonkeyPatch) -> None:
    wiring.no_desktop = True
    assert act(monkeypatch, wiring, [SAVE]).code == 5
