"""How a run ends: the contract's outcome and the `Step` that every run answers with."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from console.contracts.base import Json
from console.contracts.moves import AttemptRecord
from console.contracts.outcome import Failed, Refused, Succeeded
from console.contracts.step import Step, StepFail, Usage
from console.contracts.view import AdapterActionRef

from .state import RunState

End = Literal["succeeded", "failed", "refused", "stopped"]
RUN_NAME = "run"


@dataclass(frozen=True)
class Ending:
    """The end of a run, before it is written down. `reason` is the code of `Step.fail.reason`."""

    end: End
    sentence: str
    reason: str = ""
    failing_step: str = ""
    data: Json = None
    unverified: bool = False
    denied: bool = False
    details: dict[str, Json] = field(default_factory=dict)

    def outcome(self, state: RunState) -> Succeeded | Failed | Refused:
        if self.end == "succeeded":
            memory = dict(state.shared_memory)
            if self.data is not None:
                memory["final"] = self.data
            return Succeeded(summary=self.sentence, extracted_data=memory)
        if self.end == "refused":
            return Refused(summary=self.sentence)
        return Failed(failing_sub_goal=self.sentence, failing_step=self.failing_step, attempts=tuple(state.history))

    def step(self, state: RunState, duration_ms: int) -> Step:
        """`return` is the planner's data if it gave some, else what the run has read."""
        done = state.deeds.fields()
        memory: dict[str, Json] = {**state.shared_memory, **state.kept}
        fields: dict[str, object] = {
            "memory": memory,
            "usage": _usage(state, duration_ms),
            "turns": _turns(state.history),
            "trace_id": state.trace_id,
            "name": RUN_NAME,
            "prompt": state.goal,
            "original_prompt": state.goal,
            "tools": _tools(state.tools),
            **done,
            "summaries": {**state.summaries, **done["summaries"]},
        }
        if self.end == "succeeded":
            read = {key: value for key, value in state.shared_memory.items() if key != "operator_answers"}
            value = self.data if self.data is not None else (read or None)
            return Step.model_validate({"return": value, **fields})
        details: dict[str, Json] = {**self.details, **({"unverified": True} if self.unverified else {})}
        fail = StepFail(
            reason=self.reason or self.end, message=self.sentence, op=self.failing_step or None, details=details
        )
        return Step.model_validate({"fail": fail, **fields})


def stopped(reason: str) -> Ending:
    """The contract has no word for it, so its outcome is a failure at the step `<stopped>`."""
    return Ending("stopped", reason, reason="stopped", failing_step="<stopped>")


def failed(sentence: str, *, step: str, reason: str, denied: bool = False) -> Ending:
    return Ending("failed", sentence, reason=reason, failing_step=step, denied=denied)


def _usage(state: RunState, duration_ms: int) -> Usage:
    """Tokens and money only where a model was called."""
    fields: dict[str, object] = {
        "duration_ms": duration_ms,
        "memory_bytes": _peak_memory(),
        "turns": max(state.turn, 1),
    }
    spent = state.spent
    if spent.calls:
        fields |= {
            "llm_requests": spent.calls,
            "input_tokens": spent.input_tokens,
            "output_tokens": spent.output_tokens,
            "total_tokens": spent.tokens,
            "cost_usd": round(spent.cost_usd, 6),
        }
    if spent.cache_read_tokens:
        fields["cache_read_tokens"] = spent.cache_read_tokens
    return Usage.model_validate(fields)


def _tools(tools: Sequence[AdapterActionRef]) -> dict[str, Json] | None:
    """By their names, as the planner knew them."""
    told = {"adapter", "action"}
    return {f"{one.adapter}.{one.action}": one.model_dump(mode="json", exclude=told) for one in tools} or None


def _turns(history: list[AttemptRecord]) -> tuple[dict[str, Json], ...]:
    return tuple(record.model_dump(mode="json") for record in history)


def _peak_memory() -> int:
    """In bytes; 0 on Windows, where the standard library does not tell."""
    if sys.platform == "win32":  # pragma: no cover - not run here
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
