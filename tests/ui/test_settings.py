"""The settings as a person fills them in."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QComboBox, QDoubleSpinBox, QLineEdit, QSpinBox
from shiboken6 import isValid

from console.contracts.errors import PlannerError
from console.contracts.settings import Settings
from console.ui.planner_pages import PlannerForm
from console.ui.settings_form import SettingsDialog

from .sample_setup import Servers, SetUp

KEY = "sk-TEST-CANARY-123"


class Opened:
    """The dialog with the planner that needs a model chosen, and what it spawned."""

    def __init__(self, settings: Settings) -> None:
        self.setup, self.servers = SetUp(), Servers()
        self.tasks: list[asyncio.Task[None]] = []
        self.saved: list[Settings] = []
        self.dialog = SettingsDialog(settings, self.setup, self.servers, self.spawn)
        self.dialog.saved.connect(self.saved.append)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        self.tasks.append(asyncio.ensure_future(work))

    async def settle(self) -> None:
        while pending := [task for task in self.tasks if not task.done()]:
            await asyncio.gather(*pending)

    @property
    def form(self) -> PlannerForm:
        pages = self.dialog.planners
        pages.choice.setCurrentIndex(pages.choice.findData("model"))
        return pages.pages["model"]

    def field(self, name: str) -> Any:
        return self.form.fields[name]


@pytest.fixture
def opened(qapp: QApplication, qt_loop: asyncio.AbstractEventLoop) -> Iterator[Opened]:
    opened = Opened(Settings(planners={"old": {"kept": 1}}))
    yield opened
    if isValid(opened.dialog):
        opened.dialog.deleteLater()


async def test_what_is_entered_is_saved_and_the_rest_stays(opened: Opened) -> None:
    cost = opened.dialog.fields["limits.max_cost_usd"]
    assert isinstance(cost, QDoubleSpinBox)
    cost.setValue(1.5)
    model, tries = opened.field("model"), opened.field("tries")
    assert isinstance(model, QLineEdit)
    assert isinstance(tries, QSpinBox)
    model.setText("m-1")
    tries.setValue(7)
    opened.dialog.save()
    (settings,) = opened.saved
    assert settings.limits.max_cost_usd == 1.5
    assert settings.planners == {
        "old": {"kept": 1},
        "plain": {},
        "model": {"provider": "north", "address": "", "model": "m-1", "tries": 7},
    }
    await opened.settle()


async def test_a_value_that_is_no_good_is_said_and_nothing_is_saved(opened: Opened) -> None:
    opened.field("model").setText("much too long a name")
    opened.dialog.save()
    assert opened.saved == []
    assert opened.dialog.problem.text().startswith("model: ")
    await opened.settle()


async def test_a_key_is_kept_and_leaves_the_window(opened: Opened) -> None:
    form = opened.form
    await opened.settle()
    assert form.key_place.text() == "There is no key yet."
    assert form.key.echoMode() is QLineEdit.EchoMode.Password
    form.key.setText(KEY)
    form.key.editingFinished.emit()
    await opened.settle()
    assert opened.setup.keys == {"north": KEY}
    assert form.key.text() == ""
    assert form.key_place.text() == "The key is in the keyring."
    opened.dialog.save()
    assert KEY not in opened.saved[0].model_dump_json()


async def test_another_provider_has_another_key(opened: Opened) -> None:
    opened.setup.keys["south"] = KEY
    provider = opened.field("provider")
    assert isinstance(provider, QComboBox)
    provider.setCurrentIndex(provider.findData("south"))
    await opened.settle()
    assert opened.form.key_place.text() == "The key is in the keyring."


async def test_the_trial_says_that_it_works_or_why_not(opened: Opened) -> None:
    form = opened.form
    form.key.setText(KEY)
    form.test.click()
    await opened.settle()
    assert form.result.text() == "north:m answered in 0.1 s."
    assert opened.setup.keys == {"north": KEY}
    opened.setup.answer = PlannerError("Anthropic does not accept the key.", "Enter the right one.")
    form.test.click()
    await opened.settle()
    assert form.result.text() == "Anthropic does not accept the key. Enter the right one."
    assert form.test.isEnabled()


async def test_a_keyring_that_refuses_is_said(opened: Opened) -> None:
    form = opened.form
    form.key.setText("bad")
    form.key.editingFinished.emit()
    await opened.settle()
    assert form.result.text() == "The keyring refused. Unlock it."


async def test_an_answer_that_comes_after_the_window_is_closed_touches_nothing(opened: Opened) -> None:
    form = opened.form
    await opened.settle()
    opened.setup.go.clear()
    form.test.click()
    await asyncio.sleep(0)
    gone = asyncio.Event()
    form.destroyed.connect(gone.set)
    opened.dialog.deleteLater()
    await asyncio.wait_for(gone.wait(), 5)
    opened.setup.go.set()
    await opened.settle()


async def test_a_planner_without_settings_says_so(opened: Opened) -> None:
    assert "plain" in opened.dialog.planners.pages
    assert not opened.dialog.planners.pages["plain"].fields
    await opened.settle()
