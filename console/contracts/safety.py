"""Risk, approval and the permit that alone opens the way to the desktop."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, Protocol

from .actions import AnyAction, PlannedAction
from .base import Value
from .geometry import Point, Rect


class RiskLevel(StrEnum):
    """`harmless` changes nothing, `ordinary` can be undone, `destructive` waits for the operator,
    `forbidden` never runs."""

    HARMLESS = "harmless"
    ORDINARY = "ordinary"
    DESTRUCTIVE = "destructive"
    FORBIDDEN = "forbidden"


class RiskAssessment(Value):
    """`category` is a word such as “delete” or “send”; `reasons` are sentences for the operator."""

    level: RiskLevel
    category: str = ""
    reasons: tuple[str, ...] = ()


class TargetPrint(Value):
    """What an action is about to touch, as far as it must not change between approval and input.

    An action without an element (a key, a typed text) is bound to the window that has the focus.
    `scene_words` are the words of the open dialog, if any.
    """

    element_id: str = ""
    element_type: str = ""
    label: str = ""
    window_id: int | None = None
    window: str = ""
    app: str = ""
    scene_words: str = ""


class Target(Value):
    """A resolved target: where input would go and what is there. `point` is the pixel that would be clicked."""

    print: TargetPrint
    bounds: Rect | None = None
    point: Point | None = None
    protected: bool = False


class ApprovalRequest(Value):
    """What the operator is asked. `sentence` says what will happen; the crop is `target.bounds` of frame `frame_id`."""

    request_id: str
    attempt_id: str
    action: PlannedAction
    sentence: str
    purpose: str
    risk: RiskAssessment
    target: Target
    scene_id: str
    frame_id: str
    changed_since_asked: bool = False


class ApprovalDecision(Value):
    """`approve_kind` also approves later actions of the same kind,
    category and app in this run; `edit` replaces the action."""

    verdict: Literal["approve", "approve_kind", "deny", "edit"]
    reason: str = ""
    edited: PlannedAction | None = None

    @property
    def approves(self) -> bool:
        return self.verdict in ("approve", "approve_kind")


class Permit(Value):
    """Leave for one action on one target in one scene, issued only by the gate; it is used once and expires.

    `approved` says that a person approved it; otherwise the policy let it through.
    """

    id: str
    action: PlannedAction
    target: TargetPrint
    scene_id: str
    issued_at: float
    expires_at: float
    approved: bool = False


class PermitOffice(Protocol):
    """Where the desktop hands a permit in, just before input."""

    def redeem(self, permit: Permit, action: AnyAction, target: TargetPrint) -> None:
        """Raise `PermitVoid` unless the permit was issued here, is unused and unexpired, and covers exactly this."""
        ...
