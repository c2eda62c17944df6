"""Where a planner gets the key of a service from, without knowing where it is kept."""

from __future__ import annotations

from typing import Protocol

from pydantic import SecretStr

ENVIRONMENT = {
    "anthropic": ("ANTHROPIC_API_KEY",),
    "openai": ("OPENAI_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "compatible": ("OPERATOR_CONSOLE_API_KEY",),
}
"""The variables that hold the key of a service. A compatible server gets none of the others' keys."""


class KeySource(Protocol):
    """Keys by the name of their service, such as `anthropic`."""

    async def key(self, service: str) -> SecretStr | None:
        """The key, or None where there is none. Raises `ConsoleError` if the place that holds it cannot be read."""
        ...


class NoKeys:
    """A source without any key."""

    async def key(self, service: str) -> SecretStr | None:
        return None
