"""The safety gate: every step passes it, and only it issues the permit that the desktop takes."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from console.contracts.actions import AnyAction, PlannedAction
from console.contracts.base import Value
from console.contracts.events import ApprovalAsked, ApprovalGiven
from console.contracts.operator import Operator
from console.contracts.safety import ApprovalDecision, ApprovalRequest, Permit, RiskAssessment, RiskLevel, Target
from console.contracts.scene import Scene
from console.contracts.view import AdapterActionRef

from .permits import PermitBook
from .policy import Policy
from .risk import assess, destructive, worst
from .secrecy import masked
from .targets import namer, resolve_target

log = logging.getLogger(__name__)


class GateQuestion(Value):
    """A step that wants to be done. `changed` says that its target changed after it was approved, `caution` why the
    operator is asked in any case."""

    attempt_id: str
    action: PlannedAction
    purpose: str
    scene: Scene
    changed: bool = False
    tools: tuple[AdapterActionRef, ...] = ()
    caution: str | None = None


class Admitted(Value):
    permit: Permit
    action: PlannedAction
    target: Target
    risk: RiskAssessment
    sentence: str
    edited: bool = False


class Denied(Value):
    reason: str
    target: Target
    risk: RiskAssessment
    sentence: str
    by_operator: bool = False


class Emit(Protocol):
    async def __call__(self, event_type: type[Any], /, **fields: Any) -> Any: ...


class Gate:
    """Assesses, asks where the policy says so, and issues the permit. Whatever goes wrong here is a denial."""

    def __init__(self, office: PermitBook, policy: Policy, operator: Operator | None) -> None:
        self.policy = policy
        self._office = office
        self._operator = operator

    async def admit(
        self, question: GateQuestion, *, emit: Emit, waiting: Callable[[], AbstractAsyncContextManager[Any]]
    ) -> Admitted | Denied:
        """Raises `TargetError` if the target is not there. `waiting()` is entered while the operator is asked."""
        action, scene = question.action, question.scene
        target = resolve_target(action, scene)
        risk = assess(action, target, question.tools)
        if question.caution:
            risk = worst([risk, destructive("caution", question.caution)])
        sentence = masked(action, protected=target.protected).describe(namer(scene))
        if risk.level is RiskLevel.FORBIDDEN:
            return Denied(reason=" ".join(risk.reasons), target=target, risk=risk, sentence=sentence)
        if not question.caution and not self.policy.must_ask(action, risk, target):
            return self._admit(action, target, risk, scene, sentence)
        request = _request(question, target, risk, sentence)
        await emit(ApprovalAsked, request=request)
        async with waiting():
            decision = await self._ask(request)
        await emit(ApprovalGiven, request_id=request.request_id, attempt_id=question.attempt_id, decision=decision)
        if decision.verdict == "edit":
            return self._admit_edited(question, decision, sentence)
        if not decision.approves:
            return Denied(reason=decision.reason, target=target, risk=risk, sentence=sentence, by_operator=True)
        if decision.verdict == "approve_kind":
            self.policy.grant(action, risk, target)
        return self._admit(action, target, risk, scene, sentence, approved=True)

    async def _ask(self, request: ApprovalRequest) -> ApprovalDecision:
        if self._operator is None:
            return ApprovalDecision(verdict="deny", reason="Nobody is there to approve it.")
        try:
            return await self._operator.approve(request)
        except Exception:
            log.exception("The approval could not be asked for")
            return ApprovalDecision(verdict="deny", reason="The approval could not be asked for.")

    def _admit(
        self,
        action: AnyAction,
        target: Target,
        risk: RiskAssessment,
        scene: Scene,
        sentence: str,
        *,
        approved: bool = False,
        edited: bool = False,
    ) -> Admitted:
        permit = self._office.issue(action, target.print, scene.id, approved=approved)
        return Admitted(permit=permit, action=action, target=target, risk=risk, sentence=sentence, edited=edited)

    def _admit_edited(self, question: GateQuestion, decision: ApprovalDecision, sentence: str) -> Admitted | Denied:
        """The operator wrote the action, so it is approved as written; what is forbidden stays forbidden."""
        action, scene = decision.edited, question.scene
        if action is None:
            nothing = Target(print=resolve_target(question.action, scene).print)
            risk = assess(question.action, nothing, question.tools)
            return Denied(reason="The edit was empty.", target=nothing, risk=risk, sentence=sentence, by_operator=True)
        target = resolve_target(action, scene)
        risk = assess(action, target, question.tools)
        words = action.describe(namer(scene))
        if risk.level is RiskLevel.FORBIDDEN:
            return Denied(reason=" ".join(risk.reasons), target=target, risk=risk, sentence=words)
        return self._admit(action, target, risk, scene, words, approved=True, edited=True)


def _request(question: GateQuestion, target: Target, risk: RiskAssessment, sentence: str) -> ApprovalRequest:
    return ApprovalRequest(
        request_id=secrets.token_hex(8),
        attempt_id=question.attempt_id,
        action=masked(question.action, protected=target.protected),
        sentence=sentence,
        purpose=question.purpose,
        risk=risk,
        target=target,
        scene_id=question.scene.id,
        frame_id=question.scene.frame.id,
        changed_since_asked=question.changed,
    )
