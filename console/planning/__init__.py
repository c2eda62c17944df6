"""Planners: what decides the next move. This is their catalogue."""

from __future__ import annotations

from functools import cache

from console.contracts.view import ViewBudget

from .command import COMMAND
from .deciding import DECIDING
from .entries import PlannerEntry, plugged_in
from .instructions import InstructionPlanner, InstructionSettings
from .parts import PlannerParts
from .pixels import PIXELS
from .program import PROGRAM

# It costs nothing to show it everything, and what it is not shown it cannot find.
_ALL = ViewBudget(max_elements=2000, max_adapter_facts=200)
SHIPPED: tuple[PlannerEntry, ...] = (
    PlannerEntry(
        "instructions",
        "Instructions (no model)",
        InstructionSettings,
        lambda settings, _: InstructionPlanner(settings),
        _ALL,
    ),
    DECIDING,
    *PIXELS,
    COMMAND,
    PROGRAM,
)


@cache
def catalogue() -> tuple[PlannerEntry, ...]:
    """Every planner that can be chosen, the default first."""
    return (*SHIPPED, *plugged_in([one.name for one in SHIPPED]))


def entry(name: str) -> PlannerEntry | None:
    """The planner of that name, or None."""
    return next((one for one in catalogue() if one.name == name), None)


__all__ = ["SHIPPED", "PlannerEntry", "PlannerParts", "catalogue", "entry"]
