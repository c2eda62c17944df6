"""The wiring: the only file that knows which concrete parts a console is made of."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from console.cli.wiring import Desk, GoalRun, PlannerEntry, Probes, RunOrder, RunParts, Tell, Theme
from console.contracts.errors import DesktopUnavailable
from console.contracts.events import EVENT_TYPES, RunEvent
from console.contracts.health import Finding
from console.contracts.operator import Operator
from console.contracts.outcome import RunLimits
from console.contracts.scene import Frame
from console.contracts.settings import Settings
from console.contracts.store import RunArchive, RunStore
from console.core.gate import Gate
from console.core.moments import Moment, SecondOpinion, ask_again, moment_of
from console.core.permits import PermitBook
from console.core.policy import Policy
from console.core.run import Run
from console.core.state import fold
from console.planning import catalogue
from console.planning.kit import PlannerKit
from console.planning.parts import PlannerParts
from console.storage.export import export_run
from console.storage.journal import Journal
from console.storage.keys import Keys
from console.storage.log_secrets import hide_in_logs
from console.storage.own_texts import text
from console.storage.png import as_png
from console.storage.settings_file import load_settings, save_settings

if TYPE_CHECKING:
    from pydantic import SecretStr
    from PySide6.QtWidgets import QApplication

    from console.desktop.actions.job import OwnWindows
    from console.desktop.glances import Glances
    from console.desktop.input.activity import ActivityMonitor
    from console.desktop.input.device import X11Input
    from console.ui.backstage import PlannerPage, WindowOrder


class Console:
    """Implements `Wiring`. The desktop's packages are imported when a desktop is wanted, Qt when a window is."""

    def __init__(self) -> None:
        self.settings, self.setting_notices = load_settings()
        self.input: X11Input | None = None
        self.keys = Keys()
        hide_in_logs(self.keys.known)
        self.kit = PlannerKit(PlannerParts(self.keys, text), lambda: self.settings.planners)
        self.glances: Glances | None = None

    def planners(self) -> Sequence[PlannerEntry]:
        return tuple(PlannerEntry(one.name, one.title) for one in catalogue())

    def open_store(self, tell: Tell) -> RunArchive:
        for notice in self.setting_notices:
            tell(notice)
        journal = Journal(tell=tell)
        journal.tidy_in_background(self.settings.storage)
        return journal

    async def open_desk(self, operator: Operator | None, own: OwnWindows | None = None) -> Desk:
        from console.desktop.assembly import open_desktop

        office = PermitBook()
        desktop, self.input, self.glances = open_desktop(office, self.settings.desktop, own)
        return Desk(desktop, Gate(office, Policy(self.settings.safety), operator))

    def make_run(self, order: RunOrder, parts: RunParts) -> GoalRun:
        name = order.planner or (order.resume.planner if order.resume else "") or self.settings.planner
        made = self.kit.make(name, order.options)
        from console.ptc.programs import ProgramAdapter  # the language is not needed before the first run

        return Run(
            made.planner,
            parts.desk.desktop,
            parts.desk.gate,
            parts.operator,
            parts.store,
            parts.control,
            limits=self.limits(order),
            budget=made.entry.budget,
            adapters=(ProgramAdapter(),),
            planner_name=made.entry.name,
            run_id=order.run_id,
            resume=order.resume,
            keys=self.keys.known,
        )

    def limits(self, order: RunOrder) -> RunLimits:
        """What the order says, else what the resumed run had, else the settings."""
        if order.resume is not None and order.resume.limits is not None and not (order.max_steps or order.timeout_ms):
            return order.resume.limits
        own = self.settings.limits
        return RunLimits(
            max_steps=order.max_steps or own.max_steps,
            timeout_ms=order.timeout_ms or own.timeout_s * 1000,
            max_cost_usd=order.max_cost_usd or own.max_cost_usd or None,
            max_tokens=order.max_tokens or own.max_tokens or None,
        )

    async def second_opinion(
        self, store: RunStore, run_id: str, turn: int | None, planner: str | None, options: Mapping[str, str]
    ) -> tuple[Moment, SecondOpinion]:
        moment = moment_of(await store.events(run_id), turn)
        return moment, await self.opinion_on(moment, store, planner or moment.planner, options)

    async def opinion_on(
        self, moment: Moment, store: RunStore, planner: str, options: Mapping[str, str] | None = None
    ) -> SecondOpinion:
        """What the planner says to the moment, with the picture as it was stored."""
        made = self.kit.make(planner, options)
        png = None
        if moment.screenshot and getattr(made.planner, "wants_screenshot", True):
            png = await asyncio.to_thread(as_png, await store.blob(moment.screenshot))
        return await ask_again(moment, made.planner, made.entry.name, png)

    def probes(self) -> Probes:
        from console.desktop.assembly import open_probes

        return Probes(**open_probes())

    def run_app(self, goal: str | None, theme: Theme | None) -> int:
        """The window, until it is closed."""
        if sys.platform.startswith("linux") and not os.environ.get("QT_QPA_PLATFORM"):
            from console.desktop.x11 import X11

            X11().close()  # Qt would end the process where the display cannot be reached
        os.environ["QT_API"] = "pyside6"  # qasync takes the first binding it finds otherwise
        from PySide6.QtWidgets import QApplication
        from qasync import QEventLoop

        app = QApplication(["operator-console"])
        app.setApplicationName("Operator Console")
        app.setDesktopFileName("operator-console")
        app.setQuitOnLastWindowClosed(False)
        loop = QEventLoop(app)
        with loop:
            loop.run_until_complete(self._until_closed(app, goal, theme))
        return 0

    async def _until_closed(self, app: QApplication, goal: str | None, theme_name: Theme | None) -> None:
        from console.ui.goal_bar import PlannerChoice
        from console.ui.main_window import MainWindow
        from console.ui.session import Session
        from console.ui.theme import theme
        from console.ui.tray import icon

        theme.apply(app, theme_name or self.settings.appearance.theme)
        app.setWindowIcon(icon())
        backstage = Backstage(self, app)
        choices = [PlannerChoice(one.name, one.title) for one in catalogue()]
        window = MainWindow(choices, self.settings, backstage.store.blob)
        backstage.tell = window.notices.show_text
        session = Session(window, backstage, self.settings)
        for notice in self.setting_notices:
            window.notices.show_text(notice)
        if goal:
            window.goal_bar.entry.setPlainText(goal.strip())
        closed = asyncio.Event()
        session.finished.connect(closed.set)
        window.show()
        await _prepare_events()
        await closed.wait()
        window.deleteLater()


