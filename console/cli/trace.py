"""`operator-console trace`: a run as entries of a trace, or as spans for a collector."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from console.contracts.errors import ConsoleError
from console.contracts.events import RunEvent
from console.storage.tracing.entries import entries_of
from console.storage.tracing.otlp import NOT_INSTALLED, collector, endpoint_set, spans_of

from .exits import Exit
from .history import find_run
from .output import Output
from .save import write_new
from .wiring import Wiring


async def trace(args: Namespace, wiring: Wiring, output: Output) -> int:
    store = wiring.open_store(output.problem)
    try:
        run_id = await find_run(store, args.run)
        events = await store.events(run_id)
    finally:
        await store.close()
    if args.otlp:
        count = await asyncio.to_thread(_send, events)
        output.json({"run_id": run_id, "spans": count}) if args.json else output.line(f"{count} spans are sent.")
        return Exit.SUCCEEDED
    lines = [entry.model_dump_json() for entry in entries_of(events)]
    if args.out:
        write_new(Path(args.out), "".join(f"{line}\n" for line in lines))
        output.line(args.out)
    else:
        for line in lines:
            output.line(line)
    return Exit.SUCCEEDED


def _send(events: Sequence[RunEvent]) -> int:
    """How many spans the collector took. Raises `ConsoleError` if it took none."""
    if not endpoint_set():
        raise ConsoleError("No collector is named.", "Set OTEL_EXPORTER_OTLP_ENDPOINT, such as http://127.0.0.1:4318.")
    try:
        send = collector()
    except ImportError as error:
        raise ConsoleError("The spans cannot be sent.", NOT_INSTALLED) from error
    spans = spans_of(events)
    if not send(spans):
        raise ConsoleError("The collector did not take the spans.", "Look at OTEL_EXPORTER_OTLP_ENDPOINT.")
    return len(spans)
