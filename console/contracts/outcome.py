"""Limits of a run and how it ended, in the words of the planner contract."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from .base import Json, Value
from .moves import AttemptRecord


class FocusMode(StrEnum):
    FOREGROUND = "foreground"
    BACKGROUND = "background"


class RunLimits(Value):
    """Added to the contract: `max_tokens` and `max_cost_usd`, at which a run pauses and asks."""

    max_steps: int = Field(default=80, ge=1)
    timeout_ms: int = Field(default=900_000, ge=1)
    max_step_retries: int = 3
    terminal_app: str | None = None
    workflow_id_for_memory: str | None = None
    memory_db_path: str | None = None
    max_tokens: int | None = Field(default=None, ge=1)
    max_cost_usd: float | None = Field(default=None, gt=0)


class RuntimeCaps(Value):
    cdp_bound: bool = False
    cdp_browser: str | None = None
    cdp_url: str | None = None
    native_input: bool = False
    steps_used: int = 0
    max_steps: int = 0


class FailureReport(Value):
    failing_sub_goal: str
    failing_step: str
    attempts: tuple[AttemptRecord, ...] = ()


class Succeeded(Value):
    status: Literal["succeeded"] = "succeeded"
    summary: str
    extracted_data: Json = None

    def sentence(self) -> str:
        return self.summary


class Failed(FailureReport):
    status: Literal["failed"] = "failed"

    def sentence(self) -> str:
        return self.failing_sub_goal


class Refused(Value):
    status: Literal["refused"] = "refused"
    summary: str

    def sentence(self) -> str:
        return self.summary


GoalOutcome = Annotated[Succeeded | Failed | Refused, Field(discriminator="status")]