async def _prepare_events() -> None:
    """Build what reads and writes events, one kind after the other, so that the first run does not wait for it."""
    for kind in EVENT_TYPES:
        kind.model_rebuild()
        await asyncio.sleep(0)


class WatchedRun:
    """A run of the window with the watch over the operator's hands."""

    def __init__(self, run: GoalRun, goal: str, desk: Desk, monitor: ActivityMonitor, glances: Glances | None) -> None:
        self._run, self._goal, self._desk, self._monitor, self._glances = run, goal, desk, monitor, glances

    def events(self) -> AsyncIterator[RunEvent]:
        return self._run.events(self._goal)

    async def look(self) -> Frame | None:
        return await self._glances.look() if self._glances is not None else None

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(None, self._monitor.close)
        await self._desk.desktop.close()


class PlannerSetup:
    """What the settings need of the planners."""

    def __init__(self, console: Console) -> None:
        self._kit, self._keys = console.kit, console.keys

    def pages(self) -> Sequence[PlannerPage]:
        from console.ui.backstage import PlannerPage

        return [
            PlannerPage(one.name, one.title, self._kit.settings_of(one)[0], needs_model=one.service is not None)
            for one in catalogue()
        ]

    async def key_place(self, name: str, values: Mapping[str, Any]) -> str | None:
        service = self._kit.service(name, values)
        return await self._keys.where(service) if service else None

    async def save_key(self, name: str, values: Mapping[str, Any], key: SecretStr) -> None:
        service = self._kit.service(name, values)
        if service:
            await self._keys.save(service, key)

    async def load(self, name: str) -> None:
        await self._kit.load(name)

    async def test(self, name: str, values: Mapping[str, Any]) -> str:
        return await self._kit.test(name, values)


