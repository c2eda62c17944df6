"""The run: observe, decide, act, until the goal is reached, refused, stopped, or the budget is used up."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Sequence, Set

from console.contracts.adapter import Adapter
from console.contracts.desktop import Desktop
from console.contracts.errors import ConsoleError, PlannerError
from console.contracts.events import (
    ActionIntended,
    Decided,
    Noticed,
    PhaseChanged,
    Recorded,
    RunEnded,
    RunEvent,
    RunPhase,
    RunStarted,
)
from console.contracts.model_use import Closes, ReportsNews
from console.contracts.moves import NEXT_MOVE, AttemptRecord, Batch, BatchStep, Clarify, Done, Fail, NextActionHint
from console.contracts.operator import Operator
from console.contracts.outcome import RunLimits
from console.contracts.planner import PlanProducer
from console.contracts.safety import RiskLevel
from console.contracts.store import RunStore
from console.contracts.view import ViewBudget

from .asking import Asking
from .batch import BatchRunner
from .clock import Clock, SystemClock
from .control import RunControl
from .ending import Ending, failed, stopped
from .gate import Gate
from .grading import Grading
from .looking import Look, Looking
from .news import PlannerDesk
from .performing import StepPerformer
from .programs import Programs
from .recorder import Recorder
from .rules.antibot import wall
from .rules.fail_rewrite import reads_as_success
from .rules.phase_gate import PhaseGate
from .secrecy import masked_move
from .spending import Purse
from .state import RunState

log = logging.getLogger(__name__)
ENDS = {"succeeded": RunPhase.DONE, "failed": RunPhase.FAILED, "refused": RunPhase.REFUSED, "stopped": RunPhase.STOPPED}
HAPPENED, NOT_HAPPENED, GIVE_UP = "It happened", "It did not happen", "End the run"


class Run:
    """One run of one goal. Everything that it works with is given to it."""

    def __init__(
        self,
        planner: PlanProducer,
        desktop: Desktop,
        gate: Gate,
        operator: Operator | None,
        store: RunStore,
        control: RunControl,
        *,
        limits: RunLimits | None = None,
        budget: ViewBudget | None = None,
        adapters: Sequence[Adapter] = (),
        planner_name: str = "",
        clock: Clock | None = None,
        run_id: str | None = None,
        resume: RunState | None = None,
        keys: Set[str] = frozenset(),
    ) -> None:
        self.run_id = run_id or secrets.token_hex(8)
        self.limits = limits or (resume.limits if resume else None) or RunLimits()
        self._planner = planner
        self._desktop = desktop
        self._control = control
        self._planner_name = planner_name
        self._clock = clock or SystemClock()
        self._resume = resume
        self._recorder = Recorder(store, control, self._clock, self.run_id, resume.last_seq if resume else 0, keys)
        self._looking = Looking(
            desktop,
            self._recorder,
            self._clock,
            limits=self.limits,
            budget=budget or ViewBudget(),
            adapters=adapters,
            wants_png=getattr(planner, "wants_screenshot", True),
        )
        self._grading = Grading(planner, operator, self._looking, self._recorder, control)
        self._asking = Asking(operator, self._recorder, control, self._clock)
        self._purse = Purse(self.limits, self._asking)
        programs = Programs(adapters, self._purse)
        performer = StepPerformer(gate, desktop, self._looking, self._recorder, control, self._clock, programs)
        self._batches = BatchRunner(
            performer, self._looking, self._grading, self._asking, self._recorder, control, self.limits
        )
        self._phase_gate = PhaseGate(self.limits)

    async def events(self, goal: str) -> AsyncIterator[RunEvent]:
        """Carry out the goal. Each event is in the journal before it is given out; the last is `RunEnded`."""
        if self._resume and self._resume.goal != goal:
            raise ConsoleError("This run had another goal.", "Start a new run for it.")
        state = self._resume or RunState(goal=goal, trace_id=secrets.token_hex(16))
        task = asyncio.create_task(self._carry_out(state), name=f"run {self.run_id}")
        try:
            while (event := await self._recorder.stream.get()) is not None:
                yield event
        finally:
            if not task.done():
                self._control.stop("The window was closed.")
            await asyncio.gather(task, return_exceptions=True)

    async def _carry_out(self, state: RunState) -> None:
        """Run the loop as a task that Stop can cancel at once; write the end whatever comes."""
        if isinstance(self._planner, ReportsNews):
            self._planner.report_to(PlannerDesk(self._recorder, self._clock, state).report)
        work = asyncio.create_task(self._begin(state))
        self._control.bind(work.cancel, self._clock, state.active_ms)
        try:
            ending = await work
        except asyncio.CancelledError:
            ending = stopped(self._control.stop_reason or "The run was cancelled.")
        except PlannerError as error:
            ending = failed(error.sentence(), step="<planner decide_next>", reason="planner_error")
        except ConsoleError as error:
            ending = failed(error.sentence(), step="<desktop>", reason="desktop_error")
        except Exception as error:
            log.exception("The run failed")
            ending = failed(f"An error in the console: {error}", step="<console>", reason="internal_error")
        finally:
            await self._desktop.release_all()
        await self._close_planner()
        try:
            await self._write_end(ending, state)
        finally:
            self._recorder.stream.put_nowait(None)

    async def _begin(self, state: RunState) -> Ending:
        await self._recorder.emit(
            RunStarted,
            goal=state.goal,
            planner=self._planner_name,
            limits=self.limits,
            trace_id=state.trace_id,
            resumed_from=state.last_seq if self._resume else None,
        )
        if state.unfinished is not None and not _may_be_repeated(state.unfinished):
            ending = await self._settle_unfinished(state.unfinished, state)
            if ending is not None:
                return ending
        await self._run_program_again(state)
        return await self._loop(state)

    async def _loop(self, state: RunState) -> Ending:
        """Rule by rule, in the order of the contract."""
        while True:
            await self._control.gate()
            spent = self._batches.spent(state)
            if spent:
                return await self._grading.at_exhaustion(spent, "<budget>", state)
            ending = await self._watch_spending(state)
            if ending is not None:
                return ending
            state.turn += 1
            look = await self._looking.look(state)
            maker = wall(look.view)
            if maker:
                return failed(
                    "The page keeps automatic visitors out.", step=f"anti_bot_wall:{maker}", reason="anti_bot_wall"
                )
            if await self._remind(state, look):
                continue
            move = await self._decide(state, look)
            ending = await self._follow(move, look, state) if move is not None else None
            if ending is not None:
                return ending

    async def _watch_spending(self, state: RunState) -> Ending | None:
        """The ending if the operator does not allow more tokens or money; without an operator that is a no."""
        empty = await self._purse.empty(state)
        return failed(empty, step="<budget>", reason="budget_exhausted") if empty else None

    async def _close_planner(self) -> None:
        """Whatever it held open. That it fails does not change how the run ended."""
        if isinstance(self._planner, Closes):
            try:
                await self._planner.close()
            except Exception:
                log.exception("The planner could not be closed")

    async def _follow(self, move: Batch | Done | Fail | Clarify, look: Look, state: RunState) -> Ending | None:
        if isinstance(move, Fail) and reads_as_success(move.reason, state.history):
            move = Done(summary=move.reason)
        match move:
            case Done():
                return await self._grading.claim(move.summary, move.extracted_data, state)
            case Fail():
                return failed(move.reason, step="<planner fail>", reason="planner_fail", denied=state.last_denied)
            case Clarify():
                return await self._asking.clarify(move.question, move.candidates or (), state)
            case Batch():
                return await self._batches.carry_out(move, look, state)

    async def _remind(self, state: RunState, look: Look) -> bool:
        """The phase gate; true if it acted itself and the turn starts anew."""
        record = self._phase_gate.check(state, look.view.screen.active_app)
        if record is None:
            return False
        state.history.append(record)
        state.steps_used += 1
        await self._recorder.emit(Recorded, turn=state.turn, record=record, steps_charged=1)
        takeover = self._phase_gate.takes_over()
        if takeover is None:
            return False
        await self._batches.single(BatchStep(purpose="phase_gate", action=takeover), look, state)
        return True

    async def _decide(self, state: RunState, look: Look) -> Batch | Done | Fail | Clarify | None:
        """The planner's move; None if the time was up before it answered."""
        await self._recorder.enter(RunPhase.PLANNING)
        began = self._clock.now()
        left_s = max(self.limits.timeout_ms - self._control.watch.active_ms, 1) / 1000
        try:
            async with asyncio.timeout(left_s) as limit:
                answer = await self._planner.decide_next(
                    state.goal, tuple(state.history), dict(state.shared_memory), look.view, look.png
                )
            move = NEXT_MOVE.validate_python(answer.model_dump() if hasattr(answer, "model_dump") else answer)
        except PlannerError:
            raise
        except Exception as error:
            if isinstance(error, TimeoutError) and limit.expired():
                return None
            log.info("The planner failed", exc_info=True)
            raise PlannerError(
                f"The planner gave no usable move: {error}", "Try again or choose another planner."
            ) from error
        await self._recorder.emit(
            Decided,
            turn=state.turn,
            move=masked_move(move, look.scene),
            duration_ms=int((self._clock.now() - began) * 1000),
        )
        return move

    async def _settle_unfinished(self, intent: ActionIntended, state: RunState) -> Ending | None:
        """The console died between the intent and the receipt: only the operator knows whether it happened."""
        state.unfinished = None
        question = f"The console was interrupted during “{intent.sentence}”. Did it happen?"
        answer = await self._asking.put(question, (HAPPENED, NOT_HAPPENED, GIVE_UP), state)
        if answer.declined or answer.text == GIVE_UP:
            return Ending("refused", question, reason="unknown_outcome", failing_step="<resume>")
        happened = answer.text == HAPPENED
        record = AttemptRecord(
            step_purpose=intent.purpose,
            action=intent.action,
            succeeded=happened,
            error=None if happened else f"Interrupted; the operator says: {answer.text}",
            next_action_hint=None if happened else NextActionHint.RETRY_LAST_ACTION,
        )
        state.history.append(record)
        state.steps_used += 1
        await self._recorder.emit(Recorded, turn=state.turn, record=record, steps_charged=1)
        if happened and state.unfinished_program is not None:
            await self._leave_program(state.unfinished_program, intent, state)
        return None

    async def _leave_program(self, program: ActionIntended, last: ActionIntended, state: RunState) -> None:
        """Begun anew, it would do again what was just said to have happened: the planner decides what comes next."""
        state.unfinished_program = None
        error = f"Interrupted after “{last.sentence}”, which happened. Run again, it skips only its finished tasks."
        record = AttemptRecord(step_purpose=program.purpose, action=program.action, succeeded=False, error=error)
        state.history.append(record)
        await self._recorder.emit(Recorded, turn=state.turn, record=record)

    async def _run_program_again(self, state: RunState) -> None:
        """A program that was interrupted begins anew; what it had finished it knows from the memory of the run."""
        intent, state.unfinished_program = state.unfinished_program, None
        if intent is not None:
            look = await self._looking.look(state)
            await self._batches.single(BatchStep(purpose=intent.purpose, action=intent.action), look, state)

    async def _write_end(self, ending: Ending, state: RunState) -> None:
        self._recorder.closing = True
        active_ms = self._control.watch.active_ms
        if ending.unverified:
            text = "Nobody could check that this is done."
            await self._recorder.emit(Noticed, severity="warning", text=text)
        await self._recorder.emit(PhaseChanged, phase=ENDS[ending.end])
        await self._recorder.emit(
            RunEnded,
            end=ending.end,
            outcome=ending.outcome(state),
            step=ending.step(state, active_ms),
            unverified=ending.unverified,
            denied=ending.denied,
            steps_used=state.steps_used,
            active_ms=active_ms,
        )


def _may_be_repeated(intent: ActionIntended) -> bool:
    """A harmless step of a program is done again with it."""
    return intent.parent_id is not None and intent.risk.level is RiskLevel.HARMLESS
