"""Programs as an adapter: a planner hands in a whole PTC-Lisp program, and each of its tool calls passes the gate."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field, ValidationError

from console.contracts.adapter import Adapter, Hands
from console.contracts.base import Json, Value
from console.contracts.moves import StepErr
from console.contracts.step import NOT_POSSIBLE, Step, StepFail
from console.contracts.view import AdapterActionRef, AdapterFactRef

from .answers import keep_answers, known_answers
from .desk_tools import DeskTools, Discoverer, tool_names
from .lisp import Limits, LispStep, run_async
from .lisp.keep import back, kept
from .missions.single import structured

NAME, RUN = "ptc", "run"
MEMORY, JOURNAL = "ptc.memory", "ptc.journal"
# The run's own clock is what ends a program, since waiting for the operator does not count; steps bound its own work.
LIMITS = Limits(timeout=24 * 3600 * 1000, max_steps=20_000_000, max_tool_calls=1000)


class ProgramParams(Value):
    """What `run` is given."""

    source: str = Field(description="the program in PTC-Lisp")
    signature: str | None = Field(default=None, description="the type of its value, such as () -> {total :int}")
    context: dict[str, Json] = Field(default_factory=dict, description="read as data/name")


class ProgramAdapter:
    """`ptc.run`. Definitions and finished tasks last for the whole run, also over an interruption."""

    def __init__(
        self, adapters: Sequence[Adapter] = (), limits: Limits = LIMITS, discovery: Discoverer | None = None
    ) -> None:
        self._adapters = adapters
        self._discovery = discovery
        self._limits = limits

    @property
    def name(self) -> str:
        return NAME

    async def facts(self, goal: str) -> Sequence[AdapterFactRef]:
        return ()

    def actions(self) -> Sequence[AdapterActionRef]:
        words = "Runs a PTC-Lisp program whose tools are the desktop's actions: " + ", ".join(
            f"tool/{name}" for name in DeskTools.names()
        )
        return (
            AdapterActionRef(
                adapter=NAME,
                action=RUN,
                params_schema=ProgramParams.model_json_schema(),
                description=words,
                mutates_state=False,
                returns_data=True,
            ),
        )

    async def call(self, action: str, params: Json) -> StepErr:
        """A program needs hands, which only a run gives it."""
        return StepErr(message="A program runs as a step of a run, and not by itself.")

    async def run(self, action: str, params: Json, hands: Hands) -> Step:
        """What came of the program; `(return v)` and `(fail v)` are ends like others here."""
        try:
            given = ProgramParams.model_validate(params)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"]) or "params"
            return Step.error(NOT_POSSIBLE, f"ptc.run: {where}: {first['msg']}. It needs “source”.", {})
        if action != RUN:
            return Step.error(NOT_POSSIBLE, f"ptc has no action “{action}”; it has {RUN}.", {})
        done = await self._carried_out(given, hands)
        await hands.keep(MEMORY, kept(done.memory))
        await hands.keep(JOURNAL, kept(done.journal or {}))
        step = _ended(done)
        await keep_answers(hands, step)
        return step

    async def _carried_out(self, given: ProgramParams, hands: Hands) -> LispStep:
        loop = asyncio.get_running_loop()

        def finished(journal: Mapping[str, Any]) -> None:
            """Called in the thread of the program: a task counts as finished once it is in the journal of the run."""
            asyncio.run_coroutine_threadsafe(hands.keep(JOURNAL, kept(journal)), loop).result()

        return await run_async(
            given.source,
            context={**hands.memory, **given.context},
            memory=back(hands.kept.get(MEMORY)),
            journal=back(hands.kept.get(JOURNAL)),
            on_task=finished,
            tool_cache=known_answers(hands),
            tools={**DeskTools(hands).tools(), **DeskTools.foreign(hands, self._adapters)},
            discovery=self._discovery(tool_names(self._adapters)) if self._discovery is not None else None,
            signature=given.signature,
            limits=self._limits,
        )


def _ended(done: LispStep) -> Step:
    """The Step of a program that may have ended early."""
    step = done.to_step()
    if done.signal is None or not isinstance(step.return_, list):
        return step
    value = step.return_[1]
    if done.signal == "return":
        return step.model_copy(update={"return_": value})
    stop = structured(done.return_)
    fail = StepFail(reason=stop.reason, message=stop.message, details={})
    return step.model_copy(update={"return_": None, "fail": fail})
