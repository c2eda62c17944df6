"""The language of the programs: read, analysed into Python closures, and evaluated within limits."""

from .host import Found, Tool, ToolReply
from .limits import Limits
from .program import Setting, run, run_async, validate
from .step import Failure, LispStep, Usage
from .values import Keyword, LispSet, Var

__all__ = [
    "Failure",
    "Found",
    "Keyword",
    "Limits",
    "LispSet",
    "LispStep",
    "Setting",
    "Tool",
    "ToolReply",
    "Usage",
    "Var",
    "run",
    "run_async",
    "validate",
]
