"""Checks the steps of a batch before the first is done, in the order of the contract."""

from __future__ import annotations

from dataclasses import dataclass, field

from console.contracts.moves import AttemptRecord, BatchStep
from console.contracts.scene import Scene
from console.contracts.view import AdapterActionRef, PlanningView

from .rules.expectations import without_blind_expectation
from .rules.navigation import already_there, without_noops
from .rules.repeats import BannedRepeats
from .rules.targets_known import unknown_target, unregistered_tool
from .state import RunState


@dataclass
class CheckedBatch:
    """The steps that may run, the records made on the way, and the refusal that ended the batch early."""

    steps: list[BatchStep] = field(default_factory=list)
    done_already: list[AttemptRecord] = field(default_factory=list)
    refusal: AttemptRecord | None = None
    refusal_charge: int = 0
    dropped: int = 0


class BatchChecks:
    """Walks the steps; the first refusal drops the rest."""

    def __init__(self, repeats: BannedRepeats) -> None:
        self._repeats = repeats

    def walk(
        self,
        steps: tuple[BatchStep, ...],
        scene: Scene,
        view: PlanningView,
        state: RunState,
        looks: str,
        tools: tuple[AdapterActionRef, ...],
    ) -> CheckedBatch:
        """`tools` are all that there are; the view may show only some."""
        checked = CheckedBatch()
        first_batch = tuple(state.history)
        for position, given in enumerate(steps):
            step = self._adapted(given, scene, view, first_batch)
            noop = already_there(step.action, step.purpose, view.screen.url, first_batch)
            if noop is not None:
                checked.done_already.append(noop)
                continue
            # The first step meets this scene; what the later ones meet is checked when it is there.
            refusal = unknown_target(step.action, step.purpose, scene) if not checked.steps else None
            refusal = refusal or unregistered_tool(step.action, step.purpose, tools)
            checked.refusal_charge = 1 if refusal else 0
            refusal = refusal or self._repeats.refusal(step.action, step.purpose, looks)
            if refusal is not None:
                checked.refusal, checked.dropped = refusal, len(steps) - position - 1
                break
            checked.steps.append(step)
        return checked

    @staticmethod
    def _adapted(step: BatchStep, scene: Scene, view: PlanningView, history: tuple[AttemptRecord, ...]) -> BatchStep:
        action, _ = without_blind_expectation(step.action, scene)
        action = without_noops(action, view.screen.url, history)
        return step if action is step.action else step.model_copy(update={"action": action})
