"""The console's own window, driven from outside with real clicks, as a person drives it."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from console.contracts.events import RUN_EVENT
from console.contracts.scene import SceneElement
from console.desktop.accessibility.bus import AccessibilityBus
from console.desktop.accessibility.reader import AccessibilityReader
from console.desktop.windows import WindowSystem

WAIT_S = 30.0
ENDED = ("Done", "Failed", "Refused", "Stopped", "Interrupted")


class ConsoleWindow:
    """Starts the app in a process of its own, with its records in the folder."""

    def __init__(self, folder: Path, goal: str = "", settings: dict[str, Any] | None = None) -> None:
        self._data = folder / "data"
        self._data.mkdir(parents=True, exist_ok=True)
        (self._data / "settings.json").write_text(json.dumps(settings or {}), encoding="utf-8")
        env = {**os.environ, "OPERATOR_CONSOLE_DATA": str(self._data)}
        env.pop("OPERATOR_CONSOLE_FORBID_DEVICES", None)
        env.pop("QT_QPA_PLATFORM", None)
        command = [sys.executable, "-m", "console", *(["--goal", goal] if goal else [])]
        self.log = folder / "console.log"
        with self.log.open("w", encoding="utf-8") as log:
            self.process = subprocess.Popen(command, env=env, stdout=log, stderr=log, start_new_session=True)
        self.find("Run", "button")

    def find(self, label: str, kind: str = "", window: str = "Operator Console") -> SceneElement:
        """A control of the console by the start of its label, waited for."""

        def look() -> SceneElement | None:
            found = [
                e
                for e in elements(self.process.pid)
                if e.label.startswith(label) and (not kind or e.element_type == kind) and window in e.window
            ]
            return found[0] if found else None

        return wait_for(look, f"“{label}” in the console; log: {self.log.read_text(encoding='utf-8')[-600:]}")

    def click(self, label: str, kind: str = "button") -> None:
        point = self.find(label, kind).bounds.center
        xdotool("mousemove", point.x, point.y, "click", 1)

    def answer(self, label: str) -> None:
        """Press a button of the card that waits, opening the window from the bar where it is not open."""

        def pressed() -> bool:
            buttons = [e for e in elements(self.process.pid) if e.element_type == "button"]
            wanted = next((e for e in buttons if e.label.startswith(label)), None)
            wanted = wanted or next((e for e in buttons if e.label.startswith("Review")), None)
            if wanted is None:
                return False
            xdotool("mousemove", wanted.bounds.center.x, wanted.bounds.center.y, "click", 1)
            time.sleep(0.5)
            return wanted.label.startswith(label)

        wait_for(pressed, f"the button “{label}” of a card, phase {self.phase}", self.told)

    def start(self) -> None:
        before = self._runs
        self.click("Run")
        wait_for(lambda: self._runs > before, "the run to begin", self.told)

    @property
    def phase(self) -> str:
        """That of the newest run, from the journal."""
        row = self._row("SELECT phase FROM runs ORDER BY started_at_ms DESC LIMIT 1")
        return row[0] if row else ""

    @property
    def _runs(self) -> int:
        row = self._row("SELECT count(*) FROM runs")
        return row[0] if row else 0

    def wait_ended(self) -> str:
        return wait_for(lambda: self.phase if self.phase in ENDED else "", "the run to end", self.told)

    def wait_phase(self, phase: str) -> None:
        wait_for(lambda: self.phase == phase, f"the run to be “{phase}”", self.told)

    def told(self) -> str:
        """What the journal says of the newest run, for the message of a failed test."""
        rows = self._rows(
            "SELECT body FROM events "
            "WHERE kind IN ('attempted', 'recorded', 'clarify_asked', 'approval_given', 'run_ended') "
            "AND run_id = (SELECT run_id FROM runs ORDER BY started_at_ms DESC LIMIT 1) ORDER BY seq"
        )
        lines = [RUN_EVENT.validate_json(body).headline() for (body,) in rows]
        own = [line for line in self.log.read_text(encoding="utf-8").splitlines() if not line.startswith("qt.")]
        return "\n".join([*lines, *own[-30:]])

    def _row(self, query: str) -> Any:
        return next(iter(self._rows(query)), None)

    def _rows(self, query: str) -> list[Any]:
        path = self._data / "journal.db"
        if not path.exists():
            return []
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=5) as db:
            return db.execute(query).fetchall()

    def close(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def elements(pid: int) -> Sequence[SceneElement]:
    """What the console's windows offer, as a screen reader would find it."""

    async def read() -> Sequence[SceneElement]:
        bus, windows = AccessibilityBus(), WindowSystem()
        try:
            shown = [w for w in await windows.windows() if w.pid == pid]
            return (await AccessibilityReader(bus).read(shown)).elements
        finally:
            await bus.close()
            await windows.close()

    return asyncio.run(read())


def wait_for(ready: Callable[[], Any], what: str, told: Callable[[], str] = str, timeout_s: float = WAIT_S) -> Any:
    deadline = time.monotonic() + timeout_s
    while not (found := ready()):
        assert time.monotonic() < deadline, f"waited in vain for {what}\n{told()}"
        time.sleep(0.02)
    return found


def xdotool(*words: object) -> None:
    subprocess.run(["xdotool", *map(str, words)], check=True, capture_output=True)
