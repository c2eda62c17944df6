"""The two ways in which a program ends before its last form."""

from __future__ import annotations

from typing import Any, Literal, NoReturn


class LispFailure(Exception):
    """The program failed: `reason` is the code a machine reads, the message is a sentence."""

    def __init__(self, reason: str, message: str, *, op: str | None = None, details: dict[str, Any] | None = None):
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.op = op
        self.details = details or {}


_IN_THE_TABLE = frozenset({"parse_error", "timeout", "memory_exceeded", "validation_error", "tool_error"})


def with_class(failure: LispFailure, *, running: bool) -> dict[str, Any]:
    """Its details. The published table of reasons is coarser than those here: `class` names the reason that it has."""
    if failure.reason in _IN_THE_TABLE:
        return failure.details
    before = "tool_not_found" if failure.reason == "unknown_tool" else "analysis_error"
    return {**failure.details, "class": "eval_error" if running and failure.reason != "unknown_tool" else before}


class Halt(Exception):
    """The program said `(return v)` or `(fail v)`."""

    def __init__(self, kind: Literal["return", "fail"], value: Any):
        super().__init__(kind)
        self.kind: Literal["return", "fail"] = kind
        self.value = value


def type_failure(message: str, op: str | None = None) -> NoReturn:
    """A value of the wrong type reached an operation."""
    raise LispFailure("type_error", message, op=op)
