"""A mission of one answer: the program is run, and its value is the result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from console.contracts.step import Step

from ..lisp import LispStep
from .code import NoProgram, extract
from .errors import Stopped
from .flight import Flight, calls_json
from .llm import LlmInput
from .prompts import first_message
from .template import expand
from .turn import Turn
from .values import as_text


async def run_single(flight: Flight) -> Step:
    """Asks once. A bare value is not checked against the signature: there is no turn left to correct it in."""
    mission = flight.mission
    flight.prompt = expand(mission.prompt, flight.context)
    told = first_message(mission, flight.prompt, flight.context, {}, flight.memory, flight.descriptions)
    flight.say("user", told)
    reply = await flight.ask(LlmInput(1))
    if await flight.over_budget():
        raise Stopped("budget_callback_exceeded", "the tokens of the mission are used up")
    found = extract(reply.content)
    if isinstance(found, NoProgram):
        flight.say("assistant", reply.content)
        failure = {"reason": "no_code_found", "message": found.message}
        flight.record(Turn(1, "must_return", reply.content, None, failure, success=False))
        raise Stopped("no_code_found", found.message)
    flight.say("assistant", found.block)
    step = await flight.run_program(found.source, failure=None, history=(), left=(0, 0))
    stop = _failure(step)
    value = step.return_ if stop is None else {"reason": stop.reason, "message": stop.message}
    if step.ok:
        flight.memory = step.memory
        flight.summaries = dict(step.summaries)
    turn = Turn(1, "must_return", reply.content, found.source, value, success=stop is None)
    flight.record(turn.after(step.prints, calls_json(step), flight.memory))
    return flight.succeeded(value, step) if stop is None else flight.failed(stop, step)


def _failure(step: LispStep) -> Stopped | None:
    if step.fail is not None:
        return Stopped(step.fail.reason, step.fail.message, op=step.fail.op, details=step.fail.details)
    return structured(step.return_) if step.signal == "fail" else None


def structured(value: Any) -> Stopped:
    """The failure that `(fail value)` means: the value may name its own reason and message."""
    fields = value if isinstance(value, Mapping) else {}
    reason, message = fields.get("reason"), fields.get("message")
    return Stopped(
        reason if isinstance(reason, str) and reason else "failed",
        message if isinstance(message, str) else as_text(value, 2000),
    )
