"""The steps that a mission announces, and the list that shows which of them are done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .errors import MissionError
from .values import cut

_SUMMARY = 200


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One line of the checklist."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Progress:
    """What a progress function reads before it writes its text."""

    plan: tuple[PlanStep, ...]
    summaries: Mapping[str, str]
    turn: int


def plan_of(given: Sequence[Any]) -> tuple[PlanStep, ...]:
    """The steps from texts, which are numbered, or pairs of id and text."""
    steps = []
    for number, one in enumerate(given, start=1):
        if isinstance(one, PlanStep):
            steps.append(one)
        elif isinstance(one, str):
            steps.append(PlanStep(str(number), one.strip()))
        elif isinstance(one, tuple | list) and len(one) == 2:
            steps.append(PlanStep(str(one[0]).strip(), str(one[1]).strip()))
        else:
            raise MissionError(f"a step of a plan is a text, or a pair of id and text, not {one!r}")
    ids = [step.id for step in steps]
    if len(set(ids)) < len(ids):
        raise MissionError("two steps of the plan have the same id")
    if not all(step.id and step.text for step in steps):
        raise MissionError("a step of the plan is empty")
    return tuple(steps)


def checklist(plan: Sequence[PlanStep], summaries: Mapping[str, str]) -> str:
    """The plan with its ticks; empty where there is neither a plan nor a summary."""
    if not plan and not summaries:
        return ""
    lines = ['Progress (tick a step with (step-done "id" "summary")):']
    for step in plan:
        done = summaries.get(step.id)
        lines.append(f"- [ ] **{step.id}.** {step.text}" if done is None else _done(step.id, step.text, done))
    known = {step.id for step in plan}
    extra = [name for name in summaries if name not in known]
    if extra:
        lines.append("Out-of-Plan Steps:")
        lines += [f"- [x] **{name}.** {_line(summaries[name])}" for name in extra]
    return "\n".join(lines)


def _done(name: str, text: str, summary: str) -> str:
    return f"- [x] **{name}.** {text} — {_line(summary)}"


def _line(text: str) -> str:
    return cut(" ".join(text.split()), _SUMMARY)
