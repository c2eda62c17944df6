"""`operator-console doctor`: says what works here and how to mend what does not."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict

from .exits import Exit
from .health import Finding, examine
from .output import Output, harmless
from .wiring import Wiring

_MARKS = {"ok": "✓", "warn": "!", "bad": "✕"}


async def doctor(args: Namespace, wiring: Wiring, output: Output) -> int:
    """Fails if a run could not work."""
    notices: list[str] = []
    store, probes = wiring.open_store(notices.append), wiring.probes()
    try:
        found = await examine(probes, store)
    finally:
        await probes.close()
        await store.close()
    found += [Finding("Journal", "warn", notice) for notice in notices]
    for finding in found:
        if args.json:
            output.json(asdict(finding))
        else:
            _print(finding, output)
    return Exit.FAILED if any(finding.health == "bad" for finding in found) else Exit.SUCCEEDED


def _print(finding: Finding, output: Output) -> None:
    output.line(f"{_MARKS[finding.health]}  {finding.part:<16} {harmless(finding.text)}")
    if finding.mend:
        output.line(f"   {'':<16} → {harmless(finding.mend)}")
