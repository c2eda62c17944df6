"""The program pane as a person uses it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from console.contracts.events import RunEnded, RunEvent
from console.contracts.outcome import Succeeded
from console.contracts.step import Step
from console.ui.program import ProgramDialog


class Opened:
    """The pane, and what it asked for."""

    def __init__(self) -> None:
        self.tasks: list[asyncio.Task[None]] = []
        self.wanted: list[str] = []
        self.told = asyncio.Event()
        self.dialog = ProgramDialog("(+ 1 2)", self, self.spawn)
        self.dialog.run_wanted.connect(self.wanted.append)
        self.dialog.show()

    def names(self) -> Sequence[str]:
        return ["map", "mapv", "tool/click"]

    async def server_names(self) -> Sequence[str]:
        await self.told.wait()
        return ["tool/notes-add-note"]

    def from_run(self, events: Sequence[RunEvent]) -> str:
        raise NotImplementedError

    instructions = from_run

    async def check(self, source: str) -> str:
        return "" if source.count("(") == source.count(")") else "parse_error: a bracket is missing"

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        self.tasks.append(asyncio.ensure_future(work))


@pytest.fixture
async def opened(qapp: QApplication, qt_loop: asyncio.AbstractEventLoop) -> AsyncIterator[Opened]:
    one = Opened()
    yield one
    one.dialog.hide()
    one.told.set()
    await asyncio.gather(*one.tasks)
    one.dialog.deleteLater()


async def test_what_is_wrong_is_said_while_it_is_written_and_such_a_program_does_not_run(opened: Opened) -> None:
    dialog = opened.dialog
    dialog.editor.setPlainText("(+ 1")
    await dialog.look_over()
    assert dialog.problem.text() == "parse_error: a bracket is missing"
    assert not dialog.run.isEnabled()
    dialog.editor.run_wanted.emit()
    assert opened.wanted == []
    dialog.editor.setPlainText("(+ 1 2)")
    await dialog.look_over()
    assert dialog.problem.text() == "It can be run."
    dialog.run.click()
    assert opened.wanted == ["(+ 1 2)"]


async def test_it_is_looked_over_by_itself_a_moment_after_writing(opened: Opened) -> None:
    opened.dialog.editor.setPlainText("(")
    end = asyncio.get_running_loop().time() + 3
    while "bracket" not in opened.dialog.problem.text():
        assert asyncio.get_running_loop().time() < end
        await asyncio.sleep(0.02)


async def test_names_are_completed(opened: Opened, qtbot: QtBot) -> None:
    editor = opened.dialog.editor
    editor.setPlainText("")
    qtbot.keyClicks(editor, "(ma")
    assert editor.popup.isVisible()
    assert [editor.completer.completionModel().index(n, 0).data() for n in range(2)] == ["map", "mapv"]
    editor.completer.activated.emit("mapv")
    assert editor.toPlainText() == "(mapv"
    qtbot.keyClick(editor, Qt.Key.Key_Space)
    qtbot.keyClicks(editor, "tool/")
    assert editor.completer.currentCompletion() == "tool/click"
    editor.popup.hide()


async def test_tools_of_servers_are_completed_once_their_servers_have_told_them(opened: Opened, qtbot: QtBot) -> None:
    editor = opened.dialog.editor
    editor.setPlainText("")
    qtbot.keyClicks(editor, "(tool/no")
    assert not editor.popup.isVisible()
    opened.told.set()
    await asyncio.gather(*opened.tasks)
    qtbot.keyClicks(editor, "t")
    assert editor.completer.currentCompletion() == "tool/notes-add-note"
    editor.popup.hide()


async def test_ctrl_return_runs_and_ctrl_space_lists(opened: Opened, qtbot: QtBot) -> None:
    editor = opened.dialog.editor
    await opened.dialog.look_over()
    qtbot.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert opened.wanted == ["(+ 1 2)"]
    editor.setPlainText("")
    qtbot.keyClick(editor, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert editor.popup.isVisible()
    editor.popup.hide()


@pytest.mark.parametrize(
    ("step", "first"),
    [
        (Step.ok({"total": 3}, {}), "{"),
        (Step.error("timeout", "too long", {}), "timeout: too long"),
        (Step.ok("hi", {}), "hi"),
    ],
)
async def test_the_value_stands_first_and_the_step_below(opened: Opened, step: Step, first: str) -> None:
    ended = RunEnded(run_id="r", seq=1, at_ms=1, end="succeeded", outcome=Succeeded(summary="s"), step=step)
    opened.dialog.show_end(ended)
    text = opened.dialog.told.toPlainText()
    assert text.splitlines()[0] == first
    assert '"tool_calls"' in text
