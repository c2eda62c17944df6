"""The actions on real applications, each through the one door with a permit."""

from __future__ import annotations

import os
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from console.contracts import actions as act
from console.contracts.effects import SelectorAppears, SelectorDisappears
from console.contracts.moves import StepErr
from tests.desktop.actions.fakes import fine, problem
from tests.desktop.actions.rig import Rig, rig
from tests.support.apps import Apps
from tests.support.console_window import wait_for
from tests.support.screen import Screen

pytestmark = pytest.mark.display
LINES = 'Zażółć <a@b.c> "é" 100 € 日本語 🙂\nsecond\nthird\n'


@pytest.fixture
async def live(x_state: Screen, app: Apps) -> AsyncIterator[Rig]:
    async with rig() as live:
        yield live


async def test_a_text_is_written_saved_and_asked_about(live: Rig, tmp_path: Path) -> None:
    opened = await live.do(act.LaunchApp(app_name="mousepad"))
    assert "Mousepad" in (opened.receipt.observed_effect.detail or "")
    text = await live.wait(lambda e: e.element_type == "textarea", "the text")
    typed = await live.do(act.TypeText(target_id=text.id, text=LINES))
    assert typed.receipt.observed_effect.kind.kind == "ax_reread"
    saving = await live.do(act.KeyCombo(keys=("ctrl", "shift", "s")))
    assert saving.focus_moved == "Save As"
    name = await live.wait(lambda e: e.element_type == "input" and e.label.startswith("Name"), "the name")
    target = tmp_path / "Zażółć.txt"
    fine(await live.do(act.SetValue(target_id=name.id, value=str(target))))
    saved = await live.do(act.Dialog(op="click", button="Save"))
    assert saved.receipt.route.route == "accessibility"
    wait_for(lambda: target.exists() and target.read_bytes() == LINES.encode(), "the file")
    fine(await live.do(act.TypeText(text="more")))
    assert "asks first: “Save Changes”" in problem(await live.do(act.QuitApp(app_name="Mousepad")))
    data = fine(await live.do(act.Dialog(op="list"))).data
    assert isinstance(data, dict)
    assert data["buttons"] == ["Cancel", "Don't Save", "Save"]
    fine(await live.do(act.Dialog(op="dismiss")))
    fine(await live.do(act.SetValue(target_id=text.id, value="")))
    await live.do(act.QuitApp(app_name="Mousepad"))
    last = await live.do(act.Dialog(op="click", button="Don't Save"))
    assert last.receipt.observed_effect.status == "observed"
    assert target.read_bytes() == LINES.encode()


async def test_a_form_is_filled_by_its_labels(live: Rig, app: Apps) -> None:
    form = ["zenity", "--forms", "--title=Form", "--text=Fill", "--add-entry=Name", "--add-entry=City"]
    form += ["--add-password=Secret", "--add-list=Colour", "--list-values=Red|Green|Blue"]
    running = app(form, "^Form$", stdout=subprocess.PIPE)
    name = await live.find("Name", "input")
    fine(await live.do(act.SetValue(target_id=name.id, value="Ala ął")))
    city = await live.find("City", "input")
    assert (await live.do(act.TypeText(target_id=city.id, text="Łód"))).receipt.observed_effect.status == "observed"
    fine(await live.do(act.TypeText(target_id=city.id, text="ź")))
    secret = await live.find("Secret", "input")
    typed = await live.do(act.TypeText(target_id=secret.id, text="hunter2!"))
    assert "hunter2" not in typed.model_dump_json()
    green = await live.find("Green")
    chosen = await live.do(act.Click(target_id=green.id))
    assert chosen.receipt.observed_effect.detail == "“Green” is now selected."
    ok = await live.find("OK", "button")
    gone = SelectorDisappears(selector='window[name="Form"]')
    fine(await live.do(act.Click(target_id=ok.id, expect_after=gone)))
    assert running.process.stdout is not None
    assert running.process.stdout.read().decode() == "Ala ął|Łódź|hunter2!|Green\n"


