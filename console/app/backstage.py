"""What the window is given of everything else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from console.cli.wiring import Desk, GoalRun, RunOrder, RunParts, Tell
from console.contracts.errors import DesktopUnavailable
from console.contracts.events import RunEvent
from console.contracts.health import Finding
from console.contracts.scene import Frame
from console.contracts.settings import Settings
from console.core.moments import Moment, SecondOpinion
from console.core.state import fold
from console.planning import catalogue
from console.storage.export import export_run
from console.storage.journal import Journal
from console.storage.settings_file import save_settings

if TYPE_CHECKING:
    from pydantic import SecretStr
    from PySide6.QtWidgets import QApplication

    from console.desktop.glances import Glances
    from console.desktop.input.activity import ActivityMonitor
    from console.ui.backstage import PlannerPage, WindowOrder

    from .console import Console


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

    def __init__(self, console: Console) -> None:
        self._tools = console.tools

    def names(self) -> Sequence[str]:
        from console.ptc.desk_tools import DeskTools, plain_name
        from console.ptc.lisp import known_names
        from console.ptc.mission_adapter import NAME, RUN

        tools = (*DeskTools.names(), plain_name(NAME, RUN))
        return [*known_names(), *(f"tool/{name}" for name in tools)]

    async def server_names(self) -> Sequence[str]:
        return await self._tools.names()

    async def check(self, source: str) -> str:
        from console.ptc.lisp import validate

        problem = await asyncio.to_thread(validate, source)
        return f"{problem.reason}: {problem.message}" if problem is not None else ""

    def from_run(self, events: Sequence[RunEvent]) -> str:
        from console.ptc.from_run import program_of

        return program_of(events)

    def instructions(self, events: Sequence[RunEvent]) -> str:
        from console.planning.instructions.from_run import instructions_of

        return instructions_of(events)


class Backstage:
    """What the window needs of everything else."""

    def __init__(self, console: Console, app: QApplication) -> None:
        self.planners = PlannerSetup(console)
        self.programs = Programs(console)
        self.tools = console.tools
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
        desk = await self._console.open_desk(order.operator, self._say, own)
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
