"""The published scenarios of missions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from console.contracts.step import Step
from console.ptc.missions import Mission, run
from console.ptc.missions.budget import TurnBudget
from console.ptc.missions.options import Lineage

from ..vectors import vectors_path
from .script import Script

_PATH = vectors_path().with_name("missions.json")
SCENARIOS: list[dict[str, Any]] = json.loads(_PATH.read_text(encoding="utf-8")) if _PATH.is_file() else []
pytestmark = pytest.mark.skipif(not SCENARIOS, reason="the scenarios are not here")


def _tool(canned: dict[str, Any]) -> Any:
    def call(args: dict[str, Any]) -> Any:
        if "raises" in canned:
            raise RuntimeError(canned["raises"])
        return canned["returns"]

    return call


def _options(given: dict[str, Any]) -> dict[str, Any]:
    options = dict(given)
    options.pop("tokens_per_call", None)
    chained = options.pop("context_step", None)
    if chained is not None:
        options["context"] = Step.model_validate(chained)
    turns = options.pop("_remaining_turns", None)
    budget = None if turns is None else TurnBudget(turns)
    options["lineage"] = Lineage(depth=options.pop("_nesting_depth", 0), budget=budget)
    return options


async def _run(row: dict[str, Any]) -> tuple[Step, Script]:
    given = row.get("run") or {}
    replies = row["llm"]
    script = Script(*(replies or ()), tokens=given.get("tokens_per_call"))
    tools = {name: _tool(canned) for name, canned in (row.get("tools") or {}).items()}
    mission = Mission(**row["agent"], tools=tools)
    return await run(mission, llm=None if replies is None else script, **_options(given)), script


def _seen(step: Step, script: Script) -> dict[str, Any]:
    turns = step.turns
    return {
        "ok": step.fail is None,
        "return": step.return_,
        "fail_reason": step.fail.reason if step.fail else None,
        "fail_message": step.fail.message if step.fail else None,
        "turns": step.usage.turns if step.usage else None,
        "turns_len": None if turns is None else len(turns),
        "turn_types": [turn["type"] for turn in turns or ()],
        "turn_success": [turn["success?"] for turn in turns or ()],
        "memory": step.memory,
        "journal": step.journal,
        "summaries": step.summaries,
        "tool_call_names": [call.name for call in step.tool_calls],
        "messages_roles": [message.role for message in step.messages or ()],
        "llm_calls": len(script.asked),
    }


@pytest.mark.parametrize("row", SCENARIOS, ids=[row["name"] for row in SCENARIOS])
async def test_the_scenario_ends_as_it_should(row: dict[str, Any]) -> None:
    step, script = await _run(row)
    expected = dict(row["expect"])
    usage = expected.pop("usage", {})
    told = expected.pop("feedback_contains", [])
    said = expected.pop("fail_message_contains", [])
    seen = _seen(step, script)

    assert {name: seen[name] for name in expected} == expected
    assert step.usage is not None
    assert {name: getattr(step.usage, name) for name in usage} == usage
    assert [text for text in told if not any(text in one for one in script.user_texts)] == []
    assert [text for text in said if text not in (step.fail.message if step.fail else "")] == []
