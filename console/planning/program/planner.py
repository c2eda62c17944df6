"""One batch with one step: the program. Then Done with its value, or Fail with its reason."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from console.contracts.actions import Custom
from console.contracts.base import Json
from console.contracts.moves import AttemptRecord, Batch, BatchStep, Done, Fail
from console.contracts.planner import AcceptingGrader
from console.contracts.view import PlanningView

LONGEST = 400


class ProgramPlanner(AcceptingGrader):
    """Needs the adapter `ptc`, which every run of the console has. A program that came to its end is done."""

    wants_screenshot = False

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
            step = BatchStep(
                purpose="run the program", action=Custom(adapter="ptc", action="run", params={"source": goal})
            )
            return Batch(purpose="Run the program", steps=(step,))
        if not last.succeeded:
            return Fail(reason=last.error or "The program failed.")
        said = last.data if isinstance(last.data, str) else json.dumps(last.data, ensure_ascii=False)
        return Done(summary=f"The program gave {said[:LONGEST]}", extracted_data=last.data)
