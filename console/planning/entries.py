"""A planner as it stands in the catalogue: shipped with the console, or plugged in by another package."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from console.contracts.base import Value
from console.contracts.errors import PlannerError
from console.contracts.planner import PlanProducer
from console.contracts.view import ViewBudget

from .parts import PlannerParts

GROUP = "operator_console.planners"
log = logging.getLogger(__name__)


class NoSettings(Value):
    """A planner that has nothing to set."""


@dataclass(frozen=True)
class PlannerEntry:
    """A planner that can be chosen: its name, what a person reads, its settings, and how much it wants to see.

    `service` says whose key it needs with these settings, `test` makes one tiny call and answers with a sentence, and
    `load` imports what takes a second or two, so that the first turn does not wait for it.
    """

    name: str
    title: str
    settings: type[Value]
    make: Callable[[Any, PlannerParts], PlanProducer]
    budget: ViewBudget = ViewBudget()  # noqa: RUF009 - it is frozen
    service: Callable[[Any], str] | None = None
    test: Callable[[Any, PlannerParts], Awaitable[str]] | None = None
    load: Callable[[Any], None] | None = None


def plugged_in(known: Sequence[str]) -> list[PlannerEntry]:
    """The planners of other packages, by their entry points in the group `operator_console.planners`.

    What stands there is a `PlannerEntry`, or something that makes a `PlanProducer` when it is called without arguments.
    It is imported when it is used and no sooner. A name that is taken already is left out.
    """
    found: list[PlannerEntry] = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        if point.name in known or point.name in [entry.name for entry in found]:
            log.info("The planner %s of %s is left out: its name is taken", point.name, point.value)
            continue
        found.append(PlannerEntry(point.name, f"{point.name} (plugged in)", NoSettings, _maker(point)))
    return found


def _maker(point: EntryPoint) -> Callable[[Any, PlannerParts], PlanProducer]:
    def make(_: Any, parts: PlannerParts) -> PlanProducer:
        try:
            thing = point.load()
            planner = thing.make(thing.settings(), parts) if isinstance(thing, PlannerEntry) else thing()
        except Exception as error:
            raise PlannerError(
                f"The planner “{point.name}” could not be loaded: {error}", "Ask whoever made it, or choose another."
            ) from error
        if not isinstance(planner, PlanProducer):
            raise PlannerError(
                f"“{point.name}” is no planner: it has no decide_next and verify_done.", "Choose another planner."
            )
        return planner

    return make
