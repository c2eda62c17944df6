"""What a step costs beside the planner and the settling: the medians of a run on a busy desktop.

Run it on a private desktop: `python -m console.testing.private_desktop -- python tests/bench/bench_step.py`.
"""

from __future__ import annotations

import asyncio
import itertools
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from console.contracts.actions import Key
from console.contracts.events import Attempted, Observed
from console.contracts.moves import Batch, BatchStep, Done
from console.contracts.outcome import RunLimits
from console.contracts.settings import DesktopSettings
from console.contracts.view import ViewBudget
from console.core.control import RunControl
from console.core.gate import Gate
from console.core.permits import PermitBook
from console.core.policy import Policy
from console.core.run import Run
from console.desktop.assembly import open_desktop
from console.storage.journal import Journal
from console.testing.doubles import ScriptedPlanner

STEPS = 20
APPS = (
    ["galculator"],
    ["zenity", "--forms", "--add-entry=A", "--add-entry=B"],
    ["thunar", "/usr/share"],
    ["thunar", "/usr"],
    ["mousepad"],
)


async def measure() -> None:
    book = PermitBook()
    desktop = open_desktop(book, DesktopSettings(ocr=False)).desktop
    settling: list[float] = []
    settle = desktop._settler.settle

    async def timed(*args: Any, **kwargs: Any) -> Any:
        began = time.monotonic()
        try:
            return await settle(*args, **kwargs)
        finally:
            settling.append(time.monotonic() - began)

    desktop._settler.settle = timed  # type: ignore[method-assign]
    moves = [Batch(purpose="type", steps=(BatchStep(purpose=f"key {n}", action=Key(key="a")),)) for n in range(STEPS)]
    planner = ScriptedPlanner(*moves, Done(summary="typed"))
    with tempfile.TemporaryDirectory() as folder:
        store = Journal(Path(folder))
        gate = Gate(book, Policy(), None)
        run = Run(
            planner, desktop, gate, None, store, RunControl(), limits=RunLimits(), budget=ViewBudget(max_elements=2000)
        )
        marks, looks, nodes = [time.monotonic()], [], 0
        async for event in run.events("type"):
            if isinstance(event, Attempted):
                marks.append(time.monotonic())
            if isinstance(event, Observed):
                looks.append(event.duration_ms)
                nodes = len(event.view.elements) + event.view.omitted_counts.elements
        await store.close()
    await desktop.close()
    per_step = len(settling) // STEPS
    rests = [sum(settling[n * per_step : (n + 1) * per_step]) for n in range(STEPS)]
    whole = [later - sooner for sooner, later in itertools.pairwise(marks)]
    own = [(w - r) * 1000 for w, r in zip(whole, rests, strict=True)][1:]
    print(f"{'':34}{'median':>10}{'worst':>10}")
    for name, values in (
        ("a step, all of it, ms", [w * 1000 for w in whole][1:]),
        ("  of which settling, ms", [r * 1000 for r in rests][1:]),
        ("  of which the console, ms", own),
        ("looking (warm), ms", looks[2:]),
    ):
        print(f"{name:34}{statistics.median(values):10.0f}{max(values):10.0f}")
    print(f"{nodes} elements in {len(APPS)} applications")


def main() -> None:
    started = []
    for command in APPS:
        started.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        time.sleep(1.5)
    try:
        asyncio.run(measure())
    finally:
        for process in started:
            process.terminate()


if __name__ == "__main__":
    main()
