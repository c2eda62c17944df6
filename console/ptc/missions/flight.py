"""One run of one mission: its clock, its conversation, what it keeps from turn to turn, and the Step at its end."""

from __future__ import annotations

import inspect
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from console.contracts.step import Step

from ..lisp import LispStep, Tool, run_async
from .budget import Ledger, TurnBudget
from .compaction import Compaction, Compactor
from .errors import MissionError, Stopped
from .llm import LlmInput, LlmReply, LlmRetry, ask, resolve
from .mission import Mission
from .options import Lineage, RunOptions
from .prompts import system_prompt, tools_json
from .tools import MissionTool, bound_tools
from .turn import Turn
from .values import as_json, cleaned, is_too_large, json_map, name_of, with_plain_keys

Execute = Callable[[Mission, RunOptions], Awaitable[Step]]


class Flight:
    """`execute` runs a sub-mission."""

    def __init__(self, mission: Mission, options: RunOptions, execute: Execute):
        self.mission = mission
        self.options = options
        self.trace_id = options.trace_id or secrets.token_hex(16)
        self.depth = options.lineage.depth
        self.ledger = Ledger()
        self.budget = options.lineage.budget or TurnBudget(mission.turn_budget)
        self.context: dict[Any, Any] = {}
        self.descriptions: dict[str, str] = {}
        self.tools: dict[str, Tool] = {}
        self.memory: Mapping[str, Any] = dict(options.initial_memory)
        self.summaries: dict[str, str] = {}
        self.turns: list[Turn] = []
        self.messages: list[dict[str, Any]] = [dict(message) for message in options.initial_messages]
        self.system = ""
        self.prompt: str | None = None
        self._execute = execute
        self._started = time.monotonic()
        self._deadline = _earlier(options.lineage.deadline, mission.mission_timeout, self._started)
        self._journal = options.journal
        self._tool_cache: Mapping[str, Any] = dict(options.tool_cache)
        self._child_steps: list[Any] = []
        self._child_traces: list[str] = []
        self._compactor = Compactor(_compaction(mission))
        self._prepared = False
        self._sent: tuple[dict[str, Any], ...] = ()

    # Before the first turn

    def prepare(self) -> None:
        """All that can be refused before the model is asked."""
        options, mission = self.options, self.mission
        if options.llm is None and mission.llm is None:
            raise Stopped("llm_required", "a mission needs a model: pass llm")
        registry = options.llm_registry
        if registry is not None and not (isinstance(registry, Mapping) and all(map(callable, registry.values()))):
            raise Stopped("invalid_llm_registry", "the registry of models is a map of names to callables")
        self._take_context()
        clash = sorted(set(mission.tools) & {name_of(key) for key in self.context})
        if clash:
            raise MissionError(f"the names of tools are names of the context as well: {', '.join(clash)}")
        self._prepared = True
        allowed = self.max_depth
        if self.depth >= allowed:
            raise Stopped("max_depth_exceeded", f"missions are nested {self.depth} deep, and {allowed} is the limit")
        self.check()
        self.tools = bound_tools(mission, self._spawn)
        self.system = cleaned(system_prompt(mission, self._journal))

    @property
    def max_depth(self) -> int:
        """How deep missions may be nested here: the least that any of them allows."""
        inherited = self.options.lineage.max_depth
        return self.mission.max_depth if inherited is None else min(inherited, self.mission.max_depth)

    def _take_context(self) -> None:
        given = self.options.context
        self.descriptions = dict(self.mission.context_descriptions or {})
        if not isinstance(given, Step):
            self.context = dict(given or {})
            return
        if given.fail is not None:
            told = given.fail.model_dump(mode="json")
            message = f"the run before failed: {given.fail.reason}: {given.fail.message}"
            raise Stopped("chained_failure", message, details={"upstream": told})
        self.context = dict(given.return_) if isinstance(given.return_, dict) else {}
        self.descriptions = dict(given.field_descriptions or {}) | self.descriptions

    # Turns

    def seconds(self) -> float | None:
        """How long the mission may still take."""
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def check(self) -> None:
        """Stops where the turns of all missions together, or the time, are used up."""
        if self.budget.remaining <= 0:
            raise Stopped("turn_budget_exhausted", "the mission and its sub-missions have used all their turns")
        if self.seconds() == 0.0:
            limit = self.mission.mission_timeout
            told = f" of {limit} ms" if limit is not None else ""
            raise Stopped("mission_timeout", f"the mission ran out of its time{told}")

    def say(self, role: str, content: str, **more: Any) -> None:
        """Adds a message to the conversation."""
        self.messages.append({"role": role, "content": cleaned(content), **more})

    async def ask(self, given: LlmInput) -> LlmReply:
        """The model's answer to the conversation; a turn of the budget is taken before, for others draw from it too."""
        self.check()
        self.budget.take()
        seen = self._compactor.seen(self.messages, given.turn)
        question = replace(given, system=self.system, messages=seen, cache=self.options.cache)
        retry = LlmRetry.of(self.options.llm_retry or self.mission.llm_retry)
        llm = resolve(self.options.llm or self.mission.llm, self.options.llm_registry)
        self._sent = tuple(dict(message) for message in seen)
        reply: LlmReply = await ask(llm, question, retry, seconds=self.seconds(), on_try=self.ledger.add_request)
        self.ledger.turns += 1
        self.ledger.add_tokens(reply.tokens, reply.cost_usd)
        return reply

    async def over_budget(self) -> bool:
        """Whether the tokens are used up, or the host says stop."""
        limit = self.options.token_limit
        if limit is not None and self.ledger.total_tokens > limit:
            return True
        if self.options.budget is None:
            return False
        said = self.options.budget(self._usage())
        if inspect.isawaitable(said):
            said = await said
        return bool(said == "stop")

    async def run_program(
        self, source: str, *, failure: Mapping[str, Any] | None, history: Sequence[Any], left: tuple[int, int]
    ) -> LispStep:
        """Runs a program of the model and keeps of it what is kept even when it fails."""
        mission = self.mission
        limits = mission.limits(seconds=self.seconds(), tool_calls=self.ledger.tool_calls)
        if self.options.max_heap is not None:
            limits = replace(limits, max_heap=min(limits.max_heap, self.options.max_heap))
        work, retry = left
        depth = (self.depth, self.max_depth)
        step = await run_async(
            source,
            context=self.context if failure is None else {**self.context, "fail": failure},
            memory=self.memory,
            tools=self.tools,
            limits=limits,
            journal=self._journal,
            on_task=self.options.on_task,
            tool_cache=self._tool_cache,
            turn_history=history,
            budget=self.ledger.remaining(budget=self.budget, work=work, retry=retry, depth=depth),
            discovery=self.options.discovery,
            float_precision=mission.float_precision,
        )
        # A failed program must not do again what it has done: its journal counts.
        self._journal = step.journal
        self._tool_cache = step.tool_cache
        self._child_steps += step.child_steps
        self._child_traces += step.child_traces
        self.ledger.tool_calls += len(step.tool_calls)
        if step.usage is not None:
            self.ledger.memory_bytes = max(self.ledger.memory_bytes, step.usage.memory_bytes)
        return step

    def record(self, turn: Turn) -> None:
        """Writes a turn down, with the conversation as it was sent."""
        turn = replace(turn, messages=self._sent, system_prompt=self.system)
        self.turns.append(turn)
        if self.options.on_turn is not None:
            self.options.on_turn(turn)

    def adopt(self, child_step: Any, child_trace_id: str | None) -> None:
        """Keeps what a sub-mission left that no program called."""
        if child_step is not None:
            self._child_steps.append(child_step)
        if child_trace_id is not None:
            self._child_traces.append(child_trace_id)

    async def _spawn(self, child: MissionTool, args: Mapping[str, Any]) -> Step:
        llm = child.mission.llm or child.llm or self.options.llm or self.mission.llm
        lineage = Lineage(self.depth + 1, self.max_depth, self.budget, self._deadline, self.trace_id)
        return await self._execute(child.mission, self.options.for_child(llm=llm, context=args, lineage=lineage))

    # The end

    def succeeded(self, value: Any, program: LispStep | None = None, **usage: Any) -> Step:
        """The Step of a mission with a result."""
        if is_too_large(value):
            raise Stopped("memory_exceeded", "the result is too large for a Step")
        fields = self._common(failed=False, **usage) | _of_program(program)
        return Step.model_validate(cleaned(fields | {"return": as_json(with_plain_keys(value))}))

    def failed(self, stop: Stopped, program: LispStep | None = None) -> Step:
        """The Step of a mission without one."""
        details = json_map(stop.details)
        fail = {"reason": stop.reason, "message": stop.message, "op": stop.op, "details": details}
        return Step.model_validate(cleaned(self._common(failed=True) | _of_program(program) | {"fail": fail}))

    def _common(self, *, failed: bool, **usage: Any) -> dict[str, Any]:
        mission, trace = self.mission, self.options.trace
        kept = failed if trace == "on_error" else bool(trace)
        return {
            "memory": json_map(self.memory),
            "journal": None if self._journal is None else json_map(self._journal),
            "signature": mission.signature,
            "usage": self._usage(**usage),
            "turns": tuple(turn.to_json() for turn in self.turns) if kept else None,
            "trace_id": self.trace_id,
            "parent_trace_id": self.options.lineage.parent_trace_id,
            "name": mission.name,
            "field_descriptions": None if mission.field_descriptions is None else dict(mission.field_descriptions),
            "child_traces": tuple(self._child_traces),
            "child_steps": tuple(self._child_steps),
            "messages": self._told() if self.options.collect_messages else None,
            "prompt": self.prompt,
            "original_prompt": mission.prompt,
            "tools": tools_json(self.tools) if self._prepared else None,
            "summaries": dict(self.summaries),
            "tool_cache": json_map(self._tool_cache),
        }

    def _told(self) -> tuple[dict[str, str], ...]:
        """The conversation; the answers of tools are told by the user, for the contract has no role for them."""
        told = [{"role": "system", "content": self.system}] if self.system else []
        for message in self.messages:
            role = str(message["role"])
            known = role if role in {"system", "user", "assistant"} else "user"
            told.append({"role": known, "content": str(message.get("content") or "")})
        return tuple(told)

    def _usage(self, **more: Any) -> dict[str, Any]:
        usage = self.ledger.as_usage() | more
        usage["duration_ms"] = int((time.monotonic() - self._started) * 1000)
        if not self._prepared:
            usage.pop("turns")
        if self.system:
            usage["system_prompt_tokens"] = len(self.system) // 4
        if self._compactor.stats is not None:
            usage["compaction"] = self._compactor.stats
        return usage


def _of_program(step: LispStep | None) -> dict[str, Any]:
    """What the last program did."""
    if step is None:
        return {}
    return {
        "prints": step.prints,
        "tool_calls": calls_json(step),
        # The Steps of the children stand in the Step itself, once.
        "pmap_calls": tuple(asdict(replace(call, child_steps=())) for call in step.pmap_calls),
        "catalog_ops": tuple(asdict(one) for one in step.catalog_ops),
    }


def calls_json(step: LispStep) -> tuple[dict[str, Any], ...]:
    """The calls of tools in JSON."""
    return tuple(asdict(call) for call in step.tool_calls)


def _earlier(inherited: float | None, timeout: int | None, now: float) -> float | None:
    own = None if timeout is None else now + timeout / 1000
    known = [one for one in (inherited, own) if one is not None]
    return min(known) if known else None


def _compaction(mission: Mission) -> Compaction | None:
    """None where there are too few turns for it, or no turns of programs."""
    return None if mission.max_turns <= 1 or mission.output == "text" else Compaction.of(mission.compaction)
