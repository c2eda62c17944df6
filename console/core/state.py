"""What a run remembers from turn to turn, and how it is read back from its events."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from console.contracts.base import Json
from console.contracts.deeds import Deeds
from console.contracts.errors import ConsoleError
from console.contracts.events import (
    ActionIntended,
    Attempted,
    ClarifyAnswered,
    ClarifyAsked,
    MemoryChanged,
    ModelCalled,
    Observed,
    Recorded,
    RunEnded,
    RunEvent,
    RunStarted,
)
from console.contracts.model_use import ModelSpent
from console.contracts.moves import AttemptRecord
from console.contracts.outcome import RunLimits
from console.contracts.view import AdapterActionRef

from .secret_answers import SecretAnswers, is_hidden


@dataclass
class RunState:
    """The changing part of a run; everything else is fixed when it starts.

    `tools` are those the planner was last shown; `kept` is what adapters keep for themselves; `inside` is the attempt
    of the program that runs now, and `inside_trace` its trace id.
    """

    goal: str
    history: list[AttemptRecord] = field(default_factory=list)
    shared_memory: dict[str, Json] = field(default_factory=dict)
    kept: dict[str, Json] = field(default_factory=dict)
    tools: tuple[AdapterActionRef, ...] = ()
    steps_used: int = 0
    turn: int = 0
    active_ms: int = 0
    last_seq: int = 0
    planner: str = ""
    limits: RunLimits | None = None
    trace_id: str = ""
    asked: list[str] = field(default_factory=list)
    unfinished: ActionIntended | None = None
    unfinished_program: ActionIntended | None = None
    inside: str | None = None
    inside_trace: str | None = None
    last_denied: bool = False
    deeds: Deeds = field(default_factory=Deeds)
    summaries: dict[str, str] = field(default_factory=dict)
    secrets: SecretAnswers = field(default_factory=SecretAnswers)
    spent: ModelSpent = field(default_factory=ModelSpent)


def fold(events: Iterable[RunEvent]) -> RunState:
    """The state after these events. Raises `ConsoleError` if they are no run, or a run that has ended."""
    state: RunState | None = None
    intended: dict[str, ActionIntended] = {}
    for event in events:
        if isinstance(event, RunStarted) and state is None:
            state = RunState(goal=event.goal, planner=event.planner, limits=event.limits, trace_id=event.trace_id)
        if state is None:
            break
        apply(state, event, intended)
        state.last_seq = event.seq
    if state is None:
        raise ConsoleError("There is no such run.", "Look it up in the history.")
    state.unfinished = next((intent for intent in intended.values() if not intent.program), None)
    state.unfinished_program = next((intent for intent in intended.values() if intent.program), None)
    return state


def apply(state: RunState, event: RunEvent, intended: dict[str, ActionIntended]) -> None:
    """Take one event of a run that has not ended into its state; `intended` holds what was begun."""
    match event:
        case RunEnded():
            raise ConsoleError("This run has ended.", "Start it again with the same goal.")
        case ActionIntended():
            intended[event.attempt_id] = event
        case Attempted():
            intent = intended.pop(event.attempt_id, None)
            if intent is not None:
                state.deeds.note(intent, event)
            if event.parent_id is None:
                state.history.append(event.record)
            state.steps_used += 1
        case Recorded() if not is_hidden(event.record.data):
            state.history.append(event.record)
            state.steps_used += event.steps_charged
        case MemoryChanged():
            memory = state.kept if event.private else state.shared_memory
            memory[event.key] = _known(event.value)
        case ClarifyAnswered() if event.answer.secret:
            state.asked.pop()  # the answer is in no record, so it has to be asked for again
        case ClarifyAsked():
            state.asked.append(event.request.question)
        case Observed():
            state.turn, state.tools = event.turn, event.view.adapter_actions
        case ModelCalled():
            state.spent = state.spent.plus(event.call)
        case _:
            pass
    state.active_ms += getattr(event, "duration_ms", 0)


def _known(value: Json) -> Json:
    """A remembered value without the answers that were kept secret."""
    if not isinstance(value, list):
        return value
    return [entry for entry in value if not (isinstance(entry, dict) and is_hidden(entry.get("answer")))]
