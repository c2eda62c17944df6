"""Which model is called, where it is, and how patient the console is with it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator

from console.contracts.base import Value

Provider = Literal["anthropic", "openai", "openai_chat", "google", "compatible"]
TITLES: dict[str, str] = {
    "anthropic": "Anthropic",
    "openai": "OpenAI",
    "openai_chat": "OpenAI (chat completions)",
    "google": "Google",
    "compatible": "the address that you gave",
}


def service_of(provider: str) -> str:
    """The name under which the key of a provider is kept. Both ways of calling OpenAI use one key."""
    return "openai" if provider == "openai_chat" else provider


def web_address(value: str) -> str:
    """Raises `ValueError` for what is no address of the web."""
    value = value.strip()
    if value and not value.startswith(("http://", "https://")):
        raise ValueError("an address begins with http:// or https://")
    return value.rstrip("/")


class CallSettings(Value):
    """How long to wait for a model, and how often to try again."""

    timeout_s: int = Field(
        default=120, ge=5, le=3600, title="Time for an answer", description="In seconds, for one call of the model."
    )
    tries: int = Field(
        default=5,
        ge=1,
        le=20,
        title="Tries",
        description="How often a call is made when the provider is busy, limits the rate, or cannot be reached.",
    )
    max_output_tokens: int = Field(
        default=8192,
        ge=256,
        le=131_072,
        title="Longest answer",
        description="In tokens. An answer that is cut off is never acted on.",
    )


class ModelChoice(Value):
    """A model and its provider."""

    provider: Provider = Field(
        default="anthropic",
        title="Provider",
        description="“Compatible” is any server that speaks OpenAI's chat completions: Ollama, vLLM, llama.cpp, "
        "LM Studio, OpenRouter.",
    )
    model: str = Field(
        default="", max_length=200, title="Model", description="The name that the provider gives it, for every turn."
    )
    address: str = Field(
        default="",
        max_length=2000,
        title="Address",
        description="Only for a compatible server or a proxy, such as http://127.0.0.1:11434/v1. Your key goes there.",
    )

    _address = field_validator("address")(web_address)


class DecidingSettings(ModelChoice):
    """What belongs to a model that decides, beside where it is."""

    grader: str = Field(
        default="",
        max_length=200,
        title="Model for checking",
        description="A cheaper model of the same provider that checks whether the goal is reached; empty for the same.",
    )
    fallback: str = Field(
        default="",
        max_length=200,
        title="Instead, if it fails",
        description="A model that is called when the first stays busy or cannot be reached, as provider:model.",
    )
    answer_form: Literal["tools", "text"] = Field(
        default="tools",
        title="Form of the answer",
        description="“Text” is for models that cannot call tools; with “Tools” the console finds that out by itself.",
    )
    screenshot: bool = Field(
        default=True, title="Send the picture", description="Off, the model gets the list of elements only."
    )
    max_request_tokens: int = Field(
        default=32_000,
        ge=4_000,
        le=1_000_000,
        title="Longest request",
        description="In tokens, without the picture. What does not fit is summarised or left out, oldest first.",
    )

    @field_validator("fallback")
    @classmethod
    def _provider_and_model(cls, value: str) -> str:
        value = value.strip()
        provider, colon, model = value.partition(":")
        if value and (not colon or not model or provider not in TITLES):
            raise ValueError(f"write it as provider:model, with one of {', '.join(TITLES)}")
        return value


class ModelSettings(CallSettings, DecidingSettings):
    """The planner that lets a model decide. What is set first stands first."""
