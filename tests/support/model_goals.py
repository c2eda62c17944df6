"""Runs a free-text goal with a planner that calls a test model over HTTP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .goals import GoalResult, run_goal
from .model_servers import ModelServer

CANARY = "sk-TEST-CANARY-123"
VARIABLES = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GOOGLE_API_KEY", "OPERATOR_CONSOLE_API_KEY")
WIRES = ("anthropic", "openai", "openai_chat", "google", "compatible")
FORMATS = ("anthropic", "openai", "google", "compatible")


def options(server: ModelServer, provider: str, **more: object) -> dict[str, object]:
    """The settings of a planner that calls the server."""
    return {"provider": provider, "model": "test-model", "address": server.address(provider), **more}


def run_model_goal(
    goal: str,
    folder: Path,
    server: ModelServer,
    provider: str,
    *,
    planner: str = "model",
    decisions: Sequence[dict[str, Any]] = (),
    arguments: Sequence[str] = (),
    settings: Mapping[str, object] | None = None,
) -> GoalResult:
    """`operator-console run --planner …` with a key in the environment of the child."""
    given = [f"{name}={value}" for name, value in (settings or options(server, provider)).items()]
    told = [part for one in given for part in ("--set", one)]
    command = ["--planner", planner, *told, *arguments]
    return run_goal(goal, folder, decisions=decisions, arguments=command, env=dict.fromkeys(VARIABLES, CANARY))
