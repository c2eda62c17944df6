"""The report tells the run to anybody, and nothing of the screen comes alive in it."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

from console.contracts.actions import Click, SetValue, TypeText, Wait
from console.contracts.effects import ObservedEffect
from console.contracts.errors import StorageError
from console.contracts.events import (
    RUN_EVENT,
    ApprovalAsked,
    ApprovalGiven,
    ClarifyAnswered,
    ClarifyAsked,
    DoneChecked,
    MemoryChanged,
    Noticed,
    PhaseChanged,
    Recorded,
    RunEvent,
    RunPhase,
    VerifyAnswered,
    VerifyAsked,
)
from console.contracts.moves import AttemptRecord, DoneVerdict, NextActionHint
from console.contracts.operator import ClarifyAnswer, ClarifyRequest, VerifyDecision, VerifyRequest
from console.contracts.safety import ApprovalDecision, ApprovalRequest, RiskAssessment, RiskLevel
from console.core.secrecy import MASK
from console.storage.export import export_run
from console.storage.journal import Journal
from console.storage.pictures import Gallery
from console.storage.scrub import scrubbed

from .stories import (
    SECRET,
    TARGET,
    attempted,
    ended,
    files_below,
    intended,
    picture,
    receipt,
    stamp,
    started,
    typed,
)

EVIL = "<script>alert(1)</script>\"'&"
CANARY = "hunter2-sk-TEST-CANARY-123"


def request(**fields: Any) -> ApprovalRequest:
    return ApprovalRequest(
        **{
            "request_id": "q1",
            "attempt_id": "a",
            "action": Click(target_id="b1"),
            "sentence": "Click “Delete all”",
            "purpose": "clean",
            "risk": RiskAssessment(level=RiskLevel.DESTRUCTIVE, reasons=("It deletes files.",)),
            "target": TARGET,
            "scene_id": "s",
            "frame_id": "f",
            **fields,
        }
    )


async def keep(journal: Journal, *events: RunEvent) -> None:
    for event in events:
        await journal.append(event)


async def the_report(journal: Journal, folder: Path) -> str:
    return html.unescape((await export_run(journal, "r1", folder)).read_text("utf-8"))


async def test_a_whole_run(journal: Journal, tmp_path: Path) -> None:
    one = await journal.save_blob(picture("navy"), "image/jpeg")
    two = await journal.save_blob(picture("green", kind="PNG"), "image/png")
    effect = ObservedEffect(status="contradicted", detail="Nothing changed.")
    failed = AttemptRecord(
        step_purpose="save",
        action=Click(target_id="b1"),
        succeeded=False,
        error="The button did nothing.",
        next_action_hint=NextActionHint.DIFFERENT_TARGET,
        effect=effect,
    )
    await keep(
        journal,
        started(goal="Save the file\nand close"),
        PhaseChanged(**stamp(2), phase=RunPhase.PAUSED, detail="You moved the mouse."),
        ApprovalAsked(**stamp(3), request=request()),
        ApprovalGiven(
            **stamp(4), request_id="q1", attempt_id="a", decision=ApprovalDecision(verdict="deny", reason="Too many")
        ),
        ClarifyAsked(**stamp(5), request=ClarifyRequest(request_id="q2", question="Which?", candidates=("A", "B"))),
        ClarifyAnswered(**stamp(6), request_id="q2", answer=ClarifyAnswer(text="B")),
        intended(7),
        attempted(8, before=one, after=two, receipt=receipt()),
        intended(9),
        attempted(10, record=failed, before=two, after=two, settled=False),
        MemoryChanged(**stamp(11), key="total", value=42),
        MemoryChanged(**stamp(12), key="operator_answers", value=["not shown twice"]),
        Recorded(**stamp(13), turn=1, record=failed),
        DoneChecked(**stamp(14), summary="Saved", verdict=DoneVerdict(verified=True)),
        VerifyAsked(**stamp(15), request=VerifyRequest(request_id="q3", summary="Saved", problem="No grader")),
        VerifyAnswered(**stamp(16), request_id="q3", decision=VerifyDecision(verdict="accept", reason="I see it")),
        Noticed(**stamp(17), severity="warning", text="It was slow.", hint="Close something."),
        ended(18, unverified=True),
    )
    page = await the_report(journal, tmp_path / "out")
    for words in (
        "Done (unverified)",
        "It is saved",
        "Save the file\nand close",
        "17.0 s",
        "2 attempts",
        "planner: instructions",
        "Paused: You moved the mouse.",
        "Denied: Too many — Click “Delete all”",
        "It deletes files.",
        "Asks: Which?",
        "A · B",
        "You answered: B",
        "observed",
        "by native input",
        "contradicted",
        "The button did nothing.",
        "hint: different target",
        "the screen was still changing",
        "Noted total",
        "Checked: it holds",
        "You said that it is done",
        "It was slow.",
        '"total": 42',
    ):
        assert words in page, words
    assert "not shown twice" not in page
    assert '<rect class="target" x="20" y="30" width="60" height="20"' in page
    assert '<circle class="target" cx="50" cy="40"' in page
    assert page.count("data:image/jpeg;base64,") == 2, "each picture is in it once"
    assert page.count("<use href=") == 2
    assert sorted(path.name for path in (tmp_path / "out/screenshots").iterdir()) == [
        "001-after.png", "001-before.jpg", "002-after.png", "002-before.png",
    ]  # fmt: skip
    assert (tmp_path / "out/screenshots/001-before.jpg").read_bytes() == picture("navy")
    step = json.loads((tmp_path / "out/step.json").read_text("utf-8"))
    assert step["return"] == {"total": 42}
    assert step["fail"] is None
    lines = (tmp_path / "out/events.jsonl").read_text("utf-8").splitlines()
    assert [RUN_EVENT.validate_json(line) for line in lines] == await journal.events("r1")


async def test_screen_text_stays_text(journal: Journal, tmp_path: Path) -> None:
    record = AttemptRecord(step_purpose=EVIL, action=Wait(ms=1), succeeded=False, error=EVIL)
    await keep(
        journal,
        started(goal=EVIL),
        attempted(2, sentence=EVIL, record=record),
        Noticed(**stamp(3), severity="error", text=EVIL, hint=EVIL),
        ended(4, "failed", summary=EVIL),
    )
    page = (await export_run(journal, "r1", tmp_path / "out")).read_text("utf-8")
    assert "<script" not in page
    assert page.count("&lt;script&gt;") >= 7
    assert re.search(r"default-src 'none'", page)
    assert "http:" not in page
    assert "https:" not in page


async def test_secrets_are_in_no_file(journal: Journal, tmp_path: Path) -> None:
    """Even if whoever made the events forgot to mask them."""
    setting = SetValue(target_id="p1", value=CANARY)
    await keep(
        journal,
        started(),
        ApprovalAsked(
            **stamp(2), request=request(action=setting, target=SECRET, sentence=f"Set “Password” to “{CANARY}”")
        ),
        ClarifyAnswered(**stamp(3), request_id="q", answer=ClarifyAnswer(text=CANARY, secret=True)),
        intended(4, action=TypeText(text=CANARY), target=SECRET, sentence=f"Type “{CANARY}”"),
        typed(5, CANARY),
        ended(6),
    )
    await export_run(journal, "r1", tmp_path / "out")
    await journal.close()
    assert [path for path in files_below(tmp_path) if CANARY.encode() in path.read_bytes()] == []
    assert MASK in (tmp_path / "out/report.html").read_text("utf-8")


def test_masked_events_are_left_as_they_are() -> None:
    open_answer = ClarifyAnswered(**stamp(1), request_id="q", answer=ClarifyAnswer(text="B"))
    masked_answer = ClarifyAnswered(**stamp(1), request_id="q", answer=ClarifyAnswer(text=MASK, secret=True))
    for event in (open_answer, masked_answer, attempted(2), attempted(2, target=None), intended(3)):
        assert scrubbed(event) is event
    click = intended(3, target=SECRET)
    assert scrubbed(click) == click


@pytest.mark.parametrize(("end", "word"), [("failed", "Failed"), ("refused", "Refused"), ("stopped", "Stopped")])
async def test_how_it_ended(journal: Journal, tmp_path: Path, end: str, word: str) -> None:
    await keep(journal, started(), ended(2, end, summary="Because."))
    page = await the_report(journal, tmp_path / "out")
    assert f">{word}</h1>" in page
    assert "0 attempts" in page


async def test_an_interrupted_run_says_what_is_not_known(journal: Journal, tmp_path: Path) -> None:
    await keep(journal, started(), MemoryChanged(**stamp(2), key="total", value=1), intended(3))
    page = await the_report(journal, tmp_path / "out")
    assert "Interrupted" in page
    assert "whether it happened is not known" in page
    step = json.loads((tmp_path / "out/step.json").read_text("utf-8"))
    assert step["fail"]["reason"] == "interrupted"
    assert step["memory"] == {"total": 1}


async def test_lost_pictures_and_other_oddities(journal: Journal, tmp_path: Path) -> None:
    lost = await journal.save_blob(picture("red"), "image/jpeg")
    none = await journal.save_blob(b"no picture", "image/jpeg")
    small = await journal.save_blob(picture(size=(10, 10)), "image/jpeg")
    await keep(
        journal,
        attempted(1, before=lost, after=none),
        attempted(2, before=small),
        ApprovalGiven(**stamp(3), request_id="?", attempt_id="a", decision=ApprovalDecision(verdict="approve")),
    )
    next((journal.folder / "blobs").rglob(lost)).unlink()
    (tmp_path / "out/screenshots").mkdir(parents=True)
    (tmp_path / "out/screenshots/099-before.jpg").write_bytes(b"of an earlier report")
    (tmp_path / "out/screenshots/holiday.jpg").write_bytes(b"mine")
    page = await the_report(journal, tmp_path / "out")
    assert page.count("<figure>") == 1
    assert 'class="target"' not in page, "the target lies outside this picture"
    names = sorted(path.name for path in (tmp_path / "out/screenshots").iterdir())
    assert names == ["001-after.jpg", "002-before.jpg", "holiday.jpg"]


async def test_the_report_of_a_long_run_stays_small(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.storage.export.Gallery", lambda: Gallery(inside=1))
    one, two = [await journal.save_blob(picture(colour), "image/jpeg") for colour in ("navy", "green")]
    await keep(journal, started(), attempted(2, before=one, after=two), attempted(3, before=two), ended(4))
    page = await the_report(journal, tmp_path / "out")
    assert page.count("data:image/jpeg;base64,") == 1
    assert 'href="screenshots/001-after.jpg" width="1280"' in page
    assert page.count("<use href=") == 1


async def test_what_cannot_be_exported(journal: Journal, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="There is no run r9"):
        await export_run(journal, "r9", tmp_path)
    await keep(journal, started())
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="could not be written"):
        await export_run(journal, "r1", tmp_path / "file")
