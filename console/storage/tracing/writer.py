"""Turns the events of a run into spans, each as soon as it is over."""

from __future__ import annotations

from dataclasses import dataclass, field

from console.contracts.actions import AnyAction
from console.contracts.events import (
    ActionIntended,
    ApprovalAsked,
    ApprovalGiven,
    Attempted,
    ChecklistChanged,
    ClarifyAnswered,
    ClarifyAsked,
    Decided,
    DoneChecked,
    ModelCalled,
    ModelWaits,
    Noticed,
    Observed,
    PhaseChanged,
    Recorded,
    RunEnded,
    RunEvent,
    RunPhase,
    RunStarted,
    VerifyAnswered,
    VerifyAsked,
)

from .attributes import attributes_of, model_name, tool_name
from .span import SPAN_DIGITS, Attributes, Note, Span, derived, trace_id_of

RUN, DECIDE, VERIFY, PAUSED = "run", "decide", "verify", "paused"
INTERRUPTED = "interrupted"


@dataclass
class _Open:
    """A span that is not over. `inside` says that others may belong to it."""

    span_id: str
    parent_id: str | None
    name: str
    start_ms: int
    attributes: Attributes = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    inside: bool = False
    denied: bool = False


class SpanWriter:
    """One run, in one trace under the trace id of the run. The same events give the same ids.

    `texts`: the goal, sentences, arguments and results stand in the spans as well.
    """

    def __init__(self, *, texts: bool = False) -> None:
        self._texts = texts
        self._trace_id = ""
        self._open: dict[str, _Open] = {}
        self._done: list[Span] = []
        self._now = 0

    def see(self, event: RunEvent) -> list[Span]:
        """The spans that are over with this event."""
        if RUN not in self._open and not isinstance(event, RunStarted):
            return []  # a trace has no other beginning; without one, the journal was damaged
        self._now = max(self._now, event.at_ms)
        self._take(event)
        return self._given()

    def finish(self) -> list[Span]:
        """The spans that have no end, because the run has none."""
        for key in reversed(list(self._open)):
            self._close(key, self._now, failed=INTERRUPTED)
        return self._given()

    def _given(self) -> list[Span]:
        done, self._done = self._done, []
        return done

    def _take(self, event: RunEvent) -> None:
        match event:
            case RunStarted():
                self._start(event)
            case PhaseChanged():
                self._phase(event)
            case Observed():
                self._whole("look", event, event.duration_ms)
            case Decided():
                self._begin(DECIDE, DECIDE, event, start_ms=event.at_ms - event.duration_ms)
                self._end(DECIDE, event)
            case ModelCalled():
                self._called(event)
            case ApprovalAsked() | ActionIntended() | Attempted():
                self._step(event)
            case ModelWaits() | Recorded() | ChecklistChanged() | Noticed():
                self._note(event)
            case RunEnded():
                self._end_run(event)
            case _:
                self._ask(event)

    def _ask(self, event: RunEvent) -> None:
        match event:
            case ApprovalGiven():
                self._answered_approval(event)
            case ClarifyAsked():
                self._begin(event.request.request_id, "question", event)
            case VerifyAsked():
                self._begin(event.request.request_id, "judgement", event)
            case ClarifyAnswered() | VerifyAnswered():
                self._end(event.request_id, event)
            case DoneChecked():
                self._begin(VERIFY, VERIFY, event)
                self._end(VERIFY, event, "not_checked" if event.verdict is None else None, event.problem or "")
            case _:
                return

    def _start(self, event: RunStarted) -> None:
        """A run that is resumed goes on in the trace in which it began."""
        if RUN in self._open:
            for key in reversed(list(self._open)):
                if key != RUN:
                    self._close(key, self._open[key].start_ms, failed=INTERRUPTED)
            self._note(event)
            return
        self._trace_id = trace_id_of(event.trace_id, event.run_id)
        self._open[RUN] = _Open(self._id(RUN), None, RUN, event.at_ms, self._of(event))

    def _phase(self, event: PhaseChanged) -> None:
        """A decision that nobody made by the time that the run goes on has failed."""
        self._close(PAUSED, event.at_ms)
        if event.phase is RunPhase.PAUSED:
            self._begin(PAUSED, PAUSED, event)
        elif event.phase is RunPhase.PLANNING:
            self._begin(DECIDE, DECIDE, event)
        elif event.phase in (RunPhase.LOOKING, RunPhase.CHECKING) or event.phase.ended:
            self._close(DECIDE, event.at_ms, failed="no_decision")
            if event.phase is RunPhase.CHECKING:
                self._begin(VERIFY, VERIFY, event)

    def _called(self, event: ModelCalled) -> None:
        call = event.call
        parent = self._open.get(event.parent_id or (VERIFY if call.purpose == "verify" else DECIDE))
        name = f"chat {model_name(call)[1]}"
        self._whole(name, event, call.latency_ms, parent, "model_error" if call.problem else None, call.problem or "")

    def _step(self, event: ApprovalAsked | ActionIntended | Attempted) -> None:
        """A step begins with the first that is heard of it: the question whether it may be done, or its intent."""
        attempt_id = event.request.attempt_id if isinstance(event, ApprovalAsked) else event.attempt_id
        action = _action_of(event)
        if attempt_id not in self._open:
            took = event.duration_ms if isinstance(event, Attempted) else 0
            self._begin(attempt_id, f"execute_tool {tool_name(action)}", event, start_ms=event.at_ms - took, bare=True)
        step = self._open[attempt_id]
        if isinstance(event, ApprovalAsked):
            request_id = event.request.request_id
            self._open[request_id] = _Open(self._id(request_id), step.span_id, "approval", event.at_ms, self._of(event))
            return
        parent = self._open.get(event.parent_id or RUN)
        step.parent_id = parent.span_id if parent else self._open[RUN].span_id
        step.name = f"execute_tool {tool_name(action)}"  # the operator may have edited it
        if isinstance(event, ActionIntended):
            step.inside = event.program
            step.attributes |= self._of(event)
        else:
            self._end(attempt_id, event, _why_not(event, denied=step.denied), event.record.error or "")

    def _answered_approval(self, event: ApprovalGiven) -> None:
        self._end(event.request_id, event)
        step = self._open.get(event.attempt_id)
        if step is not None and event.decision.verdict == "deny":
            step.denied = True

    def _end_run(self, event: RunEnded) -> None:
        for key in reversed(list(self._open)):
            if key != RUN:
                self._close(key, event.at_ms, failed="stopped" if event.end == "stopped" else INTERRUPTED)
        reason = event.step.fail.reason if event.step.fail else event.end
        self._end(RUN, event, reason if event.end == "failed" else None, event.outcome.sentence())

    # Spans

    def _begin(self, key: str, name: str, event: RunEvent, *, start_ms: int | None = None, bare: bool = False) -> None:
        """Unless it has begun. It stands in the innermost program that goes on, or in the run."""
        if key in self._open:
            return
        parent = next(step for step in reversed(self._open.values()) if step.inside or step.name == RUN)
        attributes = {} if bare else self._of(event)
        at = event.at_ms if start_ms is None else start_ms
        self._open[key] = _Open(self._id(key, str(event.seq)), parent.span_id, name, at, attributes)

    def _end(self, key: str, event: RunEvent, failed: str | None = None, message: str = "") -> None:
        if key in self._open:
            self._open[key].attributes |= self._of(event)
            self._close(key, event.at_ms, failed=failed, message=message)

    def _close(self, key: str, end_ms: int, *, failed: str | None = None, message: str = "") -> None:
        step = self._open.pop(key, None)
        if step is not None:
            self._write(step, max(end_ms, step.start_ms), failed, message)

    def _whole(
        self,
        name: str,
        event: RunEvent,
        took_ms: int,
        parent: _Open | None = None,
        failed: str | None = None,
        message: str = "",
    ) -> None:
        """A span that is told only once it is over."""
        parent = parent or self._open.get(VERIFY) or self._open[RUN]
        span_id = self._id(name, str(event.seq))
        step = _Open(span_id, parent.span_id, name, event.at_ms - took_ms, self._of(event))
        self._write(step, event.at_ms, failed, message, client=isinstance(event, ModelCalled))

    def _write(self, step: _Open, end_ms: int, failed: str | None, message: str, *, client: bool = False) -> None:
        self._done.append(
            Span(
                trace_id=self._trace_id,
                span_id=step.span_id,
                parent_id=step.parent_id,
                name=step.name,
                start_ms=step.start_ms,
                end_ms=end_ms,
                attributes=step.attributes,
                notes=tuple(step.notes),
                client=client,
                failed=failed,
                message=message if failed and self._texts else "",
            )
        )

    def _note(self, event: RunEvent) -> None:
        """At the span that it belongs to, or at the run."""
        key = event.parent_id if isinstance(event, ChecklistChanged) else None
        place = self._open.get(key or (DECIDE if isinstance(event, ModelWaits) else RUN)) or self._open[RUN]
        place.notes.append(Note(name=event.event, at_ms=event.at_ms, attributes=self._of(event)))

    def _of(self, event: RunEvent) -> Attributes:
        return attributes_of(event, texts=self._texts)

    def _id(self, *parts: str) -> str:
        return derived(SPAN_DIGITS, self._trace_id, *parts)


def _action_of(event: ApprovalAsked | ActionIntended | Attempted) -> AnyAction:
    if isinstance(event, ApprovalAsked):
        return event.request.action
    return event.action if isinstance(event, ActionIntended) else event.record.action


def _why_not(event: Attempted, *, denied: bool) -> str | None:
    """A code for why the step failed, or None."""
    if event.record.succeeded:
        return None
    if event.step is not None and event.step.fail is not None:
        return event.step.fail.reason
    if event.receipt is not None:
        return event.receipt.status if event.receipt.status != "ok" else "failed"
    return "denied" if denied else "not_done"
