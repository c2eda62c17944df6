"""The person who approves and answers."""

from __future__ import annotations

from typing import Literal, Protocol

from .base import Value
from .safety import ApprovalDecision, ApprovalRequest


class ClarifyRequest(Value):
    request_id: str
    question: str
    candidates: tuple[str, ...] = ()


class ClarifyAnswer(Value):
    """`declined` ends the run as refused; `secret` keeps the words out of every record."""

    text: str = ""
    declined: bool = False
    secret: bool = False


class VerifyRequest(Value):
    """The grader failed: the operator says whether the goal holds."""

    request_id: str
    summary: str
    problem: str


class VerifyDecision(Value):
    verdict: Literal["accept", "reject", "unverified"]
    reason: str = ""


class Operator(Protocol):
    """Whoever answers. Each call waits for as long as it takes; raising means not approved, declined, unverified."""

    async def approve(self, request: ApprovalRequest) -> ApprovalDecision: ...

    async def answer(self, request: ClarifyRequest) -> ClarifyAnswer: ...

    async def judge(self, request: VerifyRequest) -> VerifyDecision: ...
