"""Missions as an adapter: a part of the goal is handed to a model that writes programs, within limits of its own."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from pydantic import ValidationError

from console.contracts.actions import Custom
from console.contracts.adapter import Adapter, Hands, TraceIds
from console.contracts.base import Json
from console.contracts.model_use import Report
from console.contracts.moves import StepErr
from console.contracts.step import NOT_POSSIBLE, Step
from console.contracts.view import AdapterActionRef, AdapterFactRef

from .answers import keep_answers, known_answers
from .desk_tools import DeskTools, Discoverer, reply, tool_names
from .lisp import Tool, ToolReply
from .lisp.keep import back, kept
from .mission_office import MissionOffice
from .mission_params import MissionParams
from .missions import LlmInput, Mission, MissionError, run, then
from .missions.budget import TurnBudget
from .missions.options import Lineage

NAME, RUN = "mission", "run"
JOURNALS, STEPS = "mission.journals", "mission.steps"
# The run's own clock ends a program, since waiting for the operator does not count; steps bound its own work.
PROGRAM_MS, PROGRAM_STEPS = 24 * 3600 * 1000, 20_000_000
PARALLEL_MS = 60_000
WITHOUT_MODEL = "A mission needs a model. Name one in Settings, under Planners, as “A model decides”."


class MissionModel(Protocol):
    """Answers the questions of one mission."""

    async def __call__(self, given: LlmInput) -> Any: ...
    async def close(self) -> None: ...


ModelOf = Callable[[Report], MissionModel | None]


class MissionAdapter:
    """`mission.run`. `model` makes what answers, or None where no model is set; `rules` is put before its prompt.

    A mission that is called from inside another draws from the turns and the time of that one.
    """

    def __init__(
        self,
        model: ModelOf,
        rules: Callable[[], str] = str,
        adapters: Sequence[Adapter] = (),
        discovery: Discoverer | None = None,
    ) -> None:
        self._model = model
        self._rules = rules
        self._adapters = adapters
        self._discovery = discovery
        self._open: list[Lineage] = []

    @property
    def name(self) -> str:
        return NAME

    async def facts(self, goal: str) -> Sequence[AdapterFactRef]:
        return ()

    def actions(self) -> Sequence[AdapterActionRef]:
        return (
            AdapterActionRef(
                adapter=NAME,
                action=RUN,
                params_schema=MissionParams.model_json_schema(),
                description="Hands a part of the goal to a model that works on it with programs, and gives its result.",
                mutates_state=False,
                returns_data=True,
            ),
        )

    async def call(self, action: str, params: Json) -> StepErr:
        """A mission needs hands, which only a run gives it."""
        return StepErr(message="A mission runs as a step of a run, and not by itself.")

    async def run(self, action: str, params: Json, hands: Hands) -> Step:
        """What came of the mission."""
        try:
            given = MissionParams.model_validate(params)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"]) or "params"
            return Step.error(NOT_POSSIBLE, f"mission.run: {where}: {first['msg']}. It needs “prompt”.", {})
        if action != RUN:
            return Step.error(NOT_POSSIBLE, f"mission has no action “{action}”; it has {RUN}.", {})
        office = MissionOffice(hands)
        model = self._model(office.report)
        if model is None:
            return Step.error(NOT_POSSIBLE, WITHOUT_MODEL, {})
        try:
            step = await self._carried_out(given, hands, office, model)
        except MissionError as error:
            return Step.error(error.reason, f"mission.run: {error}.", {})
        finally:
            await model.close()
        await keep_answers(hands, step)
        if given.name:
            await hands.keep(STEPS, {**mapping(hands.kept.get(STEPS)), given.name: _kept(step)})
        return step if given.collect_messages else step.brief()

    async def _carried_out(
        self, given: MissionParams, hands: Hands, office: MissionOffice, model: MissionModel
    ) -> Step:
        before = _before(given, hands.kept)
        mission = self._mission(given, hands, office)
        lineage, trace, key = self._lineage(given, hands.trace), hands.trace, _key(given)
        options: dict[str, Any] = {
            "llm": office.asking(model),
            "journal": back(mapping(hands.kept.get(JOURNALS)).get(key)),
            "tool_cache": known_answers(hands),
            "on_task": self._finished(hands, key),
            "budget": office.verdict,
            "on_budget_exceeded": "return_partial",
            "discovery": self._discovery(tool_names(self._adapters)) if self._discovery is not None else None,
            "lineage": lineage,
            "trace_id": trace.trace_id,
            "collect_messages": given.collect_messages,
        }
        self._open.append(_inside(lineage, given))
        try:
            await office.show(mission.steps, {})
            if isinstance(before, Step) and before.fail is None:
                step = await then(before, mission, **options)
            else:
                step = await run(mission, context=before, **options)
            await office.show(mission.steps, step.summaries)
        finally:
            self._open.pop()
        # What was finished counts for as long as the mission is under way: a later one of the same words is a new one.
        left = {name: one for name, one in mapping(hands.kept.get(JOURNALS)).items() if name != key}
        await hands.keep(JOURNALS, left)
        return step

    def _mission(self, given: MissionParams, hands: Hands, office: MissionOffice) -> Mission:
        return Mission(
            prompt=given.prompt,
            signature=given.signature,
            tools=self._tools(given, hands),
            max_turns=given.max_turns,
            retry_turns=given.retry_turns,
            turn_budget=given.turn_budget,
            max_depth=given.max_depth,
            mission_timeout=given.timeout_s * 1000 if given.timeout_s else None,
            max_tool_calls=given.max_tool_calls,
            memory_limit=given.memory_limit,
            memory_strategy=given.memory_strategy,
            completion_mode=given.completion_mode,
            output=given.output,
            plan=given.plan,
            progress_fn=office.progress,
            compaction=given.compaction,
            journaling=True,
            name=given.name,
            field_descriptions=given.field_descriptions or None,
            timeout=PROGRAM_MS,
            pmap_timeout=PARALLEL_MS,
            max_steps=PROGRAM_STEPS,
            system_prompt={"prefix": self._rules()},
        )

    def _tools(self, given: MissionParams, hands: Hands) -> dict[str, Tool]:
        """The desktop's, the other adapters' and, inside, further missions; or those of them that are named."""
        tools = {**DeskTools(hands).tools(), **DeskTools.foreign(hands, self._adapters)}
        tools[f"{NAME}-{RUN}"] = self._sub_mission(hands)
        if given.tools is None:
            return tools
        unknown = [name for name in given.tools if name not in tools]
        if unknown:
            raise MissionError(f"there is no tool {', '.join(unknown)}; there are {', '.join(tools)}")
        return {name: tools[name] for name in given.tools}

    def _sub_mission(self, hands: Hands) -> Tool:
        async def call(arguments: dict[str, Any]) -> ToolReply:
            action = Custom(adapter=NAME, action=RUN, params=arguments)
            return reply(await hands.act(action, str(arguments.get("name") or action.describe())))

        told = "{:prompt, [:signature], [:context], [:max-turns], [:plan]}: hand a part over to another mission"
        return Tool(call, f"{NAME}-{RUN}", description=told, mutates=True)

    def _lineage(self, given: MissionParams, trace: TraceIds) -> Lineage:
        """That of the mission around this one; else a new one."""
        found = self._open[-1] if self._open else Lineage(budget=TurnBudget(given.turn_budget))
        return replace(found, parent_trace_id=trace.parent_trace_id)

    def _finished(self, hands: Hands, key: str) -> Callable[[Mapping[str, Any]], None]:
        """Called in the thread of the program: a task counts as finished once it is in the journal of the run."""
        loop = asyncio.get_running_loop()

        def finished(journal: Mapping[str, Any]) -> None:
            journals = {**mapping(hands.kept.get(JOURNALS)), key: kept(journal)}
            asyncio.run_coroutine_threadsafe(hands.keep(JOURNALS, journals), loop).result()

        return finished


def _before(given: MissionParams, kept: Mapping[str, Json]) -> Step | dict[str, Json]:
    """What the mission starts from: the Step of an earlier one, with the data that is given beside it, or the data."""
    if given.after is None:
        return given.context
    steps = mapping(kept.get(STEPS))
    if given.after not in steps:
        known = ", ".join(steps) or "none yet"
        raise MissionError(f"there was no mission “{given.after}” in this run; there is {known}")
    step = Step.model_validate(steps[given.after])
    return step.model_copy(update={"return_": {**mapping(step.return_), **given.context}}) if given.context else step


def _inside(lineage: Lineage, given: MissionParams) -> Lineage:
    """What a mission gets that is started inside this one."""
    own = time.monotonic() + given.timeout_s if given.timeout_s else None
    ends = [end for end in (lineage.deadline, own) if end is not None]
    allowed = given.max_depth if lineage.max_depth is None else min(lineage.max_depth, given.max_depth)
    return Lineage(lineage.depth + 1, allowed, lineage.budget, min(ends, default=None))


def _key(given: MissionParams) -> str:
    """The same for the same mission, so that an interrupted one finds what it had finished."""
    return hashlib.sha256(given.model_dump_json().encode()).hexdigest()[:16]


def _kept(step: Step) -> dict[str, Any]:
    """What a later mission starts from."""
    fail = step.fail.model_dump(mode="json") if step.fail else None
    return {"return": step.return_, "fail": fail, "field_descriptions": step.field_descriptions}


def mapping(value: Json) -> dict[str, Any]:
    """The value where it is a map, else an empty one."""
    return dict(value) if isinstance(value, dict) else {}
