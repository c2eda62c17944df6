"""`operator-console report`: a run as files."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from console.storage.export import export_run

from .exits import Exit
from .history import find_run
from .output import Output
from .wiring import Wiring


async def report(args: Namespace, wiring: Wiring, output: Output) -> int:
    store = wiring.open_store(output.problem)
    try:
        run_id = await find_run(store, args.run)
        path = await export_run(store, run_id, Path(args.out or f"report-{run_id}"))
    finally:
        await store.close()
    if args.json:
        output.json({"run_id": run_id, "report": str(path)})
    else:
        output.line(str(path))
    return Exit.SUCCEEDED
