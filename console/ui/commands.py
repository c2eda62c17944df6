"""The user's commands: one row each, and everything that shows or runs them is made from the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget


@dataclass(frozen=True)
class Command:
    """`key` names it, `slot` is the method of the window that carries it out."""

    key: str
    text: str
    shortcut: str
    slot: str
    tip: str


COMMANDS: tuple[Command, ...] = (
    Command("run", "Run", "Ctrl+Return", "start_run", "Carry out the goal"),
    Command("pause", "Pause", "F6", "toggle_pause", "Hold before the next step, or go on"),
    Command("step", "Step", "F7", "single_step", "Do one step, then pause"),
    Command("stop", "Stop", "Ctrl+Alt+Esc", "stop_run", "End the run at once and let go of every key"),
    Command("history", "Past runs…", "Ctrl+H", "open_history", "Find a run and look at it again"),
    Command("open", "Open…", "Ctrl+O", "open_file", "Instructions or a program from a file, as the goal"),
    Command("save", "Save this run as…", "Ctrl+S", "save_run", "As instructions or a program that can be run again"),
    Command("export", "Export this run…", "Ctrl+E", "export_run", "Write a report with pictures"),
    Command("ask", "Ask another planner…", "Ctrl+Shift+A", "ask_again", "What would it do here? Nothing is done"),
    Command("program", "Program…", "Ctrl+P", "open_program", "Write a program, or this run as one, and run it"),
    Command("settings", "Settings…", "Ctrl+,", "open_settings", "Limits, safety, appearance"),
    Command("bar", "Show the small bar", "Ctrl+B", "show_bar", "Get out of the way"),
    Command("goal", "New goal", "Ctrl+L", "focus_goal", "Go to the goal"),
    Command("details", "Show or hide details", "F9", "toggle_details", "What the planner saw, receipt, JSON"),
    Command("check", "Check this desktop…", "", "check_desktop", "What works here, and how to mend what does not"),
    Command("theme_system", "As the system", "", "use_system_theme", "Light or dark, as the desktop"),
    Command("theme_light", "Light", "", "use_light_theme", "Always light"),
    Command("theme_dark", "Dark", "", "use_dark_theme", "Always dark"),
    Command("about", "About", "", "show_about", "Name, version, licence"),
    Command("quit", "Quit", "Ctrl+Q", "close", "Close the console"),
)


def actions(window: QWidget) -> dict[str, QAction]:
    """A `QAction` for each row, joined to its slot and working in the whole window."""
    made: dict[str, QAction] = {}
    for command in COMMANDS:
        action = QAction(command.text, window)
        action.setShortcut(QKeySequence(command.shortcut))
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.setToolTip(f"{command.tip} ({shown_shortcut(command)})" if command.shortcut else command.tip)
        slot: Callable[[], object] = getattr(window, command.slot)
        action.triggered.connect(lambda _=False, slot=slot: slot())
        window.addAction(action)
        made[command.key] = action
    return made


def shown_shortcut(command: Command) -> str:
    return command.shortcut.replace("Return", "↵")


def command(key: str) -> Command:
    return next(row for row in COMMANDS if row.key == key)
