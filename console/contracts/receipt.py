"""What was really done for an action: a receipt proves dispatch, never that the goal is reached."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from .base import Json, Value
from .effects import ObservedEffect
from .view import EvidenceRef


class CdpRoute(Value):
    route: Literal["cdp"] = "cdp"


class AccessibilityRoute(Value):
    route: Literal["accessibility"] = "accessibility"


class NativeInputRoute(Value):
    route: Literal["native_input"] = "native_input"


class AdapterRoute(Value):
    route: Literal["adapter"] = "adapter"
    name: str
    op: str


class FocusRoute(Value):
    route: Literal["focus"] = "focus"


class OtherRoute(Value):
    route: Literal["other"] = "other"
    detail: str


Route = Annotated[
    CdpRoute | AccessibilityRoute | NativeInputRoute | AdapterRoute | FocusRoute | OtherRoute,
    Field(discriminator="route"),
]
ReceiptStatus = Literal["ok", "failed", "vetoed", "denied", "timed_out"]


class ExecutionReceipt(Value):
    receipt_id: str
    run_id: str | None = None
    trace_id: str | None = None
    action_kind: str
    target: str | None = None
    route: Route
    observed_effect: ObservedEffect
    evidence: tuple[EvidenceRef, ...] = ()
    requested_at_ms: int
    completed_at_ms: int
    duration_ms: int
    status: ReceiptStatus
    error: str | None = None


class ActionRecord(Value):
    """A line of the executor's own log."""

    step_index: int
    kind: str
    subtype: str | None = None
    target_id: str | None = None
    args: Json = None
    planner_confidence: float | None = None
    succeeded: bool
    verified: bool
    latency_ms: int
    error: str | None = None
