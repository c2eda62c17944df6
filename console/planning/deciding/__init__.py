"""The planner that lets a language model decide, from the list of elements and the picture."""

from console.contracts.view import ViewBudget

from ..entries import PlannerEntry
from ..models.connection import load
from ..models.settings import ModelSettings, service_of
from ..models.trial import try_model
from .planner import ModelPlanner

DECIDING = PlannerEntry(
    "model",
    "A model decides",
    ModelSettings,
    ModelPlanner,
    ViewBudget(max_elements=150, max_tokens=32_000),
    service=lambda settings: service_of(settings.provider),
    test=try_model,
    load=lambda settings: load(settings.provider),
)

__all__ = ["DECIDING", "ModelPlanner"]
