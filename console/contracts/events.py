"""Everything that happens in a run, as frozen events: the journal keeps them, the timeline shows them."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, get_args

from pydantic import ConfigDict, Field, TypeAdapter

from .actions import PlannedAction
from .base import Json, Value
from .checklist import ChecklistItem
from .model_use import ModelCall, ModelWait, spent_words
from .moves import AttemptRecord, DoneVerdict, NextMove
from .operator import ClarifyAnswer, ClarifyRequest, VerifyDecision, VerifyRequest
from .outcome import GoalOutcome, RunLimits
from .receipt import ExecutionReceipt
from .safety import ApprovalDecision, ApprovalRequest, RiskAssessment, Target
from .step import Step
from .view import PlanningView


class RunPhase(StrEnum):
    """The state of a run, in the words of the pill."""

    READY = "Ready"
    LOOKING = "Looking"
    PLANNING = "Planning"
    ACTING = "Acting"
    SETTLING = "Settling"
    CHECKING = "Checking"
    WAITING = "Waiting for you"
    PAUSED = "Paused"
    STOPPING = "Stopping"
    STOPPED = "Stopped"
    DONE = "Done"
    FAILED = "Failed"
    REFUSED = "Refused"
    INTERRUPTED = "Interrupted"

    @property
    def ended(self) -> bool:
        return self in (self.DONE, self.FAILED, self.REFUSED, self.STOPPED, self.INTERRUPTED)


class Stamp(Value):
    """What every event carries: its run, its place in it (from 1, without gaps) and the time (Unix, ms)."""

    run_id: str
    seq: int
    at_ms: int

    def headline(self) -> str:
        """The event in one line, as a person would say it."""
        return getattr(self, "event", "event").replace("_", " ").capitalize()


class RunStarted(Stamp):
    event: Literal["run_started"] = "run_started"
    goal: str
    planner: str
    limits: RunLimits
    trace_id: str
    resumed_from: int | None = None

    def headline(self) -> str:
        return f"Goal: {self.goal}"


class PhaseChanged(Stamp):
    event: Literal["phase_changed"] = "phase_changed"
    phase: RunPhase
    detail: str = ""

    def headline(self) -> str:
        return self.phase.value + (f": {self.detail}" if self.detail else "")


class Observed(Stamp):
    """`screenshot` names a stored image (see `RunStore.save_blob`); `view` is what the planner is shown."""

    event: Literal["observed"] = "observed"
    turn: int
    scene_id: str
    frame_id: str
    view: PlanningView
    screenshot: str | None = None
    duration_ms: int

    def headline(self) -> str:
        screen = self.view.screen
        return f"Looked at {screen.window or screen.active_app or 'the desktop'}: {len(self.view.elements)} elements"


class Decided(Stamp):
    event: Literal["decided"] = "decided"
    turn: int
    move: NextMove
    duration_ms: int

    def headline(self) -> str:
        return self.move.headline()


class ModelCalled(Stamp):
    """A planner, or a mission inside the attempt `parent_id`, called a model; what it cost and how long it took."""

    event: Literal["model_called"] = "model_called"
    turn: int
    call: ModelCall
    parent_id: str | None = None

    def headline(self) -> str:
        if self.call.problem:
            return self.call.problem
        return f"{self.call.model} answered: {spent_words(self.call.tokens, self.call.cost_usd)}"


class ModelWaits(Stamp):
    """The planner waits until `until_ms` (Unix, ms) before it calls its model again."""

    event: Literal["model_waits"] = "model_waits"
    turn: int
    wait: ModelWait
    until_ms: int

    def headline(self) -> str:
        return (
            f"{self.wait.reason} Next try in {self.wait.seconds:.0f} s ({self.wait.attempt} of {self.wait.attempts})."
        )


class ModelSays(Stamp):
    """What the model has said so far. Shown while it speaks and not kept: its place is 0."""

    event: Literal["model_says"] = "model_says"
    turn: int
    text: str

    def headline(self) -> str:
        return self.text


class ApprovalAsked(Stamp):
    event: Literal["approval_asked"] = "approval_asked"
    request: ApprovalRequest

    def headline(self) -> str:
        return f"Needs your approval: {self.request.sentence}"


class ApprovalGiven(Stamp):
    """The decision, whatever it was."""

    event: Literal["approval_given"] = "approval_given"
    request_id: str
    attempt_id: str
    decision: ApprovalDecision

    def headline(self) -> str:
        words = {"approve": "Approved", "approve_kind": "Approved for this run", "deny": "Denied", "edit": "Edited"}
        reason = f": {self.decision.reason}" if self.decision.reason else ""
        return words[self.decision.verdict] + reason


class ActionIntended(Stamp):
    """Written before input is sent. Without its `Attempted`, the outcome of the action is unknown.

    `parent_id` names the attempt of the program that this step belongs to; `program` says that the step is a program.
    """

    event: Literal["action_intended"] = "action_intended"
    attempt_id: str
    turn: int
    batch_purpose: str
    purpose: str
    action: PlannedAction
    sentence: str
    risk: RiskAssessment
    target: Target
    step_number: int
    parent_id: str | None = None
    program: bool = False

    def headline(self) -> str:
        return self.sentence


class Attempted(Stamp):
    """A dispatched step and what came of it; `before` and `after` name stored images, and `step` is what a program or a
    mission answered with."""

    event: Literal["attempted"] = "attempted"
    attempt_id: str
    turn: int
    batch_purpose: str
    sentence: str
    record: AttemptRecord
    receipt: ExecutionReceipt | None = None
    target: Target | None = None
    before: str | None = None
    after: str | None = None
    frame_id: str | None = None
    settled: bool = True
    duration_ms: int = 0
    parent_id: str | None = None
    step: Step | None = None

    def headline(self) -> str:
        return self.sentence if self.record.succeeded else f"{self.sentence} — {self.record.error or 'failed'}"


class Recorded(Stamp):
    """A history record that the run made itself: a refusal, a skipped rest, a phase gate, a rejected Done."""

    event: Literal["recorded"] = "recorded"
    turn: int
    record: AttemptRecord
    steps_charged: int = 0

    def headline(self) -> str:
        return self.record.error or self.record.step_purpose


class MemoryChanged(Stamp):
    """`private`: an adapter keeps it for its next calls, and no planner sees it."""

    event: Literal["memory_changed"] = "memory_changed"
    key: str
    value: Json = None
    private: bool = False

    def headline(self) -> str:
        return f"Noted {self.key}"


class ChecklistChanged(Stamp):
    """How far the mission in the attempt `parent_id` is; the newest one holds."""

    event: Literal["checklist_changed"] = "checklist_changed"
    parent_id: str | None
    items: tuple[ChecklistItem, ...]

    def headline(self) -> str:
        done = sum(item.done for item in self.items)
        return f"{done} of {len(self.items)} steps done"


class ClarifyAsked(Stamp):
    event: Literal["clarify_asked"] = "clarify_asked"
    request: ClarifyRequest

    def headline(self) -> str:
        return f"Asks: {self.request.question}"


class ClarifyAnswered(Stamp):
    event: Literal["clarify_answered"] = "clarify_answered"
    request_id: str
    answer: ClarifyAnswer

    def headline(self) -> str:
        return "Question declined" if self.answer.declined else f"You answered: {self.answer.text}"


class DoneChecked(Stamp):
    """`verified` None means that nobody could check it."""

    event: Literal["done_checked"] = "done_checked"
    summary: str
    verdict: DoneVerdict | None = None
    problem: str | None = None

    def headline(self) -> str:
        if self.verdict is None:
            return f"Could not check: {self.problem}"
        return "Checked: it holds" if self.verdict.verified else f"Checked: not yet — {self.verdict.reason}"


class VerifyAsked(Stamp):
    event: Literal["verify_asked"] = "verify_asked"
    request: VerifyRequest

    def headline(self) -> str:
        return f"Is it done? {self.request.summary}"


class VerifyAnswered(Stamp):
    event: Literal["verify_answered"] = "verify_answered"
    request_id: str
    decision: VerifyDecision


class Noticed(Stamp):
    """Something the operator should know that is no attempt."""

    event: Literal["noticed"] = "noticed"
    severity: Literal["info", "warning", "error"]
    text: str
    hint: str = ""

    def headline(self) -> str:
        return f"{self.text} {self.hint}".strip()


class RunEnded(Stamp):
    """`end` adds the ends that the contract's outcome cannot express; `unverified` says that Done was not checked."""

    event: Literal["run_ended"] = "run_ended"
    end: Literal["succeeded", "failed", "refused", "stopped"]
    outcome: GoalOutcome
    step: Step
    unverified: bool = False
    denied: bool = False
    steps_used: int = 0
    active_ms: int = 0

    def headline(self) -> str:
        word = {"succeeded": "Done", "failed": "Failed", "refused": "Refused", "stopped": "Stopped"}[self.end]
        return f"{word}{' (unverified)' if self.unverified else ''}: {self.outcome.sentence()}"


RunEvent = (
    RunStarted | PhaseChanged | Observed | Decided | ModelCalled | ModelWaits | ModelSays | ApprovalAsked
    | ApprovalGiven | ActionIntended | Attempted | Recorded | MemoryChanged | ChecklistChanged | ClarifyAsked
    | ClarifyAnswered | DoneChecked | VerifyAsked | VerifyAnswered | Noticed | RunEnded
)  # fmt: skip
RUN_EVENT: TypeAdapter[RunEvent] = TypeAdapter(
    Annotated[RunEvent, Field(discriminator="event")], config=ConfigDict(defer_build=True)
)
EVENT_TYPES: tuple[type[Value], ...] = get_args(RunEvent)
