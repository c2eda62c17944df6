"""Planners: what decides the next move. This is their catalogue."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from console.contracts.base import Value
from console.contracts.planner import PlanProducer
from console.contracts.view import ViewBudget

from .instructions import InstructionPlanner, InstructionSettings


@dataclass(frozen=True)
class PlannerEntry:
    """A planner that can be chosen: its name, what a person reads, its settings, and how much it wants to see."""

    name: str
    title: str
    settings: type[Value]
    make: Callable[[Any], PlanProducer]
    budget: ViewBudget


# It costs nothing to show it everything, and what it is not shown it cannot find.
_ALL = ViewBudget(max_elements=2000, max_adapter_facts=200)
CATALOGUE: tuple[PlannerEntry, ...] = (
    PlannerEntry("instructions", "Instructions (no model)", InstructionSettings, InstructionPlanner, _ALL),
)


def entry(name: str) -> PlannerEntry | None:
    """The planner of that name, or None."""
    return next((one for one in CATALOGUE if one.name == name), None)
