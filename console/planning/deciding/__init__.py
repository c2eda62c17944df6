"""The planner that lets a language model decide, from the list of elements and the picture."""

from .planner import ModelPlanner

__all__ = ["ModelPlanner"]
