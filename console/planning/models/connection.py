"""Builds the connection to a model when it is first called; the libraries are loaded no sooner, and beside the loop."""

from __future__ import annotations

import asyncio
import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import TypeAdapter

from console.contracts.errors import PlannerError
from console.contracts.keys import ENVIRONMENT, KeySource

from .failures import Place
from .settings import TITLES, Provider, service_of

if TYPE_CHECKING:
    from pydantic_ai.models import Model

CONNECT_S = 10.0
WITHOUT_KEY = "no-key"  # the client of OpenAI insists on one, a server of one's own does not


@dataclass(frozen=True)
class Connection:
    """A model that can be called, and where it is. `client` is the SDK's own, for what only that can do."""

    model: Model
    place: Place
    http: Any
    client: Any

    async def close(self) -> None:
        await self.http.aclose()


class Choice(Protocol):
    """What a connection needs to know of a planner's settings."""

    @property
    def provider(self) -> Provider: ...
    @property
    def model(self) -> str: ...
    @property
    def address(self) -> str: ...
    @property
    def timeout_s(self) -> int: ...


async def connect(choice: Choice, keys: KeySource, model: str = "") -> Connection:
    """Connect to `model`, or to the chosen one. Raises `PlannerError` without a model, an address or a key."""
    name = (model or choice.model).strip()
    if not name:
        raise PlannerError("No model is chosen.", "Name one in Settings, under Planners.")
    if choice.provider == "compatible" and not choice.address:
        raise PlannerError("There is no address of the compatible server.", "Give it in Settings, under Planners.")
    service = service_of(choice.provider)
    key = await keys.key(service)
    if key is None and choice.provider != "compatible":
        variable = ENVIRONMENT[service][0]
        raise PlannerError(
            f"There is no key for {TITLES[choice.provider]}.", f"Enter one in Settings, or set {variable}."
        )
    secret = key.get_secret_value() if key else ""
    place = Place(choice.provider, name, choice.address, secret)
    return await asyncio.to_thread(_build, place, choice.timeout_s)


def load(provider: str) -> None:
    """Import what the provider needs; it takes a second or two, so it is called in a thread."""
    service = service_of(provider)
    for module in ("genai_prices", f"pydantic_ai.models.{'openai' if service == 'compatible' else service}"):
        importlib.import_module(module)
    if provider == "openai":
        _build_event_types()


def _build_event_types() -> None:
    """OpenAI's library builds its many types when the first event of a stream comes; done there, it would hold the
    window up for most of a second."""
    from openai.types import responses

    call = {"type": "function_call", "id": "", "call_id": "", "name": "", "arguments": "", "status": "completed"}
    answer = {"id": "", "object": "response", "status": "completed", "output": [call], "tools": []}
    for kind in (responses.ResponseCreatedEvent, responses.ResponseCompletedEvent, responses.ResponseIncompleteEvent):
        kind.construct(sequence_number=0, response=answer)
    responses.ResponseOutputItemAddedEvent.construct(item=call, output_index=0, sequence_number=0)
    TypeAdapter(responses.ResponseStreamEvent)


def _build(place: Place, timeout_s: float) -> Connection:
    load(place.provider)
    import httpx2

    http = httpx2.AsyncClient(timeout=httpx2.Timeout(timeout_s, connect=CONNECT_S), follow_redirects=False)
    make = {"anthropic": _anthropic, "google": _google}.get(place.provider, _openai)
    model, client = make(place, http)
    return Connection(model, place, http, client)


def _anthropic(place: Place, http: Any) -> tuple[Model, Any]:
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    client = AsyncAnthropic(api_key=place.secret, base_url=place.address or None, http_client=http, max_retries=0)
    return AnthropicModel(place.model, provider=AnthropicProvider(anthropic_client=client)), client


def _openai(place: Place, http: Any) -> tuple[Model, Any]:
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider

    client = AsyncOpenAI(
        api_key=place.secret or WITHOUT_KEY, base_url=place.address or None, http_client=http, max_retries=0
    )
    provider = OpenAIProvider(openai_client=client)
    if place.provider == "openai":
        return OpenAIResponsesModel(place.model, provider=provider), client
    if place.provider == "compatible":
        # What most servers of one's own know is the older name of the limit.
        older = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False)
        return OpenAIChatModel(place.model, provider=provider, profile=older), client
    return OpenAIChatModel(place.model, provider=provider), client


def _google(place: Place, http: Any) -> tuple[Model, Any]:
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    provider = GoogleProvider(api_key=place.secret, base_url=place.address or None, http_client=http)
    return GoogleModel(place.model, provider=provider), provider.client
