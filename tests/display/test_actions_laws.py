"""The laws on a real screen: never itself, never into the wrong window, stopped at once, no false success."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import xcffib
import xcffib.xproto as xp

from console.contracts import actions as act
from console.contracts.effects import DomChanged, SelectorAppears
from console.contracts.errors import PermitVoid
from console.contracts.moves import StepErr
from console.core.targets import resolve_target
from tests.desktop.actions.fakes import fine, problem
from tests.desktop.actions.rig import Rig, rig
from tests.support.apps import Apps, ReceiverWindow
from tests.support.screen import Screen, XWindow

pytestmark = pytest.mark.display
TRICKY = """
import sys
from PySide6.QtWidgets import *
a = QApplication([]); w = QWidget(); w.setWindowTitle("Tricky"); box = QVBoxLayout(w)
dead = QPushButton("Nothing"); dead.setToolTip("This does nothing at all"); box.addWidget(dead)
line = QLineEdit(); line.setAccessibleName("Line"); box.addWidget(line); line.setFocus()
tick = QCheckBox("Stubborn"); tick.clicked.connect(lambda: tick.setChecked(False)); box.addWidget(tick)
short = QLineEdit(); short.setAccessibleName("Short"); short.setMaxLength(3); box.addWidget(short)
w.show(); a.exec()
"""


@pytest.fixture
async def live(x_state: Screen, app: Apps) -> AsyncIterator[Rig]:
    async with rig() as live:
        yield live


@pytest.fixture
def console_window(app: Apps) -> Callable[[], XWindow]:
    """A window that says that it is the console's."""

    def make() -> XWindow:
        window = app(["zenity", "--info", "--title=The console", "--text=Approve?"], "^The console$").window
        x = xcffib.connect()
        atom = x.core.InternAtom(False, 17, "_OPERATOR_CONSOLE").reply().atom
        x.core.ChangePropertyChecked(xp.PropMode.Replace, window.id, atom, xp.Atom.CARDINAL, 32, 1, [1]).check()
        x.disconnect()
        return window

    return make


async def plan(live: Rig, action: act.AnyAction) -> Any:
    scene = await live.look()
    return live.book.issue(action, resolve_target(action, scene).print, scene.id, approved=True)


async def test_the_focus_goes_back_to_the_target_after_approval(
    live: Rig, receiver: ReceiverWindow, console_window: Callable[[], XWindow]
) -> None:
    line = await live.find("Line", "input")
    fine(await live.do(act.Click(target_id=line.id)))
    action = act.TypeText(text="into the line")
    permit = await plan(live, action)
    console_window()
    fine(await live.desktop.perform(action, permit))
    assert receiver.line == "into the line"


async def test_keys_never_reach_the_console(live: Rig, console_window: Callable[[], XWindow], screen: Screen) -> None:
    console = console_window()
    performed = await live.do(act.KeyCombo(keys=("alt", "f4")))
    assert "No window has the focus" in problem(performed)
    assert console.id in [window.id for window in screen.windows()]


async def test_the_console_is_never_clicked(
    live: Rig, receiver: ReceiverWindow, console_window: Callable[[], XWindow]
) -> None:
    await live.find("Count", "button")
    console_window()
    listed = await live.windows.all_windows()
    own = next(entry.info.bounds for entry in listed if entry.own)
    performed = await live.do(act.Click(target_id=f"point:{own.center.x},{own.center.y}"))
    assert "The console covers" in problem(performed)
    assert receiver.events("press") == []


async def test_a_late_answer_is_waited_for(live: Rig, new_receiver: Callable[..., ReceiverWindow]) -> None:
    receiver = new_receiver(delay_ms=600)
    button = await live.find("Count", "button")
    performed = await live.do(act.Click(target_id=button.id))
    assert performed.receipt.observed_effect.status == "observed"
    assert receiver.state["clicks"] == 1


async def test_what_does_nothing_is_never_a_success(live: Rig, app: Apps) -> None:
    app([sys.executable, "-c", TRICKY], "^Tricky$")
    dead = await live.find("Nothing", "button")
    place = dead.bounds.center
    for click in (act.Click(target_id=dead.id), act.Click(target_id=f"point:{place.x},{place.y}")):
        performed = await live.do(click)
        assert performed.receipt.observed_effect.detail == "Nothing changed on the screen."
        assert performed.receipt.observed_effect.status == "timed_out"
    for expectation in (SelectorAppears(selector='text="Saved"', timeout_ms=300), DomChanged(timeout_ms=300)):
        performed = await live.do(act.Click(target_id=dead.id, expect_after=expectation))
        assert performed.receipt.status == "timed_out"
        assert isinstance(performed.result, StepErr)
    box = await live.find("Stubborn", "checkbox")
    performed = await live.do(act.SetValue(target_id=box.id, value="true"))
    assert performed.receipt.observed_effect.status == "contradicted"
    short = await live.find("Short", "input")
    assert "missing: “d”, “e”" in problem(await live.do(act.TypeText(target_id=short.id, text="abcde")))


async def test_an_app_that_is_gone_or_stopped(live: Rig, app: Apps) -> None:
    running = app([sys.executable, "-c", TRICKY], "^Tricky$")
    line = await live.find("Line", "input")
    action = act.TypeText(target_id=line.id, text="x")
    permit = await plan(live, action)
    os.kill(running.process.pid, signal.SIGSTOP)
    began = time.monotonic()
    with contextlib.suppress(PermitVoid):
        assert isinstance((await live.desktop.perform(action, permit)).result, StepErr)
    assert time.monotonic() - began < 5
    os.kill(running.process.pid, signal.SIGCONT)
    permit = await plan(live, action)
    os.kill(running.process.pid, signal.SIGKILL)
    running.process.wait()
    with contextlib.suppress(PermitVoid):
        assert isinstance((await live.desktop.perform(action, permit)).result, StepErr)


async def test_being_stopped_ends_the_typing_at_once(live: Rig, receiver: ReceiverWindow, screen: Screen) -> None:
    text = await live.find("Text", "textarea")
    task = asyncio.create_task(live.do(act.TypeText(target_id=text.id, text="abcdefghij" * 200)))
    await asyncio.to_thread(receiver.wait, lambda state: len(state["text"]) > 20, "some text")
    stopped_at = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0.3)
    assert live.input.last_event_at - stopped_at < 0.25
    assert not screen.held()
    assert len(receiver.text) < 2000
