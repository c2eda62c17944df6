"""Runs a goal as a person at a terminal would: the command line, a decisions file, and what came of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TIME_S = 90


@dataclass(frozen=True)
class GoalResult:
    """The exit code, the events as they were printed, and the last line with the outcome and the `Step`."""

    code: int
    events: list[dict[str, Any]]
    outcome: dict[str, Any]
    step: dict[str, Any]
    stderr: str

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event.get("event") == kind]

    @property
    def sentences(self) -> list[str]:
        return [event["sentence"] for event in self.of("attempted")]

    def told(self) -> str:
        """What happened, for the message of a failed test."""
        lines = [
            f"{e['sentence']} -> {e['record']['succeeded']} {e['record'].get('error') or ''} "
            f"{(e.get('receipt') or {}).get('observed_effect', {})}"
            for e in self.of("attempted")
        ]
        return "\n".join([*lines, json.dumps(self.outcome)[:600], self.stderr[-600:]])


def run_goal(
    goal: str,
    folder: Path,
    *,
    decisions: Sequence[dict[str, Any]] = (),
    arguments: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
) -> GoalResult:
    """`operator-console run` in a process of its own, with its records in the folder."""
    (folder / "goal.txt").write_text(goal, encoding="utf-8")
    (folder / "decisions.json").write_text(json.dumps(list(decisions)), encoding="utf-8")
    command = [sys.executable, "-m", "console", "run", "--json", "--goal-file", str(folder / "goal.txt")]
    command += ["--decisions", str(folder / "decisions.json"), *arguments]
    env = {**os.environ, "OPERATOR_CONSOLE_DATA": str(folder / "data"), **(env or {})}
    env.pop("OPERATOR_CONSOLE_FORBID_DEVICES", None)
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=TIME_S, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.strip()]
    last = lines[-1] if lines else {}
    return GoalResult(done.returncode, lines[:-1], last.get("outcome", {}), last.get("step", {}), done.stderr)
