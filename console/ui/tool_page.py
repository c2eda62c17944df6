"""The servers of tools in the settings: a list, and the form of the one that is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from console.contracts.errors import ConsoleError
from console.contracts.tool_servers import ToolServer

from .backstage import ToolDesk
from .form import value_of
from .server_form import ServerForm, Spawn

NONE_YET = (
    "There is no server yet. A server gives a run more tools by the Model Context Protocol (MCP): files, a calendar, "
    "a database. What its tools change waits for your approval."
)
LIST_HEIGHT = 128


class ToolPage(QWidget):
    """Nothing is started but by a trial, and nothing is written but by `save`."""

    def __init__(self, desk: ToolDesk, spawn: Spawn, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._spawn = desk, spawn
        self._before, problems = desk.load()
        self.forms: list[ServerForm] = []
        self.list = QTreeWidget(self)
        self.list.setHeaderLabels(["Server", "Reached by", "State"])
        self.list.setRootIsDecorated(False)
        self.list.setFixedHeight(LIST_HEIGHT)
        self.list.setAccessibleName("Servers of tools")
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        header = self.list.header()
        header.setStretchLastSection(False)
        for column, mode in enumerate(("ResizeToContents", "Stretch", "ResizeToContents")):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode[mode])
        self.stack = QStackedWidget(self)
        self._add, self._remove = QPushButton("Add", self), QPushButton("Remove", self)
        self.problem, self.empty = _words("\n".join(problems), "warn", self), _words(NONE_YET, "muted", self)
        self.problem.setVisible(bool(problems))
        self._lay_out()
        for server in self._before:
            self._insert(server)
        self._add.clicked.connect(self.add)
        self._remove.clicked.connect(self.remove)
        self.list.currentItemChanged.connect(self._choose)
        if (first := self.list.topLevelItem(0)) is not None:
            self.list.setCurrentItem(first)
        self._choose()

    def servers(self) -> tuple[ToolServer, ...]:
        """As entered. Raises `ConsoleError` for the first that is no good."""
        found = [form.server() for form in self.forms]
        names = [server.name for server in found]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ConsoleError(f"Two servers are called “{twice}”.", "Give one of them another name.")
        return tuple(found)

    def save(self) -> None:
        """Write them if they have changed. Raises `ConsoleError`, also where the file cannot be written."""
        servers = self.servers()
        if servers != tuple(self._before):
            self._desk.save(servers)
            self._before = servers

    def add(self) -> None:
        self.list.setCurrentItem(self._insert(None))
        self.forms[-1].fields["name"].setFocus()

    def remove(self) -> None:
        place = self._place()
        if place >= 0:
            self.forms.pop(place)
            self.list.takeTopLevelItem(place)
            if (area := self.stack.widget(place)) is not None:
                self.stack.removeWidget(area)
                area.deleteLater()
            self._choose()

    def _insert(self, server: ToolServer | None) -> QTreeWidgetItem:
        area = QScrollArea(self.stack)
        area.setWidgetResizable(True)
        form = ServerForm(server or ToolServer.model_construct(name=""), self._desk, self._spawn, area)
        form.setObjectName("page")
        form.box.addStretch(1)
        area.setWidget(form)
        item = QTreeWidgetItem()
        self.forms.append(form)
        self.list.addTopLevelItem(item)
        self.stack.addWidget(area)
        form.changed.connect(lambda: _name(item, form))
        form.listed.connect(lambda: QTimer.singleShot(0, area, lambda: area.ensureWidgetVisible(form.tools)))
        _name(item, form)
        return item

    def _place(self) -> int:
        item = self.list.currentItem()
        return self.list.indexOfTopLevelItem(item) if item is not None else -1

    def _choose(self) -> None:
        place = self._place()
        self._remove.setEnabled(place >= 0)
        self.empty.setVisible(not self.forms)
        self.list.setVisible(bool(self.forms))
        self.stack.setVisible(place >= 0)
        if place >= 0:
            self.stack.setCurrentIndex(place)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        top = QVBoxLayout()
        top.setContentsMargins(20, 14, 20, 0)
        top.setSpacing(8)
        for widget in (self.problem, self.list, self.empty):
            top.addWidget(widget)
        row = QHBoxLayout()
        for button in (self._add, self._remove):
            button.setAutoDefault(False)
            row.addWidget(button)
        row.addStretch(1)
        top.addLayout(row)
        layout.addLayout(top)
        layout.addWidget(self.stack, 1)
        layout.addStretch(0)


def _words(text: str, kind: str, parent: QWidget) -> QLabel:
    label = QLabel(text, parent)
    label.setProperty("kind", kind)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label


def _name(item: QTreeWidgetItem, form: ServerForm) -> None:
    values: Sequence[str] = [str(value_of(form.fields[key])) for key in ("name", "way", "command", "args", "url")]
    name, way, command, args, url = values
    on = value_of(form.fields["enabled"])
    place = url.partition("?")[0] if way == "address" else f"{command} {args}".strip()
    for column, text in enumerate((name or "new", place, (form.state or "on") if on else "off")):
        item.setText(column, text)
