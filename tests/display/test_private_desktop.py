"""The private desktop is ready when it says so, and nothing of it is left afterwards."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from console.testing.private_desktop import PrivateDesktop
from tests.support.screen import Held, Screen

pytestmark = pytest.mark.display
RUN = [sys.executable, "-m", "console.testing.private_desktop"]


def _with_home(home: Path) -> list[str]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"HOME={home}\0".encode() in (folder / "environ").read_bytes():
                found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return found


def test_all_is_ready_at_once_and_gone_at_the_end():
    with PrivateDesktop(900, 700) as desktop:
        home = desktop.home
        assert desktop.env["DISPLAY"] != os.environ["DISPLAY"]
        assert Path(desktop.env["XAUTHORITY"]).read_bytes() == b""
        dimensions = subprocess.run(["xdpyinfo"], env=desktop.env, capture_output=True, text=True, check=True).stdout
        assert "900x700 pixels" in dimensions
        desktop.start(["zenity", "--info", "--title", "Hello", "--text", "x"])
        screen = Screen(desktop.env["DISPLAY"])
        window = screen.wait_for_window("^Hello$")
        screen.wait_active(window)
        screen.close()
        # one that leaves its group, and one that is stopped, end as well
        desktop.start(["sh", "-c", "setsid sleep 600 & sleep 600"])
        desktop.start(["sleep", "600"]).send_signal(19)
        assert len(_with_home(home)) > 5
    deadline = time.monotonic() + 5
    while _with_home(home) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert _with_home(home) == []
    assert not home.exists()


def test_a_scaled_desktop_is_scaled_for_qt():
    code = "from PySide6.QtWidgets import QApplication as A; print(A([]).devicePixelRatio())"
    with PrivateDesktop(scale=1.5) as desktop:
        done = subprocess.run([sys.executable, "-c", code], env=desktop.env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1.5"


def test_a_command_runs_on_it_and_its_exit_code_is_the_answer():
    done = subprocess.run(
        [*RUN, "--", "sh", "-c", 'echo "$DISPLAY $PWD"; exit 7'], capture_output=True, text=True, check=False
    )
    assert done.returncode == 7
    display, folder = done.stdout.split()
    assert display.startswith(":")
    assert display != os.environ["DISPLAY"]
    assert folder == str(Path.cwd())


def test_without_a_command_it_says_so():
    done = subprocess.run(RUN, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Give a command" in done.stderr


def test_a_missing_program_is_named(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(RuntimeError, match="Xvfb, openbox"), PrivateDesktop():
        pass


def test_the_receiver_mirrors_what_is_typed_and_clicked(receiver, x_state):
    x, y = receiver.centre("button")
    subprocess.run(["xdotool", "type", "--delay", "5", "Hello <World>"], check=True)
    receiver.wait_text("Hello <World>")
    subprocess.run(["xdotool", "mousemove", str(x), str(y), "click", "1"], check=True)
    receiver.wait(lambda state: state["clicks"] == 1, "one click")
    press = next(event for event in receiver.events("press") if event["widget"] == "button")
    assert (press["button"], press["x"], press["y"]) == ("LeftButton", x, y)
    assert [
        event["text"] for event in receiver.events("key_press") if event["widget"] == "text" and event["text"]
    ] == list("Hello <World>")


def test_a_held_key_and_button_are_seen(screen):
    assert not screen.held()
    subprocess.run(["xdotool", "keydown", "shift", "mousedown", "1"], check=True)
    held = screen.held()
    assert len(held.keycodes) == 1
    assert held.mask == 0x101
    subprocess.run(["xdotool", "keyup", "shift", "mouseup", "1"], check=True)
    assert screen.held() == Held((), 0)


def test_raw_events_are_what_the_server_took_in(raw_events):
    began = time.monotonic()
    subprocess.run(["xdotool", "key", "a", "mousemove_relative", "5", "6", "click", "3"], check=True)
    events = raw_events.quiet()
    kinds = [event.kind for event in events if event.kind != "motion"]
    assert kinds == ["key_press", "key_release", "press", "release"]
    assert raw_events.last("press").detail == 3
    assert began - 0.01 <= events[0].t <= events[-1].t <= time.monotonic()
    assert any(event.kind == "motion" for event in events)


@pytest.mark.parametrize(
    ("command", "title"),
    [
        (["mousepad"], "Mousepad"),
        (["galculator"], "galculator"),
        (["thunar"], "Thunar|File Manager"),
        (["zenity", "--entry", "--title", "Ask"], "^Ask$"),
        (["xterm"], "xterm|sh"),
    ],
)
def test_the_applications_of_the_tests_start(app, command, title):
    running = app(command, title)
    assert running.window.title
