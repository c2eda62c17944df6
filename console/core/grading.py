"""Has a Done checked on a fresh view, and decides what follows when nobody can check it."""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass

from console.contracts.base import Json
from console.contracts.events import DoneChecked, Recorded, RunPhase, VerifyAnswered, VerifyAsked
from console.contracts.moves import DoneVerdict
from console.contracts.operator import Operator, VerifyDecision, VerifyRequest
from console.contracts.planner import PlanProducer

from .control import RunControl
from .ending import Ending, failed
from .looking import Looking
from .recorder import Recorder
from .rules.done import rejected
from .state import RunState

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Graded:
    """A verdict, or the problem that prevented one."""

    verdict: DoneVerdict | None
    problem: str = ""


class Grading:
    """Done claims and the last chance of a run whose budget is used up."""

    def __init__(
        self,
        planner: PlanProducer,
        operator: Operator | None,
        looking: Looking,
        recorder: Recorder,
        control: RunControl,
    ) -> None:
        self._planner = planner
        self._operator = operator
        self._looking = looking
        self._recorder = recorder
        self._control = control

    async def claim(self, summary: str, data: Json, state: RunState) -> Ending | None:
        """The ending if the claim holds; None if it was rejected and the run goes on."""
        graded = await self._grade(summary, state)
        verdict = graded.verdict
        if verdict is None:
            decision = await self._judge(summary, graded.problem)
            if decision.verdict != "reject":
                return Ending("succeeded", summary, data=data, unverified=decision.verdict == "unverified")
            verdict = DoneVerdict(verified=False, reason=decision.reason or "The operator says it is not done.")
        if verdict.verified:
            return Ending("succeeded", summary, data=data)
        record = rejected(summary, verdict)
        state.history.append(record)
        state.steps_used += 1
        await self._recorder.emit(Recorded, turn=state.turn, record=record, steps_charged=1)
        return None

    async def at_exhaustion(self, what: str, step: str, state: RunState) -> Ending:
        """The budget is used up: does the goal hold all the same?"""
        graded = await self._grade(f"{what} Does the goal hold nevertheless?", state)
        if graded.verdict is not None and graded.verdict.verified:
            return Ending("succeeded", f"Done when the budget was used up. {what}")
        if graded.verdict is None and state.steps_used > 0:
            decision = await self._judge(what, graded.problem)
            if decision.verdict == "accept":
                return Ending("succeeded", f"Accepted by the operator. {what}")
        why = graded.verdict.reason if graded.verdict else graded.problem
        return failed(f"{what} {why}".strip(), step=step, reason="budget_exhausted", denied=state.last_denied)

    async def _grade(self, summary: str, state: RunState) -> Graded:
        try:
            look = await self._looking.look(state, RunPhase.CHECKING)
            verdict = await self._planner.verify_done(state.goal, summary, state.shared_memory, look.view, look.png)
        except Exception as error:
            log.info("The claim could not be checked", exc_info=True)
            problem = str(error) or type(error).__name__
            await self._recorder.emit(DoneChecked, summary=summary, problem=problem)
            return Graded(None, problem)
        await self._recorder.emit(DoneChecked, summary=summary, verdict=verdict)
        return Graded(verdict)

    async def _judge(self, summary: str, problem: str) -> VerifyDecision:
        """The operator's word, or `unverified` if there is none."""
        if self._operator is None:
            return VerifyDecision(verdict="unverified")
        request = VerifyRequest(request_id=secrets.token_hex(8), summary=summary, problem=problem)
        await self._recorder.emit(VerifyAsked, request=request)
        try:
            await self._recorder.enter(RunPhase.WAITING)
            async with self._control.waiting():
                decision = await self._operator.judge(request)
        except Exception:
            log.exception("The operator could not be asked whether it is done")
            decision = VerifyDecision(verdict="unverified")
        await self._recorder.emit(VerifyAnswered, request_id=request.request_id, decision=decision)
        return decision
