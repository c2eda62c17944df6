"""`operator-console runs`: the history of runs."""

from __future__ import annotations

import shutil
from argparse import Namespace
from datetime import datetime

from console.contracts.store import RunArchive, RunSummary

from .exits import Exit
from .history import find_run
from .output import Output, one_line
from .wiring import Wiring

_COLUMNS = "{run_id:<16}  {started:<16}  {phase:<11}  {attempts:>4}  {goal}"


async def runs(args: Namespace, wiring: Wiring, output: Output) -> int:
    store = wiring.open_store(output.problem)
    try:
        if args.delete is not None:
            return await _delete(args, store, output)
        found = await store.runs(search=args.search, limit=args.limit)
    finally:
        await store.close()
    if args.json:
        for summary in found:
            output.json(summary.model_dump(mode="json"))
        return Exit.SUCCEEDED
    if not found:
        output.problem(
            "No run matches." if args.search else "There are no runs yet. Begin with: operator-console run GOAL"
        )
        return Exit.SUCCEEDED
    output.line(_COLUMNS.format(run_id="RUN", started="STARTED", phase="STATE", attempts="ACTS", goal="GOAL"))
    width = max(shutil.get_terminal_size().columns, 80)
    for summary in found:
        output.line(_row(summary, width))
    return Exit.SUCCEEDED


async def _delete(args: Namespace, store: RunArchive, output: Output) -> int:
    run_id = await find_run(store, args.delete)
    await store.forget(run_id)
    if args.json:
        output.json({"deleted": run_id})
    else:
        output.line(f"The run {run_id} is deleted, with the pictures that only it had.")
    return Exit.SUCCEEDED


def _row(summary: RunSummary, width: int) -> str:
    row = _COLUMNS.format(
        run_id=summary.run_id,
        started=datetime.fromtimestamp(summary.started_at_ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M"),
        phase=summary.phase.value,
        attempts=summary.attempts,
        goal=one_line(summary.goal),
    )
    return row if len(row) <= width else row[: width - 1] + "…"
