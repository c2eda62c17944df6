"""Writes down what the planner tells while it works, and adds up what its models cost."""

from __future__ import annotations

from console.contracts.events import ModelCalled, ModelSays, ModelWaits, RunEvent
from console.contracts.model_use import ModelCall, ModelWords, PlannerNews

from .clock import Clock
from .recorder import Recorder
from .state import RunState


class PlannerDesk:
    """Where a planner reports to during one run. Words are shown and not kept; calls and waits are kept."""

    def __init__(self, recorder: Recorder, clock: Clock, state: RunState, parent_id: str | None = None) -> None:
        self._recorder = recorder
        self._clock = clock
        self._state = state
        self._parent_id = parent_id

    async def report(self, news: PlannerNews) -> None:
        """Take one piece of news. What comes after the run has ended is dropped."""
        if self._recorder.closing:
            return
        turn = self._state.turn
        if isinstance(news, ModelWords):
            self._recorder.show(self._as_event(news.text, turn))
        elif isinstance(news, ModelCall):
            self._state.spent = self._state.spent.plus(news)
            await self._recorder.emit(ModelCalled, turn=turn, call=news, parent_id=self._parent_id)
        else:
            until_ms = self._clock.unix_ms() + int(news.seconds * 1000)
            await self._recorder.emit(ModelWaits, turn=turn, wait=news, until_ms=until_ms)

    def _as_event(self, text: str, turn: int) -> RunEvent:
        return ModelSays(run_id=self._recorder.run_id, seq=0, at_ms=self._clock.unix_ms(), turn=turn, text=text)
