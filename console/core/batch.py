"""Carries out the steps of a batch, and stops at the first that failed or changed what the others were planned for."""

from __future__ import annotations

from console.contracts.actions import AnyAction, DoneAction, FailAction, Wait
from console.contracts.events import Recorded
from console.contracts.moves import AttemptRecord, Batch, BatchStep, NextActionHint
from console.contracts.outcome import RunLimits
from console.contracts.scene import Scene

from .asking import Asking
from .checks import BatchChecks
from .control import RunControl
from .ending import Ending, failed
from .grading import Grading
from .looking import Look, Looking
from .looks import looks
from .memory import remember
from .performing import StepPerformer
from .recorder import Recorder
from .rules.extraction import ExtractionBudget
from .rules.loops import LoopVerdict, LoopWatch, warning
from .rules.repeats import BannedRepeats
from .rules.targets_known import unknown_target
from .state import RunState
from .step_outcome import StepOutcome


class BatchRunner:
    """Joins the rules that watch over the steps of a batch."""

    def __init__(
        self,
        performer: StepPerformer,
        looking: Looking,
        grading: Grading,
        asking: Asking,
        recorder: Recorder,
        control: RunControl,
        limits: RunLimits,
    ) -> None:
        self._performer = performer
        self._looking = looking
        self._grading = grading
        self._asking = asking
        self._recorder = recorder
        self._control = control
        self._limits = limits
        self._repeats = BannedRepeats()
        self._checks = BatchChecks(self._repeats)
        self._loops = LoopWatch()
        self._extraction = ExtractionBudget()

    def spent(self, state: RunState) -> str | None:
        """Which budget is used up, in words."""
        if state.steps_used >= self._limits.max_steps:
            return f"All {self._limits.max_steps} steps are used up."
        if self._control.watch.active_ms >= self._limits.timeout_ms:
            return f"The time of {self._limits.timeout_ms / 1000:g} s is used up."
        return None

    async def carry_out(self, batch: Batch, look: Look, state: RunState) -> Ending | None:
        """The ending, or None if the planner is to be asked again."""
        before = looks(look.scene)
        checked = self._checks.walk(batch.steps, look.scene, look.view, state, before, self._looking.tools)
        for record in checked.done_already:
            await self._note(record, state)
        ending, complete = await self._steps(checked.steps, batch.purpose, look.scene, state)
        if ending is not None:
            return ending
        if complete and checked.refusal is not None:
            await self._note(checked.refusal, state, charge=checked.refusal_charge)
            await self._note_skipped(checked.dropped, "the step before them was refused", state)
        if not batch.steps:
            await self._note(_empty(batch), state)
        idle = not checked.steps and not checked.done_already and not checked.refusal_charge
        if self._repeats.turn_over(anything_done=not idle):
            return failed(
                "The planner offers nothing but what has failed already.", step="<planner>", reason="no_progress"
            )
        if complete and checked.steps and checked.refusal is None:
            state.summaries[f"turn {state.turn}"] = batch.purpose
        return None

    async def single(self, step: BatchStep, look: Look, state: RunState) -> None:
        """A step of the run's own; its result does not matter."""
        await self._performer.perform(step, step.purpose, look.scene, state)

    async def _steps(
        self, steps: list[BatchStep], purpose: str, scene: Scene, state: RunState
    ) -> tuple[Ending | None, bool]:
        """The ending if there is one, and whether all steps were carried out."""
        for position, step in enumerate(steps):
            left = len(steps) - position - 1
            await self._control.gate()
            spent = self.spent(state)
            if spent:
                return await self._grading.at_exhaustion(spent, "<budget>", state), False
            if isinstance(step.action, DoneAction):
                ending = await self._grading.claim(step.action.summary, None, state)
                await self._note_skipped(left, "Done ends the batch", state)
                return ending, ending is None and left == 0
            if isinstance(step.action, FailAction):
                reason = step.action.reason
                return failed(reason, step="<planner fail>", reason="planner_fail", denied=state.last_denied), False
            if position:
                scene = await self._looking.glance(state)
                refusal = unknown_target(step.action, step.purpose, scene)
                if refusal is not None:
                    await self._note(refusal, state, charge=1)
                    await self._note_skipped(left, "a target was gone", state)
                    return None, False
            outcome = await self._performer.perform(step, purpose, scene, state)
            self._control.step_done()
            ending = await self._after(step.action, outcome, scene, state)
            if ending is not None:
                return ending, False
            if not outcome.record.succeeded:
                await self._note_skipped(left, "the step before them failed", state)
                return None, False
            if outcome.focus_moved and left:
                await self._note_skipped(left, f"“{outcome.focus_moved}” came to the front", state)
                return None, False
        return None, True

    async def _after(self, action: AnyAction, outcome: StepOutcome, scene: Scene, state: RunState) -> Ending | None:
        """The rules that look at what a step came to."""
        record = outcome.record
        seen = looks(scene)
        if not record.succeeded:
            self._repeats.failed(action, seen)
            if not outcome.recoverable:
                return failed(record.error or "The step failed.", step=record.step_purpose, reason="step_failed")
            abandoned = self._extraction.failed(action)
            if abandoned is not None:
                await self._note(abandoned, state)
                await remember(state, self._recorder, getattr(action, "name", ""), None)
                self._loops.forget_failures()
                return None
        if outcome.denied:
            return None
        return await self._on_loop(action, self._loops.saw(action, succeeded=record.succeeded, looks=seen), state)

    async def _on_loop(self, action: AnyAction, verdict: LoopVerdict, state: RunState) -> Ending | None:
        if verdict is LoopVerdict.END:
            return failed("The same action failed three times in a row.", step=action.describe(), reason="same_action")
        if verdict is LoopVerdict.WARN:
            await self._note(warning(action, self._loops.successes), state)
        if verdict is LoopVerdict.ASK:
            times = self._loops.successes
            question = f"“{action.describe()}” was done {times} times and nothing changes. What should happen now?"
            return await self._asking.clarify(question, (), state)
        return None

    async def _note(self, record: AttemptRecord, state: RunState, charge: int = 0) -> None:
        state.history.append(record)
        state.steps_used += charge
        await self._recorder.emit(Recorded, turn=state.turn, record=record, steps_charged=charge)

    async def _note_skipped(self, count: int, because: str, state: RunState) -> None:
        if count <= 0:
            return
        steps = "1 step was" if count == 1 else f"{count} steps were"
        record = AttemptRecord(
            step_purpose="skipped", action=Wait(ms=0), succeeded=False, error=f"{steps} not done because {because}."
        )
        await self._note(record, state)


def _empty(batch: Batch) -> AttemptRecord:
    return AttemptRecord(
        step_purpose=batch.purpose,
        action=Wait(ms=0),
        succeeded=False,
        error="The batch had no steps. Give at least one, or answer Done, Fail or Clarify.",
        next_action_hint=NextActionHint.DIFFERENT_ACTION,
    )
