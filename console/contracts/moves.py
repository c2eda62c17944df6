"""What a planner answers, and the history it is given (cel-contracts `NextMove`, `AttemptRecord`, `DoneVerdict`)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter

from .actions import PlannedAction
from .base import Json, Value
from .effects import ObservedEffect


class StepKind(StrEnum):
    DETERMINISTIC = "deterministic"
    LLM_ASSISTED = "llm_assisted"


def _step_kind(value: object) -> object:
    """Advice only, so anything unknown is the default rather than an error."""
    return StepKind.LLM_ASSISTED if value in ("llm_assisted", "LlmAssisted") else StepKind.DETERMINISTIC


class BatchStep(Value):
    """One step of a batch (`Step` in the planner contract; that name belongs to the run result here).

    `caution` (an addition) is why the operator has to approve it, whatever the policy says.
    """

    purpose: str
    kind: Annotated[StepKind, BeforeValidator(_step_kind)] = StepKind.DETERMINISTIC
    action: PlannedAction
    caution: str | None = None


class Batch(Value):
    kind: Literal["batch"] = "batch"
    purpose: str
    steps: tuple[BatchStep, ...]

    def headline(self) -> str:
        return self.purpose


class Done(Value):
    kind: Literal["done"] = "done"
    summary: str
    extracted_data: Json = None

    def headline(self) -> str:
        return f"Done: {self.summary}"


class Fail(Value):
    kind: Literal["fail"] = "fail"
    reason: str

    def headline(self) -> str:
        return f"Gave up: {self.reason}"


class Clarify(Value):
    """A question to the operator. `candidates` (an addition) are answers to choose from."""

    kind: Literal["clarify"] = "clarify"
    question: str
    candidates: tuple[str, ...] | None = None

    def headline(self) -> str:
        return self.question


NextMove = Annotated[Batch | Done | Fail | Clarify, Field(discriminator="kind")]
NEXT_MOVE: TypeAdapter[Batch | Done | Fail | Clarify] = TypeAdapter(NextMove, config=ConfigDict(defer_build=True))


class NextActionHint(StrEnum):
    """Advice of the grader to the planner, which may ignore it."""

    RETRY_LAST_ACTION = "retry_last_action"
    DIFFERENT_ACTION = "different_action"
    DIFFERENT_TARGET = "different_target"
    GIVE_UP = "give_up"

    def words(self) -> str:
        return self.value.replace("_", " ")


class StepOk(Value):
    status: Literal["ok"] = "ok"
    data: Json = None
    discovered_sub_goal: Json = None


class StepErr(Value):
    status: Literal["err"] = "err"
    message: str
    recoverable: bool = True


StepResult = Annotated[StepOk | StepErr, Field(discriminator="status")]


class AttemptRecord(Value):
    """One line of the history: a step that ran, or a record that the run itself made.

    `effect` (an addition) is what was seen of it; `succeeded` alone says only that it was delivered.
    """

    step_purpose: str
    action: PlannedAction
    succeeded: bool
    error: str | None = None
    data: Json = None
    next_action_hint: NextActionHint | None = None
    effect: ObservedEffect | None = None


class DoneVerdict(Value):
    verified: bool
    reason: str = ""
    next_action_hint: NextActionHint | None = None
