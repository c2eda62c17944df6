"""What the console sees of real applications."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from console.contracts.errors import TargetError
from tests.desktop.perception.rig import Eyes, chromium, eyes, named
from tests.support.apps import Apps
from tests.support.screen import Screen

pytestmark = pytest.mark.display
PAGE = """<!doctype html><title>Orders</title><h1>Orders</h1>
<table><tr><td>Invoice 7</td><td><a href=#7>Delete</a></td></tr>
<tr><td>Invoice 8</td><td><a href=#8>Delete</a></td></tr></table>
<table><thead><tr><th>Bill<th>Do</tr></thead><tr><td>Bill 9<td><button>Pay</button></tr></table>
<p><label>Name <input value=Ann></label> <input type=password aria-label=Secret value="hunter2!">
<select aria-label=Size><option>Small<option selected>Large</select><p style="margin-top:2000px">Far below"""


@pytest.fixture
async def looking() -> AsyncIterator[Eyes]:
    async with eyes() as looking:
        yield looking


async def xdotool(*words: str) -> None:
    process = await asyncio.create_subprocess_exec("xdotool", *words)
    assert await process.wait() == 0


async def test_a_form_is_read_with_labels_values_and_choices(looking: Eyes, app: Apps) -> None:
    form = ["zenity", "--forms", "--title=Form", "--text=Fill", "--add-entry=Name", "--add-password=Secret"]
    app([*form, "--add-list=Colour", "--list-values=Red|Green"], "^Form$")
    name = await looking.find("Name", "input")
    secret = await looking.find("Secret", "input")
    assert (name.settable, name.protected, secret.protected) == (True, False, True)
    await xdotool("type", "Ala")
    scene = await looking.until(lambda s: named(s, "Name", "input")[0].value == "Ala", "the typed text")
    assert named(scene, "Name", "input")[0].id == name.id == scene.focused_id
    await xdotool("key", "Tab")
    await xdotool("type", "hunter2")
    scene = await looking.until(lambda s: s.focused_id == secret.id, "the focus on the password")
    assert "hunter2" not in scene.model_dump_json()
    with pytest.raises(TargetError, match="never read"):
        await looking.live.read_text(secret.id)
    assert await looking.live.set_text(secret.id, "x") is None
    assert await looking.live.set_text(name.id, "Zażółć 日本語 🙂") == "Zażółć 日本語 🙂"
    green = await looking.find("Green")
    assert green.clickable
    assert [b.kind for b in scene.blockers] in ([], ["modal_dialog"])


async def test_an_open_menu_is_read_and_gone_when_it_is_closed(looking: Eyes, app: Apps) -> None:
    app(["mousepad"], "Mousepad")
    menu = await looking.find("File", "menu")
    assert not named(await looking.look(), "Save As...")
    await xdotool("key", "alt+f")
    await looking.until(lambda s: any(w.menu for w in s.windows), "the menu")
    item = await looking.find("Save As...", "menuitem")
    scene = await looking.look()
    popup = scene.window_of(item)
    assert popup is not None
    assert popup.menu
    assert popup.bounds.contains(item.bounds.center)
    assert scene.window_at(item.bounds.center) == popup
    assert named(scene, "File", "menu")[0].id == menu.id
    await xdotool("key", "Escape")
    await looking.until(lambda s: not named(s, "Save As..."), "the end of the menu")


async def test_ids_stay_when_the_window_moves_and_boxes_follow(looking: Eyes, app: Apps) -> None:
    app(["galculator"], "galculator")
    await looking.find("7", "button")
    await asyncio.sleep(0.5)
    before = await looking.find("7", "button")
    scene = await looking.look()
    window = scene.window_of(before)
    assert window is not None
    target = window.bounds.model_copy(update={"x": window.bounds.x - 40, "y": window.bounds.y - 30})
    await looking.windows.move_resize(window.id, target)
    scene = await looking.until(lambda s: named(s, "7", "button")[0].bounds != before.bounds, "the move")
    await asyncio.sleep(0.2)
    scene = await looking.look()
    after = named(scene, "7", "button")[0]
    assert after.id == before.id
    assert (before.bounds.x - after.bounds.x, before.bounds.y - after.bounds.y) == (40, 30)
    again = await looking.live.refresh(after, scene.window_of(after))
    assert again is not None
    assert again.bounds == after.bounds


async def test_what_an_application_shows_is_followed_through_its_accessibility(looking: Eyes, app: Apps) -> None:
    app(["galculator"], "galculator")
    seven = await looking.find("7", "button")
    await looking.live.act(seven.id, "click")
    await looking.until(
        lambda s: any(e.value == "7" or e.label == "7" for e in s.elements if e.element_type != "button"), "the seven"
    )
    with pytest.raises(TargetError, match="no action"):
        await looking.live.act(seven.id, "increment")


async def test_a_web_page_with_its_rows_fields_and_secrets(looking: Eyes, app: Apps, tmp_path: Path) -> None:
    app(chromium(tmp_path, PAGE, "--force-renderer-accessibility"), "^Orders", active=False)
    scene = await looking.until(lambda s: len(named(s, "Delete", "link")) == 2 and named(s, "Pay"), "the page")
    assert [e.context for e in named(scene, "Delete", "link")] == ["Invoice 7", "Invoice 8"]
    assert named(scene, "Pay", "button")[0].context == "Bill 9"
    assert {"Invoice 7", "Bill 9"} <= {e.label for e in scene.elements}
    size, name = named(scene, "Size", "combobox")[0], named(scene, "Name", "input")[0]
    assert (size.value, size.select_options, name.value) == ("Large", ("Small|Small", "Large|Large"), "Ann")
    secret = named(scene, "Secret", "input")[0]
    assert (secret.protected, secret.value) == (True, None)
    assert "hunter2" not in scene.model_dump_json()
    assert not named(scene, "Far below")
    for _ in range(8):  # a page that is still at work may miss the wheel
        await xdotool("mousemove", "400", "500", "click", "--repeat", "20", "5")
        await asyncio.sleep(0.5)
        scene = await looking.look()
        if named(scene, "Far below") and not named(scene, "Delete"):
            return
    pytest.fail(f"what was below did not come: {[e.label for e in scene.elements]}")


async def test_a_browser_without_its_flag_says_so(looking: Eyes, app: Apps, tmp_path: Path) -> None:
    app(chromium(tmp_path, PAGE, "--disable-renderer-accessibility"), "^Orders", active=False)
    scene = await looking.until(lambda s: any(a.kind == "accessibility_off" for a in s.anomalies), "the anomaly", 10)
    (anomaly,) = (a for a in scene.anomalies if a.kind == "accessibility_off")
    assert "--force-renderer-accessibility" in anomaly.description


async def test_a_stopped_application_does_not_hold_up_the_others(looking: Eyes, app: Apps, screen: Screen) -> None:
    stuck = app(["zenity", "--info", "--title=Stuck", "--text=x"], "^Stuck$")
    app(["galculator"], "galculator")
    await looking.find("7", "button")
    longest, ticking = 0.0, True

    async def tick() -> None:
        nonlocal longest
        while ticking:
            began = time.perf_counter()
            await asyncio.sleep(0.02)
            longest = max(longest, time.perf_counter() - began - 0.02)

    ticker = asyncio.ensure_future(tick())
    stuck.process.send_signal(signal.SIGSTOP)
    for limit in (3.0, 0.7, 0.7):
        began = time.perf_counter()
        scene = await looking.look()
        assert time.perf_counter() - began < limit
        assert [a.kind for a in scene.anomalies] == ["app_not_answering"]
        assert "zenity" in scene.anomalies[0].description.casefold()
        assert named(scene, "7", "button")
    ticking = False
    await ticker
    stuck.process.send_signal(signal.SIGCONT)
    assert longest < 0.25


async def test_a_long_table_is_read_as_far_as_it_shows(looking: Eyes, app: Apps) -> None:
    rows = [str(n) for n in range(2000)]
    app(["zenity", "--list", "--title=Long", "--column=Number", "--height=500", *rows], "^Long$")
    await looking.find("5", "cell")
    began = time.perf_counter()
    scene = await looking.look()
    assert time.perf_counter() - began < 3
    cells = [e for e in scene.elements if e.element_type == "cell"]
    assert 10 < len(cells) < 60
    assert not named(scene, "1500")
    await xdotool("key", "End")
    scene = await looking.until(lambda s: named(s, "1999"), "the last row")
    assert not named(scene, "5", "cell")


async def test_a_checklist_has_boxes_that_are_ticked(looking: Eyes, app: Apps) -> None:
    rows = ["TRUE", "Apples", "FALSE", "Pears"]
    app(["zenity", "--list", "--checklist", "--title=Pick", "--column=Take", "--column=Fruit", *rows], "^Pick$")
    scene = await looking.until(lambda s: [e for e in s.elements if e.element_type == "checkbox"], "the boxes")
    boxes = {e.label: e.state.checked for e in scene.elements if e.element_type == "checkbox"}
    assert boxes == {"Apples": True, "Pears": False}
