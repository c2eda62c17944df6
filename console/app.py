"""The wiring: the only file that knows which concrete parts a console is made of."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from console.cli.wiring import Desk, GoalRun, PlannerEntry, Probes, RunOrder, RunParts, Tell, Theme
from console.contracts.errors import ConsoleError
from console.contracts.geometry import Point
from console.contracts.operator import Operator
from console.contracts.outcome import RunLimits
from console.contracts.settings import Settings
from console.contracts.store import RunStore
from console.core.gate import Gate
from console.core.permits import PermitBook
from console.core.policy import Policy
from console.core.run import Run
from console.planning import CATALOGUE, entry
from console.storage.journal import Journal
from console.storage.settings_file import load_settings

if TYPE_CHECKING:
    from console.desktop.input.device import X11Input

MakeWay = Callable[[Point], Awaitable[bool]]


class Console:
    """Implements `Wiring`. The desktop's packages are imported when a desktop is wanted, Qt when a window is."""

    def __init__(self) -> None:
        self.settings, self.setting_notices = load_settings()
        self.input: X11Input | None = None

    def planners(self) -> Sequence[PlannerEntry]:
        return tuple(PlannerEntry(one.name, one.title) for one in CATALOGUE)

    def open_store(self, tell: Tell) -> RunStore:
        for notice in self.setting_notices:
            tell(notice)
        return Journal(tell=tell)

    async def open_desk(self, operator: Operator | None, make_way: MakeWay | None = None) -> Desk:
        from console.desktop.assembly import open_desktop

        office = PermitBook()
        desktop, self.input = open_desktop(office, self.settings.desktop, make_way)
        return Desk(desktop, Gate(office, Policy(self.settings.safety), operator))

    def make_run(self, order: RunOrder, parts: RunParts) -> GoalRun:
        name = order.planner or (order.resume.planner if order.resume else "") or self.settings.planner
        planner = entry(name)
        if planner is None:
            known = ", ".join(one.name for one in CATALOGUE)
            raise ConsoleError(f"There is no planner “{name}”.", f"There are: {known}.")
        return Run(
            planner.make(planner.settings()),
            parts.desk.desktop,
            parts.desk.gate,
            parts.operator,
            parts.store,
            parts.control,
            limits=self.limits(order),
            budget=planner.budget,
            planner_name=planner.name,
            run_id=order.run_id,
            resume=order.resume,
        )

    def limits(self, order: RunOrder) -> RunLimits:
        """What the order says, else what the resumed run had, else the settings."""
        if order.resume is not None and order.resume.limits is not None and not (order.max_steps or order.timeout_ms):
            return order.resume.limits
        own = self.settings.limits
        return RunLimits(
            max_steps=order.max_steps or own.max_steps, timeout_ms=order.timeout_ms or own.timeout_s * 1000
        )

    def probes(self) -> Probes:
        from console.desktop.assembly import open_probes

        return Probes(**open_probes())

    def run_app(self, goal: str | None, theme: Theme | None) -> int:
        os.environ["QT_API"] = "pyside6"
        from console.window import run_window

        return run_window(self, goal, theme)


def wiring() -> Console:
    return Console()


def with_settings(console: Console, settings: Settings) -> None:
    """Runs that begin from now on use these settings."""
    console.settings = settings
