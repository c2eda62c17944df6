"""Asking the model: what it is given, what it may answer, and which failures are tried again."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from .errors import Stopped

Llm = Callable[["LlmInput"], Any]


@dataclass(frozen=True, slots=True)
class LlmInput:
    """One question. `messages` are maps of role and content; `tools` are those the provider shall call itself, and
    `schema` is the JSON schema of the answer (both only in text mode); `cache` allows the provider to cache."""

    turn: int
    system: str = ""
    messages: tuple[Mapping[str, Any], ...] = ()
    output: Literal["ptc_lisp", "text"] = "ptc_lisp"
    tool_names: tuple[str, ...] = ()
    tools: tuple[Mapping[str, Any], ...] = ()
    schema: Mapping[str, Any] | None = None
    cache: bool = False


@dataclass(frozen=True, slots=True)
class LlmToolCall:
    """A call that the provider asks for, in text mode."""

    name: str
    args: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""

    @classmethod
    def of(cls, given: Any) -> LlmToolCall:
        if isinstance(given, LlmToolCall):
            return given
        args = given.get("args")
        return cls(str(given.get("name", "")), args if isinstance(args, Mapping) else {}, str(given.get("id") or ""))


@dataclass(frozen=True, slots=True)
class LlmReply:
    """One answer. `tokens` has the keys input, output, cache_creation and cache_read, as far as they are known."""

    content: str
    tokens: Mapping[str, Any] = field(default_factory=dict)
    tool_calls: tuple[LlmToolCall, ...] = ()
    cost_usd: float | None = None


class LlmError(Exception):
    """A call that failed; `kind` decides whether it is tried again."""

    def __init__(self, message: str, kind: str = "unknown"):
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class LlmRetry:
    """How often a call is made, and how long to wait between: `base_delay` in milliseconds."""

    max_attempts: int = 1
    backoff: Literal["exponential", "linear", "constant"] = "exponential"
    base_delay: float = 1000
    retryable_errors: tuple[str, ...] = ("rate_limit", "timeout", "server_error")

    @classmethod
    def of(cls, given: LlmRetry | Mapping[str, Any] | None) -> LlmRetry:
        if isinstance(given, LlmRetry):
            return given
        return cls(**dict(given or {}))

    def delay(self, attempt: int) -> float:
        """Seconds to wait after the attempt of this number, counted from 1."""
        factor = {"exponential": 2.0 ** (attempt - 1), "linear": float(attempt)}.get(self.backoff, 1.0)
        return self.base_delay * factor / 1000


def resolve(llm: Any, registry: Mapping[str, Llm] | None) -> Llm:
    """The callable that is meant; a name is looked up when the first call is due. Stopped if there is none."""
    if callable(llm):
        found: Llm = llm
        return found
    if not isinstance(llm, str):
        raise Stopped("invalid_llm", f"a {type(llm).__name__} is neither a callable nor a name")
    if registry is None:
        raise Stopped("llm_registry_required", f"the name {llm!r} needs a registry")
    if llm not in registry:
        raise Stopped("llm_not_found", f"{llm!r} is not in the registry")
    return registry[llm]


async def ask(llm: Llm, given: LlmInput, retry: LlmRetry, *, seconds: float | None, on_try: Callable[[], None]) -> Any:
    """The answer, after as many attempts as `retry` allows; Stopped when they are used up, or the time is."""
    try:
        async with asyncio.timeout(seconds) as limit:
            return await _tried(llm, given, retry, on_try)
    except TimeoutError:
        if not limit.expired():
            raise
        raise Stopped("mission_timeout", "the mission ran out of time while the model was answering") from None


async def _tried(llm: Llm, given: LlmInput, retry: LlmRetry, on_try: Callable[[], None]) -> LlmReply:
    attempt = 1
    while True:
        on_try()
        try:
            return await _once(llm, given)
        except LlmError as error:
            if attempt >= retry.max_attempts or error.kind not in retry.retryable_errors:
                raise Stopped("llm_error", f"the model call failed: {error}", details={"kind": error.kind}) from error
        await asyncio.sleep(retry.delay(attempt))
        attempt += 1


async def _once(llm: Llm, given: LlmInput) -> LlmReply:
    try:
        if inspect.iscoroutinefunction(llm) or inspect.iscoroutinefunction(getattr(llm, "__call__", None)):  # noqa: B004 - an object may be an asynchronous callable
            answer = await llm(given)
        else:
            # A plain function may wait for the network, and the loop must not.
            answer = await asyncio.to_thread(llm, given)
            if inspect.isawaitable(answer):
                answer = await answer
        return reply_of(answer)
    except LlmError:
        raise
    except TimeoutError as error:
        raise LlmError(str(error) or "no answer in time", "timeout") from error
    except Exception as error:  # a model adapter may fail in any way, and all of them are failures of the call
        raise LlmError(f"{type(error).__name__}: {error}") from error


def reply_of(answer: Any) -> LlmReply:
    """What a model adapter gave, in one form; LlmError where it is a failure."""
    if isinstance(answer, LlmReply):
        return answer
    if isinstance(answer, LlmError):
        raise answer
    if isinstance(answer, str):
        return LlmReply(answer)
    if isinstance(answer, tuple) and len(answer) == 2 and answer[0] in {"ok", "error"}:
        return reply_of(answer[1] if answer[0] == "ok" else {"error": answer[1]})
    if isinstance(answer, Mapping):
        if answer.get("error") is not None:
            raise LlmError(_text(answer["error"]), classified(answer["error"]))
        calls = tuple(LlmToolCall.of(one) for one in answer.get("tool_calls") or ())
        tokens = answer.get("tokens")
        known = tokens if isinstance(tokens, Mapping) else {}
        return LlmReply(str(answer.get("content") or ""), known, calls, answer.get("cost_usd"))
    raise LlmError(f"a {type(answer).__name__} is no answer")


def classified(cause: Any) -> str:
    """The kind of a failure from what the adapter says: a word, or a kind with an HTTP status."""
    if isinstance(cause, Sequence) and not isinstance(cause, str) and len(cause) >= 2 and isinstance(cause[1], int):
        status = cause[1]
        return "rate_limit" if status == 429 else "server_error" if status >= 500 else "client_error"
    return str(cause) if cause in {"rate_limit", "timeout", "server_error", "client_error"} else "unknown"


def _text(cause: Any) -> str:
    return cause if isinstance(cause, str) else " ".join(str(part) for part in cause) if _is_list(cause) else str(cause)


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)
