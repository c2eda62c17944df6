"""A run as entries of a trace, by the types that PtcRunner's tracer has: one JSON object a line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from console.contracts.actions import Custom
from console.contracts.base import Json, Value
from console.contracts.events import ActionIntended, Attempted, ModelCalled, RunEnded, RunEvent, RunStarted
from console.contracts.step import Step

from .attributes import tool_name
from .span import trace_id_of

EntryType = Literal[
    "llm_call", "llm_response", "tool_call", "tool_result", "program_start", "program_end", "return", "fail",
    "nested_call",
]  # fmt: skip


class Entry(Value):
    """`timestamp` is ISO 8601 in UTC; `trace_id` is that of the run, program or mission in which it happened."""

    type: EntryType
    timestamp: str
    trace_id: str
    parent_trace_id: str | None = None
    data: dict[str, Json]


def entries_of(events: Iterable[RunEvent]) -> list[Entry]:
    """In the order of time. A run without an end gives what it has."""
    teller = _Teller(list(events))
    return [entry for _, entry in sorted(teller.told(), key=lambda one: one[0])]


class _Teller:
    """Knows beforehand which attempt was which program or mission, since that is told only at its end."""

    def __init__(self, events: Sequence[RunEvent]) -> None:
        self._events = events
        begun = next((event for event in events if isinstance(event, RunStarted)), None)
        self._run = trace_id_of(begun.trace_id, begun.run_id) if begun else ""
        self._traces: dict[str | None, str] = {None: self._run}
        self._parents: dict[str, str | None] = {self._run: None}
        self._answers: dict[str, list[int]] = defaultdict(list)
        for event in events:
            if isinstance(event, Attempted) and event.step is not None and event.step.trace_id:
                self._traces[event.attempt_id] = event.step.trace_id
                self._parents[event.step.trace_id] = event.step.parent_trace_id
            elif isinstance(event, ModelCalled) and event.parent_id:
                self._answers[event.parent_id].append(event.at_ms)

    def told(self) -> Iterator[tuple[int, Entry]]:
        for event in self._events:
            match event:
                case ModelCalled():
                    yield from self._model(event)
                case ActionIntended():
                    yield from self._begun(event)
                case Attempted():
                    yield from self._done(event)
                case RunEnded():
                    yield self._end(event.step, event.at_ms, self._run)

    def _entry(self, kind: EntryType, at_ms: int, trace_id: str, **data: Any) -> tuple[int, Entry]:
        time = datetime.fromtimestamp(at_ms / 1000, UTC).isoformat()
        kept = {name: value for name, value in data.items() if value is not None}
        parent = self._parents.get(trace_id)
        return at_ms, Entry(type=kind, timestamp=time, trace_id=trace_id, parent_trace_id=parent, data=kept)

    def _trace(self, attempt_id: str | None) -> str:
        return self._traces.get(attempt_id, self._run)

    def _model(self, event: ModelCalled) -> Iterator[tuple[int, Entry]]:
        call, trace = event.call, self._trace(event.parent_id)
        yield self._entry("llm_call", event.at_ms - call.latency_ms, trace, model=call.model, purpose=call.purpose)
        yield self._entry("llm_response", event.at_ms, trace, **call.model_dump(mode="json"))

    def _begun(self, event: ActionIntended) -> Iterator[tuple[int, Entry]]:
        trace, own = self._trace(event.parent_id), self._traces.get(event.attempt_id)
        told = {"id": event.attempt_id, "name": tool_name(event.action), "args": event.action.model_dump(mode="json")}
        if not event.program:
            yield self._entry("tool_call", event.at_ms, trace, **told)
            return
        yield self._entry("nested_call", event.at_ms, trace, child_trace_id=own, **told)
        source = _source(event)
        if source is not None and own is not None:
            yield self._entry("program_start", event.at_ms, own, program=source)

    def _done(self, event: Attempted) -> Iterator[tuple[int, Entry]]:
        step, own = event.step, self._traces.get(event.attempt_id)
        if step is None or own is None:
            record = event.record
            told = {"result": record.data, "error": record.error, "duration_ms": event.duration_ms}
            name = tool_name(record.action)
            yield self._entry(
                "tool_result", event.at_ms, self._trace(event.parent_id), id=event.attempt_id, name=name, **told
            )
            return
        if step.turns is None:
            yield self._entry("program_end", event.at_ms, own, prints=list(step.prints), duration_ms=event.duration_ms)
        else:
            yield from self._turns(step, own, event)
        yield self._end(step, event.at_ms, own)

    def _turns(self, step: Step, own: str, event: Attempted) -> Iterator[tuple[int, Entry]]:
        """The program of a turn begins with the answer that holds it, and is over before the next answer."""
        answers = self._answers[event.attempt_id]
        for place, (turn, begun) in enumerate(zip(step.turns or (), answers, strict=False)):
            if turn.get("program") is None:
                continue
            over = answers[place + 1] if place + 1 < len(answers) else event.at_ms
            number = turn.get("number")
            yield self._entry("program_start", begun, own, turn=number, program=turn["program"])
            told = {"result": turn.get("result"), "success": turn.get("success?"), "prints": turn.get("prints")}
            yield self._entry("program_end", over, own, turn=number, **told)

    def _end(self, step: Step, at_ms: int, trace: str) -> tuple[int, Entry]:
        usage = step.usage.model_dump(mode="json") if step.usage else None
        if step.fail is not None:
            return self._entry("fail", at_ms, trace, name=step.name, usage=usage, **step.fail.model_dump(mode="json"))
        return self._entry("return", at_ms, trace, name=step.name, usage=usage, value=step.return_)


def _source(event: ActionIntended) -> str | None:
    action = event.action
    if isinstance(action, Custom) and action.adapter == "ptc" and isinstance(action.params, dict):
        source = action.params.get("source")
        return source if isinstance(source, str) else None
    return None
