"""What a run has done, as the fields of its `Step`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from .events import ActionIntended, Attempted, RunEvent
from .step import Step, ToolCall


@dataclass
class Deeds:
    """`calls` are all actions, also those of programs; `programs` is what the programs and missions answered with, but
    for those that others have called: their Steps stand in these."""

    calls: list[ToolCall] = field(default_factory=list)
    programs: list[Step] = field(default_factory=list)

    @classmethod
    def of(cls, events: Iterable[RunEvent]) -> Deeds:
        """Read back from the events of a run."""
        deeds, intended = cls(), dict[str, ActionIntended]()
        for event in events:
            if isinstance(event, ActionIntended):
                intended[event.attempt_id] = event
            elif isinstance(event, Attempted) and event.attempt_id in intended:
                deeds.note(intended.pop(event.attempt_id), event)
        return deeds

    def note(self, intent: ActionIntended, done: Attempted) -> None:
        """One more action, and what came of it."""
        call = ToolCall(
            name=intent.action.type,
            args=intent.action.model_dump(mode="json"),
            result=done.record.data,
            error=done.record.error,
            timestamp=datetime.fromtimestamp(intent.at_ms / 1000, UTC).isoformat(),
            duration_ms=done.duration_ms,
            child_trace_id=done.step.trace_id if done.step else None,
        )
        self.calls.append(call)
        if done.step is not None and done.parent_id is None:
            self.programs.append(done.step)

    def fields(self) -> dict[str, Any]:
        """For `Step`. The run finished what its programs finished, and printed what they printed, in their order."""
        programs = self.programs
        journals = [step.journal for step in programs if step.journal is not None]
        return {
            "journal": {name: value for journal in journals for name, value in journal.items()} if journals else None,
            "prints": tuple(line for step in programs for line in step.prints),
            "tool_calls": tuple(self.calls),
            "pmap_calls": tuple(call for step in programs for call in step.pmap_calls),
            "catalog_ops": tuple(op for step in programs for op in step.catalog_ops),
            "child_traces": tuple(step.trace_id for step in programs if step.trace_id),
            "child_steps": tuple(step.pruned() for step in programs),
            "summaries": {name: text for step in programs for name, text in step.summaries.items()},
            "tool_cache": {call: answer for step in programs for call, answer in step.tool_cache.items()},
        }
