"""The servers of tools in the settings: listed, added, changed, removed, tried out, and saved only if they are good."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLineEdit, QSpinBox
from shiboken6 import isValid

from console.contracts.errors import ConsoleError
from console.contracts.settings import Settings
from console.contracts.tool_servers import ToolLine, ToolServer
from console.ui.server_form import ServerForm
from console.ui.settings_form import SettingsDialog
from console.ui.tool_page import ToolPage

from .sample_setup import Servers, SetUp

NOTES = ToolServer(name="notes", command="python3", args=("-m", "my notes"), env={"TOKEN": "${key:notes}"}, timeout_s=9)
WEB = ToolServer(name="web", url="https://example.org/mcp?id=1", headers={"Authorization": "Bearer ${WEB}"})
OFF = ToolServer(name="off", command="x", enabled=False)


class Opened:
    """The dialog on its page of tools."""

    def __init__(self, *servers: ToolServer, problems: tuple[str, ...] = ()) -> None:
        self.desk = Servers(*servers)
        self.desk.problems = problems
        self.tasks: list[asyncio.Task[None]] = []
        self.saved: list[Settings] = []
        self.dialog = SettingsDialog(Settings(), SetUp(), self.desk, self.spawn)
        self.dialog.saved.connect(self.saved.append)
        self.dialog.tabs.setCurrentWidget(self.page)
        self.dialog.show()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        self.tasks.append(asyncio.ensure_future(work))

    async def settle(self) -> None:
        await asyncio.gather(*self.tasks)
        await asyncio.sleep(0.02)

    @property
    def page(self) -> ToolPage:
        return self.dialog.tools

    def choose(self, place: int) -> ServerForm:
        item = self.page.list.topLevelItem(place)
        assert item is not None
        self.page.list.setCurrentItem(item)
        return self.page.forms[place]

    @property
    def rows(self) -> list[list[str]]:
        items = [self.page.list.topLevelItem(place) for place in range(self.page.list.topLevelItemCount())]
        return [[item.text(column) for column in range(3)] for item in items if item is not None]


@pytest.fixture
def dialogs(qapp: QApplication, qt_loop: asyncio.AbstractEventLoop) -> Iterator[list[Opened]]:
    made: list[Opened] = []
    yield made
    for opened in made:
        if isValid(opened.dialog):
            opened.dialog.close()
            opened.dialog.deleteLater()


@pytest.fixture
def opened(dialogs: list[Opened]) -> Opened:
    dialogs.append(Opened(NOTES, WEB, OFF))
    return dialogs[-1]


def line(form: ServerForm, key: str) -> QLineEdit:
    field = form.fields[key]
    assert isinstance(field, QLineEdit)
    return field


async def test_the_servers_are_listed_and_saving_without_a_change_writes_nothing(opened: Opened) -> None:
    assert opened.rows == [
        ["notes", "python3 -m 'my notes'", "on"],
        ["web", "https://example.org/mcp", "on"],
        ["off", "x", "off"],
    ]
    assert opened.page.servers() == (NOTES, WEB, OFF)
    opened.dialog.save()
    assert (opened.desk.saved, len(opened.saved)) == ([], 1)


async def test_only_what_belongs_to_the_way_of_a_server_is_shown(opened: Opened) -> None:
    form = opened.choose(0)
    assert line(form, "command").isVisible()
    assert form.texts["env"].isVisible()
    assert not line(form, "url").isVisible()
    way = form.fields["way"]
    assert isinstance(way, QComboBox)
    way.setCurrentIndex(way.findData("address"))
    assert not form.texts["env"].isVisible()
    assert form.texts["headers"].isVisible()
    line(form, "url").setText("http://127.0.0.1/mcp")
    assert opened.rows[0] == ["notes", "http://127.0.0.1/mcp", "on"]
    assert opened.page.servers()[0] == ToolServer(name="notes", url="http://127.0.0.1/mcp", timeout_s=9)


async def test_a_server_is_added_changed_and_removed(opened: Opened) -> None:
    opened.page._add.click()
    form = opened.page.forms[3]
    assert opened.rows[3] == ["new", "", "on"]
    line(form, "name").setText(" files ")
    line(form, "command").setText("npx")
    line(form, "args").setText("-y 'a b'")
    line(form, "cwd").setText("/tmp")
    form.texts["env"].setPlainText("A=1\n\n B = x=y ")
    on, limit = opened.choose(2).fields["enabled"], form.fields["timeout_s"]
    assert isinstance(on, QCheckBox)
    assert isinstance(limit, QSpinBox)
    on.setChecked(True)
    limit.setValue(5)
    opened.choose(0)
    opened.page._remove.click()
    opened.dialog.save()
    assert opened.desk.saved == [
        (
            WEB,
            OFF.model_copy(update={"enabled": True}),
            ToolServer(
                name="files", command="npx", args=("-y", "a b"), cwd="/tmp", env={"A": "1", "B": "x=y"}, timeout_s=5
            ),
        )
    ]


@pytest.mark.parametrize(
    ("key", "text", "words"),
    [
        ("name", "", "A server has no name. Give it one, or remove it."),
        ("name", "web", "Two servers are called “web”. Give one of them another name."),
        ("name", "n" * 81, "The server “nnn"),
        ("command", " ", "The server “notes” has no command. Enter it."),
        ("args", "'a", "The arguments of “notes” lack a closing quote. Close it."),
        ("env", "TOKEN", "The server “notes”: a line of its environment is not “NAME=value”."),
        ("headers", ": x", "The server “web”: a line of its headers is not “Name: value”."),
        ("url", "", "The server “web” has no address. Enter it."),
        ("url", "ftp://x", "The address of “web” is none. It begins with http:// or https://."),
    ],
)
async def test_what_is_no_server_is_said_and_nothing_is_saved(opened: Opened, key: str, text: str, words: str) -> None:
    form = opened.choose(1 if key in ("headers", "url") else 0)
    if key in form.texts:
        form.texts[key].setPlainText(text)
    else:
        line(form, key).setText(text)
    opened.dialog.save()
    assert (opened.desk.saved, opened.saved) == ([], [])
    assert opened.dialog.problem.text().startswith(words)
    assert opened.dialog.problem.isVisible()


async def test_a_file_that_cannot_be_written_is_said_and_the_dialog_stays(opened: Opened) -> None:
    opened.desk.full = True
    line(opened.choose(0), "command").setText("python4")
    opened.dialog.save()
    assert opened.dialog.isVisible()
    assert opened.dialog.problem.text() == "The servers could not be saved: No space left on device. Free some space."


async def test_a_trial_lists_the_tools_with_what_they_do_or_says_why_not(opened: Opened) -> None:
    form = opened.choose(0)
    line(form, "command").setText("python9")
    opened.desk.go.clear()
    form.test.click()
    await asyncio.sleep(0.02)
    assert (form.test.isEnabled(), form.result.text()) == (False, "Asking…")
    opened.desk.go.set()
    await opened.settle()
    assert opened.desk.tried == [NOTES.model_copy(update={"command": "python9"})]
    assert form.result.text() == "It is there and has 2 tools. What does not only read waits for your approval."
    listed = [form.tools.topLevelItem(place) for place in range(2)]
    assert [[item.text(n) for n in range(3)] for item in listed if item is not None] == [
        ["list_notes", "Reads", "All notes by their title."],
        ["delete_note", "Destroys", "Deletes a note for ever."],
    ]
    assert opened.rows[0][2] == "2 tools"
    opened.desk.answer = [ToolLine(name="one")]
    form.test.click()
    await opened.settle()
    assert opened.rows[0][2] == "1 tool"
    opened.desk.answer = ConsoleError("The server “notes” ended.", "Look at it.")
    form.test.click()
    await opened.settle()
    assert (form.result.text(), form.tools.isVisible()) == ("The server “notes” ended. Look at it.", False)
    assert (opened.rows[0][2], form.test.isEnabled()) == ("not there", True)


async def test_a_trial_that_answers_when_the_window_is_gone_does_no_harm(opened: Opened) -> None:
    opened.desk.go.clear()
    form = opened.choose(0)
    task = asyncio.ensure_future(form.try_out())
    await asyncio.sleep(0.02)
    opened.dialog.close()
    opened.dialog.deleteLater()
    while isValid(form):
        await asyncio.sleep(0.01)
    opened.desk.go.set()
    await task


async def test_where_there_is_no_server_the_page_says_what_one_is_for(dialogs: list[Opened]) -> None:
    dialogs.append(Opened(problems=("The server “old” in mcp.json, line 3, is not used: it is no object.",)))
    page = dialogs[-1].page
    assert page.problem.text() == "The server “old” in mcp.json, line 3, is not used: it is no object."
    assert page.empty.isVisible()
    assert not page.list.isVisible()
    assert not page._remove.isEnabled()
    page._add.click()
    assert not page.empty.isVisible()
    assert page.list.isVisible()
