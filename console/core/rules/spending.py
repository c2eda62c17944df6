"""Pauses a run that has used up its tokens or its money, and asks whether it may use as much again."""

from __future__ import annotations

from console.contracts.model_use import ModelSpent
from console.contracts.outcome import RunLimits

GO_ON, END = "Go on, up to as much again", "End the run"


class Spending:
    """The limits of one run; each yes raises them by what they were at the start."""

    def __init__(self, limits: RunLimits) -> None:
        self._tokens_each, self._cost_each = limits.max_tokens, limits.max_cost_usd
        self._tokens, self._cost_usd = limits.max_tokens, limits.max_cost_usd

    def question(self, spent: ModelSpent) -> str | None:
        """What to ask the operator, or None while there is something left."""
        if self._cost_usd is not None and spent.cost_usd >= self._cost_usd:
            return f"The run has used ${spent.cost_usd:.2f} of its ${self._cost_usd:.2f} for models. Go on?"
        if self._tokens is not None and spent.tokens >= self._tokens:
            return f"The run has used {spent.tokens:,} of its {self._tokens:,} tokens. Go on?"
        return None

    def allow_more(self, spent: ModelSpent) -> None:
        """The operator said yes: the limit that was reached starts anew from here."""
        if self._cost_each is not None and self._cost_usd is not None and spent.cost_usd >= self._cost_usd:
            self._cost_usd = spent.cost_usd + self._cost_each
        if self._tokens_each is not None and self._tokens is not None and spent.tokens >= self._tokens:
            self._tokens = spent.tokens + self._tokens_each
