"""What the commands need from the rest of the console; `console.app` provides it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from console.contracts.desktop import Desktop
    from console.contracts.events import RunEvent
    from console.contracts.operator import Operator
    from console.contracts.scene import Frame
    from console.contracts.store import RunArchive, RunStore
    from console.contracts.tool_servers import ToolLine
    from console.core.control import RunControl
    from console.core.gate import Gate
    from console.core.moments import Moment, SecondOpinion
    from console.core.state import RunState
    from console.desktop.accessibility.diagnosis import Part
    from console.ptc.mcp.adapter import ServerAdapter

Theme = Literal["light", "dark", "system"]
Tell = Callable[[str], None]


@dataclass(frozen=True)
class PlannerEntry:
    """A planner that can be chosen by name."""

    name: str
    title: str


@dataclass(frozen=True)
class Desk:
    """The live desktop and the gate that issues its permits; they share one permit book. `servers` are tools that the
    desktop calls and closes."""

    desktop: Desktop
    gate: Gate
    servers: Sequence[ServerAdapter] = ()
    tell: Tell = lambda text: None


@dataclass(frozen=True)
class RunOrder:
    """What to run. None means: as the settings say. `resume` is the folded state of an interrupted run, `options` are
    settings of the planner for this run alone."""

    goal: str
    planner: str | None = None
    max_steps: int | None = None
    timeout_ms: int | None = None
    max_cost_usd: float | None = None
    max_tokens: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    run_id: str | None = None
    resume: RunState | None = None


@dataclass(frozen=True)
class RunParts:
    """What a run works with; the caller made it and closes it."""

    desk: Desk
    operator: Operator | None
    store: RunStore
    control: RunControl


@dataclass(frozen=True)
class ServerProbe:
    """A server of tools, and a way to list them; None if it is switched off."""

    name: str
    tools: Callable[[], Awaitable[Sequence[ToolLine]]] | None


@dataclass(frozen=True)
class Probes:
    """Ways to try each part once. A part that does not work raises, best a `ConsoleError` with a hint.

    `window_manager` gives its name, or None if there is none; `grab` captures the screen; `input` connects to the
    device and sends nothing; `accessibility` says which of its parts are there, and `server_problems` what in the file
    of servers cannot be used.
    """

    window_manager: Callable[[], Awaitable[str | None]]
    grab: Callable[[], Awaitable[Frame]]
    input: Callable[[], Awaitable[object]]
    accessibility: Callable[[], Awaitable[Sequence[Part]]]
    close: Callable[[], Awaitable[None]]
    servers: Sequence[ServerProbe] = ()
    server_problems: Sequence[str] = ()


class GoalRun(Protocol):
    """One run; `core.run.Run` is one."""

    run_id: str

    def events(self, goal: str) -> AsyncIterator[RunEvent]: ...


class Parts(Protocol):
    """Makes the parts. Every method may import what it needs when it is called, and no sooner."""

    def planners(self) -> Sequence[PlannerEntry]:
        """All planners that can be chosen, the default first."""
        ...

    def open_store(self, tell: Tell) -> RunArchive:
        """The journal. `tell` is given a sentence when something about it should be known."""
        ...

    async def open_desk(self, operator: Operator | None, tell: Tell) -> Desk:
        """`tell` is given a sentence about each tool that is not there. Raises `DesktopUnavailable` at once if there is
        nothing that can be seen and driven."""
        ...

    def make_run(self, order: RunOrder, parts: RunParts) -> GoalRun:
        """Raises `ConsoleError` if the planner cannot be made, for instance without its key."""
        ...

    async def second_opinion(
        self, store: RunStore, run_id: str, turn: int | None, planner: str | None, options: Mapping[str, str]
    ) -> tuple[Moment, SecondOpinion]:
        """Put the decision of a past turn, or the last one, to a planner. Raises `ConsoleError`."""
        ...

    def probes(self) -> Probes: ...


class Wiring(Parts, Protocol):
    """The parts, and the window that is made of them."""

    def run_app(self, goal: str | None, theme: Theme | None) -> int:
        """Show the window and give the exit code. Raises `DesktopUnavailable` without a display."""
        ...
