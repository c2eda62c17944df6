"""Planners for models that are trained to use a computer by its picture alone."""

from __future__ import annotations

from console.contracts.view import ViewBudget

from ..entries import PlannerEntry
from ..models.connection import load
from ..models.trial import try_model
from ..pictures import LIMITS
from .anthropic import AnthropicWire
from .openai import OpenAIWire
from .planner import PixelPlanner
from .settings import AnthropicSettings, OpenAISettings, TarsSettings
from .tars import TarsWire

_BUDGET = ViewBudget(max_elements=150)
PIXELS: tuple[PlannerEntry, ...] = (
    PlannerEntry(
        "anthropic-computer",
        "Anthropic computer use",
        AnthropicSettings,
        lambda settings, parts: PixelPlanner(settings, parts, AnthropicWire(settings.tool), LIMITS["anthropic"]),
        _BUDGET,
        service=lambda _: "anthropic",
        test=try_model,
        load=lambda settings: load(settings.provider),
    ),
    PlannerEntry(
        "openai-computer",
        "OpenAI computer use",
        OpenAISettings,
        lambda settings, parts: PixelPlanner(settings, parts, OpenAIWire(settings.tool), LIMITS["openai"]),
        _BUDGET,
        service=lambda _: "openai",
        test=try_model,
        load=lambda settings: load(settings.provider),
    ),
    PlannerEntry(
        "ui-tars",
        "UI-TARS",
        TarsSettings,
        lambda settings, parts: PixelPlanner(settings, parts, TarsWire(settings.unit), LIMITS["ui_tars"]),
        _BUDGET,
        service=lambda _: "compatible",
        test=try_model,
        load=lambda settings: load(settings.provider),
    ),
)

__all__ = ["PIXELS", "PixelPlanner"]
