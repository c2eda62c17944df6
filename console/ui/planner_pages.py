"""The settings of each planner, with the key that it needs and a button that tries it out."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from pydantic import SecretStr, ValidationError
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from console.contracts.errors import ConsoleError

from .backstage import PlannerDesk, PlannerPage
from .form import LINE_WIDTH, ModelForm, note_label

Spawn = Callable[[Coroutine[Any, Any, None]], None]
_PLACES = {
    "environment": "The key comes from the environment.",
    "keyring": "The key is in the keyring.",
    "session": "This desktop has no keyring: the key is kept until the console is closed.",
    None: "There is no key yet.",
}


class PlannerPages(QWidget):
    """One page a planner. A page is made when it is looked at."""

    def __init__(self, desk: PlannerDesk, spawn: Spawn, chosen: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._spawn = desk, spawn
        self.known: Sequence[PlannerPage] = desk.pages()
        self.pages: dict[str, PlannerForm] = {}
        self.choice = QComboBox(self)
        self.choice.setAccessibleName("Planner to set up")
        self._stack = QStackedWidget(self)
        for page in self.known:
            self.choice.addItem(page.title, page.name)
            self._stack.addWidget(_scrolled(self))
        self.choice.currentIndexChanged.connect(self._show)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        top = QHBoxLayout()
        top.setContentsMargins(20, 14, 20, 0)
        top.addWidget(self.choice, 1)
        layout.addLayout(top)
        layout.addWidget(self._stack, 1)
        self.choice.setCurrentIndex(max(self.choice.findData(chosen), 0))
        self._show(self.choice.currentIndex())

    def values(self) -> dict[str, dict[str, Any]]:
        """Of the pages that were looked at. Raises `ValidationError` for the first value that is no good."""
        found = {}
        for name, form in self.pages.items():
            values = form.values()
            type(form.page.value).model_validate(values)
            found[name] = values
        return found

    def _show(self, place: int) -> None:
        if not 0 <= place < len(self.known):
            return
        page = self.known[place]
        area = self._stack.widget(place)
        if page.name not in self.pages and isinstance(area, QScrollArea):
            form = PlannerForm(page, self._desk, self._spawn, area)
            form.setObjectName("page")
            form.box.addStretch(1)
            area.setWidget(form)
            self.pages[page.name] = form
        self._stack.setCurrentIndex(place)


class PlannerForm(ModelForm):
    """The fields of one planner; below them its key, which is never shown again, and the trial."""

    def __init__(self, page: PlannerPage, desk: PlannerDesk, spawn: Spawn, parent: QWidget | None = None) -> None:
        self.page, self._desk, self._spawn = page, desk, spawn
        super().__init__(page.value, parent)
        if not type(page.value).model_fields:
            self.box.addWidget(note_label("This planner has nothing to set.", self))
        if page.needs_model:
            self._spawn(self.say_place())

    def added(self, key: str, form: QFormLayout) -> None:
        """The key stands behind the address that it goes to."""
        if key == "address" and self.page.needs_model:
            self._add_key(form)

    def _add_key(self, form: QFormLayout) -> None:
        self.key = QLineEdit(self)
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setPlaceholderText("Paste a key to keep it")
        self.key.setMinimumWidth(LINE_WIDTH)
        self.key.setAccessibleName("Key")
        self.key_place = note_label(" ", self)
        self.test = QPushButton("Test", self)
        self.test.setAccessibleDescription("Makes one tiny call of the model")
        self.test.setAutoDefault(False)
        self.result = note_label(" ", self)
        self.result.setMinimumHeight(34)
        self.result.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.add_row(form, "Key", self.key, self.key_place)
        self.add_row(form, "Trial", self.test, self.result)
        self.test.clicked.connect(lambda: self._spawn(self.try_out()))
        self.key.editingFinished.connect(lambda: self._spawn(self.keep_key()))
        provider = self.fields.get("provider")
        if isinstance(provider, QComboBox):
            provider.currentIndexChanged.connect(lambda: self._spawn(self.say_place()))

    async def keep_key(self) -> None:
        """What was typed goes where keys are kept, and leaves the window."""
        text = self.key.text().strip()
        self.key.clear()
        if text:
            try:
                await self._desk.save_key(self.page.name, self.values(), SecretStr(text))
            except (ConsoleError, ValidationError) as error:
                self._say(_sentence(error), good=False)
            await self.say_place()

    async def say_place(self) -> None:
        if self._gone:
            return
        try:
            place = await self._desk.key_place(self.page.name, self.values())
        except (ConsoleError, ValidationError) as error:
            self._say(_sentence(error), good=False)
            return
        if not self._gone:
            self.key_place.setText(_PLACES[place])

    async def try_out(self) -> None:
        """One tiny call; the window goes on meanwhile."""
        await self.keep_key()
        if self._gone:
            return
        self.test.setEnabled(False)
        self._say("Asking…", good=True)
        try:
            words, good = await self._desk.test(self.page.name, self.values()), True
        except (ConsoleError, ValidationError) as error:
            words, good = _sentence(error), False
        self._say(words, good=good)
        if not self._gone:
            self.test.setEnabled(True)

    def _say(self, words: str, *, good: bool) -> None:
        if self._gone:
            return
        self.result.setProperty("kind", "small" if good else "problem")
        self.result.style().polish(self.result)
        self.result.setText(words)

    @property
    def _gone(self) -> bool:
        """The dialog was closed while something was awaited."""
        return not isValid(self)


def _sentence(error: ConsoleError | ValidationError) -> str:
    if isinstance(error, ConsoleError):
        return error.sentence()
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}."


def _scrolled(parent: QWidget) -> QScrollArea:
    area = QScrollArea(parent)
    area.setWidgetResizable(True)
    return area
