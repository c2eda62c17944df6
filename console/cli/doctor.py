"""`operator-console doctor`: says what works here and how to mend what does not."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict

from console.contracts.health import Finding

from .exits import Exit
from .health import look_over
from .output import Output, harmless
from .wiring import Wiring


async def doctor(args: Namespace, wiring: Wiring, output: Output) -> int:
    """Fails if a run could not work."""
    found = await look_over(wiring)
    for finding in found:
        if args.json:
            output.json(asdict(finding))
        else:
            _print(finding, output)
    return Exit.FAILED if any(finding.health == "bad" for finding in found) else Exit.SUCCEEDED


def _print(finding: Finding, output: Output) -> None:
    output.line(f"{finding.mark}  {finding.part:<16} {harmless(finding.text)}")
    if finding.mend:
        output.line(f"   {'':<16} → {harmless(finding.mend)}")
