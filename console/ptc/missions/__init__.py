"""Missions: a model is given data, tools and a goal, writes programs in the sandbox, and a Step comes of it."""

from .compaction import Compaction
from .errors import MissionError, MissionFailed
from .llm import LlmError, LlmInput, LlmReply, LlmRetry, LlmToolCall
from .mission import SELF, FormatOptions, Mission
from .options import RunOptions
from .plan import PlanStep, Progress
from .run import run, run_or_raise, then, then_or_raise
from .tools import MissionTool, as_tool, llm_tool
from .turn import Turn

__all__ = [
    "SELF",
    "Compaction",
    "FormatOptions",
    "LlmError",
    "LlmInput",
    "LlmReply",
    "LlmRetry",
    "LlmToolCall",
    "Mission",
    "MissionError",
    "MissionFailed",
    "MissionTool",
    "PlanStep",
    "Progress",
    "RunOptions",
    "Turn",
    "as_tool",
    "llm_tool",
    "run",
    "run_or_raise",
    "then",
    "then_or_raise",
]
