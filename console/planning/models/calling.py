"""Puts together what calls the model of the settings."""

from __future__ import annotations

from console.contracts.keys import KeySource

from .caller import ModelCaller
from .connection import Connection, connect
from .settings import ModelSettings


def caller_of(settings: ModelSettings, keys: KeySource, model: str = "") -> ModelCaller:
    """Calls `model`, or the one that is chosen, and the other one of the settings where it stays busy."""

    async def first() -> Connection:
        return await connect(settings, keys, model)

    async def instead() -> Connection:
        provider, _, name = settings.fallback.partition(":")
        same = provider == settings.provider
        other = {"provider": provider, "model": name, "address": settings.address if same else ""}
        return await connect(settings.model_copy(update=other), keys)

    fallback = instead if settings.fallback else None
    return ModelCaller(first, tries=settings.tries, timeout_s=settings.timeout_s, fallback=fallback)
