"""A run with doubles in one call, and short words for its moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from console.contracts import actions as act
from console.contracts.events import RunEnded, RunEvent
from console.contracts.moves import Batch, BatchStep, Clarify, Done, Fail
from console.contracts.outcome import RunLimits
from console.contracts.scene import Scene
from console.core.control import RunControl
from console.core.gate import Gate
from console.core.permits import PermitBook
from console.core.policy import Policy
from console.core.run import Run
from console.testing.doubles import FakeDesktop, ManualClock, MemoryStore, ScriptedOperator, ScriptedPlanner

from ..scenes import element, scene

SAVE = element("ax:save", "Save")
NAME = element("ax:name", "Name", "input", settable=True)
DELETE = element("ax:delete", "Delete")
SCENE = scene(SAVE, NAME, DELETE)


class Story:
    """The parts of one run, and what came of it."""

    def __init__(
        self,
        *moves: Any,
        scenes: Sequence[Scene] = (SCENE,),
        results: Sequence[Any] = (),
        operator: ScriptedOperator | None = None,
        verdicts: Sequence[Any] = (),
        failures: int = 0,
        **run: Any,
    ) -> None:
        self.clock = run.pop("clock", None) or ManualClock()
        self.book = PermitBook(self.clock.now)
        self.planner = run.pop("planner", None) or ScriptedPlanner(*moves, verdicts=verdicts)
        self.desktop = FakeDesktop(*scenes, office=self.book, results=results)
        self.operator = operator
        self.store = run.pop("store", None) or MemoryStore(failures)
        self.control = RunControl(self.clock)
        self.events: list[RunEvent] = []
        gate = Gate(self.book, Policy(), operator)
        self.run = Run(
            self.planner, self.desktop, gate, operator, self.store, self.control, clock=self.clock, run_id="r", **run
        )

    async def tell(self, goal: str = "tidy up") -> RunEnded:
        async for event in self.run.events(goal):
            self.events.append(event)
        ended = self.events[-1]
        assert isinstance(ended, RunEnded)
        return ended

    @property
    def kinds(self) -> list[str]:
        return [event.event for event in self.events]

    def of(self, kind: str) -> list[Any]:
        return [event for event in self.events if event.event == kind]

    @property
    def history(self) -> list[Any]:
        """The history as the planner saw it last."""
        return list(self.planner.asked[-1][0])


def limits(**fields: Any) -> RunLimits:
    return RunLimits(**fields)


def step(action: act.AnyAction, purpose: str = "do it") -> BatchStep:
    return BatchStep(purpose=purpose, action=action)


def batch(*actions: act.AnyAction, purpose: str = "work") -> Batch:
    return Batch(purpose=purpose, steps=tuple(step(action, f"{purpose} {n}") for n, action in enumerate(actions, 1)))


def click(target: str = "ax:save", **fields: Any) -> act.Click:
    return act.Click(target_id=target, **fields)


def done(summary: str = "all tidy", data: Any = None) -> Done:
    return Done(summary=summary, extracted_data=data)


def fail(reason: str) -> Fail:
    return Fail(reason=reason)


def ask(question: str, *candidates: str) -> Clarify:
    return Clarify(question=question, candidates=candidates or None)
