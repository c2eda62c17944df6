"""Real applications on the desktop of the test, each ended with the test."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from console.testing.private_desktop import end

from .screen import WAIT_S, Screen, XWindow


@dataclass(frozen=True)
class RunningApp:
    """A started program and its window."""

    process: subprocess.Popen[bytes]
    window: XWindow


class Apps:
    """Starts applications, waits for their windows, and ends them all."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._started: list[subprocess.Popen[bytes]] = []

    def __call__(self, command: Sequence[str], title: str, *, active: bool = True, **kwargs: Any) -> RunningApp:
        """Start it and wait for a window with that title (a regular expression), active unless told otherwise."""
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(command, start_new_session=True, **{**quiet, **kwargs})
        self._started.append(process)
        window = self._screen.wait_for_window(title)
        if active:
            self._screen.wait_active(window)
        return RunningApp(process, window)

    def close(self) -> None:
        for process in reversed(self._started):
            end(process)
            if process.stdout is not None:
                process.stdout.close()
        self._started.clear()


class ReceiverWindow:
    """The receiver in its own process, seen through the files that it writes."""

    def __init__(self, folder: Path, apps: Apps, *, title: str = "Receiver", delay_ms: int = 0) -> None:
        self._folder = folder
        program = Path(__file__).with_name("receiver.py")
        command = [sys.executable, str(program), str(folder), "--title", title, "--delay", str(delay_ms)]
        env = {key: value for key, value in os.environ.items() if not key.startswith("COVERAGE_PROCESS")}
        self.app = apps(command, f"^{title}$", env=env)
        self.wait(lambda state: state.get("active"), "the receiver to be active")

    @property
    def state(self) -> dict[str, Any]:
        """`text`, `line`, `ticked`, `clicks`, `active`, and `places`: name to x, y, width, height in pixels."""
        path = self._folder / "state.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    @property
    def text(self) -> str:
        return self.state["text"]

    @property
    def line(self) -> str:
        return self.state["line"]

    def centre(self, name: str) -> tuple[int, int]:
        """The middle of a widget: `text`, `line`, `button` or `tick`."""
        x, y, width, height = self.state["places"][name]
        return x + width // 2, y + height // 2

    def events(self, kind: str | None = None) -> list[dict[str, Any]]:
        """What arrived, oldest first: `key_press`, `key_release`, `press`, `release`, `wheel`."""
        lines = (self._folder / "events.jsonl").read_text(encoding="utf-8").splitlines()
        return [event for event in map(json.loads, lines) if kind in (None, event["kind"])]

    def wait(self, check: Callable[[dict[str, Any]], Any], what: str, timeout_s: float = WAIT_S) -> dict[str, Any]:
        """Until the check holds for the state; gives that state."""
        deadline = time.monotonic() + timeout_s
        while not check(state := self.state):
            assert time.monotonic() < deadline, f"waited {timeout_s:g} s for {what}: {state}"
            time.sleep(0.02)
        return state

    def wait_text(self, text: str, timeout_s: float = WAIT_S) -> None:
        self.wait(lambda state: state["text"] == text, f"the text {text!r}", timeout_s)
