"""A mission of several turns: the model writes programs and reads what came of them until one returns a result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from console.contracts.step import Step

from ..lisp import LispStep
from ..signature import render
from ..typecheck import TypeProblem, validate
from . import feedback
from .code import NoProgram, Program, extract
from .errors import Stopped
from .flight import Flight, calls_json
from .llm import LlmInput, LlmReply
from .plan import Progress, checklist
from .prompts import first_message, names_hint
from .template import referring
from .turn import Turn, TurnKind
from .values import as_text, is_too_large, shortened, size_of, with_plain_keys

_HISTORY = 3
_SHOWN = 2000


@dataclass(frozen=True, slots=True)
class _Answered:
    """One answer of the model and the turn it belongs to."""

    number: int
    kind: TurnKind
    reply: LlmReply
    program: Program | None = None


class Loop:
    """`work` and `retry` are the turns that are left of each kind."""

    def __init__(self, flight: Flight):
        self._flight = flight
        self._mission = flight.mission
        self._work = flight.mission.max_turns
        self._retry = flight.mission.retry_turns
        self._history: list[Any] = []
        self._failure: dict[str, Any] | None = None
        self._progress: Any = None

    async def run(self) -> Step:
        """Turn by turn until there is a result, or Stopped says why there is none."""
        flight, mission = self._flight, self._mission
        flight.prompt = referring(mission.prompt, flight.context)
        told = (flight.prompt, flight.context, flight.tools, flight.memory, flight.descriptions)
        flight.say("user", first_message(mission, *told))
        number = 0
        while self._work + self._retry > 0:
            number += 1
            step = await self._turn(number)
            if step is not None:
                return step
        reason = "budget_exhausted" if mission.retry_turns else "max_turns_exceeded"
        step = self._fallback()
        if step is None:
            raise Stopped(reason, f"no valid result after {number} turns")
        return step

    async def _turn(self, number: int) -> Step | None:
        kind: TurnKind = "retry" if self._work == 0 else "must_return" if self._work == 1 else "normal"
        question = LlmInput(number, tool_names=names_hint(self._flight.tools, kind))
        reply = await self._flight.ask(question)
        if await self._flight.over_budget():
            return self._over_budget()
        if self._work:
            self._work -= 1
        else:
            self._retry -= 1
        found = extract(reply.content)
        if isinstance(found, NoProgram):
            self._went_wrong(_Answered(number, kind, reply), "no_code_found", found.message)
            return None
        answered = _Answered(number, kind, reply, found)
        step = await self._flight.run_program(
            found.source, failure=self._failure, history=tuple(self._history), left=(self._work, self._retry)
        )
        return self._outcome(answered, step)

    def _outcome(self, answered: _Answered, step: LispStep) -> Step | None:
        if step.fail is not None:
            self._went_wrong(answered, step.fail.reason, step.fail.message, step)
            return None
        if step.signal == "return":
            return self._returned(answered, step)
        if step.signal == "fail":
            return self._gave_up(answered, step)
        if self._mission.completion_mode == "explicit" and answered.kind != "normal":
            self._keep(answered, step)
            raise Stopped("must_return_missing", "the last turn has to end with (return v) or (fail v)")
        self._go_on(answered, step)
        return None

    def _returned(self, answered: _Answered, step: LispStep) -> Step | None:
        if is_too_large(step.return_):
            self._went_wrong(answered, "memory_exceeded", "the result is too large; return less", step)
            return None
        value = with_plain_keys(step.return_)
        problems = self._problems(value)
        if problems:
            contract = self._mission.contract
            expected = render(contract.returns) if contract else ""
            told = feedback.of_bad_return(expected, value, problems, self._mission.format)
            self._went_wrong(answered, "validation_error", told, step)
            return None
        self._keep(answered, step)
        return self._flight.succeeded(value, step)

    def _problems(self, value: Any) -> list[TypeProblem]:
        contract = self._mission.contract
        return [] if contract is None else validate(contract, value)

    def _gave_up(self, answered: _Answered, step: LispStep) -> Step:
        message = as_text(step.return_, _SHOWN)
        failure = {"reason": "failed", "message": message}
        self._flight.memory = step.memory
        self._flight.summaries |= step.summaries
        self._record(answered, failure, step, success=False)
        raise Stopped("failed", message)

    def _go_on(self, answered: _Answered, step: LispStep) -> None:
        """A value that is not the end: it is told, and remembered as `*1`."""
        mission, flight = self._mission, self._flight
        before = flight.memory
        limit = mission.memory_limit
        self._keep(answered, step)
        if limit is not None and size_of(step.memory, limit) > limit:
            message = f"the definitions take more than the {limit} bytes they may"
            if mission.memory_strategy == "strict":
                raise Stopped("memory_limit_exceeded", message)
            flight.memory = before
            told = (
                f"{feedback.of_success(step, step.memory, mission.format)}\nNothing was stored: {message}. Keep less."
            )
        else:
            told = feedback.of_success(step, before, mission.format)
        self._history = [*self._history, shortened(step.return_, mission.format.history_max_bytes)][-_HISTORY:]
        self._tell(answered, told)

    def _keep(self, answered: _Answered, step: LispStep) -> None:
        self._flight.memory = step.memory
        self._flight.summaries |= step.summaries
        self._record(answered, step.return_, step, success=True)

    def _went_wrong(self, answered: _Answered, reason: str, message: str, step: LispStep | None = None) -> None:
        """Memory and summaries stay as they were before the turn; the model reads what was wrong."""
        self._failure = {"reason": reason, "message": message}
        self._record(answered, self._failure, step, success=False)
        prints = step.prints if step is not None else ()
        self._tell(answered, feedback.of_failure(reason, message, prints, self._mission.format))

    def _record(self, answered: _Answered, value: Any, step: LispStep | None, *, success: bool) -> None:
        source = answered.program.source if answered.program else None
        turn = Turn(answered.number, answered.kind, answered.reply.content, source, value, success)
        prints, calls = (step.prints, calls_json(step)) if step is not None else ((), ())
        self._flight.record(turn.after(prints, calls, self._flight.memory))
        # The conversation keeps only the program: what stands around it costs tokens in each further turn.
        self._flight.say("assistant", answered.program.block if answered.program else answered.reply.content)

    def _tell(self, answered: _Answered, told: str) -> None:
        """The feedback, the turns that are left, and the checklist."""
        parts = [told]
        guard = self._flight.options.continuation_guard
        if self._work + self._retry:
            veto = guard(self._flight.turns[-1]) if guard is not None else None
            if veto is not None:
                raise Stopped(veto.reason, veto.message, op=veto.op, details=veto.details)
            parts.append(feedback.outlook(self._work, self._retry, answered.number, self._mission.max_turns))
        parts.append(self._progress_text(answered.number))
        self._flight.say("user", "\n\n".join(part for part in parts if part))

    def _progress_text(self, turn: int) -> str:
        mission, summaries = self._mission, self._flight.summaries
        if mission.progress_fn is None:
            return checklist(mission.steps, summaries)
        given = Progress(mission.steps, dict(summaries), turn)
        text, self._progress = mission.progress_fn(given, self._progress)
        return text

    def _fallback(self) -> Step | None:
        """The newest value of a turn that would have been a valid result."""
        for turn in reversed(self._flight.turns):
            if turn.success and turn.value is not None and not is_too_large(turn.value):
                value = with_plain_keys(turn.value)
                return None if self._problems(value) else self._flight.succeeded(value, fallback_used=True)
        return None

    def _over_budget(self) -> Step:
        step = self._fallback() if self._flight.options.on_budget_exceeded == "return_partial" else None
        if step is None:
            usage: Mapping[str, int] = self._flight.ledger.tokens
            told = f"the tokens of the mission are used up ({usage['input']} in, {usage['output']} out)"
            raise Stopped("budget_callback_exceeded", told)
        return step


async def run_loop(flight: Flight) -> Step:
    """Runs the turns of a mission."""
    return await Loop(flight).run()
