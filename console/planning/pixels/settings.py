"""What can be set of the planners that see only pixels."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator

from console.contracts.base import Value

from ..models.settings import CallSettings, Provider, web_address
from .points import Unit


class PixelSettings(Value):
    """A model that is trained to use a computer, and where it is."""

    model: str = Field(default="", max_length=200, title="Model", description="The name that the provider gives it.")
    address: str = Field(
        default="", max_length=2000, title="Address", description="Only for a proxy. Your key goes there."
    )
    grader: str = Field(
        default="",
        max_length=200,
        title="Model for checking",
        description="Checks whether the goal is reached; empty for the same model.",
    )

    _address = field_validator("address")(web_address)


class _AnthropicTool(PixelSettings):
    """Anthropic's computer use."""

    tool: Literal["computer_20251124", "computer_20250124"] = Field(
        default="computer_20251124", title="Tool", description="The version of the tool that the model knows."
    )

    @property
    def provider(self) -> Provider:
        return "anthropic"


class _OpenAITool(PixelSettings):
    """OpenAI's computer use."""

    tool: Literal["computer", "computer_use_preview"] = Field(
        default="computer", title="Tool", description="The version of the tool that the model knows."
    )

    @property
    def provider(self) -> Provider:
        return "openai"


class _Tars(PixelSettings):
    """UI-TARS on a server that speaks chat completions."""

    address: str = Field(
        default="", max_length=2000, title="Address", description="Of the server, such as http://127.0.0.1:8000/v1."
    )
    unit: Unit = Field(
        default="pixels",
        title="Unit of its points",
        description="UI-TARS 1.5 answers in pixels of the picture, UI-TARS 1.0 in thousandths of its sides.",
    )
    grader: str = Field(
        default="",
        max_length=200,
        title="Model for checking",
        description="On the same server, one that follows instructions; without one you are asked whether it is done.",
    )

    _address = field_validator("address")(web_address)

    @property
    def provider(self) -> Provider:
        return "compatible"


class AnthropicSettings(CallSettings, _AnthropicTool):
    """Anthropic's computer use. What is set first stands first."""


class OpenAISettings(CallSettings, _OpenAITool):
    """OpenAI's computer use."""


class TarsSettings(CallSettings, _Tars):
    """UI-TARS."""


AnyPixelSettings = AnthropicSettings | OpenAISettings | TarsSettings