async def test_six_times_seven(live: Rig, app: Apps) -> None:
    app(["galculator"], "galculator")
    for label in ("6", "*", "7", "="):
        button = await live.find(label, "button")
        performed = await live.do(act.Click(target_id=button.id))
        # The calculator shows nothing for the operator but the light under the pointer; that is no failure.
        assert label == "*" or performed.receipt.observed_effect.status == "observed"
        assert performed.receipt.route.route == "accessibility"
    read = act.ExtractWithFallback(name="result", selectors=("#display", 'text="42"'), parse_as="int")
    assert fine(await live.do(read)).data == 42


async def test_a_terminal_gets_every_character(live: Rig, app: Apps, tmp_path: Path) -> None:
    app(["xterm", "-T", "Cat", "-e", f"cat > {tmp_path}/out"], "^Cat$")
    await live.look()
    fine(await live.do(act.TypeText(text="l<i>ne1 ąß\r\nline2\n")))
    fine(await live.do(act.Key(key="ctrl+d")))
    assert (tmp_path / "out").read_text() == "l<i>ne1 ąß\nline2\n"


async def test_windows_go_where_they_should(live: Rig, app: Apps) -> None:
    app(["mousepad"], "Mousepad")
    await live.look()
    for action in (
        act.Window(op="maximize", app="mousepad"),
        act.Window(op="restore", app="mousepad"),
        act.Window(op="place", preset="left_half", app="mousepad"),
        act.Window(op="move", x=100, y=120, width=500, height=300, app="mousepad"),
        act.Window(op="minimize", app="mousepad"),
        act.ActivateApp(app_name="mousepad"),
        act.Window(op="fullscreen"),
        act.Window(op="exit_fullscreen"),
    ):
        performed = await live.do(action)
        assert not isinstance(performed.result, StepErr), (action, performed.result)
        assert performed.receipt.observed_effect.status == "observed"
    fine(await live.do(act.Window(op="move", x=100, y=120, width=500, height=300)))
    listed = fine(await live.do(act.Window(op="list"))).data
    assert isinstance(listed, list)
    assert isinstance(listed[0], dict)
    assert (listed[0]["x"], listed[0]["y"]) == (100, 120)
    fine(await live.do(act.Window(op="close")))


async def test_a_page_is_opened_and_filled(live: Rig, app: Apps, tmp_path: Path) -> None:
    (tmp_path / "b.html").write_text("<title>Page B</title>B", encoding="utf-8")
    (tmp_path / "a.html").write_text(
        '<meta charset=utf-8><title>Page A</title><input aria-label="Name" value="old"><button>Dead</button>'
        "<select aria-label=Colour><option>Red<option>Green</select>"
        "<button onclick=\"document.title='Pressed'\">Press</button>"
        "<table><tr><td>Invoice 7<td><a href=b.html>Delete</a></table>",
        encoding="utf-8",
    )
    flags = ["--no-sandbox", "--no-first-run", "--disable-gpu", "--force-renderer-accessibility"]
    env = {**os.environ, "ACCESSIBILITY_ENABLED": "1"}
    app(
        ["chromium", *flags, f"--user-data-dir={tmp_path}/profile", f"file://{tmp_path}/b.html"],
        "Page B",
        env=env,
    )
    page = await live.do(act.Navigate(url=f"file://{tmp_path}/a.html"))
    assert page.receipt.observed_effect.detail == "The page is “Page A - Chromium” now."
    name = await live.find("Name", "input")
    fine(await live.do(act.SetValue(target_id=name.id, value="neu é")))
    colour = await live.find("Colour", "combobox")
    assert "Green" in (await live.do(act.SetValue(target_id=colour.id, value="Green"))).receipt.model_dump_json()
    dead = await live.find("Dead", "button")
    assert (await live.do(act.Click(target_id=dead.id))).receipt.observed_effect.status == "timed_out"
    press = await live.find("Press", "button")
    expect = SelectorAppears(selector='window[name*="Pressed"]')
    assert (await live.do(act.Click(target_id=press.id, expect_after=expect))).receipt.status == "ok"
    link = await live.find("Delete", "link")
    fine(await live.do(act.Click(target_id=link.id, expect_after=SelectorAppears(selector='window[name*="Page B"]'))))
