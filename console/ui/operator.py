"""The operator at the window: every question is a card, and a card that goes away is a no."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from PySide6.QtGui import QImage

from console.contracts.operator import ClarifyAnswer, ClarifyRequest, VerifyDecision, VerifyRequest
from console.contracts.safety import ApprovalDecision, ApprovalRequest

from .cards.approval import ApprovalCard
from .cards.card import Card
from .cards.clarify import ClarifyCard, VerifyCard

T = TypeVar("T")


class WindowOperator:
    """Shows a card by `show`, takes it away by `clear`, and waits for as long as it takes."""

    def __init__(
        self, show: Callable[[Card, str], None], clear: Callable[[], None], picture: Callable[[], QImage | None]
    ) -> None:
        self._show = show
        self._clear = clear
        self._picture = picture

    async def approve(self, request: ApprovalRequest) -> ApprovalDecision:
        card = ApprovalCard(request, self._picture())
        gone = ApprovalDecision(verdict="deny", reason="The question was closed.")
        return await self._asked(card, request.sentence, ApprovalDecision, gone)

    async def answer(self, request: ClarifyRequest) -> ClarifyAnswer:
        card = ClarifyCard(request)
        return await self._asked(card, request.question, ClarifyAnswer, ClarifyAnswer(declined=True))

    async def judge(self, request: VerifyRequest) -> VerifyDecision:
        return await self._asked(
            VerifyCard(request), "Is it done?", VerifyDecision, VerifyDecision(verdict="unverified")
        )

    async def _asked(self, card: Card, words: str, kind: type[T], gone: T) -> T:
        """The answer of the card. The future outlives the card, so a late or second answer hurts nobody."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def resolve(value: object) -> None:
            if not future.done():
                future.set_result(value if isinstance(value, kind) else gone)

        card.answered.connect(resolve)
        card.abandoned.connect(lambda: resolve(gone))
        self._show(card, words)
        try:
            return await future
        finally:
            self._clear()
