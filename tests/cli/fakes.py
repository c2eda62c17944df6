"""A console without a desktop: real runs and a real journal on the shipped doubles."""

from __future__ import annotations

import asyncio
import io
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from console.cli.main import main
from console.cli.output import Output
from console.cli.wiring import Desk, GoalRun, PlannerEntry, Probes, RunOrder, RunParts, Tell, Theme
from console.contracts.actions import Click
from console.contracts.errors import DesktopUnavailable, PlannerError
from console.contracts.events import RunEvent
from console.contracts.moves import Batch, BatchStep, Clarify, Done
from console.contracts.operator import Operator
from console.contracts.outcome import RunLimits
from console.contracts.scene import Frame, Scene
from console.core.gate import Gate
from console.core.permits import PermitBook
from console.core.policy import Policy
from console.core.run import Run
from console.desktop.accessibility.diagnosis import Part
from console.storage.journal import Journal
from console.testing.doubles import FakeDesktop, ScriptedPlanner
from tests.core.scenes import element, frame, scene

NOTES = scene(element("b1", "Save"), element("b2", "Delete all"))


def batch(*targets: str) -> Batch:
    steps = tuple(BatchStep(purpose=f"press {target}", action=Click(target_id=target)) for target in targets)
    return Batch(purpose="press", steps=steps)


DONE = Done(summary="It is saved", extracted_data={"total": 42})
ASK = Clarify(question="Which file?", candidates=("A", "B"))


@dataclass
class FakeWiring:
    """`moves` is what the planner answers; `moves_of_events` replaces the whole run by these events."""

    folder: Path
    moves: Sequence[Any] = (batch("b1"), DONE)
    shown: Sequence[Scene] = (NOTES,)
    results: Sequence[Any] = ()
    no_desktop: bool = False
    planner_fails: bool = False
    events: Sequence[RunEvent] | None = None
    store: Callable[[Tell], Any] | None = None
    probe: dict[str, Any] = field(default_factory=dict)
    orders: list[RunOrder] = field(default_factory=list)
    app: list[tuple[str | None, Theme | None]] = field(default_factory=list)
    desktop: FakeDesktop | None = None

    def planners(self) -> Sequence[PlannerEntry]:
        return (PlannerEntry("instructions", "Instructions"), PlannerEntry("replay", "Replay"))

    def open_store(self, tell: Tell) -> Any:
        return self.store(tell) if self.store else Journal(self.folder, tell)

    async def open_desk(self, operator: Operator | None, tell: Tell) -> Desk:
        if self.no_desktop:
            raise DesktopUnavailable("There is no display.", "Start from a graphical session.")
        office = PermitBook()
        self.desktop = FakeDesktop(*self.shown, office=office, results=self.results)
        return Desk(self.desktop, Gate(office, Policy(), operator))

    def make_run(self, order: RunOrder, parts: RunParts) -> GoalRun:
        self.orders.append(order)
        if self.planner_fails:
            raise PlannerError("The planner needs a key.", "Set one in the settings.")
        if self.events is not None:
            return Told("r1", self.events)
        limits = RunLimits(max_steps=order.max_steps or 80, timeout_ms=order.timeout_ms or 900_000)
        return Run(
            ScriptedPlanner(*self.moves),
            parts.desk.desktop,
            parts.desk.gate,
            parts.operator,
            parts.store,
            parts.control,
            limits=limits,
            planner_name=order.planner or "instructions",
            run_id=order.run_id,
            resume=order.resume,
        )

    def probes(self) -> Probes:
        async def fine() -> None:
            return None

        async def openbox() -> str:
            return "Openbox"

        async def grab() -> Frame:
            return frame()

        async def parts() -> Sequence[Part]:
            return [Part("Registry", True, "answers"), Part("Applications", True, "Mousepad, Thunar")]

        works = {"window_manager": openbox, "grab": grab, "input": fine, "accessibility": parts, "close": fine}
        return Probes(**{**works, **self.probe})

    def run_app(self, goal: str | None, theme: Theme | None) -> int:
        if self.no_desktop:
            raise DesktopUnavailable("There is no display.", "Start from a graphical session.")
        self.app.append((goal, theme))
        return 0


@dataclass
class Told:
    """A run that only tells."""

    run_id: str
    story: Sequence[RunEvent]

    async def events(self, goal: str) -> AsyncIterator[RunEvent]:
        for event in self.story:
            yield event


@dataclass(frozen=True)
class Said:
    """What a command said: its exit code, stdout, stderr."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


def say(wiring: FakeWiring, *argv: str) -> Said:
    out, err = io.StringIO(), io.StringIO()
    code = main(argv, lambda: wiring, Output(out, err))
    return Said(code, out.getvalue(), err.getvalue())


class Stubborn(ScriptedPlanner):
    """Thinks for ever; `stubborn` ones do not even listen to a cancellation."""

    def __init__(self, *, listens: bool) -> None:
        super().__init__()
        self._listens = listens

    async def decide_next(self, *args: Any) -> Any:
        sys.stderr.write("thinking\n")
        sys.stderr.flush()
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                if self._listens:
                    raise


class EndlessWiring(FakeWiring):
    """For a process of its own: its planner never comes to an end."""

    def make_run(self, order: RunOrder, parts: RunParts) -> GoalRun:
        planner = Stubborn(listens=os.environ.get("STUBBORN") is None)
        return Run(planner, parts.desk.desktop, parts.desk.gate, None, parts.store, parts.control)


def process(kind: type[FakeWiring] = FakeWiring) -> int:
    """The command line as a program, on a journal in the folder of the first argument."""
    return main(sys.argv[2:], lambda: kind(Path(sys.argv[1])))
