"""The planner whose goal is a program: it hands the goal over as it is, and gives back the value."""

from console.contracts.view import ViewBudget

from ..entries import NoSettings, PlannerEntry
from .planner import ProgramPlanner

PROGRAM = PlannerEntry(
    "program",
    "A program (PTC-Lisp)",
    NoSettings,
    lambda settings, parts: ProgramPlanner(),
    ViewBudget(max_elements=2000),
)

__all__ = ["PROGRAM", "ProgramPlanner"]
