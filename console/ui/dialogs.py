"""The dialogs of the window: past runs, settings, a check, another planner's opinion, the folder of a report."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QFileDialog
from shiboken6 import isValid

from console.contracts.settings import Settings
from console.core.moments import moments

from .backstage import Backstage
from .check import CheckDialog
from .history import HistoryDialog
from .main_window import MainWindow
from .program import ProgramDialog
from .second_opinion import SecondOpinionDialog
from .settings_form import SettingsDialog

Spawn = Callable[[Coroutine[Any, Any, None]], None]


class Dialogs(QObject):
    """Each is opened, never executed, and gone when it is closed. `run_id` is the run that the window shows."""

    settings_saved = Signal(object)
    open_wanted = Signal(str)
    resume_wanted = Signal(str)
    program_wanted = Signal(str)
    run_ended = Signal(object)
    deleted = Signal()

    def __init__(self, window: MainWindow, backstage: Backstage, spawn: Spawn) -> None:
        super().__init__(window)
        self._window, self._backstage, self._spawn = window, backstage, spawn
        self.run_id = ""

    def history(self) -> None:
        dialog = HistoryDialog(self._backstage.store.runs, self._window)
        dialog.open_wanted.connect(self.open_wanted)
        dialog.resume_wanted.connect(self.resume_wanted)
        dialog.export_wanted.connect(self._choose_folder)
        dialog.delete_wanted.connect(lambda run_id: self._spawn(self._delete(run_id, dialog)))
        dialog.refresh()
        _open(dialog)

    async def _delete(self, run_id: str, dialog: HistoryDialog) -> None:
        await self._backstage.store.forget(run_id)
        self.run_id = "" if self.run_id == run_id else self.run_id
        self.deleted.emit()
        if isValid(dialog):
            dialog.refresh()

    def settings(self, settings: Settings) -> None:
        stage = self._backstage
        dialog = SettingsDialog(settings, stage.planners, stage.tools, self._spawn, self._window)
        dialog.saved.connect(self.settings_saved)
        _open(dialog)

    def check(self) -> None:
        dialog = CheckDialog(self._backstage.check, self._window)
        dialog.failed.connect(self._window.notices.show_error)
        _open(dialog)

    def program(self) -> None:
        """The run that is shown as a program, or an empty one."""
        self._spawn(self._program())

    async def _program(self) -> None:
        desk = self._backstage.programs
        shown = await self._backstage.store.events(self.run_id) if self.run_id else ()
        dialog = ProgramDialog(desk.from_run(shown) if shown else "", desk, self._spawn, self._window)
        dialog.run_wanted.connect(self.program_wanted)
        self.run_ended.connect(dialog.show_end)
        _open(dialog)

    def export(self) -> None:
        if self.run_id:
            self._choose_folder(self.run_id)
        else:
            self._window.notices.show_text("There is no run to export yet. Run a goal or open a past run.")

    def second_opinion(self) -> None:
        """Put the decision behind the chosen row to another planner."""
        if self.run_id:
            self._spawn(self._second_opinion(self.run_id))
        else:
            self._window.notices.show_text("There is no run to ask about yet. Run a goal or open a past run.")

    async def _second_opinion(self, run_id: str) -> None:
        found = moments(await self._backstage.store.events(run_id))
        if not found:
            self._window.notices.show_text("Nothing was decided in this run yet.")
            return
        row = self._window.timeline.chosen()
        turn = row.seen.turn if row is not None and row.seen is not None else found[-1].turn
        chosen = max((place for place, moment in enumerate(found) if moment.turn <= turn), default=0)
        planners, ask = self._window.planners, self._backstage.opinion_on
        _open(SecondOpinionDialog(found, chosen, planners, ask, self._spawn, self._window))

    def _choose_folder(self, run_id: str) -> None:
        dialog = QFileDialog(self._window, "Write the report to a folder")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(lambda folder: self._spawn(self._export(run_id, Path(folder))))
        _open(dialog)

    async def _export(self, run_id: str, folder: Path) -> None:
        report = await self._backstage.export(run_id, folder / f"run-{run_id}")
        self._window.show_status(f"The report is {report}", "")


def _open(dialog: QDialog) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
