"""The ways in which a mission cannot be made, or ends without a result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from console.contracts.step import Step


class MissionError(ValueError):
    """The mission, or what it is run with, is wrong by construction; `reason` is the code of the fault."""

    def __init__(self, message: str, reason: str = "invalid_mission"):
        super().__init__(message)
        self.reason = reason


class Stopped(Exception):
    """The run ends without a result: the reason and the message become the failure of its Step."""

    def __init__(self, reason: str, message: str, *, op: str | None = None, details: Mapping[str, Any] | None = None):
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.op = op
        self.details = dict(details or {})


class MissionFailed(Exception):
    """What `run_or_raise` and `then_or_raise` raise; `step` is the failed Step."""

    def __init__(self, step: Step):
        super().__init__(f"{step.fail.reason}: {step.fail.message}" if step.fail else "the mission failed")
        self.step = step
