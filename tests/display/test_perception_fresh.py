"""What is kept from look to look is what a first look would see."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from console.contracts.scene import SceneElement
from console.desktop.accessibility import reader as reader_module
from console.desktop.accessibility.bus import AccessibilityBus
from console.desktop.accessibility.reader import AccessibilityReader
from tests.desktop.perception.rig import Eyes, chromium, eyes
from tests.support.apps import Apps

pytestmark = pytest.mark.display
PAGE = """<!doctype html><title>Orders</title><style>div{height:700px}</style>
<label>Name <input autofocus></label> <label><input type=checkbox>Agree</label> <p id=p>Before</p>
<button onclick="p.textContent='After'">Change</button>
<button onclick="this.remove()">Vanish</button>
<button onclick="document.body.insertAdjacentHTML('afterbegin','<a href=#>Born</a>')">Make</button>
<div></div><a href=#>Below</a>"""


@pytest.fixture
async def looking() -> AsyncIterator[Eyes]:
    async with eyes() as looking:
        yield looking


async def xdotool(*words: str) -> None:
    process = await asyncio.create_subprocess_exec("xdotool", *words)
    assert await process.wait() == 0


def told(elements: tuple[SceneElement, ...]) -> Counter[str]:
    """All about the elements but their ids."""
    return Counter(e.model_copy(update={"id": ""}).model_dump_json() for e in elements)


async def same_as_a_first_look(looking: Eyes, after: str) -> None:
    """At rest, what is kept equals what is read anew."""
    deadline = time.monotonic() + 4
    while True:
        scene = await looking.look()
        bus = AccessibilityBus()
        anew = await AccessibilityReader(bus).read(scene.windows)
        await bus.close()
        kept, fresh = told(scene.elements), told(anew.elements)
        if kept == fresh:
            return
        assert time.monotonic() < deadline, f"after {after}: kept {kept - fresh}, anew {fresh - kept}"
        await asyncio.sleep(0.2)


async def grown_up(looking: Eyes) -> None:
    """Until the applications are no longer read as a whole each time."""
    await looking.look()
    await asyncio.sleep(reader_module.YOUNG_S + 0.1)
    await looking.look()


async def test_an_application_that_starts_is_read_to_its_end(looking: Eyes, app: Apps) -> None:
    await looking.look()
    app(["galculator"], "galculator")
    await looking.find("7", "button")
    await same_as_a_first_look(looking, "the start")
    for _ in range(8):
        await asyncio.sleep(0.25)
        await looking.look()
    await same_as_a_first_look(looking, "two seconds")


async def test_menus_typing_and_dialogs_of_gtk(looking: Eyes, app: Apps) -> None:
    app(["mousepad"], "Mousepad")
    app(["galculator"], "galculator")
    await grown_up(looking)
    await same_as_a_first_look(looking, "the start")
    seven = await looking.find("7", "button")
    await xdotool("mousemove", str(seven.bounds.center.x), str(seven.bounds.center.y), "click", "1")
    await same_as_a_first_look(looking, "a click")
    editor = next(w for w in (await looking.look()).windows if "Mousepad" in w.title)
    assert await looking.windows.activate(editor.id)
    for step in (("type", "abc"), ("key", "alt+f"), ("key", "Down"), ("key", "Escape"), ("key", "ctrl+f")):
        await xdotool(*step)
        await asyncio.sleep(0.2)
        await same_as_a_first_look(looking, " ".join(step))
    await xdotool("key", "Escape")
    await xdotool("key", "ctrl+shift+s")
    await looking.until(lambda s: any(w.title == "Save As" for w in s.windows), "the dialog")
    await same_as_a_first_look(looking, "the dialog")
    await xdotool("key", "Escape")
    await same_as_a_first_look(looking, "the end of the dialog")


async def test_pages_that_change_and_scroll(looking: Eyes, app: Apps, tmp_path: Path) -> None:
    app(chromium(tmp_path, PAGE, "--force-renderer-accessibility"), "^Orders", active=False)
    await looking.find("Change", "button")
    await grown_up(looking)
    await xdotool("type", "Ala")
    await same_as_a_first_look(looking, "typing")
    for label in ("Agree", "Change", "Vanish", "Make"):
        element = next(e for e in (await looking.look()).elements if e.label == label and e.clickable)
        await xdotool("mousemove", str(element.bounds.center.x), str(element.bounds.center.y), "click", "1")
        await asyncio.sleep(0.2)
        await same_as_a_first_look(looking, label)
    await xdotool("click", "--repeat", "9", "5")
    await same_as_a_first_look(looking, "scrolling")


async def test_a_list_that_scrolls_and_is_sorted(looking: Eyes, app: Apps) -> None:
    rows = [str(n) for n in range(300)]
    app(["zenity", "--list", "--title=Long", "--column=Number", "--height=400", *rows], "^Long$")
    await grown_up(looking)
    five = await looking.find("5", "cell")
    await xdotool("mousemove", str(five.bounds.center.x), str(five.bounds.center.y), "click", "1")
    await same_as_a_first_look(looking, "a selection")
    for key in ("Down", "Next", "End"):
        await xdotool("key", key)
        await same_as_a_first_look(looking, key)
    assert "299" in {e.label for e in (await looking.look()).elements}
