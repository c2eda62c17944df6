"""One batch with one step: the program. Then Done with its value, or Fail with its reason."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from pydantic import Field

from console.contracts.actions import Custom
from console.contracts.base import Json, Value
from console.contracts.moves import AttemptRecord, Batch, BatchStep, Done, Fail
from console.contracts.planner import AcceptingGrader
from console.contracts.view import PlanningView

LONGEST = 400


class ProgramSettings(Value):
    """What holds for every program."""

    signature: str = Field(
        default="",
        max_length=2000,
        title="Type of the value",
        description="A program whose value is of another type fails. Such as () -> {total :int}; empty: any value.",
    )


class ProgramPlanner(AcceptingGrader):
    """Needs the adapter `ptc`, which every run of the console has. A program that came to its end is done."""

    wants_screenshot = False

    def __init__(self, settings: ProgramSettings | None = None) -> None:
        self._signature = settings.signature.strip() if settings else ""

    async def decide_next(
        self,
        goal: str,
        history: Sequence[AttemptRecord],
        shared_memory: Mapping[str, Json],
        view: PlanningView,
        screenshot_png: bytes | None,
    ) -> Batch | Done | Fail:
        """The program once; what came of it decides the rest."""
        last = next((record for record in reversed(history) if isinstance(record.action, Custom)), None)
        if last is None:
            typed = {"signature": self._signature} if self._signature else {}
            action = Custom(adapter="ptc", action="run", params={"source": goal, **typed})
            return Batch(purpose="Run the program", steps=(BatchStep(purpose="run the program", action=action),))
        if not last.succeeded:
            return Fail(reason=last.error or "The program failed.")
        said = last.data if isinstance(last.data, str) else json.dumps(last.data, ensure_ascii=False)
        return Done(summary=f"The program gave {said[:LONGEST]}", extracted_data=last.data)
