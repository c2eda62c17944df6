"""A run saved as instructions or as a program, and such a file opened as the next goal."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog

from console.contracts.errors import StorageError
from console.contracts.events import RunStarted

from .backstage import Backstage
from .main_window import MainWindow
from .program import Spawn

INSTRUCTIONS, PROGRAM = "instructions", "program"
FILTERS = {"Instructions (*.txt)": ".txt", "Program (*.lisp)": ".lisp"}
OPENED = ("Instructions and programs (*.txt *.lisp *.clj)", "All files (*)")
PROGRAMS = frozenset({".lisp", ".clj"})
LARGEST = 1_000_000
NOTHING = "There is no run to save yet. Run a goal or open a past run."
BUSY = "A run is going on. Open the file when it has ended."


class RunFiles(QObject):
    """Asks for the name of the file; the suffix says what it holds."""

    def __init__(self, window: MainWindow, backstage: Backstage, spawn: Spawn) -> None:
        super().__init__(window)
        self._window, self._backstage, self._spawn = window, backstage, spawn

    def save(self, run_id: str) -> None:
        if run_id:
            self._spawn(self._ask_where(run_id))
        else:
            self._window.notices.show_text(NOTHING)

    def open(self) -> None:
        if self._window.running:
            self._window.notices.show_text(BUSY)
            return
        dialog = QFileDialog(self._window, "Open instructions or a program")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(OPENED)
        dialog.fileSelected.connect(lambda name: self._spawn(self._read(Path(name))))
        _open(dialog)

    async def _ask_where(self, run_id: str) -> None:
        events = await self._backstage.store.events(run_id)
        goal = next((event.goal for event in events if isinstance(event, RunStarted)), "")
        dialog = QFileDialog(self._window, "Save this run as instructions or as a program")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters(list(FILTERS))
        dialog.setDefaultSuffix(".txt")
        dialog.filterSelected.connect(lambda chosen: dialog.setDefaultSuffix(FILTERS.get(chosen, ".txt")))
        dialog.selectFile(_name(goal))
        dialog.fileSelected.connect(lambda name: self._spawn(self._write(run_id, Path(name))))
        _open(dialog)

    async def _write(self, run_id: str, path: Path) -> None:
        events = await self._backstage.store.events(run_id)
        desk = self._backstage.programs
        text = desk.from_run(events) if path.suffix in PROGRAMS else desk.instructions(events)
        try:
            await asyncio.to_thread(path.write_text, text, encoding="utf-8")
        except OSError as error:
            raise StorageError(
                f"{path} could not be written: {error.strerror or error}.", "Choose another place."
            ) from error
        self._window.show_status(f"Saved as {path}", "")

    async def _read(self, path: Path) -> None:
        """Only put into the goal: nothing is run before the operator has seen it."""
        try:
            text = await asyncio.to_thread(_text_of, path)
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is no text"
            raise StorageError(f"{path} could not be opened: {why}.", "Choose another file.") from error
        self._window.goal_bar.entry.write(text.rstrip())
        self._window.goal_bar.choose_planner(PROGRAM if path.suffix in PROGRAMS else INSTRUCTIONS)
        self._window.focus_goal()


def _text_of(path: Path) -> str:
    if path.stat().st_size > LARGEST:
        raise OSError(0, f"it has more than {LARGEST // 1_000_000} MB")
    return path.read_text(encoding="utf-8-sig")


def _name(goal: str) -> str:
    """The first words of the goal, as a name that any file system takes."""
    words = re.findall(r"[^\W_]+", goal)[:6]
    return "-".join(words)[:60].lower() or "run"


def _open(dialog: QFileDialog) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
