"""Steps that are made of steps: hands each step of a program to the gate, one by one, and never acts by itself."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from console.contracts.actions import AnyAction, Custom
from console.contracts.adapter import Acted, ActingAdapter, TraceIds
from console.contracts.base import Json
from console.contracts.checklist import ChecklistItem
from console.contracts.desktop import Performed
from console.contracts.effects import ObservedEffect
from console.contracts.errors import ConsoleError
from console.contracts.events import ChecklistChanged, MemoryChanged
from console.contracts.model_use import ModelCall, PlannerNews
from console.contracts.moves import AttemptRecord, BatchStep, StepErr, StepOk
from console.contracts.receipt import AdapterRoute, ExecutionReceipt
from console.contracts.scene import Scene
from console.contracts.step import NOT_POSSIBLE, Step
from console.contracts.view import PlanningView, ViewBudget

from .clock import Clock
from .control import RunControl
from .looking import Looking
from .news import PlannerDesk
from .recorder import Recorder
from .state import RunState
from .step_outcome import StepOutcome
from .view import build_view

if TYPE_CHECKING:
    from .spending import Purse

Perform = Callable[[BatchStep, str, Scene, RunState], Awaitable[StepOutcome]]
EVERYTHING = ViewBudget(max_elements=2000, max_adapter_facts=200)
LONGEST_PRINTS = 4000
NO_STEPS_LEFT = "All steps of the run are used up."


class RunHands:
    """What one program may use while it runs."""

    def __init__(
        self,
        perform: Perform,
        looking: Looking,
        recorder: Recorder,
        control: RunControl,
        state: RunState,
        news: PlannerDesk,
        purse: Purse | None,
        trace: TraceIds,
    ) -> None:
        self._perform, self._looking, self._recorder = perform, looking, recorder
        self._control, self._state = control, state
        self._news, self._purse = news, purse
        self._attempt_id = state.inside
        self._trace = trace

    @property
    def trace(self) -> TraceIds:
        return self._trace

    @property
    def kept(self) -> Mapping[str, Json]:
        return self._state.kept

    @property
    def memory(self) -> Mapping[str, Json]:
        return self._state.shared_memory

    async def act(self, action: AnyAction, purpose: str) -> Acted:
        """Like a step of a batch: it waits while the run is paused, it is counted, and the gate may say no."""
        await self._control.gate()
        if self._state.steps_used >= self._looking.max_steps:
            return Acted(
                record=AttemptRecord(step_purpose=purpose, action=action, succeeded=False, error=NO_STEPS_LEFT)
            )
        scene = await self._looking.glance(self._state)
        outcome = await self._perform(BatchStep(purpose=purpose, action=action), purpose, scene, self._state)
        return Acted(record=outcome.record, step=outcome.step)

    async def view(self) -> PlanningView:
        await self._control.gate()
        scene = await self._looking.glance(self._state)
        return build_view(scene, self._state.goal, budget=EVERYTHING, progress=self._looking.progress(self._state))

    async def keep(self, key: str, value: Json) -> None:
        self._state.kept[key] = value
        await self._recorder.emit(MemoryChanged, key=key, value=value, private=True)

    async def tell(self, news: PlannerNews) -> bool:
        await self._news.report(news)
        if not isinstance(news, ModelCall) or self._purse is None:
            return True
        return await self._purse.empty(self._state) is None

    async def tick(self, items: Sequence[ChecklistItem]) -> None:
        await self._recorder.emit(ChecklistChanged, parent_id=self._attempt_id, items=tuple(items))


class Programs:
    """The adapters of a run that act. What they spend comes out of the purse of the run."""

    def __init__(self, adapters: Sequence[Any], purse: Purse | None = None) -> None:
        self.purse = purse
        self._adapters = {adapter.name: adapter for adapter in adapters if isinstance(adapter, ActingAdapter)}

    def runs(self, action: AnyAction) -> bool:
        return isinstance(action, Custom) and action.adapter in self._adapters

    def of(self, action: AnyAction) -> Callable[[RunHands, Clock], Awaitable[Performed]] | None:
        """What carries the action out, if it is a program."""
        if not isinstance(action, Custom) or action.adapter not in self._adapters:
            return None
        adapter = self._adapters[action.adapter]

        async def carry_out(hands: RunHands, clock: Clock) -> Performed:
            began, began_ms = clock.now(), clock.unix_ms()
            try:
                step = await adapter.run(action.action, action.params, hands)
            except ConsoleError as error:
                step = Step.error(NOT_POSSIBLE, error.sentence(), {})
            ids = hands.trace.model_dump()
            step = step.model_copy(update={**ids, "name": step.name or f"{action.adapter}.{action.action}"})
            return _performed(action, step, began_ms, clock.unix_ms(), int((clock.now() - began) * 1000))

        return carry_out


def result_of(step: Step) -> StepOk | StepErr:
    """What a planner is told of a program or a mission: its value, and with it what it printed."""
    if step.fail is not None:
        told = step.fail.reason == NOT_POSSIBLE
        return StepErr(message=step.fail.message if told else f"{step.fail.reason}: {step.fail.message}")
    prints = "\n".join(step.prints)[:LONGEST_PRINTS]
    return StepOk(data={"return": step.return_, "prints": prints} if prints else step.return_)


def _performed(action: Custom, step: Step, began_ms: int, ended_ms: int, duration_ms: int) -> Performed:
    result = result_of(step)
    receipt = ExecutionReceipt(
        receipt_id=secrets.token_hex(8),
        action_kind=action.type,
        route=AdapterRoute(name=action.adapter, op=action.action),
        observed_effect=ObservedEffect(status="not_checked", detail="Each of its steps says what was seen of it."),
        requested_at_ms=began_ms,
        completed_at_ms=ended_ms,
        duration_ms=duration_ms,
        status="failed" if step.fail else "ok",
        error=result.message if isinstance(result, StepErr) else None,
    )
    return Performed(receipt=receipt, result=result, step=step)
