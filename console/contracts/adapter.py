"""Tools of any kind that a planner reaches by the `custom` action."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from .actions import AnyAction
from .base import Json, Value
from .checklist import ChecklistItem
from .model_use import PlannerNews
from .moves import AttemptRecord, StepErr, StepOk
from .step import Step
from .view import AdapterActionRef, AdapterFactRef, PlanningView


class Adapter(Protocol):
    """A named tool box. Calls pass the same gate as every other action."""

    @property
    def name(self) -> str: ...

    async def facts(self, goal: str) -> Sequence[AdapterFactRef]: ...

    def actions(self) -> Sequence[AdapterActionRef]: ...

    async def call(self, action: str, params: Json) -> StepOk | StepErr: ...


class TraceIds(Value):
    """Which program or mission this is, and which run, program or mission has called it: 32 hex digits each."""

    trace_id: str
    parent_trace_id: str | None = None


class Acted(Value):
    """What came of an action; `step` is the answer of the program or mission that it was, if it was one."""

    record: AttemptRecord
    step: Step | None = None


class Hands(Protocol):
    """What an adapter that acts on the desktop may use. Every action passes the gate, one by one."""

    @property
    def trace(self) -> TraceIds: ...

    @property
    def memory(self) -> Mapping[str, Json]:
        """What the run has read so far; planners see it as well."""
        ...

    @property
    def kept(self) -> Mapping[str, Json]:
        """What adapters keep for their next calls."""
        ...

    async def act(self, action: AnyAction, purpose: str) -> Acted:
        """Do it as a step of its own."""
        ...

    async def view(self) -> PlanningView:
        """A fresh look, with everything that is on the screen."""
        ...

    async def keep(self, key: str, value: Json) -> None:
        """Keep it for the next calls, also over an interruption of the run."""
        ...

    async def tell(self, news: PlannerNews) -> bool:
        """What its model says and costs. False once the run has no money or tokens left, and the operator allows no
        more."""
        ...

    async def tick(self, items: Sequence[ChecklistItem]) -> None:
        """Show its plan, and what is done of it."""
        ...


@runtime_checkable
class ActingAdapter(Protocol):
    """An adapter whose actions are made of steps on the desktop: a program, a mission.

    After an interruption an action is run again, so it has to know from `Hands.kept` what it has finished already.
    """

    @property
    def name(self) -> str: ...

    async def run(self, action: str, params: Json, hands: Hands) -> Step: ...
