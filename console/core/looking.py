"""Looks at the desktop for a run and turns what is there into the view."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from console.contracts.adapter import Adapter
from console.contracts.desktop import Desktop
from console.contracts.events import Observed, RunPhase
from console.contracts.outcome import RunLimits
from console.contracts.scene import Frame, Scene
from console.contracts.view import AdapterActionRef, AdapterFactRef, PlanningView, RunProgress, ViewBudget

from .clock import Clock
from .recorder import Recorder
from .secret_answers import without
from .state import RunState
from .view import build_view


@dataclass(frozen=True)
class Look:
    """One observation of a turn: the scene, the view of it, and the picture for the planner (PNG, or None)."""

    scene: Scene
    view: PlanningView
    png: bytes | None


class Looking:
    """Observes, keeps the picture, builds the view, and records what the planner is shown."""

    def __init__(
        self,
        desktop: Desktop,
        recorder: Recorder,
        clock: Clock,
        *,
        limits: RunLimits,
        budget: ViewBudget,
        adapters: Sequence[Adapter] = (),
        wants_png: bool = True,
    ) -> None:
        self._desktop = desktop
        self._recorder = recorder
        self._clock = clock
        self._limits = limits
        self._budget = budget
        self._adapters = adapters
        self._wants_png = wants_png

    async def look(self, state: RunState, phase: RunPhase = RunPhase.LOOKING) -> Look:
        """A fresh look, written down. Whatever the desktop raises is passed on."""
        await self._recorder.enter(phase)
        began = self._clock.now()
        # Before the picture is taken, so that a tool that takes its time does not make it old.
        facts = [fact for adapter in self._adapters for fact in await self._facts(adapter, state.goal)]
        scene = await self._desktop.observe(state.goal)
        view = build_view(
            scene,
            state.goal,
            budget=self._budget,
            progress=self.progress(state),
            facts=facts,
            actions=self.tools,
            now_ms=self._clock.unix_ms(),
        )
        state.tools = view.adapter_actions
        view = without(view, self._recorder.hidden)
        duration_ms = int((self._clock.now() - began) * 1000)
        kept, png = await asyncio.gather(self.keep(scene.frame), self._png(scene.frame))
        await self._recorder.emit(
            Observed,
            turn=state.turn,
            scene_id=scene.id,
            frame_id=scene.frame.id,
            view=view,
            screenshot=kept,
            duration_ms=duration_ms,
        )
        return Look(scene, view, png)

    async def _png(self, frame: Frame) -> bytes | None:
        """For the planner, if it wants one; made while the other picture is stored."""
        return await self._desktop.screenshot(frame, "image/png") if self._wants_png else None

    async def glance(self, state: RunState) -> Scene:
        """A fresh scene between two steps of a batch; the planner does not see it."""
        return await self._desktop.observe(state.goal)

    async def keep(self, frame: Frame | None) -> str | None:
        """Store the frame as a picture and give its name."""
        if frame is None or not frame.pixels:
            return None
        return await self._recorder.picture(await self._desktop.screenshot(frame, "image/jpeg"), "image/jpeg")

    @property
    def max_steps(self) -> int:
        return self._limits.max_steps

    def progress(self, state: RunState) -> RunProgress:
        return RunProgress(steps_used=state.steps_used, max_steps=self._limits.max_steps)

    @property
    def tools(self) -> tuple[AdapterActionRef, ...]:
        return tuple(action for adapter in self._adapters for action in adapter.actions())

    @staticmethod
    async def _facts(adapter: Adapter, goal: str) -> Sequence[AdapterFactRef]:
        """A tool that cannot tell its facts has none; it does not end the run."""
        try:
            return await adapter.facts(goal)
        except Exception as error:  # noqa: BLE001 - an adapter is foreign code
            return (AdapterFactRef(adapter=adapter.name, kind="error", payload=str(error)),)
