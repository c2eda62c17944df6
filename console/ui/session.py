"""Joins the window to runs: starts them, shows their events, passes the operator's wishes on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QImage

from console.contracts.errors import ConsoleError, DesktopUnavailable
from console.contracts.events import (
    ActionIntended,
    ModelSays,
    ModelWaits,
    Observed,
    PhaseChanged,
    RunEnded,
    RunEvent,
    RunPhase,
)
from console.contracts.geometry import Point
from console.contracts.outcome import RunLimits
from console.contracts.settings import AppearanceSettings, Settings
from console.core.control import RunControl
from console.core.state import fold

from .backstage import Backstage, StartedRun, WindowOrder
from .bar import CompactBar
from .cards.card import Card
from .dialogs import Dialogs
from .files import RunFiles
from .live import follow
from .main_window import MainWindow
from .model_rows import latest
from .operator import WindowOperator
from .tray import Tray

# A hand that has just clicked Approve, Run or Resume still moves the mouse a little.
STILL_ON_THE_MOUSE_S = 1.2
PROGRAM = "program"
IDLE_MS = 1500  # the window is there, and a person has not yet written a goal
_ACTING = (RunPhase.ACTING, RunPhase.SETTLING)


class Session(QObject):
    """One at a time. Every task is kept, and what it raises is shown."""

    ended = Signal(object)
    finished = Signal()

    def __init__(self, window: MainWindow, backstage: Backstage, settings: Settings) -> None:
        super().__init__(window)
        self.window, self.settings = window, settings
        self._backstage = backstage
        self.bar, self.tray = CompactBar(), Tray(self)
        self.operator = WindowOperator(self._show_card, self._clear_card, lambda: self._picture)
        self._control: RunControl | None = None
        self._picture: QImage | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self.dialogs = Dialogs(window, backstage, self._spawn)
        self.files = RunFiles(window, backstage, self._spawn)
        self._closing = False
        self._touched_at = 0.0
        self._connect()
        self._spawn(self._load_past())
        self._idle = QTimer(self, singleShot=True, interval=IDLE_MS)
        self._idle.timeout.connect(lambda: self._spawn(self._load_planner()))
        window.goal_bar.planner.currentIndexChanged.connect(lambda _: self._idle.start())
        self._idle.start()

    @property
    def running(self) -> bool:
        return self._control is not None

    def start(self, goal: str, planner: str, limits: RunLimits, resume: str | None = None) -> None:
        if not self.running:
            self._touched_at = time.monotonic()
            self._control = RunControl()
            self._spawn(self._run(goal, planner, limits, resume, self._control))

    def _run_program(self, source: str) -> None:
        """As a run of the planner that hands over its goal as a program."""
        self.window.goal_bar.entry.write(source)
        self.window.goal_bar.choose_planner(PROGRAM)
        self.start(source, PROGRAM, self.window.goal_bar.limits.limits())

    def pause_or_resume(self) -> None:
        if self._control is None:
            return
        self._touched_at = time.monotonic()
        if self._control.paused:
            self._control.resume()
        else:
            self._control.pause("Paused by you.")
            self._show_paused()

    def single_step(self) -> None:
        self._touched_at = time.monotonic()
        if self._control is not None:
            self._control.step_once()

    def stop(self, reason: str = "Stopped by you.") -> None:
        if self._control is not None:
            self._show_phase(RunPhase.STOPPING)
            self._control.stop(reason)

    def stop_by_hand(self) -> None:
        self.stop()

    def hand_on_input(self, what: str) -> None:
        """The operator moved the mouse or pressed a key: during an action, the run pauses."""
        if self._control is None or self._phase not in _ACTING or self._control.paused:
            return
        if time.monotonic() - self._touched_at < STILL_ON_THE_MOUSE_S:
            return
        self._control.pause(what)
        self._show_paused()
        self.window.notices.show_text(f"{what} The run is paused; press Resume to go on.")

    def close(self) -> None:
        """Stop, let go, save, quit; each waits for the one before."""
        if not self._closing:
            self._closing = True
            self._spawn(self._close())

    async def _run(self, goal: str, planner: str, limits: RunLimits, resume: str | None, control: RunControl) -> None:
        window = self.window
        window.notices.clear()
        window.begin_run()
        control.on_change(self._control_changed)
        self._phase = RunPhase.LOOKING
        run: StartedRun | None = None
        live: asyncio.Task[None] | None = None
        try:
            order = WindowOrder(
                goal,
                planner,
                limits,
                self.operator,
                control,
                resume,
                self._make_way,
                self.stop,
                self.hand_on_input,
                self._settling,
            )
            run = await self._backstage.prepare(order)
            if self.settings.appearance.compact_during_run:
                self.show_bar()
            live = asyncio.ensure_future(follow(window, run.look))
            live.add_done_callback(self._done)
            async for event in run.events():
                self._take(event)
        except Exception as error:  # noqa: BLE001 - a person sees it, a bug goes to the log, and the run has ended
            self._tell_failure(error)
        finally:
            if live is not None:
                live.cancel()
            if run is not None:
                await run.close()
            self._control = None
            window.clear_card()
            window.set_running(False)
            self.show_window()
            self._spawn(self._load_past())

    def _tell_failure(self, error: Exception) -> None:
        self.window.notices.show_error(error)
        self._show_phase(RunPhase.FAILED)
        if isinstance(error, DesktopUnavailable):
            self.window.screen_panel.show_problem(error.sentence())

    def _take(self, event: RunEvent) -> None:
        self.dialogs.run_id = event.run_id
        self.window.show_event(event)
        if isinstance(event, PhaseChanged):
            self._show_phase(event.phase)
        elif isinstance(event, Observed) and event.screenshot:
            self._spawn(self._keep_picture(event.screenshot))
        elif isinstance(event, ActionIntended):
            self.bar.show_step(event.sentence, f"{event.batch_purpose} · step {event.step_number}")
        elif isinstance(event, ModelSays):
            self.bar.show_step("Thinking…", latest(event.text))
        elif isinstance(event, ModelWaits):
            self.bar.show_step("Waits for the model", event.headline())
        elif isinstance(event, RunEnded):
            self.window.show_status(event.headline().splitlines()[0], "Run saved")
            self.ended.emit(event)
            self.dialogs.run_ended.emit(event)

    def _show_phase(self, phase: RunPhase) -> None:
        self._phase = phase
        self.window.goal_bar.show_phase(phase)
        self.bar.show_phase(phase)
        self.tray.show_phase(phase)

    def _settling(self) -> None:
        """The input of the step has been sent; the screen comes to rest."""
        if self._phase is RunPhase.ACTING:
            self._show_phase(RunPhase.SETTLING)

    def _control_changed(self) -> None:
        control = self._control
        if control is None or control.stopping:
            return
        if control.paused:
            self._show_paused()
        elif self._phase is RunPhase.PAUSED:
            self._show_phase(RunPhase.LOOKING)

    def _show_paused(self) -> None:
        self._show_phase(RunPhase.PAUSED)
        if self._control is not None:
            self.bar.show_step("Paused", self._control.pause_reason)

    async def _keep_picture(self, name: str) -> None:
        self._picture = QImage.fromData(await self._backstage.store.blob(name))

    def _show_card(self, card: Card, words: str) -> None:
        self.window.show_card(card, words)
        self.bar.show_phase(RunPhase.WAITING)
        self.bar.show_step(words, "Nothing is done until you answer")
        self.tray.call(words)
        if not self.bar.isVisible():
            self.show_window()

    def _clear_card(self) -> None:
        """The answer is given: out of the way again."""
        self._touched_at = time.monotonic()
        self.window.clear_card()
        if self.running and self.settings.appearance.compact_during_run and not self._closing:
            self.show_bar()

    def show_bar(self) -> None:
        self.bar.come_up()
        self.window.showMinimized()

    def show_window(self) -> None:
        self.bar.hide()
        self.window.showNormal()
        self.window.raise_()
        self.window.activateWindow()

    async def _make_way(self, point: Point) -> bool:
        """The agent needs a place that the bar or the window covers."""
        moved = self.bar.make_way(point)
        if not self.window.isMinimized():
            self.show_bar()
            moved = True
        await asyncio.sleep(0.12 if moved else 0)
        return moved

    async def _load_planner(self) -> None:
        """What the chosen planner needs is imported while nobody waits for it."""
        await self._backstage.planners.load(self.window.goal_bar.planner.currentData())

    async def _load_past(self) -> None:
        self.window.goal_bar.entry.set_past(await self._backstage.recent_goals())

    async def _close(self) -> None:
        self.stop("The window was closed.")
        others = [task for task in self._tasks if task is not asyncio.current_task()]
        await asyncio.wait(others, timeout=5) if others else None
        self.bar.hide()
        self.bar.deleteLater()
        self.tray.close()
        await self._backstage.close()
        self.window.may_close = True
        self.window.close()
        self.finished.emit()

    async def _open_run(self, run_id: str) -> None:
        if not self.running:
            self.dialogs.run_id = run_id
            self.window.load_run(await self._backstage.store.events(run_id))

    async def _resume(self, run_id: str) -> None:
        state = fold(await self._backstage.store.events(run_id))
        self.window.goal_bar.entry.setPlainText(state.goal)
        self.start(state.goal, state.planner, state.limits or RunLimits(), run_id)

    def choose_theme(self, name: str) -> None:
        appearance = AppearanceSettings.model_validate({**self.settings.appearance.model_dump(), "theme": name})
        self._new_settings(self.settings.model_copy(update={"appearance": appearance}))

    def _new_settings(self, settings: Settings) -> None:
        self.settings = settings
        self.window.show_settings(settings)
        self._backstage.apply_theme(settings)
        try:
            self._backstage.save_settings(settings)
        except ConsoleError as error:
            self.window.notices.show_error(error)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.window.notices.show_error(error)

    def _connect(self) -> None:
        self._phase = RunPhase.READY
        window = self.window
        window.run_requested.connect(self.start)
        window.pause_toggled.connect(self.pause_or_resume)
        window.step_requested.connect(self.single_step)
        window.stop_requested.connect(self.stop_by_hand)
        window.close_requested.connect(self.close)
        window.history_requested.connect(self.dialogs.history)
        window.settings_requested.connect(lambda: self.dialogs.settings(self.settings))
        window.check_requested.connect(self.dialogs.check)
        window.export_requested.connect(self.dialogs.export)
        window.ask_requested.connect(self.dialogs.second_opinion)
        window.program_requested.connect(self.dialogs.program)
        window.open_requested.connect(self.files.open)
        window.save_requested.connect(lambda: self.files.save(self.dialogs.run_id))
        self.dialogs.program_wanted.connect(self._run_program)
        self.dialogs.settings_saved.connect(self._new_settings)
        self.dialogs.open_wanted.connect(lambda run_id: self._spawn(self._open_run(run_id)))
        self.dialogs.deleted.connect(lambda: self._spawn(self._load_past()))
        self.dialogs.resume_wanted.connect(lambda run_id: self._spawn(self._resume(run_id)))
        window.bar_requested.connect(self.show_bar)
        window.theme_requested.connect(self.choose_theme)
        self.bar.pause_clicked.connect(self.pause_or_resume)
        self.bar.stop_clicked.connect(self.stop_by_hand)
        self.bar.review_clicked.connect(self.show_window)
        self.tray.open_clicked.connect(self.show_window)
        self.tray.stop_clicked.connect(self.stop_by_hand)
