"""The language of the programs: read, analysed into Python closures, and evaluated within limits."""

from .analyser.forms import special_forms
from .host import Found, Tool, ToolReply
from .library.catalogue import LIBRARY
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
    "known_names",
    "run",
    "run_async",
    "validate",
]


def known_names() -> list[str]:
    """The names of all forms and functions, for completion."""
    return sorted({*special_forms(), *LIBRARY})