class Programs:
    """What the program pane needs of the language."""

    def names(self) -> Sequence[str]:
        from console.ptc.desk_tools import DeskTools
        from console.ptc.lisp import known_names

        return [*known_names(), *(f"tool/{name}" for name in DeskTools.names())]

    async def check(self, source: str) -> str:
        from console.ptc.lisp import validate

        problem = await asyncio.to_thread(validate, source)
        return f"{problem.reason}: {problem.message}" if problem is not None else ""

    def from_run(self, events: Sequence[RunEvent]) -> str:
        from console.ptc.from_run import program_of

        return program_of(events)


class Backstage:
    """What the window needs of everything else."""

    def __init__(self, console: Console, app: QApplication) -> None:
        self.planners = PlannerSetup(console)
        self.programs = Programs()
        self.tell: Tell = lambda text: None
        self._console = console
        self._app = app
        self.store = Journal(tell=self._say)
        self.store.tidy_in_background(console.settings.storage)

    def _say(self, text: str) -> None:
        """The window's notices come after the journal."""
        self.tell(text)

    async def prepare(self, order: WindowOrder) -> WatchedRun:
        """Open the desktop for one run and begin to watch the operator's hands. Raises `ConsoleError`."""
        state = fold(await self.store.events(order.resume)) if order.resume else None
        from console.desktop.actions.job import OwnWindows

        own = OwnWindows(order.make_way, order.settling)
        desk = await self._console.open_desk(order.operator, own)
        try:
            limits = order.limits
            wanted = RunOrder(
                order.goal,
                order.planner,
                limits.max_steps,
                limits.timeout_ms,
                limits.max_cost_usd,
                limits.max_tokens,
                run_id=order.resume,
                resume=state,
            )
            run = self._console.make_run(wanted, RunParts(desk, order.operator, self.store, order.control))
            monitor = self._watch(order)
        except BaseException:
            await desk.desktop.close()
            raise
        return WatchedRun(run, order.goal, desk, monitor, self._console.glances)

    def _watch(self, order: WindowOrder) -> ActivityMonitor:
        from console.desktop.input.activity import ActivityMonitor

        device, safety = self._console.input, self._console.settings.safety
        if device is None:
            raise DesktopUnavailable("There is no input device.", "Run “operator-console doctor”.")
        loop = asyncio.get_running_loop()

        def stop(reason: str) -> None:
            device.stop_now()
            loop.call_soon_threadsafe(order.stop, reason)

        def hand(what: str) -> None:
            if safety.pause_on_operator_input:
                loop.call_soon_threadsafe(order.hand, what)

        monitor = ActivityMonitor(device.pressed, stop, hand, stop_key=safety.stop_key, corners=safety.corner_stops)
        monitor.start()
        if monitor.problem:
            self.tell(monitor.problem)
        return monitor

    async def opinion_on(self, moment: Moment, planner: str) -> SecondOpinion:
        return await self._console.opinion_on(moment, self.store, planner)

    async def export(self, run_id: str, folder: Path) -> Path:
        return await export_run(self.store, run_id, folder)

    async def check(self) -> Sequence[Finding]:
        """In a thread with a loop and a journal of its own: some devices block while they are opened."""
        from console.cli.health import look_over

        return await asyncio.to_thread(asyncio.run, look_over(self._console))

    async def recent_goals(self) -> Sequence[str]:
        return await self.store.recent_goals()

    def save_settings(self, settings: Settings) -> None:
        self._console.settings = settings
        save_settings(settings)

    def apply_theme(self, settings: Settings) -> None:
        from console.ui.theme import theme

        theme.apply(self._app, settings.appearance.theme)

    async def close(self) -> None:
        await self.store.close()


def wiring() -> Console:
    return Console()
