"""Asks the operator before a run spends more than it may on models."""

from __future__ import annotations

from console.contracts.outcome import RunLimits

from .asking import Asking
from .rules.spending import END, GO_ON, Spending
from .state import RunState


class Purse:
    """The money and the tokens of one run, for its planner and its missions together."""

    def __init__(self, limits: RunLimits, asking: Asking) -> None:
        self._limits = Spending(limits)
        self._asking = asking

    async def empty(self, state: RunState) -> str | None:
        """Why nothing more may be spent; None if there is something left, or the operator allows as much again."""
        question = self._limits.question(state.spent)
        if question is None:
            return None
        answer = await self._asking.put(question, (GO_ON, END), state)
        if answer.declined or answer.text != GO_ON:
            return question.removesuffix(" Go on?")
        self._limits.allow_more(state.spent)
        return None
