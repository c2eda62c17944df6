"""Windows of a real window manager, and one look with all parts."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from console.contracts.geometry import Rect
from console.contracts.scene import WindowInfo
from console.desktop.accessibility.diagnosis import diagnose
from console.desktop.ocr import Ocr
from console.desktop.windows import WindowSystem
from console.testing.private_desktop import PrivateDesktop
from tests.desktop.perception.rig import Eyes, eyes
from tests.support.apps import Apps

pytestmark = pytest.mark.display
DIALOG = """
import tkinter
root = tkinter.Tk(className="Owner"); root.title("Owner"); root.geometry("300x200+50+60")
dialog = tkinter.Toplevel(root); dialog.title("Ask ąę"); dialog.transient(root)
dialog.attributes("-type", "dialog"); dialog.geometry("200x100+90+120")
root.mainloop()
"""
OWN = """
import asyncio, sys, tkinter, threading
from console.desktop.windows import WindowSystem
root = tkinter.Tk(); root.title("Mine"); root.geometry("200x100+10+30"); root.update()
async def main():
    windows = WindowSystem()
    for _ in range(100):
        root.update()
        listed = await windows.all_windows()
        if any(l.own for l in listed): break
        await asyncio.sleep(0.05)
    print([l.info.title for l in listed if l.own], [w.title for w in await windows.windows()],
          await windows.own_window_active(), flush=True)
    await windows.close()
asyncio.run(main())
"""


@pytest.fixture
async def windows() -> AsyncIterator[WindowSystem]:
    windows = WindowSystem()
    yield windows
    await windows.close()


@pytest.fixture
async def looking() -> AsyncIterator[Eyes]:
    async with eyes(Ocr()) as looking:
        yield looking


async def by_title(windows: WindowSystem, title: str) -> WindowInfo:
    assert await windows.wait_for(lambda ws: any(title in w.title for w in ws), 20), f"no “{title}”"
    return next(w for w in await windows.windows() if title in w.title)


async def test_stacking_titles_processes_and_dialogs(windows: WindowSystem, app: Apps) -> None:
    assert await windows.window_manager() == "Openbox"
    running = app([sys.executable, "-c", DIALOG], "^Owner$", active=False)
    ask, owner = await by_title(windows, "Ask ąę"), await by_title(windows, "Owner")
    assert [w.title for w in await windows.windows()] == ["Ask ąę", "Owner"]
    assert (ask.dialog, ask.transient_for, owner.dialog) == (True, owner.id, False)
    assert owner.pid == running.process.pid  # tkinter does not say it; the server does
    assert (owner.bounds.width, owner.bounds.height) == (300, 200)
    assert owner.frame is not None
    assert owner.frame.y < owner.bounds.y


async def test_windows_are_activated_moved_minimised_and_closed(windows: WindowSystem, app: Apps) -> None:
    app(["zenity", "--info", "--title=One", "--text=x"], "^One$")
    second = app(["zenity", "--info", "--title=Two", "--text=x"], "^Two$")
    one = await by_title(windows, "One")
    assert not one.active
    assert await windows.activate(one.id)
    active = await windows.active_window()
    assert active is not None
    assert active.id == (await windows.windows())[0].id == one.id
    await windows.move_resize(one.id, Rect(x=200, y=150, width=320, height=210))
    assert await windows.wait_for(lambda ws: any((w.bounds.x, w.bounds.y) == (200, 150) for w in ws), 3)
    await windows.set_state(one.id, "minimize")
    assert await windows.wait_for(lambda ws: any(w.id == one.id and w.minimized for w in ws), 3)
    await windows.set_state(one.id, "restore")
    assert await windows.wait_for(lambda ws: any(w.id == one.id and w.active for w in ws), 3)
    two = await by_title(windows, "Two")
    await windows.close_window(two.id)
    assert await windows.wait_for(lambda ws: all(w.id != two.id for w in ws), 3)
    assert await asyncio.to_thread(second.process.wait, 5) is not None
    assert not await windows.activate(two.id, 0.2)


async def test_the_console_knows_its_own_windows() -> None:
    env = {**os.environ, "PYTHONPATH": os.getcwd()}
    done = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", OWN], env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['Mine'] [] True"


async def test_without_a_window_manager_it_says_so() -> None:
    code = """
