"""The window as a person uses it: what it says, what its keys and buttons do."""

from __future__ import annotations

import logging

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMessageBox
from pytestqt.qtbot import QtBot

from console.contracts.errors import CaptureError
from console.contracts.events import RunPhase
from console.contracts.outcome import RunLimits
from console.contracts.settings import LimitSettings, Settings
from console.ui.buttons import KeyButton
from console.ui.cards.clarify import ClarifyCard
from console.ui.commands import COMMANDS, Command, command, shown_shortcut
from console.ui.main_window import NARROW, TITLE, MainWindow, version
from tests.conftest import ExpectedLog

from . import sample_pictures
from .conftest import PLANNERS
from .sample_events import GOAL, Story, clarification, finished_run, waiting_run

TWICE = {"run", "details", "goal", "about", "quit"}
SAYS = {
    "ask": "ask_requested",
    "program": "program_requested", "open": "open_requested", "save": "save_requested",
    "pause": "pause_toggled", "step": "step_requested", "stop": "stop_requested", "history": "history_requested",
    "check": "check_requested", "export": "export_requested", "settings": "settings_requested", "bar": "bar_requested",
    "theme_system": "theme_requested", "theme_light": "theme_requested", "theme_dark": "theme_requested",
}  # fmt: skip


def controls(window: MainWindow) -> list[str]:
    return [f"{button.text()} {button.key}" for button in window.goal_bar.buttons.values() if button.isVisible()]


def test_an_idle_window_says_what_to_do(window: MainWindow) -> None:
    assert window.windowTitle() == TITLE
    assert window.goal_bar.pill.accessibleName() == "State: Ready"
    assert window.goal_bar.entry.placeholderText() == "What should be done?"
    assert controls(window) == ["Run Ctrl+↵", "Stop Ctrl+Alt+Esc"]
    assert not window.goal_bar.buttons["run"].isEnabled()
    assert not window.goal_bar.buttons["stop"].isEnabled()


