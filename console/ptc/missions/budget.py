"""What a run may use and what it used: turns, tokens, calls and memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..lisp import Keyword


class TurnBudget:
    """One counter for a mission and everything it starts: a turn of a sub-mission is a turn of the whole."""

    def __init__(self, turns: int):
        self.remaining = turns

    def take(self) -> bool:
        """Takes a turn; False when there is none."""
        if self.remaining <= 0:
            return False
        self.remaining -= 1
        return True


class Ledger:
    """The sums of one run, without those of its sub-missions."""

    _TOKENS = ("input", "output", "cache_creation", "cache_read")

    def __init__(self) -> None:
        self.tokens = dict.fromkeys(self._TOKENS, 0)
        self.told_tokens = False
        self.requests = 0
        self.turns = 0
        self.memory_bytes = 0
        self.tool_calls = 0
        self.cost_usd: float | None = None

    def add_tokens(self, tokens: Mapping[str, Any], cost_usd: float | None) -> None:
        """What one answer took; the keys may end in `_tokens`."""
        for name in self._TOKENS:
            count = tokens.get(name, tokens.get(f"{name}_tokens"))
            if isinstance(count, int) and count >= 0:
                self.told_tokens = True
                self.tokens[name] += count
        if isinstance(cost_usd, int | float) and cost_usd > 0:
            self.cost_usd = (self.cost_usd or 0.0) + cost_usd

    def add_request(self) -> None:
        """One more call of the model."""
        self.requests += 1

    @property
    def total_tokens(self) -> int:
        return self.tokens["input"] + self.tokens["output"]

    def as_usage(self) -> dict[str, Any]:
        """The fields of the usage that are known."""
        found: dict[str, Any] = {"memory_bytes": self.memory_bytes, "turns": self.turns}
        if self.requests:
            found["llm_requests"] = self.requests
        if self.told_tokens:
            found |= {
                "input_tokens": self.tokens["input"],
                "output_tokens": self.tokens["output"],
                "total_tokens": self.total_tokens,
            }
        for name in ("cache_creation", "cache_read"):
            if self.tokens[name]:
                found[f"{name}_tokens"] = self.tokens[name]
        if self.cost_usd is not None:
            found["cost_usd"] = self.cost_usd
        return found

    def remaining(self, *, budget: TurnBudget, work: int, retry: int, depth: tuple[int, int]) -> dict[Any, Any]:
        """What `(budget/remaining)` reads."""
        tokens = {"total": self.total_tokens} | {name: self.tokens[name] for name in self._TOKENS}
        return {
            Keyword("turns"): budget.remaining,
            Keyword("work-turns"): work,
            Keyword("retry-turns"): retry,
            Keyword("depth"): {Keyword("current"): depth[0], Keyword("max"): depth[1]},
            Keyword("tokens"): {Keyword(name.replace("_", "-")): count for name, count in tokens.items()},
            Keyword("llm-requests"): self.requests,
        }
