"""Carries one step through the gate to the desktop and writes down what came of it."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from console.contracts.actions import AnyAction, ExtractWithFallback
from console.contracts.adapter import TraceIds
from console.contracts.desktop import Desktop, Performed
from console.contracts.errors import PermitVoid, TargetError
from console.contracts.events import ActionIntended, Attempted, RunPhase
from console.contracts.moves import AttemptRecord, BatchStep, NextActionHint, StepErr, StepOk
from console.contracts.scene import Scene

from .clock import Clock
from .control import RunControl
from .gate import Admitted, Denied, Gate, GateQuestion
from .looking import Looking
from .memory import remember
from .news import PlannerDesk
from .programs import Programs, RunHands
from .recorder import Recorder
from .secrecy import masked, secret_of
from .secret_answers import without
from .state import RunState
from .step_outcome import StepOutcome

TRIES_ON_CHANGE = 3


class StepPerformer:
    """One step: ask the gate, write the intent, act, write the receipt."""

    def __init__(
        self,
        gate: Gate,
        desktop: Desktop,
        looking: Looking,
        recorder: Recorder,
        control: RunControl,
        clock: Clock,
        programs: Programs | None = None,
    ) -> None:
        self._gate = gate
        self._desktop = desktop
        self._looking = looking
        self._recorder = recorder
        self._control = control
        self._clock = clock
        self._programs = programs or Programs(())

    async def perform(self, step: BatchStep, batch_purpose: str, scene: Scene, state: RunState) -> StepOutcome:
        """Do the step in the scene, or say why not. If its target changes under the permit, look and ask again."""
        attempt_id = secrets.token_hex(8)
        state.steps_used += 1
        step = step.model_copy(update={"action": state.secrets.reveal(step.action)})
        for round_ in range(TRIES_ON_CHANGE):
            question = GateQuestion(
                attempt_id=attempt_id,
                action=step.action,
                purpose=step.purpose,
                scene=scene,
                changed=round_ > 0,
                tools=self._looking.tools,
                caution=step.caution,
            )
            try:
                answer = await self._gate.admit(question, emit=self._recorder.emit, waiting=self._waiting)
            except TargetError as error:
                return await self._not_done(step, batch_purpose, attempt_id, state, error.sentence())
            if isinstance(answer, Denied):
                return await self._denied(step, batch_purpose, attempt_id, state, answer)
            await self._control.gate()
            try:
                return await self._act(step, batch_purpose, attempt_id, state, answer)
            except PermitVoid as change:
                reason = change.message
                scene = await self._looking.glance(state)
        return await self._not_done(step, batch_purpose, attempt_id, state, f"The screen kept changing. {reason}")

    @asynccontextmanager
    async def _waiting(self) -> AsyncIterator[None]:
        await self._recorder.enter(RunPhase.WAITING)
        async with self._control.waiting():
            yield

    async def _act(
        self, step: BatchStep, batch_purpose: str, attempt_id: str, state: RunState, admitted: Admitted
    ) -> StepOutcome:
        shown = self._shown(admitted, state)
        await self._recorder.enter(RunPhase.ACTING)
        intent = await self._recorder.emit(
            ActionIntended,
            attempt_id=attempt_id,
            turn=state.turn,
            batch_purpose=batch_purpose,
            purpose=step.purpose,
            action=shown,
            sentence=admitted.sentence,
            risk=admitted.risk,
            target=admitted.target,
            step_number=state.steps_used,
            parent_id=state.inside,
            program=self._programs.runs(admitted.action),
        )
        began = self._clock.now()
        performed = await self._done(admitted, intent, state)
        duration_ms = int((self._clock.now() - began) * 1000)
        purpose = f"{step.purpose} (edited by the operator)" if admitted.edited else step.purpose
        record = without(_record(purpose, step.model_copy(update={"action": shown}), performed), self._recorder.hidden)
        before, after = await self._looking.keep(performed.before), await self._looking.keep(performed.after)
        attempted = await self._attempted(
            record,
            state,
            attempt_id=attempt_id,
            batch_purpose=batch_purpose,
            sentence=admitted.sentence,
            receipt=performed.receipt,
            target=admitted.target,
            before=before,
            after=after,
            frame_id=performed.before.id if performed.before else None,
            settled=performed.settled,
            duration_ms=duration_ms,
            step=performed.step,
        )
        state.deeds.note(intent, attempted)
        await self._remember(step, record, state)
        return StepOutcome(
            record, recoverable=_recoverable(performed), focus_moved=performed.focus_moved, step=attempted.step
        )

    def _shown(self, admitted: Admitted, state: RunState) -> AnyAction:
        """The action without its secrets, which stand in no event from now on."""
        shown = masked(admitted.action, protected=admitted.target.protected)
        if shown is not admitted.action:
            self._recorder.keep_secret(secret_of(admitted.action))
        return state.secrets.hidden(shown)

    async def _denied(
        self, step: BatchStep, batch_purpose: str, attempt_id: str, state: RunState, denied: Denied
    ) -> StepOutcome:
        who = "The operator denied it" if denied.by_operator else "It is not allowed"
        reason = f"{who}: {denied.reason}" if denied.reason else f"{who}."
        outcome = await self._not_done(
            step,
            batch_purpose,
            attempt_id,
            state,
            reason,
            sentence=denied.sentence,
            protected=denied.target.protected,
            hint=NextActionHint.DIFFERENT_ACTION,
        )
        state.last_denied = denied.by_operator
        return StepOutcome(outcome.record, denied=True)

    async def _not_done(
        self,
        step: BatchStep,
        batch_purpose: str,
        attempt_id: str,
        state: RunState,
        error: str,
        *,
        sentence: str = "",
        protected: bool = False,
        hint: NextActionHint = NextActionHint.DIFFERENT_TARGET,
    ) -> StepOutcome:
        record = AttemptRecord(
            step_purpose=step.purpose,
            action=state.secrets.hidden(masked(step.action, protected=protected)),
            succeeded=False,
            error=error,
            next_action_hint=hint,
        )
        await self._attempted(
            record,
            state,
            attempt_id=attempt_id,
            batch_purpose=batch_purpose,
            sentence=sentence or record.action.describe(),
        )
        return StepOutcome(record)

    async def _done(self, admitted: Admitted, intent: ActionIntended, state: RunState) -> Performed:
        """Carry it out on the desktop; a program carries out steps of its own and touches nothing by itself."""
        program = self._programs.of(admitted.action)
        if program is None:
            return await self._desktop.perform(admitted.action, admitted.permit)
        outer = state.inside, state.inside_trace
        trace = TraceIds(trace_id=secrets.token_hex(16), parent_trace_id=state.inside_trace or state.trace_id or None)
        state.inside, state.inside_trace = intent.attempt_id, trace.trace_id
        try:
            return await program(self._hands(state, trace), self._clock)
        finally:
            state.inside, state.inside_trace = outer

    def _hands(self, state: RunState, trace: TraceIds) -> RunHands:
        news = PlannerDesk(self._recorder, self._clock, state, parent_id=state.inside)
        purse = self._programs.purse
        return RunHands(self.perform, self._looking, self._recorder, self._control, state, news, purse, trace)

    async def _attempted(self, record: AttemptRecord, state: RunState, **fields: object) -> Attempted:
        if state.inside is None:
            state.history.append(record)
        if record.succeeded:
            state.last_denied = False
        return await self._recorder.emit(Attempted, turn=state.turn, record=record, parent_id=state.inside, **fields)

    async def _remember(self, step: BatchStep, record: AttemptRecord, state: RunState) -> None:
        """A value that was read is kept under its name, any other data under the purpose of its step."""
        if not record.succeeded or record.data is None:
            return
        key = step.action.name if isinstance(step.action, ExtractWithFallback) else step.purpose
        await remember(state, self._recorder, key, record.data)


def _record(purpose: str, step: BatchStep, performed: Performed) -> AttemptRecord:
    result, effect = performed.result, performed.receipt.observed_effect
    if isinstance(result, StepOk):
        record = AttemptRecord(step_purpose=purpose, action=step.action, succeeded=True, effect=effect)
        return record if result.data is None else record.model_copy(update={"data": result.data})
    return AttemptRecord(step_purpose=purpose, action=step.action, succeeded=False, error=result.message, effect=effect)


def _recoverable(performed: Performed) -> bool:
    return performed.result.recoverable if isinstance(performed.result, StepErr) else True
