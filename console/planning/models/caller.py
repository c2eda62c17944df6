"""Calls a model: streams its words, tries again when that may help, and tells what each call cost."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from console.contracts.model_use import CallPurpose, ModelCall, ModelWait, ModelWords, PlannerNews, Report

from .connection import Connection
from .failures import ModelTrouble, cut_off, trouble_of
from .prices import cost_usd
from .spoken import LONGEST_WORDS, spoken

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import ModelRequestParameters

WORDS_EVERY_S = 0.15
FIRST_WAIT_S, LONGEST_BACKOFF_S = 1.0, 60.0
JITTER = 0.25
TRIES_ON_SILENCE = 2  # each has already taken its whole time
Sleep = Callable[[float], Awaitable[None]]


class Watch(Protocol):
    """Is told while the answer comes; `words` gives all that was said so far."""

    async def heard(self, words: Callable[[], str]) -> None: ...


Send = Callable[[Connection, Watch], Awaitable["ModelResponse"]]


@dataclass(frozen=True)
class Request:
    """One request: the messages as pydantic-ai has them, what may be answered, and what it is for.

    `send` takes the place of the messages for what pydantic-ai does not speak.
    """

    messages: Sequence[ModelMessage]
    parameters: ModelRequestParameters
    purpose: CallPurpose
    max_output_tokens: int
    extra: dict[str, Any] | None = None
    stream: bool = True
    size_bytes: int = 0
    send: Send | None = None


@dataclass(frozen=True)
class Reply:
    """What came back. `cut` says that the model reached its output limit, so it must not be acted on."""

    response: ModelResponse
    cut: bool
    call: ModelCall

    @property
    def text(self) -> str:
        from pydantic_ai.messages import TextPart

        return "".join(part.content for part in self.response.parts if isinstance(part, TextPart))

    def tool_calls(self) -> list[Any]:
        from pydantic_ai.messages import ToolCallPart

        return [part for part in self.response.parts if isinstance(part, ToolCallPart)]


async def _nobody(_: PlannerNews) -> None:
    """Nobody listens."""


class ModelCaller:
    """Connects when it is first needed. `report` is told of words, waits and costs."""

    def __init__(
        self,
        connect: Callable[[], Awaitable[Connection]],
        *,
        tries: int,
        timeout_s: float,
        fallback: Callable[[], Awaitable[Connection]] | None = None,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self.report: Report = _nobody
        self._connects = [connect, *([fallback] if fallback else [])]
        self._connections: dict[int, Connection] = {}
        self._tries = tries
        self._timeout_s = timeout_s
        self._sleep = sleep

    async def ask(self, request: Request) -> Reply:
        """The answer of the model, or of the fallback if the first stays busy. Raises `ModelTrouble`."""
        for place, _ in enumerate(self._connects):
            try:
                return await self._ask_one(await self.connection(place), request)
            except ModelTrouble as trouble:
                last = place == len(self._connects) - 1
                if last or trouble.trouble not in ("limit", "busy", "time", "network", "quota"):
                    raise
        raise AssertionError("there is always a connection")  # pragma: no cover

    async def connection(self, place: int = 0) -> Connection:
        if place not in self._connections:
            self._connections[place] = await self._connects[place]()
        return self._connections[place]

    async def close(self) -> None:
        connections, self._connections = list(self._connections.values()), {}
        for connection in connections:
            await connection.close()

    async def _ask_one(self, connection: Connection, request: Request) -> Reply:
        for attempt in range(1, self._tries + 1):
            try:
                return await self._once(connection, request)
            except ModelTrouble as trouble:
                tries = min(self._tries, TRIES_ON_SILENCE) if trouble.trouble == "time" else self._tries
                if attempt >= tries or not trouble.may_try_again:
                    raise
                await self._wait(trouble, attempt)
        raise AssertionError("there is always a last try")  # pragma: no cover

    async def _wait(self, trouble: ModelTrouble, attempt: int) -> None:
        """As long as the provider asks, else twice as long each time, a little uneven."""
        seconds = trouble.wait_s
        if seconds is None:
            seconds = min(FIRST_WAIT_S * 2 ** (attempt - 1), LONGEST_BACKOFF_S)
            seconds *= 1 + random.uniform(-JITTER, JITTER)
        wait = ModelWait(reason=trouble.message, seconds=seconds, attempt=attempt + 1, attempts=self._tries)
        await self.report(wait)
        await self._sleep(seconds)

    async def _once(self, connection: Connection, request: Request) -> Reply:
        began = time.monotonic()
        watch = _Watch(self.report, began)
        try:
            async with asyncio.timeout(self._timeout_s):
                response = await self._send(connection, request, watch)
        except Exception as error:
            trouble = error if isinstance(error, ModelTrouble) else trouble_of(error, connection.place, self._timeout_s)
            call = _call(request, connection, began, watch, problem=trouble.message)
            await self.report(call)
            raise trouble from error
        usage = response.usage
        call = _call(request, connection, began, watch).model_copy(
            update={
                "input_tokens": usage.input_tokens or None,
                "output_tokens": usage.output_tokens or None,
                "cache_read_tokens": usage.cache_read_tokens or None,
                "cost_usd": cost_usd(usage, connection.place) if usage.has_values() else None,
                "words": spoken(response)[:LONGEST_WORDS],
            }
        )
        await self.report(call)
        return Reply(response, response.finish_reason == "length", call)

    async def _send(self, connection: Connection, request: Request, watch: _Watch) -> ModelResponse:
        if request.send is not None:
            return await request.send(connection, watch)
        from pydantic_ai import direct

        settings: Any = {"max_tokens": request.max_output_tokens, "max_retries": 0, **(request.extra or {})}
        common = {"model_settings": settings, "model_request_parameters": request.parameters}
        if not request.stream:
            return await direct.model_request(connection.model, request.messages, **common)
        async with direct.model_request_stream(connection.model, request.messages, **common) as stream:
            async for _ in stream:
                await watch.heard(lambda: spoken(stream.get()))
            response: ModelResponse = stream.get()
            if response.finish_reason is None:
                raise cut_off(connection.place)
            return response


class _Watch:
    """Notes when the first word came and passes the words on, a few times a second."""

    def __init__(self, report: Report, began: float) -> None:
        self._report, self._began = report, began
        self._told_at = 0.0
        self.first_word_ms: int | None = None

    async def heard(self, words: Callable[[], str]) -> None:
        now = time.monotonic()
        if self.first_word_ms is None:
            self.first_word_ms = int((now - self._began) * 1000)
        if now - self._told_at < WORDS_EVERY_S:
            return
        said = words()
        if said:
            self._told_at = now
            await self._report(ModelWords(text=said))


def _call(
    request: Request, connection: Connection, began: float, watch: _Watch, problem: str | None = None
) -> ModelCall:
    return ModelCall(
        purpose=request.purpose,
        model=connection.place.name,
        latency_ms=int((time.monotonic() - began) * 1000),
        first_word_ms=watch.first_word_ms,
        request_bytes=request.size_bytes,
        problem=problem,
    )
