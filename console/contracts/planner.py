"""The planner side of the agent contract: one decision a turn, and the grading of a Done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from .base import Json
from .moves import AttemptRecord, Batch, Clarify, Done, DoneVerdict, Fail
from .view import PlanningView


@runtime_checkable
class PlanProducer(Protocol):
    """Any planner. A failure is raised as `PlannerError`; every other exception is treated as one."""

    async def decide_next(
        self,
        goal: str,
        history: Sequence[AttemptRecord],
        shared_memory: Mapping[str, Json],
        view: PlanningView,
        screenshot_png: bytes | None,
    ) -> Batch | Done | Fail | Clarify:
        """The next move for the unchanged goal, from the whole history (oldest first) and the present view."""
        ...

    async def verify_done(
        self,
        goal: str,
        summary: str,
        shared_memory: Mapping[str, Json],
        view: PlanningView,
        screenshot_png: bytes | None,
    ) -> DoneVerdict:
        """Whether the fresh view supports the claim."""
        ...


class AcceptingGrader:
    """The contract's default `verify_done`: it accepts every claim. Planners may inherit it."""

    async def verify_done(
        self,
        goal: str,
        summary: str,
        shared_memory: Mapping[str, Json],
        view: PlanningView,
        screenshot_png: bytes | None,
    ) -> DoneVerdict:
        return DoneVerdict(verified=True)
