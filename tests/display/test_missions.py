"""A part of a goal handed to a mission on real applications: its steps pass the gate, its plan is ticked off."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.support.apps import Apps
from tests.support.model_goals import CANARY, run_model_goal
from tests.support.model_servers import Answer, Asked, ModelServer, Say
from tests.support.model_servers.reader import PlannedModel, act, done

pytestmark = pytest.mark.display
ORDER = ["zenity", "--forms", "--title=Order", "--add-entry=Name", "--add-entry=City"]
MISSION = {
    "prompt": "Fill in the form for {{name}} in {{city}} and send it",
    "context": {"name": "Zoë Łuk", "city": "Århus"},
    "signature": "(name :string, city :string) -> {name :string, city :string}",
    "plan": ["fill in", "send"],
}
FILL = """I look for the fields.
```clojure
(tool/wait-for {:label "Name" :role "input"})
(tool/set-value {:label "Name" :role "input" :value data/name})
(tool/set-value {:label "City" :role "input" :value data/city})
(def filled {:name (tool/read {:label "Name" :role "input"}) :city (tool/read {:label "City" :role "input"})})
(step-done "1" "both fields")
```"""
WRONG = "```clojure\n(return {:name 5})\n```"
SEND = """```clojure
(task "send" (tool/click {:label "OK" :role "button"}))
(step-done "2" "sent")
(return filled)
```"""


def test_a_mission_fills_in_a_form_and_answers_with_its_type(app: Apps, tmp_path: Path) -> None:
    running = app(ORDER, "^Order$", stdout=subprocess.PIPE)
    programs = [FILL, WRONG, SEND]
    asked_by_mission: list[Asked] = []
    hand_over = act("hand it over", {"type": "custom", "adapter": "mission", "action": "run", "params": MISSION})
    planner = PlannedModel([lambda _: hand_over, done("The order is sent.")])

    def brain(asked: Asked) -> Answer:
        if "PTC-Lisp" in asked.text and "You carry out a part of a goal" in asked.text:
            asked_by_mission.append(asked)
            return Say(programs.pop(0), pause_s=0.01)
        return planner(asked)

    with ModelServer(brain) as server:
        result = run_model_goal("Order for Zoë Łuk in Århus", tmp_path, server, "anthropic")
    assert result.code == 0, result.told()
    assert running.process.communicate(timeout=10)[0].decode().strip() == "Zoë Łuk|Århus"
    program = next(event for event in result.of("action_intended") if event["program"])
    children = [event for event in result.of("attempted") if event.get("parent_id") == program["attempt_id"]]
    assert [event["record"]["action"]["type"] for event in children] == ["set_value", "set_value", "click"]
    handed_over = next(event for event in result.of("attempted") if event["attempt_id"] == program["attempt_id"])
    assert handed_over["record"]["data"] == {"name": "Zoë Łuk", "city": "Århus"}
    ticked = [[item["done"] for item in event["items"]] for event in result.of("checklist_changed")]
    assert ticked == [[False, False], [True, False], [True, True]]
    calls = [event for event in result.of("model_called") if event.get("parent_id")]
    assert [call["call"]["purpose"] for call in calls] == ["mission"] * 3
    assert "Return type validation failed" in asked_by_mission[-1].text
    kept = [path for path in tmp_path.rglob("*") if path.is_file() and CANARY.encode() in path.read_bytes()]
    assert not kept
