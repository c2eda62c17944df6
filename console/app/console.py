"""What a console is made of, apart from its window."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from console.cli.wiring import Desk, GoalRun, PlannerEntry, Probes, RunOrder, RunParts, Tell
from console.contracts.operator import Operator
from console.contracts.outcome import RunLimits
from console.contracts.store import RunArchive, RunStore
from console.core.gate import Gate
from console.core.moments import Moment, SecondOpinion, ask_again, moment_of
from console.core.permits import PermitBook
from console.core.policy import Policy
from console.core.run import Run
from console.planning import catalogue
from console.planning.kit import PlannerKit
from console.planning.parts import PlannerParts
from console.storage.journal import Journal
from console.storage.keys import Keys
from console.storage.log_secrets import hide_in_logs
from console.storage.own_texts import text
from console.storage.png import as_png
from console.storage.settings_file import load_settings

from .tools import ToolSetup
from .tracing import traced

if TYPE_CHECKING:
    from console.desktop.actions.job import OwnWindows
    from console.desktop.glances import Glances
    from console.desktop.input.device import X11Input


class Console:
    """Implements `Parts`. The desktop's packages are imported when a desktop is wanted."""

    def __init__(self) -> None:
        self.settings, self.setting_notices = load_settings()
        self.input: X11Input | None = None
        self.keys = Keys()
        hide_in_logs(self.keys.known)
        self.kit = PlannerKit(PlannerParts(self.keys, text), lambda: self.settings.planners)
        self.tools = ToolSetup(self.keys)
        self.glances: Glances | None = None

    def planners(self) -> Sequence[PlannerEntry]:
        return tuple(PlannerEntry(one.name, one.title) for one in catalogue())

    def open_store(self, tell: Tell) -> RunArchive:
        for notice in self.setting_notices:
            tell(notice)
        journal = Journal(tell=tell)
        journal.tidy_in_background(self.settings.storage)
        return journal

    async def open_desk(self, operator: Operator | None, tell: Tell, own: OwnWindows | None = None) -> Desk:
        from console.desktop.assembly import open_desktop

        office, box = PermitBook(), self.tools.box(tell)
        desktop, self.input, self.glances = open_desktop(
            office, self.settings.desktop, own, adapters=box.adapters, closers=(box.close,)
        )
        return Desk(desktop, Gate(office, Policy(self.settings.safety), operator), box.adapters, tell)

    def make_run(self, order: RunOrder, parts: RunParts) -> GoalRun:
        name = order.planner or (order.resume.planner if order.resume else "") or self.settings.planner
        made = self.kit.make(name, order.options)
        from .adapters import adapters_of  # the language is not needed before the first run

        return Run(
            made.planner,
            parts.desk.desktop,
            parts.desk.gate,
            parts.operator,
            traced(parts.store, parts.desk.tell),
            parts.control,
            limits=self.limits(order),
            budget=made.entry.budget,
            adapters=adapters_of(self.kit, made.entry.name, order.options, parts.desk.servers),
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

        servers, problems = self.tools.probes()
        return Probes(**open_probes(), servers=servers, server_problems=problems)
