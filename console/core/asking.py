"""Puts a question to the operator and gives the answer to the planner."""

from __future__ import annotations

import logging
import secrets

from console.contracts.events import ClarifyAnswered, ClarifyAsked, Recorded, RunPhase
from console.contracts.operator import ClarifyAnswer, ClarifyRequest, Operator

from .clock import Clock
from .control import RunControl
from .ending import Ending
from .memory import remember
from .recorder import Recorder
from .rules.questions import MEMORY_KEY, answered, may_ask, remembered
from .state import RunState

log = logging.getLogger(__name__)


class Asking:
    """A Clarify is a question to a person who is there; without one it refuses the goal, as in the contract."""

    def __init__(self, operator: Operator | None, recorder: Recorder, control: RunControl, clock: Clock) -> None:
        self._operator = operator
        self._recorder = recorder
        self._control = control
        self._clock = clock

    async def clarify(self, question: str, candidates: tuple[str, ...], state: RunState) -> Ending | None:
        """None if it was answered and the run goes on."""
        if not may_ask(question, state.asked):
            return Ending("refused", question, reason="clarify_repeated", failing_step="<clarify>")
        answer = await self.put(question, candidates, state)
        if answer.declined:
            return Ending("refused", question, reason="clarify_declined", failing_step="<clarify>")
        told = state.secrets.hide(answer.text) if answer.secret else answer.text
        record = answered(question, told)
        state.history.append(record)
        await self._recorder.emit(Recorded, turn=state.turn, record=record)
        answers = remembered(state.shared_memory.get(MEMORY_KEY), question, told, self._clock.unix_ms())
        await remember(state, self._recorder, MEMORY_KEY, answers)
        return None

    async def put(self, question: str, candidates: tuple[str, ...], state: RunState) -> ClarifyAnswer:
        """Ask and write down the answer; no operator, an error or a closed window is a decline."""
        request = ClarifyRequest(request_id=secrets.token_hex(8), question=question, candidates=candidates)
        state.asked.append(question)
        await self._recorder.emit(ClarifyAsked, request=request)
        answer = ClarifyAnswer(declined=True)
        if self._operator is not None:
            await self._recorder.enter(RunPhase.WAITING)
            try:
                async with self._control.waiting():
                    answer = await self._operator.answer(request)
            except Exception:
                log.exception("The question could not be asked")
        if answer.secret:
            self._recorder.keep_secret(answer.text)
        await self._recorder.emit(ClarifyAnswered, request_id=request.request_id, answer=answer)
        return answer
