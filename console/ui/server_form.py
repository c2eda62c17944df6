"""One server of tools in the settings: what starts or reaches it, and a trial that lists its tools."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Coroutine, Sequence
from math import ceil
from typing import Any, Literal

from pydantic import Field, ValidationError
from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QHeaderView,
    QPlainTextEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)
from shiboken6 import isValid

from console.contracts.base import Value
from console.contracts.errors import ConsoleError
from console.contracts.tool_servers import ToolLine, ToolServer

from .backstage import ToolDesk
from .form import LINE_WIDTH, ModelForm, note_label

Spawn = Callable[[Coroutine[Any, Any, None]], None]
EFFECTS = {"reads": "Reads", "changes": "Changes", "destroys": "Destroys", "unknown": "Not said"}
SECRETS = "One {} a line. Secrets as ${{key:NAME}} from the keyring, or ${{NAME}} from the environment."
TRIED_ROWS = 8
TITLES = {"env": "environment", "headers": "headers"}
PROGRAM, ADDRESS = ("command", "args", "cwd", "env"), ("url", "headers")


class Entry(Value):
    """The lines of the form; a server holds lists and maps where these are text."""

    name: str = Field(default="", title="Name", description="Its tools are called by this name.")
    enabled: bool = Field(default=True, title="In use")
    way: Literal["program", "address"] = Field(default="program", title="Reached as")
    command: str = Field(default="", title="Command", description="The program, such as npx or /usr/bin/python3.")
    args: str = Field(default="", title="Arguments", description="Separated by spaces; quotes hold words together.")
    cwd: str = Field(default="", title="Folder", description="Where it is started; empty for that of the console.")
    url: str = Field(default="", title="Address", description="As https://example.org/mcp.")
    timeout_s: int = Field(
        default=60, ge=1, le=3600, title="Time limit", description="Seconds for its start and for each call."
    )


class ServerForm(ModelForm):
    """`changed` tells that the list has to name it anew, `listed` that there are tools to see below; `state` is what
    its last trial came to."""

    changed, listed = Signal(), Signal()

    def __init__(self, server: ToolServer, desk: ToolDesk, spawn: Spawn, parent: QWidget | None = None) -> None:
        self._desk, self._spawn, self._server = desk, spawn, server
        self.state = ""
        self.texts: dict[str, QPlainTextEdit] = {}
        self._lines: QFormLayout | None = None
        values = server.model_dump(include={"name", "enabled", "command", "cwd", "url"})
        seconds = ceil(server.timeout_s)
        way = "address" if server.url else "program"
        super().__init__(
            Entry.model_construct(**values, args=shlex.join(server.args), way=way, timeout_s=seconds), parent
        )
        for field in self.fields.values():
            for signal in ("textChanged", "toggled", "currentIndexChanged"):
                if hasattr(field, signal):
                    getattr(field, signal).connect(self._show)
        self._show()

    def added(self, key: str, form: QFormLayout) -> None:
        """The maps stand behind the fields that they belong to, the trial behind all."""
        self._lines = form
        if key == "cwd":
            self._add_text("env", "Environment", "NAME=value", self._server.env, "=")
        elif key == "url":
            self._add_text("headers", "Headers", "Name: value", self._server.headers, ": ")
        elif key == "timeout_s":
            self._add_trial(form)

    def server(self) -> ToolServer:
        """As it is entered. Raises `ConsoleError` with what is wrong."""
        entry = Entry.model_construct(**self.values())
        name = entry.name.strip()
        if not name:
            raise ConsoleError("A server has no name.", "Give it one, or remove it.")
        program = entry.way == "program"
        if not (entry.command if program else entry.url).strip():
            raise ConsoleError(f"The server “{name}” has no {'command' if program else 'address'}.", "Enter it.")
        given: dict[str, Any] = {"name": name, "enabled": entry.enabled, "timeout_s": entry.timeout_s}
        if program:
            given |= {"command": entry.command.strip(), "args": _words(name, entry.args), "cwd": entry.cwd.strip()}
            given["env"] = self._map("env", name, "=")
        else:
            if not entry.url.strip().startswith(("http://", "https://", "${")):
                raise ConsoleError(f"The address of “{name}” is none.", "It begins with http:// or https://.")
            given |= {"url": entry.url.strip(), "headers": self._map("headers", name, ":")}
        try:
            return ToolServer.model_validate(given)
        except ValidationError as error:
            first = error.errors()[0]
            raise ConsoleError(f"The server “{name}”: {'.'.join(map(str, first['loc']))}: {first['msg']}.") from error

    async def try_out(self) -> None:
        """Connects and lists; the window goes on meanwhile."""
        self.test.setEnabled(False)
        self._say("Asking…")
        try:
            tools, problem = await self._desk.test(self.server()), ""
        except ConsoleError as error:
            tools, problem = (), error.sentence()
        if not isValid(self):
            return
        self.test.setEnabled(True)
        if problem:
            self._say(problem, good=False)
            self.state = "not there"
        else:
            self.state = f"{len(tools)} {'tool' if len(tools) == 1 else 'tools'}"
            self._say(f"It is there and has {self.state}. What does not only read waits for your approval.")
        self._list(tools)
        self.changed.emit()
        self.listed.emit()

    def _add_text(self, key: str, title: str, shape: str, values: dict[str, str], between: str) -> None:
        assert self._lines is not None
        text = QPlainTextEdit("\n".join(f"{name}{between}{value}" for name, value in values.items()), self)
        text.setFixedHeight(62)
        text.setMinimumWidth(LINE_WIDTH)
        text.setTabChangesFocus(True)
        text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        text.setAccessibleName(title)
        self.texts[key] = text
        self.add_row(self._lines, title, text, note_label(SECRETS.format(shape), self))

    def _add_trial(self, form: QFormLayout) -> None:
        self.test = QPushButton("Test", self)
        self.test.setAccessibleDescription("Connects to the server and lists its tools")
        self.test.setAutoDefault(False)
        self.test.clicked.connect(lambda: self._spawn(self.try_out()))
        self.result = note_label(" ", self)
        self.add_row(form, "Trial", self.test, self.result)
        self.tools = QTreeWidget(self)
        self.tools.setHeaderLabels(["Tool", "Effect", "What it does"])
        self.tools.setRootIsDecorated(False)
        self.tools.setUniformRowHeights(True)
        self.tools.setAccessibleName("Tools of the server")
        self.tools.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.tools.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.tools.hide()
        self.box.addWidget(self.tools)

    def _list(self, tools: Sequence[ToolLine]) -> None:
        self.tools.clear()
        for tool in tools:
            item = QTreeWidgetItem([tool.name, EFFECTS[tool.effect], tool.about])
            item.setToolTip(2, tool.about)
            self.tools.addTopLevelItem(item)
        row = self.tools.sizeHintForRow(0) if tools else 0
        self.tools.setFixedHeight(row * min(len(tools), TRIED_ROWS) + self.tools.header().sizeHint().height() + 4)
        self.tools.setVisible(bool(tools))

    def _map(self, key: str, server: str, between: str) -> dict[str, str]:
        found = {}
        for line in self.texts[key].toPlainText().splitlines():
            if line.strip():
                name, mark, value = line.partition(between)
                if not mark or not name.strip():
                    shape = "NAME=value" if key == "env" else "Name: value"
                    raise ConsoleError(f"The server “{server}”: a line of its {TITLES[key]} is not “{shape}”.")
                found[name.strip()] = value.strip()
        return found

    def _show(self) -> None:
        """Only what belongs to the way in which the server is reached."""
        way, form = self.fields["way"], self._lines
        assert isinstance(way, QComboBox)
        assert form is not None
        for keys, shown in ((PROGRAM, way.currentData() == "program"), (ADDRESS, way.currentData() == "address")):
            for key in keys:
                place = (self.texts.get(key) or self.fields[key]).parentWidget()
                assert place is not None
                form.setRowVisible(place, shown)
        self.changed.emit()

    def _say(self, words: str, *, good: bool = True) -> None:
        self.result.setProperty("kind", "small" if good else "problem")
        self.result.style().polish(self.result)
        self.result.setText(words)


def _words(server: str, text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise ConsoleError(f"The arguments of “{server}” lack a closing quote.", "Close it.") from error
