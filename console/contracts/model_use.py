"""What a planner tells while it works: the words that come in, the waits, and what each call of a model cost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal, Protocol, runtime_checkable

from pydantic import Field

from .base import Value

CallPurpose = Literal["decide", "repair", "verify", "mission", "test"]


class ModelCall(Value):
    """One finished call of a model, whether it went well or not.

    `model` reads `provider:name`. Tokens are None where the provider reported none, `cost_usd` is None where no price
    is known. Times are in milliseconds, `first_word_ms` from the request to the first word. `words` is what the model
    said beside its answer, cut to a bounded length; `problem` is why there is no usable answer.
    """

    purpose: CallPurpose
    model: str
    latency_ms: int = Field(ge=0)
    first_word_ms: int | None = Field(default=None, ge=0)
    input_tokens: int | None = Field(default=None, ge=0)
    output_tokens: int | None = Field(default=None, ge=0)
    cache_read_tokens: int | None = Field(default=None, ge=0)
    cost_usd: float | None = Field(default=None, ge=0)
    request_bytes: int = Field(default=0, ge=0)
    words: str = ""
    problem: str | None = None

    @property
    def tokens(self) -> int:
        return (self.input_tokens or 0) + (self.output_tokens or 0)


class ModelWait(Value):
    """The planner waits before it calls again: the `attempt`-th of `attempts` will be in `seconds`."""

    reason: str
    seconds: float = Field(ge=0)
    attempt: int
    attempts: int


class ModelWords(Value):
    """All that the model has said so far in the present call."""

    text: str


PlannerNews = ModelCall | ModelWait | ModelWords
Report = Callable[[PlannerNews], Awaitable[None]]


@runtime_checkable
class ReportsNews(Protocol):
    """A planner that tells what it does. The run says whom to tell before the first turn."""

    def report_to(self, report: Report) -> None: ...


@runtime_checkable
class Closes(Protocol):
    """A planner that holds something open (a connection, a process). The run closes it at its end."""

    async def close(self) -> None: ...


class ModelSpent(Value):
    """The sum over the calls of a run. `unpriced` counts those whose cost is not known."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    def plus(self, call: ModelCall) -> ModelSpent:
        return ModelSpent(
            calls=self.calls + 1,
            input_tokens=self.input_tokens + (call.input_tokens or 0),
            output_tokens=self.output_tokens + (call.output_tokens or 0),
            cache_read_tokens=self.cache_read_tokens + (call.cache_read_tokens or 0),
            cost_usd=self.cost_usd + (call.cost_usd or 0.0),
            unpriced=self.unpriced + (call.cost_usd is None and call.tokens > 0),
        )

    def words(self) -> str:
        """`12,430 tokens · $0.08`, or nothing where no model was called."""
        return spent_words(self.tokens, self.cost_usd, self.unpriced, self.calls) if self.calls else ""


def spent_words(tokens: int, cost_usd: float | None, unpriced: int = 0, calls: int = 1) -> str:
    """Tokens and money as a person reads them; a cost that is only known in part says so."""
    parts = [f"{tokens:,} tokens" if tokens else f"{calls} call{'' if calls == 1 else 's'}"]
    if cost_usd:
        about = "at least " if unpriced else ""
        parts.append(f"{about}${cost_usd:.2f}" if cost_usd >= 0.1 else f"{about}${cost_usd:.4f}")
    return " · ".join(parts)
