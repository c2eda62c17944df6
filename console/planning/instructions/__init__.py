"""The embedded planner: carries out goals that are written as instructions, without any model."""

from .parse import parse
from .planner import InstructionPlanner
from .settings import InstructionSettings

__all__ = ["InstructionPlanner", "InstructionSettings", "parse"]
