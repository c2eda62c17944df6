"""A view, a key and a planner for tests that talk to a model server."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image
from pydantic import SecretStr

from console.contracts.geometry import Rect
from console.contracts.model_use import ModelCall, ModelWait, ModelWords, PlannerNews
from console.contracts.view import OmittedCounts, PlanningElement, PlanningScreen, PlanningView, RunProgress, ViewBudget
from console.planning import PlannerParts, entry
from tests.support.model_goals import CANARY
from tests.support.model_servers import ModelServer

PROVIDERS = {"anthropic-computer": "anthropic", "openai-computer": "openai", "ui-tars": "compatible"}


class OneKey:
    """The same key for every service."""

    async def key(self, service: str) -> SecretStr | None:
        return SecretStr(CANARY)


class Heard:
    """Keeps what a planner reports."""

    def __init__(self) -> None:
        self.news: list[PlannerNews] = []

    async def __call__(self, news: PlannerNews) -> None:
        self.news.append(news)

    @property
    def calls(self) -> list[ModelCall]:
        return [one for one in self.news if isinstance(one, ModelCall)]

    @property
    def waits(self) -> list[ModelWait]:
        return [one for one in self.news if isinstance(one, ModelWait)]

    @property
    def words(self) -> list[str]:
        return [one.text for one in self.news if isinstance(one, ModelWords)]


def shown(id_: str, label: str, kind: str = "button", **fields: Any) -> PlanningElement:
    bounds = fields.pop("bounds", Rect(x=10, y=20, width=40, height=10))
    return PlanningElement(id=id_, element_type=kind, label=label, bounds=bounds, clickable=True, **fields)


def view_of(*elements: PlanningElement, **fields: Any) -> PlanningView:
    given = {
        "goal": "save it",
        "budget": ViewBudget(),
        "screen": PlanningScreen(active_app="Notes", window="Untitled"),
        "elements": elements or (shown("ax:save", "Save"), shown("ax:name", "Name", "input", settable=True)),
        "omitted_counts": OmittedCounts(),
        "run_progress": RunProgress(steps_used=1, max_steps=80),
        **fields,
    }
    return PlanningView.model_validate(given)


def picture(width: int = 1280, height: int = 800) -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (width, height), (40, 90, 160)).save(written, "PNG")
    return written.getvalue()


def made(server: ModelServer, provider: str = "anthropic", planner: str = "model", **settings: Any) -> Any:
    """A planner that calls the server; its news are in `heard`."""
    one = entry(planner)
    assert one is not None
    own = {"provider": provider} if planner == "model" else {}
    address = server.address(PROVIDERS.get(planner, provider))
    chosen = one.settings.model_validate({"model": "m", "address": address, "tries": 3, **own, **settings})
    result = one.make(chosen, PlannerParts(keys=OneKey()))
    heard = Heard()
    result.report_to(heard)  # type: ignore[attr-defined]
    result.heard = heard  # type: ignore[attr-defined]
    return result