def test_a_goal_is_typed_and_run_with_the_planner_and_the_limits(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClicks(window.goal_bar.entry, "Open Mousepad")
    window.goal_bar.choose_planner("replay")
    window.goal_bar.limits.steps.setValue(12)
    window.goal_bar.limits.minutes.setValue(3)
    with qtbot.waitSignal(window.run_requested) as told:
        qtbot.mouseClick(window.goal_bar.buttons["run"], Qt.MouseButton.LeftButton)
    assert told.args == ["Open Mousepad", "replay", RunLimits(max_steps=12, timeout_ms=180_000, max_cost_usd=5.0)]
    assert window.goal_bar.limits.text() == "12 steps · 3 min ▾"


def test_ctrl_enter_runs_once_and_breaks_no_line(window: MainWindow, qtbot: QtBot) -> None:
    told: list[str] = []
    window.run_requested.connect(lambda goal, *_: told.append(goal))
    qtbot.keyClicks(window.goal_bar.entry, "Open Mousepad")
    qtbot.keyClick(window.goal_bar.entry, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert told == ["Open Mousepad"]


def test_nothing_runs_without_a_goal(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(window.run_requested):
        qtbot.keyClick(window.goal_bar.entry, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        window.start_run()


def test_up_and_down_walk_through_earlier_goals_and_back_to_the_draft(window: MainWindow, qtbot: QtBot) -> None:
    entry = window.goal_bar.entry
    entry.set_past(["the newest", "line one\nline two"])
    qtbot.keyClicks(entry, "a draft")
    seen = []
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Up):
        qtbot.keyClick(entry, key)
        seen.append(entry.toPlainText())
    assert seen == ["the newest", "a draft", "the newest"]
    qtbot.keyClick(entry, Qt.Key.Key_Up)
    assert entry.toPlainText() == "line one\nline two"
    entry.write("")
    assert entry.toPlainText() == ""


def test_the_entry_grows_with_its_lines_up_to_a_limit(window: MainWindow, qtbot: QtBot) -> None:
    entry = window.goal_bar.entry
    one = entry.height()
    entry.write("one\ntwo\nthree")
    three = entry.height()
    entry.write("\n".join(str(number) for number in range(40)))
    most = entry.height()
    assert one < three < most < 200
    entry.write("Zusammenfassung " * 30)
    assert entry.height() > one
    entry.lock(True)
    assert entry.height() <= three


def test_earlier_goals_are_in_the_menu(window: MainWindow) -> None:
    more = window.goal_bar.more
    window.goal_bar.entry.set_past(["Save & close", "x" * 90])
    more.menu().aboutToShow.emit()
    texts = [action.text() for action in more.earlier.actions()]
    assert texts[0] == "Save && close"
    assert len(texts[1]) == 60
    more.earlier.actions()[0].trigger()
    assert window.goal_bar.goal == "Save & close"


def test_during_a_run_there_are_pause_step_and_stop_with_their_keys(window: MainWindow) -> None:
    window.goal_bar.entry.write(GOAL)
    window.begin_run()
    window.goal_bar.show_phase(RunPhase.ACTING)
    assert controls(window) == ["Pause F6", "Step F7", "Stop Ctrl+Alt+Esc"]
    window.goal_bar.show_phase(RunPhase.PAUSED)
    assert controls(window)[0] == "Resume F6"
    window.goal_bar.show_phase(RunPhase.STOPPING)
    assert not window.goal_bar.buttons["pause"].isEnabled()
    assert window.goal_bar.buttons["stop"].isEnabled()
    assert window.goal_bar.entry.isReadOnly()
    window.set_running(False)
    assert controls(window) == ["Run Ctrl+↵", "Stop Ctrl+Alt+Esc"]


@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.key)
def test_each_command_has_words_a_tip_and_a_slot(row: Command, window: MainWindow, qtbot: QtBot) -> None:
    action = window.commands[row.key]
    assert action.text() == row.text
    assert row.tip in action.toolTip()
    assert callable(getattr(window, row.slot))
    if row.shortcut:
        assert action.shortcut().toString().replace("Return", "↵") in shown_shortcut(row).replace("Esc", "Esc")
    if row.key in SAYS:
        window.set_running(True)
        window.goal_bar.show_phase(RunPhase.ACTING)
        with qtbot.waitSignal(getattr(window, SAYS[row.key])):
            action.trigger()
        window.set_running(False)
    else:
        assert row.key in TWICE


def test_no_two_commands_share_a_key() -> None:
    keys = [row.shortcut for row in COMMANDS if row.shortcut]
    assert len(keys) == len(set(keys))
    assert command("stop").shortcut == "Ctrl+Alt+Esc"


def test_keys_of_the_run_do_nothing_while_nothing_runs(window: MainWindow, qtbot: QtBot) -> None:
    for signal, act in (
        (window.pause_toggled, window.toggle_pause),
        (window.step_requested, window.single_step),
        (window.stop_requested, window.stop_run),
    ):
        with qtbot.assertNotEmitted(signal):
            act()


def test_the_stop_key_works_from_the_goal_entry(window: MainWindow, qtbot: QtBot) -> None:
    window.activateWindow()
    window.begin_run()
    window.goal_bar.entry.setFocus()
    modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    with qtbot.waitSignal(window.stop_requested):
        qtbot.keyClick(window.goal_bar.entry, Qt.Key.Key_Escape, modifiers)


def test_about_says_name_and_licence_and_blocks_nothing(window: MainWindow, qtbot: QtBot) -> None:
    window.commands["about"].trigger()
    box = window.findChild(QMessageBox)
    assert box is not None
    assert "MIT licence" in box.text()
    assert isinstance(version(), str)
    box.close()


def test_the_goal_is_reached_by_key_with_all_of_it_selected(window: MainWindow) -> None:
    window.goal_bar.entry.write("Old goal")
    window.focus_goal()
    assert window.goal_bar.entry.textCursor().selectedText() == "Old goal"


def test_closing_asks_the_console_first(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.close_requested):
        window.close()
    assert window.isVisible()
    window.may_close = True
    window.close()
    assert not window.isVisible()


def test_a_card_stands_in_the_window_and_the_title_calls(window: MainWindow, qtbot: QtBot) -> None:
    window.begin_run()
    for event in waiting_run():
        window.show_event(event)
    card = ClarifyCard(clarification())
    window.show_card(card, "Which?")
    assert window.card is card
    assert card.isVisible()
    assert window.windowTitle() == f"● Needs you — {TITLE}"
    with qtbot.waitSignal(card.abandoned):
        window.show_card(ClarifyCard(clarification()), "Another?")
    window.clear_card()
    window.clear_card()
    assert window.windowTitle() == TITLE
    assert window.card is None


def test_a_past_run_is_shown_with_its_goal_and_its_end(window: MainWindow, qtbot: QtBot) -> None:
    window.load_run(finished_run())
    assert window.goal_bar.goal == GOAL
    assert window.goal_bar.pill.phase is RunPhase.DONE
    chosen = window.timeline.chosen()
    assert chosen is not None
    assert chosen.title == "Two installers are gone; four invoices are kept."
    qtbot.waitUntil(lambda: window.screen_panel.canvas.picture is not None)


def test_a_run_without_an_end_was_interrupted_and_nothing_in_it_is_now(window: MainWindow) -> None:
    window.load_run(waiting_run())
    assert window.goal_bar.pill.phase is RunPhase.INTERRUPTED
    chosen = window.timeline.chosen()
    assert chosen is not None
    assert chosen.detail == "not answered"


def test_a_narrow_window_has_its_details_behind_a_key(window: MainWindow, qtbot: QtBot) -> None:
    assert window.details.isVisible()
    window.resize(900, 700)
    qtbot.waitUntil(lambda: not window.details.isVisible())
    assert window.width() < NARROW
    qtbot.waitUntil(lambda: window.goal_bar.entry.width() > 800)
    for button in window.goal_bar.findChildren(KeyButton):
        assert not button.isVisible() or button.width() >= button.sizeHint().width()
    window.commands["details"].trigger()
    assert window.details.isVisible()
    assert not window.timeline.isVisible()
    window.resize(1100, 700)
    qtbot.waitUntil(window.timeline.isVisible)
    window.resize(720, 600)
    qtbot.waitUntil(lambda: not window.timeline.isVisible())
    window.commands["details"].trigger()
    assert window.timeline.isVisible()
    assert not window.details.isVisible()


def test_problems_are_in_one_place_and_bugs_go_to_the_log(
    window: MainWindow, qtbot: QtBot, expected_log: ExpectedLog
) -> None:
    expected_log("Unexpected error in the window")
    window.notices.show_error(CaptureError("The screen could not be read.", "Is the display on?"))
    window.notices.show_error(CaptureError("The screen could not be read.", "Is the display on?"))
    assert window.notices.texts == ["The screen could not be read. Is the display on?"]
    logging.getLogger("console.ui.notices").disabled = False
    window.notices.show_error(ValueError("a bug"))
    assert "a bug" in window.notices.texts[0]
    for number in range(4):
        window.notices.show_text(f"Problem {number}")
    assert len(window.notices.texts) == 3
    window.notices.dismiss("Problem 3")
    window.notices.clear()
    assert not window.notices.isVisible()


def test_the_status_line_says_what_it_is_told(window: MainWindow) -> None:
    window.show_status("● Desktop ready · accessibility: 4 apps", "Run saved")
    texts = [label.text() for label in window.findChildren(QLabel) if label.isVisible()]
    assert "● Desktop ready · accessibility: 4 apps" in texts
    assert "Run saved" in texts


def test_the_limits_are_those_of_the_settings(qtbot: QtBot, qt_loop: object) -> None:
    settings = Settings(limits=LimitSettings(max_steps=5, timeout_s=120))
    window = MainWindow(PLANNERS, settings, sample_pictures.load)
    qtbot.addWidget(window)
    assert window.goal_bar.limits.limits() == RunLimits(max_steps=5, timeout_ms=120_000, max_cost_usd=5.0)
    window.goal_bar.show_limits(LimitSettings())
    assert window.goal_bar.limits.text() == "80 steps · 15 min ▾"
    window.may_close = True


def test_a_new_run_has_nothing_of_the_last_one(window: MainWindow) -> None:
    window.load_run(finished_run())
    window.begin_run()
    assert window.timeline.model.rowCount() == 0
    story = Story("run-2")
    story.started("Another")
    for event in story.events:
        window.show_event(event)
    window.timeline.flush()
    assert window.timeline.model.run.goal == "Another"
    window.set_running(False)
