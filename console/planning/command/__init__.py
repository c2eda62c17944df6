"""A planner in a program of its own, in any language: one JSON line a call."""

from ..entries import PlannerEntry
from .planner import CommandPlanner, CommandSettings

COMMAND = PlannerEntry(
    "command", "A program of your own", CommandSettings, lambda settings, _: CommandPlanner(settings)
)

__all__ = ["COMMAND", "CommandPlanner", "CommandSettings"]
