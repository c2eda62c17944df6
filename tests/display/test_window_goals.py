"""The same goals through the window, with real clicks on its buttons."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.display.test_goals import CHROMIUM, ORDERS, TEXT
from tests.support.apps import Apps
from tests.support.console_window import ENDED, ConsoleWindow, wait_for
from tests.support.screen import Screen

pytestmark = pytest.mark.display
Open = Callable[..., ConsoleWindow]


@pytest.fixture
def console(tmp_path: Path) -> Iterator[Open]:
    opened: list[ConsoleWindow] = []

    def open_(goal: str, **settings: object) -> ConsoleWindow:
        opened.append(ConsoleWindow(tmp_path / "console", goal, settings))
        return opened[-1]

    yield open_
    for window in opened:
        window.close()


def test_three_lines_are_saved(console: Open, tmp_path: Path) -> None:
    target = tmp_path / "by window.txt"
    window = console(
        f'Open Mousepad\nType “{TEXT}”, then press Enter\nType “{TEXT}”\nPress ctrl+s\nWait for the window "Save As"\n'
        f'Set "Name" to "{target}"\nClick "Save"\nWait until the window "by window.txt" is open\nClose Mousepad'
    )
    window.start()
    assert window.wait_ended() == "Done", window.told()
    assert target.read_text(encoding="utf-8") == f"{TEXT}\n{TEXT}"


def test_a_form_is_filled(console: Open, app: Apps) -> None:
    command = ["zenity", "--forms", "--title=Order", "--add-entry=Name", "--add-list=Kind", "--list-values=small|large"]
    running = app(command, "^Order$", stdout=subprocess.PIPE)
    window = console('Set Name to "Zoë Łuk"\nChoose "large" from Kind\nClick OK')
    window.start()
    assert window.wait_ended() == "Done", window.told()
    assert running.process.communicate(timeout=10)[0].decode().strip() == "Zoë Łuk|large"


def test_a_calculation_is_read(console: Open) -> None:
    window = console(
        "Open galculator\nClick 6\nClick *\nClick 7\nClick =\nRead the display as result\nExpect result is 42"
    )
    window.start()
    # Its operator keys change nothing that can be seen, unless the pointer lights them up.
    if (
        wait_for(lambda: window.phase in (*ENDED, "Waiting for you") and window.phase, "a question or the end")
        not in ENDED
    ):
        window.answer("It is fine, go on")
    assert window.wait_ended() == "Done", window.told()


@pytest.mark.parametrize("approved", [False, True])
def test_a_file_is_deleted_only_with_approval(console: Open, app: Apps, tmp_path: Path, approved: bool) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    victim = folder / "old invoice.txt"
    victim.write_text("x", encoding="utf-8")
    app(["thunar", str(folder)], "papers")
    window = console(
        'Click "old invoice.txt"\nPress shift+Delete\nClick "Delete" in the window "Attention"\n'
        'Wait until "old invoice.txt" is gone'
    )
    window.start()
    for _ in range(2):  # the key and the button are asked for; a denial asks for its reason
        window.answer("Approve once" if approved else "Deny")
    assert window.wait_ended() == ("Done" if approved else "Failed"), window.told()
    assert victim.exists() is not approved


def test_the_chosen_one_of_two_links_is_clicked(console: Open, app: Apps, screen: Screen, tmp_path: Path) -> None:
    page = tmp_path / "orders.html"
    page.write_text(ORDERS, encoding="utf-8")
    app([*CHROMIUM, f"--user-data-dir={tmp_path / 'profile'}", page.as_uri()], "Orders")
    window = console('Click the link "Delete"')
    window.start()
    window.answer("Delete in the row “Invoice 8")
    window.answer("Approve once")
    assert window.wait_ended() == "Done", window.told()
    screen.wait_for_window("gone 8")


def test_a_dialog_that_opens_late_is_waited_for(console: Open, app: Apps) -> None:
    dialogs = "zenity --info --title=Early --text=Go; sleep 3; zenity --question --title=Late --text=Really"
    app(["sh", "-c", dialogs], "^Early$")
    window = console('Click OK\nClick "Yes" in the window "Late"')
    window.start()
    assert window.wait_ended() == "Done", window.told()


def test_a_button_that_does_nothing_is_put_to_the_operator(console: Open, app: Apps) -> None:
    script = (
        "import tkinter as t; r = t.Tk(); r.title('Dead'); r.geometry('300x200'); t.Label(r, text='Press me').pack()"
    )
    app(["/usr/bin/python3", "-c", f"{script}; r.mainloop()"], "^Dead$")
    window = console('Click "Press me"')
    window.start()
    window.answer("Give up")
    assert window.wait_ended() in ("Failed", "Refused"), window.told()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_an_application_that_is_killed_or_stopped_is_no_success(console: Open, app: Apps, how: signal.Signals) -> None:
    running = app(["zenity", "--entry", "--title=Brief", "--text=Name"], "^Brief$")
    window = console('Wait 2 seconds\nClick OK in the window "Brief", then expect "Name" is gone')
    window.start()
    os.kill(running.process.pid, how)
    ended = wait_for(lambda: window.phase in (*ENDED, "Waiting for you") and window.phase, "an end", window.told)
    if how is signal.SIGSTOP:
        os.kill(running.process.pid, signal.SIGCONT)
    assert ended != "Done", window.told()


def test_a_run_that_is_watched_is_live(console: Open) -> None:
    window = console("Wait 3 seconds", appearance={"compact_during_run": False})
    window.start()
    window.find("live ·")
    assert window.wait_ended() == "Done", window.told()