import asyncio
from console.desktop.windows import WindowSystem
async def main():
    windows = WindowSystem()
    print(await windows.window_manager(), await windows.windows())
    await windows.close()
asyncio.run(main())
"""
    with PrivateDesktop(300, 200) as desktop:
        for process in desktop._processes:
            if "openbox" in str(process.args):
                process.terminate()
                process.wait()
        env = {**desktop.env, "PYTHONPATH": os.getcwd()}
        command = [sys.executable, "-c", code]
        run = await asyncio.to_thread(
            subprocess.run, command, env=env, capture_output=True, text=True, check=True, timeout=20
        )
    assert run.stdout.strip() == "None ()"


async def test_an_application_without_a_tree_is_read_from_pixels(looking: Eyes, app: Apps) -> None:
    terminal = ["xterm", "-fa", "DejaVu Sans Mono", "-fs", "14", "-geometry", "40x8+100+100", "-title", "Shell"]
    app([*terminal, "-e", "sh", "-c", "echo Invoice number seven; sleep 60"], "^Shell$")
    scene = await looking.until(
        lambda s: any("nvoice number" in e.label for e in s.elements if e.source == "ocr"), "the text", 30
    )
    line = next(e for e in scene.elements if "nvoice number" in e.label)
    window = scene.active_window
    assert window is not None
    assert (line.window_id, line.clickable, line.id.split(":")[0]) == (window.id, True, "ocr")
    assert window.bounds.contains(line.bounds.center)
    again = await looking.look()
    assert line.id in {e.id for e in again.elements}
    assert "ocr" in scene.capabilities


async def diagnosis(env: dict[str, str]) -> dict[str, bool]:
    code = """
import asyncio, json
from console.desktop.accessibility.diagnosis import diagnose
print(json.dumps([[f.name, f.ok, f.detail, f.hint] for f in asyncio.run(diagnose())]))
"""
    run = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", code],
        env={**env, "PYTHONPATH": os.getcwd()},
        capture_output=True,
        text=True,
        check=True,
        timeout=20,
    )
    import json

    found = json.loads(run.stdout)
    assert all(ok or hint for _, ok, _, hint in found), found
    return {part: ok for part, ok, _, _ in found}


async def test_each_missing_part_of_accessibility_is_a_diagnosis_of_its_own(app: Apps, tmp_path: Path) -> None:
    bare = {k: v for k, v in os.environ.items() if k not in ("DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS")}
    assert await diagnosis(bare) == {"Session bus": False}
    config = tmp_path / "bus.conf"
    config.write_text(
        "<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><policy context='default'>"
        "<allow send_destination='*' eavesdrop='true'/><allow eavesdrop='true'/><allow own='*'/></policy></busconfig>"
    )
    bus = subprocess.Popen(
        ["dbus-daemon", f"--config-file={config}", "--nofork", "--print-address"], stdout=subprocess.PIPE, text=True
    )
    assert bus.stdout is not None
    with bus, bus.stdout:
        address = bus.stdout.readline().strip()
        only_a_bus = await diagnosis({**bare, "DBUS_SESSION_BUS_ADDRESS": address})
        bus.terminate()
    assert only_a_bus == {"Session bus": True, "Accessibility bus": False}
    app(["zenity", "--info", "--title=Here", "--text=x"], "^Here$")
    await asyncio.sleep(0.5)
    found = await diagnose()
    assert [(f.name, f.ok) for f in found] == [
        ("Session bus", True),
        ("Accessibility bus", True),
        ("Registry", True),
        ("Applications", True),
    ]
    assert "zenity" in found[-1].detail
