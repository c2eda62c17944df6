"""Makes planners out of what is set for them, and tries them out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from console.contracts.base import Json, Value
from console.contracts.errors import ConsoleError
from console.contracts.planner import PlanProducer
from console.contracts.usable import usable

from . import catalogue, entry
from .entries import PlannerEntry
from .parts import PlannerParts

Settings = Mapping[str, Mapping[str, Json]]


@dataclass(frozen=True)
class MadePlanner:
    """A planner that is ready, what it was made from, and a sentence for each setting that was no good."""

    entry: PlannerEntry
    planner: PlanProducer
    notices: Sequence[str]


class PlannerKit:
    """`settings` gives what is set now, by the name of the planner."""

    def __init__(self, parts: PlannerParts, settings: Callable[[], Settings]) -> None:
        self.parts = parts
        self._settings = settings

    def make(self, name: str, options: Mapping[str, Json] | None = None) -> MadePlanner:
        """`options` win over the settings. Raises `ConsoleError` if there is no such planner, or an option is wrong."""
        one = self.entry(name)
        settings, notices = self.chosen(name, options)
        return MadePlanner(one, one.make(settings, self.parts), notices)

    def chosen(self, name: str, options: Mapping[str, Json] | None = None) -> tuple[Value, list[str]]:
        """What is set for the planner, `options` included."""
        one = self.entry(name)
        settings, notices = self.settings_of(one)
        return (_with(settings, options, one) if options else settings), notices

    def settings_of(self, one: PlannerEntry) -> tuple[Value, list[str]]:
        return usable(one.settings, self._settings().get(one.name, {}))

    async def test(self, name: str, values: Mapping[str, Any]) -> str:
        """Try it with values that are not saved yet; the sentence says that it works. Raises `ConsoleError`."""
        one = self.entry(name)
        if one.test is None:
            raise ConsoleError("There is nothing to try out.", "It needs no model.")
        return await one.test(one.settings.model_validate(values), self.parts)

    async def load(self, name: str) -> None:
        """Import what the planner needs, beside the loop."""
        one = self.entry(name)
        if one.load is not None:
            await asyncio.to_thread(one.load, self.settings_of(one)[0])

    def service(self, name: str, values: Mapping[str, Any]) -> str | None:
        """Whose key the planner needs with these values."""
        one = self.entry(name)
        return one.service(one.settings.model_validate(values)) if one.service else None

    @staticmethod
    def entry(name: str) -> PlannerEntry:
        one = entry(name)
        if one is None:
            known = ", ".join(other.name for other in catalogue())
            raise ConsoleError(f"There is no planner “{name}”.", f"There are: {known}.")
        return one


def _with(settings: Value, options: Mapping[str, Json], one: PlannerEntry) -> Value:
    """Raises `ConsoleError` for an option that the planner does not have, or a value that it does not take."""
    fields = type(settings).model_fields
    for name in options:
        if name not in fields:
            known = ", ".join(fields) or "none"
            raise ConsoleError(f"The planner “{one.name}” has no setting “{name}”.", f"It has: {known}.")
    try:
        return type(settings).model_validate({**settings.model_dump(), **options})
    except ValidationError as error:
        first = error.errors()[0]
        raise ConsoleError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}.", "Give another value.") from error
