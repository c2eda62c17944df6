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


class Halt(Exception):
    """The program said `(return v)` or `(fail v)`."""

    def __init__(self, kind: Literal["return", "fail"], value: Any):
        super().__init__(kind)
        self.kind: Literal["return", "fail"] = kind
        self.value = value


def type_failure(message: str, op: str | None = None) -> NoReturn:
    """A value of the wrong type reached an operation."""
    raise LispFailure("type_error", message, op=op)
