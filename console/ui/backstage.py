"""What the window needs of the rest of the console, which `console.app` provides."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pydantic import BaseModel, SecretStr

from console.contracts.events import RunEvent
from console.contracts.geometry import Point
from console.contracts.health import Finding
from console.contracts.operator import Operator
from console.contracts.outcome import RunLimits
from console.contracts.scene import Frame
from console.contracts.settings import Settings
from console.contracts.store import RunArchive
from console.contracts.tool_servers import ToolLine, ToolServer
from console.core.control import RunControl
from console.core.moments import Moment, SecondOpinion


@dataclass(frozen=True)
class WindowOrder:
    """A run that the window wants.

    `stop` and `hand` are told what the operator does outside the window, `settling` that the input of a step has been
    sent, and `make_way` where the agent needs a place that the console may cover.
    """

    goal: str
    planner: str
    limits: RunLimits
    operator: Operator
    control: RunControl
    resume: str | None
    make_way: Callable[[Point], Awaitable[bool]]
    stop: Callable[[str], None]
    hand: Callable[[str], None]
    settling: Callable[[], None]


class StartedRun(Protocol):
    """A run that is about to begin, and the watch over the operator's hands during it."""

    def events(self) -> AsyncIterator[RunEvent]: ...

    async def look(self) -> Frame | None:
        """The screen now, with the console's own windows greyed; None while the run has a use for the device."""
        ...

    async def close(self) -> None: ...


@dataclass(frozen=True)
class PlannerPage:
    """A planner in the settings: `value` is what is set now, and `needs_model` says that it can be tried out."""

    name: str
    title: str
    value: BaseModel
    needs_model: bool = False


class PlannerDesk(Protocol):
    """What the settings need of the planners. `values` are those that are entered, saved or not."""

    def pages(self) -> Sequence[PlannerPage]: ...

    async def key_place(self, name: str, values: Mapping[str, Any]) -> str | None:
        """Where the key is that the planner needs: `environment`, `keyring`, `session`, or None."""
        ...

    async def save_key(self, name: str, values: Mapping[str, Any], key: SecretStr) -> None: ...

    async def load(self, name: str) -> None:
        """Get the planner ready, so that its first turn does not wait."""
        ...

    async def test(self, name: str, values: Mapping[str, Any]) -> str:
        """A sentence that says that it works. Raises `ConsoleError` with why it does not."""
        ...


class ToolDesk(Protocol):
    """What the settings need of the servers of tools."""

    def load(self) -> tuple[Sequence[ToolServer], Sequence[str]]:
        """Those that can be read, and a sentence for each that cannot."""
        ...

    def save(self, servers: Sequence[ToolServer]) -> None:
        """Raises `StorageError`."""
        ...

    async def test(self, server: ToolServer) -> Sequence[ToolLine]:
        """Its tools. Raises `ConsoleError` with why it cannot be used."""
        ...


class ProgramDesk(Protocol):
    """What the program pane needs of the language."""

    def names(self) -> Sequence[str]:
        """What can be completed: functions and tools."""
        ...

    async def server_names(self) -> Sequence[str]:
        """The tools of servers, which have to be asked for them."""
        ...

    async def check(self, source: str) -> str:
        """What is wrong with the program, or nothing."""
        ...

    def from_run(self, events: Sequence[RunEvent]) -> str:
        """A past run as a program."""
        ...

    def instructions(self, events: Sequence[RunEvent]) -> str:
        """A past run as instructions."""
        ...


class Backstage(Protocol):
    """What the session needs of the rest of the console; `console.app` provides it."""

    @property
    def store(self) -> RunArchive: ...

    @property
    def planners(self) -> PlannerDesk: ...

    @property
    def tools(self) -> ToolDesk: ...

    @property
    def programs(self) -> ProgramDesk: ...

    async def prepare(self, order: WindowOrder) -> StartedRun: ...

    async def opinion_on(self, moment: Moment, planner: str) -> SecondOpinion:
        """What the planner would do in a moment of a past run. Raises `ConsoleError`."""
        ...

    async def export(self, run_id: str, folder: Path) -> Path: ...

    async def check(self) -> Sequence[Finding]:
        """What works on this desktop; the window stays responsive meanwhile."""
        ...

    async def recent_goals(self) -> Sequence[str]: ...

    def save_settings(self, settings: Settings) -> None: ...

    def apply_theme(self, settings: Settings) -> None: ...

    async def close(self) -> None: ...
