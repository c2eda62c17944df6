"""Finds a run by what a person types for it."""

from __future__ import annotations

from console.contracts.errors import ConsoleError
from console.contracts.store import RunStore

ALL = 100_000
LAST = "last"


async def find_run(store: RunStore, name: str) -> str:
    """The run with that name, the only one whose name begins so, or the last one."""
    names = [summary.run_id for summary in await store.runs(limit=ALL)]
    if name == LAST and names:
        return names[0]
    found = [name] if name in names else [run_id for run_id in names if name and run_id.startswith(name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise ConsoleError(f"{len(found)} runs begin with “{name}”.", "Type more of the name.")
    raise ConsoleError(f"There is no run “{name}”.", "“operator-console runs” lists them.")
