"""The decisions of a past run, each with all that its planner was given, so that another planner can be asked."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from console.contracts.action import quoted
from console.contracts.base import Json
from console.contracts.errors import ConsoleError
from console.contracts.events import ActionIntended, Decided, Observed, RunEnded, RunEvent, RunStarted
from console.contracts.model_use import Closes, ModelCall, ModelSpent, PlannerNews, ReportsNews
from console.contracts.moves import AttemptRecord, Batch, Clarify, Done, Fail
from console.contracts.planner import PlanProducer
from console.contracts.view import PlanningView

from .state import RunState, apply

Move = Batch | Done | Fail | Clarify


@dataclass(frozen=True)
class Moment:
    """One decision. `screenshot` names the stored picture that belongs to the view."""

    turn: int
    goal: str
    planner: str
    history: Sequence[AttemptRecord]
    memory: Mapping[str, Json]
    view: PlanningView
    screenshot: str | None
    move: Move
    duration_ms: int


@dataclass(frozen=True)
class SecondOpinion:
    """What a planner says to a moment: a move, or the problem that prevented one."""

    planner: str
    move: Move | None
    problem: str = ""
    duration_ms: int = 0
    spent: ModelSpent = field(default_factory=ModelSpent)


def moments(events: Iterable[RunEvent]) -> list[Moment]:
    """In the order of the turns."""
    found: list[Moment] = []
    state: RunState | None = None
    seen: Observed | None = None
    intended: dict[str, ActionIntended] = {}
    for event in events:
        if isinstance(event, RunStarted):
            state = state or RunState(goal=event.goal, planner=event.planner)
        if state is None or isinstance(event, RunEnded):
            continue
        if isinstance(event, Observed):
            seen = event
        if isinstance(event, Decided) and seen is not None:
            found.append(_moment(event, seen, state))
        apply(state, event, intended)
    return found


def moment_of(events: Iterable[RunEvent], turn: int | None) -> Moment:
    """The decision of that turn, or the last one. Raises `ConsoleError` if there is none."""
    found = moments(events)
    if not found:
        raise ConsoleError("Nothing was decided in this run.", "Choose another one.")
    if turn is None:
        return found[-1]
    for moment in found:
        if moment.turn == turn:
            return moment
    turns = ", ".join(str(moment.turn) for moment in found[:20])
    raise ConsoleError(f"There is no decision in turn {turn}.", f"There are: {turns}.")


async def ask_again(moment: Moment, planner: PlanProducer, name: str, png: bytes | None) -> SecondOpinion:
    """Ask the planner what it would do. Nothing is done on the desktop: there is none."""
    calls: list[ModelCall] = []

    async def note(news: PlannerNews) -> None:
        if isinstance(news, ModelCall):
            calls.append(news)

    if isinstance(planner, ReportsNews):
        planner.report_to(note)
    began = time.monotonic()
    move, problem = None, ""
    try:
        move = await planner.decide_next(moment.goal, moment.history, moment.memory, moment.view, png)
    except Exception as error:  # noqa: BLE001 - a planner is foreign code, and its failure is the answer
        problem = error.sentence() if isinstance(error, ConsoleError) else f"The planner failed: {error}"
    finally:
        if isinstance(planner, Closes):
            await planner.close()
    spent = ModelSpent()
    for call in calls:
        spent = spent.plus(call)
    return SecondOpinion(name, move, problem, int((time.monotonic() - began) * 1000), spent)


def _moment(event: Decided, seen: Observed, state: RunState) -> Moment:
    return Moment(
        turn=event.turn,
        goal=state.goal,
        planner=state.planner,
        history=tuple(state.history),
        memory=dict(state.shared_memory),
        view=seen.view,
        screenshot=seen.screenshot,
        move=event.move,
        duration_ms=event.duration_ms,
    )


def move_lines(move: Move, view: PlanningView) -> list[str]:
    """The move as a person would say it, each step on a line of its own, with the labels of the view."""

    def name(target_id: str) -> str:
        element = view.element(target_id)
        return quoted(element.label) if element is not None and element.label else quoted(target_id)

    if not isinstance(move, Batch):
        return [move.headline()]
    return [move.purpose, *(f"{n}. {step.action.describe(name)}" for n, step in enumerate(move.steps, 1))]
