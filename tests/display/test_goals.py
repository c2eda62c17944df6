"""The main job on real applications: a goal in words goes in, the right thing is on the disk or the screen."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.support.apps import Apps
from tests.support.goals import run_goal
from tests.support.screen import Screen

pytestmark = pytest.mark.display
TEXT = 'Zażółć <a@b.c> "é" 100 € 日本語 🙂'
CHROMIUM = [
    "chromium",
    "--force-renderer-accessibility",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
ORDERS = """<!doctype html><title>Orders</title><table border=1>
<tr><td>Invoice 7<td>Ada<td>120 €<td><a href="#" onclick="document.title='gone 7'">Delete</a></tr>
<tr><td>Invoice 8<td>Grace<td>80 €<td><a href="#" onclick="document.title='gone 8'">Delete</a></tr></table>"""


def test_three_lines_in_an_editor_are_saved_byte_for_byte(screen: Screen, tmp_path: Path) -> None:
    target = tmp_path / "three lines.txt"
    goal = f"""Open Mousepad
    Type “{TEXT}”, then press Enter
    Type “{TEXT}”
    Press Enter
    Type “{TEXT}”
    Press ctrl+s
    Wait for the window "Save As"
    Set "Name" to "{target}"
    Click "Save"
    Wait until the window "three lines.txt" is open
    Close Mousepad"""
    result = run_goal(goal, tmp_path)
    assert result.code == 0, result.told()
    assert target.read_text(encoding="utf-8") == "\n".join([TEXT] * 3)


def test_a_form_is_filled_by_label_and_its_result_is_exact(app: Apps, tmp_path: Path) -> None:
    command = ["zenity", "--forms", "--title=Order", "--add-entry=Name", "--add-entry=City", "--add-list=Kind"]
    running = app([*command, "--list-values=small|medium|large"], "^Order$", stdout=subprocess.PIPE)
    goal = """Set Name to "Zoë Łuk"
    Type "Århus" into City
    Choose "medium" from Kind
    Click OK"""
    result = run_goal(goal, tmp_path)
    assert result.code == 0, result.told()
    out, _ = running.process.communicate(timeout=10)
    assert out.decode().strip() == "Zoë Łuk|Århus|medium"


def test_a_calculator_answers_and_the_step_carries_the_value(tmp_path: Path) -> None:
    goal = """Open galculator
    Click 6
    Click *
    Click 7
    Click =
    Read the display as result
    Return result
    Close galculator"""
    # Its operator keys change nothing that can be seen, and only a person can say that this is right.
    decision = {"on": "clarify", "match": "(?i)nothing changed", "decide": "answer", "text": "It is fine", "times": 1}
    result = run_goal(goal, tmp_path, decisions=[decision])
    assert result.code == 0, result.told()
    assert str(result.step["return"]) in ("42", "{'result': '42'}", "{'result': 42}")


@pytest.mark.parametrize("approved", [False, True])
def test_a_file_is_deleted_only_with_approval(app: Apps, tmp_path: Path, approved: bool) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    victim = folder / "old invoice.txt"
    victim.write_text("x", encoding="utf-8")
    app(["thunar", str(folder)], "papers")
    goal = """Click "old invoice.txt"
    Press shift+Delete
    Click "Delete" in the window "Attention"
    Wait until "old invoice.txt" is gone"""
    decision = {"on": "approval", "match": ".*", "decide": "approve" if approved else "deny", "text": "keep it"}
    result = run_goal(goal, tmp_path, decisions=[decision])
    assert result.of("approval_asked"), result.told()
    assert victim.exists() is not approved, result.told()
    assert result.code == (0 if approved else 3), result.told()
    if not approved:
        assert "denied" in str(result.outcome).casefold()


@pytest.mark.parametrize("invoice", ["7", "8"])
def test_two_links_of_the_same_name_are_a_question_and_the_answer_decides(
    app: Apps, screen: Screen, tmp_path: Path, invoice: str
) -> None:
    page = tmp_path / "orders.html"
    page.write_text(ORDERS, encoding="utf-8")
    app([*CHROMIUM, f"--user-data-dir={tmp_path / 'profile'}", page.as_uri()], "Orders")
    decisions = [
        {"on": "clarify", "match": "Delete", "decide": "answer", "text": f"Invoice {invoice}"},
        {"on": "approval", "match": "Delete", "decide": "approve"},
    ]
    result = run_goal('Click the link "Delete"', tmp_path, decisions=decisions)
    question = result.of("clarify_asked")[0]["request"]
    assert ["Invoice 7" in question["candidates"][0], "Invoice 8" in question["candidates"][1]] == [True, True]
    assert "Ada" in question["candidates"][0]
    assert result.code == 0, result.told()
    screen.wait_for_window(f"gone {invoice}")


def test_a_dialog_that_opens_late_is_waited_for(app: Apps, tmp_path: Path) -> None:
    app(
        ["sh", "-c", "zenity --info --title=Early --text=Go; sleep 3; zenity --question --title=Late --text=Really"],
        "^Early$",
    )
    result = run_goal('Click OK\nClick "Yes" in the window "Late"', tmp_path)
    assert result.code == 0, result.told()


def test_a_button_that_does_nothing_is_no_success(app: Apps, tmp_path: Path) -> None:
    script = (
        "import tkinter as t; r = t.Tk(); r.title('Dead'); r.geometry('300x200'); "
        "t.Label(r, text='Press me').pack(); r.mainloop()"
    )
    app(["/usr/bin/python3", "-c", script], "^Dead$")
    result = run_goal('Click "Press me"', tmp_path, arguments=["--max-steps", "8"])
    effects = [e["receipt"]["observed_effect"]["status"] for e in result.of("attempted") if e.get("receipt")]
    assert "observed" not in effects, result.told()
    assert result.code != 0, result.told()


def test_an_application_that_dies_before_the_step_is_no_success(app: Apps, tmp_path: Path) -> None:
    running = app(["zenity", "--entry", "--title=Brief", "--text=Name"], "^Brief$")
    watcher = subprocess.Popen(["sh", "-c", f"sleep 1.2; kill -9 {running.process.pid}"])
    result = run_goal('Wait 2 seconds\nClick OK in the window "Brief"', tmp_path, arguments=["--timeout", "20"])
    watcher.wait()
    assert result.code != 0, result.told()


def test_an_application_that_is_stopped_is_named_and_no_success(app: Apps, tmp_path: Path) -> None:
    running = app(["zenity", "--entry", "--title=Frozen", "--text=Name"], "^Frozen$")
    os.kill(running.process.pid, signal.SIGSTOP)
    try:
        began = time.monotonic()
        result = run_goal('Click OK in the window "Frozen"', tmp_path, arguments=["--timeout", "15"])
        assert time.monotonic() - began < 40
    finally:
        os.kill(running.process.pid, signal.SIGCONT)
    assert result.code != 0, result.told()
    anomalies = [a["description"] for e in result.of("observed") for a in e["view"].get("anomalies", [])]
    assert any("does not answer" in words for words in anomalies), anomalies
