"""What a call costs, by the price list that ships with genai-prices; nothing is downloaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .failures import Place

if TYPE_CHECKING:
    from pydantic_ai.usage import RequestUsage

# A server of one's own costs nothing that could be looked up; one by its address may be in the list.
_PROVIDERS = {"anthropic": "anthropic", "openai": "openai", "openai_chat": "openai", "google": "google"}


def cost_usd(usage: RequestUsage, place: Place) -> float | None:
    """In US dollars; None where the list does not know the model."""
    from genai_prices import calc_price

    try:
        if place.provider in _PROVIDERS:
            price = calc_price(usage, place.model, provider_id=_PROVIDERS[place.provider])
        else:
            price = calc_price(usage, place.model, provider_api_url=place.address)
    except (LookupError, ValueError):
        return None
    return float(price.total_price)
