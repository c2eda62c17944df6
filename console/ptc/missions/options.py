"""What a run is started with, beside the mission itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from console.contracts.step import Step, StepFail

from ..lisp.host import Discovery
from .budget import TurnBudget
from .llm import LlmRetry
from .turn import Turn


@dataclass(frozen=True, slots=True)
class Lineage:
    """Where a run stands in the tree of its missions. `deadline` is a reading of the monotonic clock in seconds."""

    depth: int = 0
    max_depth: int | None = None
    budget: TurnBudget | None = None
    deadline: float | None = None
    parent_trace_id: str | None = None


@dataclass(frozen=True, slots=True)
class RunOptions:
    """`context` is a map, or the Step of another run whose result is used. `trace` says whether the turns are kept:
    always, never, or only of a failed run. `journal` switches journaling on. `budget` reads the usage after each answer
    and says `stop` to end the run; with `on_budget_exceeded` as `return_partial` the newest valid value is the result.
    `on_turn` is told every turn when it is over, `on_task` the journal after every task, in the thread of the program;
    `continuation_guard` reads each turn but the last and may end the run with a failure of its own, for instance
    because the turn did what must not be done twice. The run is known by `trace_id`, or by one that it makes."""

    llm: Any = None
    llm_registry: Any = None
    context: Mapping[Any, Any] | Step | None = None
    trace: bool | Literal["on_error"] = True
    collect_messages: bool = False
    llm_retry: LlmRetry | Mapping[str, Any] | None = None
    journal: Mapping[str, Any] | None = None
    tool_cache: Mapping[str, Any] = field(default_factory=dict)
    initial_messages: Sequence[Mapping[str, Any]] = ()
    initial_memory: Mapping[str, Any] = field(default_factory=dict)
    token_limit: int | None = None
    budget: Callable[[dict[str, Any]], Any] | None = None
    on_budget_exceeded: Literal["fail", "return_partial"] = "fail"
    discovery: Discovery | None = None
    cache: bool = False
    max_heap: int | None = None
    on_turn: Callable[[Turn], None] | None = None
    on_task: Callable[[Mapping[str, Any]], None] | None = None
    continuation_guard: Callable[[Turn], StepFail | None] | None = None
    lineage: Lineage = field(default_factory=Lineage)
    trace_id: str | None = None

    def for_child(self, *, llm: Any, context: Mapping[Any, Any], lineage: Lineage) -> RunOptions:
        """What a sub-mission gets: not the journal, the memory, the discovery or the callbacks."""
        return RunOptions(
            llm=llm,
            llm_registry=self.llm_registry,
            context=context,
            trace=self.trace,
            llm_retry=self.llm_retry,
            cache=self.cache,
            max_heap=self.max_heap,
            lineage=lineage,
        )
