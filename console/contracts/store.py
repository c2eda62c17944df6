"""Where runs are kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from .base import Value
from .events import RunEvent, RunPhase


class RunSummary(Value):
    """One line of the history of runs."""

    run_id: str
    goal: str
    planner: str
    started_at_ms: int
    ended_at_ms: int | None = None
    phase: RunPhase
    summary: str = ""
    attempts: int = 0


class RunStore(Protocol):
    """The run journal. What `append` returned from is on disk. Raises `StorageError`."""

    async def append(self, event: RunEvent) -> None: ...

    async def save_blob(self, data: bytes, media: str) -> str:
        """Keep an image; the answer is its name, the same for the same bytes."""
        ...

    async def blob(self, name: str) -> bytes: ...

    async def events(self, run_id: str) -> Sequence[RunEvent]: ...

    async def runs(self, search: str = "", limit: int = 200) -> Sequence[RunSummary]:
        """Newest first; `search` looks in goal and summary."""
        ...

    async def close(self) -> None: ...


class RunArchive(RunStore, Protocol):
    """A journal whose runs can be deleted."""

    async def forget(self, run_id: str) -> None:
        """Delete a run and the pictures that only it has. A run that is going on is not deleted."""
        ...
