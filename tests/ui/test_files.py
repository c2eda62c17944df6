"""A run saved from the window, and a file opened as the next goal."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from console.contracts.outcome import RunLimits
from console.ui.files import BUSY, NOTHING
from console.ui.session import Session

from .sample_events import GOAL, waiting_run
from .test_session import Stage, begun, session, stage, until

__all__ = ["session", "stage"]  # fixtures


def asked(session: Session) -> QFileDialog:
    dialog = session.window.findChild(QFileDialog)
    assert dialog is not None
    return dialog


@pytest.mark.parametrize(
    ("name", "text"), [("order.txt", "# 20 steps"), ("order", "# 20 steps"), ("order.lisp", "; 20 events")]
)
async def test_the_suffix_says_whether_instructions_or_a_program_are_saved(
    session: Session, stage: Stage, tmp_path: Path, name: str, text: str
) -> None:
    events = waiting_run()
    for event in events:
        await stage.store.append(event)
    session.dialogs.run_id = events[0].run_id
    session.window.commands["save"].trigger()
    await until(lambda: session.window.findChild(QFileDialog) is not None)
    dialog = asked(session)
    assert dialog.defaultSuffix() == "txt"
    dialog.filterSelected.emit("Program (*.lisp)")
    assert dialog.defaultSuffix() == "lisp"
    dialog.fileSelected.emit(str(tmp_path / name))
    await until((tmp_path / name).is_file)
    assert (tmp_path / name).read_text(encoding="utf-8") == text.replace("20", str(len(events)))
    dialog.close()


async def test_what_cannot_be_saved_says_why(session: Session, stage: Stage, tmp_path: Path) -> None:
    session.window.commands["save"].trigger()
    assert session.window.notices.texts == [NOTHING]
    for event in waiting_run():
        await stage.store.append(event)
    session.dialogs.run_id = waiting_run()[0].run_id
    session.window.commands["save"].trigger()
    await until(lambda: session.window.findChild(QFileDialog) is not None)
    asked(session).fileSelected.emit(str(tmp_path / "no" / "order.txt"))
    await until(lambda: any("could not be written" in text for text in session.window.notices.texts))
    asked(session).close()


@pytest.mark.parametrize(("name", "planner"), [("a.txt", "instructions"), ("b.lisp", "program"), ("c", "instructions")])
async def test_a_file_becomes_the_goal_and_nothing_runs(
    session: Session, stage: Stage, tmp_path: Path, name: str, planner: str
) -> None:
    (tmp_path / name).write_text("\ufeffopen “Mousepad”\n", encoding="utf-8")
    session.window.commands["open"].trigger()
    dialog = asked(session)
    dialog.fileSelected.emit(str(tmp_path / name))
    await until(lambda: bool(session.window.goal_bar.goal))
    assert session.window.goal_bar.goal == "open “Mousepad”"
    assert session.window.goal_bar.planner.currentData() == planner
    assert stage.runs == []
    dialog.close()


@pytest.mark.parametrize(
    ("data", "why"),
    [(b"\xff\xfe\x00", "it is no text"), (b"x" * 1_000_001, "it has more than 1 MB"), (None, "No such")],
)
async def test_what_cannot_be_opened_says_why(session: Session, tmp_path: Path, data: bytes | None, why: str) -> None:
    file = tmp_path / "goal.txt"
    if data is not None:
        file.write_bytes(data)
    session.window.goal_bar.entry.write("mine")
    session.window.commands["open"].trigger()
    dialog = asked(session)
    dialog.fileSelected.emit(str(file))
    await until(lambda: any(why in text for text in session.window.notices.texts))
    assert session.window.goal_bar.goal == "mine"
    dialog.close()


async def test_during_a_run_the_goal_stays(session: Session, stage: Stage) -> None:
    stage.script = begun()
    session.start(GOAL, "instructions", RunLimits())
    await until(lambda: bool(stage.runs))
    session.window.commands["open"].trigger()
    assert session.window.notices.texts == [BUSY]
    assert session.window.findChild(QFileDialog) is None
    session.stop()
    await until(lambda: not session.running)
    await asyncio.sleep(0)
