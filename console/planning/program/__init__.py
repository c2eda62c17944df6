"""The planner whose goal is a program: it hands the goal over as it is, and gives back the value."""

from console.contracts.view import ViewBudget

from ..entries import PlannerEntry
from .planner import ProgramPlanner, ProgramSettings

PROGRAM = PlannerEntry(
    "program",
    "A program (PTC-Lisp)",
    ProgramSettings,
    lambda settings, parts: ProgramPlanner(settings),
    ViewBudget(max_elements=2000),
)

__all__ = ["PROGRAM", "ProgramPlanner", "ProgramSettings"]
