"""What a mission tells the run while it is under way: what its model costs, and what is done of its plan."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from console.contracts.adapter import Hands
from console.contracts.checklist import ChecklistItem
from console.contracts.model_use import PlannerNews

from .missions import LlmInput, PlanStep, Progress
from .missions.plan import checklist


class MissionOffice:
    """Made for one mission. A list that changes while a program runs is shown before the model is asked again."""

    def __init__(self, hands: Hands) -> None:
        self._hands = hands
        self._may_go_on = True
        self._shown: tuple[ChecklistItem, ...] = ()
        self._news: tuple[ChecklistItem, ...] | None = None

    async def report(self, news: PlannerNews) -> None:
        """Where the model reports to."""
        self._may_go_on = await self._hands.tell(news) and self._may_go_on

    def verdict(self, _: Mapping[str, Any]) -> str:
        """`stop` once nothing more may be spent."""
        return "continue" if self._may_go_on else "stop"

    def asking(self, model: Callable[[LlmInput], Awaitable[Any]]) -> Callable[[LlmInput], Awaitable[Any]]:
        """The model, told nothing before the operator sees how far the mission is."""

        async def ask(given: LlmInput) -> Any:
            if self._news is not None:
                await self._tick(self._news)
            return await model(given)

        return ask

    def progress(self, progress: Progress, _: Any) -> tuple[str, None]:
        """The text for the model; the list for the operator follows with the next question."""
        self._news = items(progress.plan, progress.summaries)
        return checklist(progress.plan, progress.summaries), None

    async def show(self, plan: Sequence[PlanStep], summaries: Mapping[str, str]) -> None:
        await self._tick(items(plan, summaries))

    async def _tick(self, now: tuple[ChecklistItem, ...]) -> None:
        self._news = None
        if now != self._shown:
            self._shown = now
            await self._hands.tick(now)


def items(plan: Sequence[PlanStep], summaries: Mapping[str, str]) -> tuple[ChecklistItem, ...]:
    """The plan as the operator sees it; what was ticked off without being planned comes last."""
    planned = {step.id for step in plan}
    told = [
        ChecklistItem(id=step.id, text=step.text, done=step.id in summaries, note=summaries.get(step.id, ""))
        for step in plan
    ]
    extra = [ChecklistItem(id=name, text=name, done=True, note=note) for name, note in summaries.items()]
    return (*told, *(item for item in extra if item.id not in planned))
