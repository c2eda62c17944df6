"""How long it takes from the end of an observation until the request has reached the model's server, picture included.

Run it on a private desktop: `python -m console.testing.private_desktop -- python tests/bench/bench_request.py`.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from console.contracts.outcome import RunLimits
from console.contracts.settings import DesktopSettings
from console.core.control import RunControl
from console.core.gate import Gate
from console.core.permits import PermitBook
from console.core.policy import Policy
from console.core.run import Run
from console.desktop.assembly import open_desktop
from console.planning import PlannerParts, entry
from console.storage.journal import Journal
from console.storage.keys import Keys
from tests.bench.bench_step import APPS
from tests.support.model_servers import ModelServer
from tests.support.model_servers.reader import PlannedModel, act, done

TURNS = 20


async def measure(provider: str) -> None:
    turns = [act("type", {"type": "key", "key": "a"})] * TURNS
    with ModelServer(PlannedModel([*turns, done("typed")])) as server, tempfile.TemporaryDirectory() as folder:
        book = PermitBook()
        desktop = open_desktop(book, DesktopSettings(ocr=False)).desktop
        observe, seen = desktop.observe, []

        async def stamped(goal: str) -> Any:
            scene = await observe(goal)
            seen.append(time.monotonic())
            return scene

        desktop.observe = stamped  # type: ignore[method-assign]
        one = entry("model")
        assert one is not None
        settings = {"provider": provider, "model": "m", "address": server.address(provider)}
        planner = one.make(one.settings.model_validate(settings), PlannerParts(Keys()))
        store = Journal(Path(folder))
        run = Run(
            planner,
            desktop,
            Gate(book, Policy(), None),
            None,
            store,
            RunControl(),
            limits=RunLimits(),
            budget=one.budget,
        )
        async for _ in run.events("type"):
            pass
        await store.close()
        await desktop.close()
        took = [(a.at - max(s for s in seen if s < a.at)) * 1000 for a in server.asked][1:]
        size = statistics.median(a.size for a in server.asked) / 1000
    print(f"{provider:12}{statistics.median(took):10.0f}{max(took):10.0f}{size:10.0f}")


def main() -> None:
    started = []
    for command in APPS:
        started.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        time.sleep(1.5)
    os.environ.update(dict.fromkeys(("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GOOGLE_API_KEY"), "k"))
    print(f"{'request':12}{'median ms':>10}{'worst ms':>10}{'kB':>10}")
    try:
        for provider in ("anthropic", "openai", "google", "compatible"):
            asyncio.run(measure(provider))
    finally:
        for process in started:
            process.terminate()


if __name__ == "__main__":
    main()
