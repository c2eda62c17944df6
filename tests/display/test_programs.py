"""Whole programs on real applications: one turn of the planner, every tool call through the gate, kills survived."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.apps import Apps
from tests.support.goals import run_goal

pytestmark = pytest.mark.display
ORDER = ["zenity", "--forms", "--title=Order", "--add-entry=Name", "--add-entry=City"]
PROGRAM = ["--planner", "program"]
FILL = """
(tool/wait-for {:label "Name" :role "input"})
(doseq [[label value] [["Name" "Zoë Łuk"] ["City" "Århus"]]]
  (tool/set-value {:label label :role "input" :value value}))
(def filled {:name (tool/read {:label "Name" :role "input"}) :city (tool/read {:label "City" :role "input"})})
(tool/click {:label "OK" :role "button"})
filled
"""


def test_a_form_is_filled_read_back_and_sent_in_one_turn(app: Apps, tmp_path: Path) -> None:
    running = app(ORDER, "^Order$", stdout=subprocess.PIPE)
    typed = ["--set", "signature=() -> {name :string, city :string}"]
    result = run_goal(FILL, tmp_path, arguments=[*PROGRAM, *typed])
    assert result.code == 0, result.told()
    assert running.process.communicate(timeout=10)[0].decode().strip() == "Zoë Łuk|Århus"
    assert result.step["child_steps"][0]["signature"] == "() -> {name :string, city :string}"
    assert result.step["return"] == {"name": "Zoë Łuk", "city": "Århus"}
    assert [event["move"]["kind"] for event in result.of("decided")] == ["batch", "done"]
    children = [event for event in result.of("attempted") if event.get("parent_id")]
    assert [event["record"]["action"]["type"] for event in children] == ["set_value", "set_value", "click"]


@pytest.mark.parametrize("approved", [True, False])
def test_what_is_destructive_asks_inside_a_program_as_well(app: Apps, tmp_path: Path, approved: bool) -> None:
    question = ["zenity", "--question", "--title=Old files", "--text=Delete them?", "--ok-label=Delete"]
    running = app(question, "^Old files$")
    yes = [{"on": "approval", "match": "Delete", "decide": "approve", "times": 1}]
    source = '(tool/click {:label "Delete" :role "button"}) "gone"'
    result = run_goal(source, tmp_path, arguments=PROGRAM, decisions=yes if approved else [])
    assert len(result.of("approval_asked")) == 1
    assert result.code == (0 if approved else 3), result.told()
    if approved:
        assert running.process.wait(10) == 0
    else:
        assert running.process.poll() is None


def test_a_program_that_was_killed_goes_on_and_repeats_no_finished_task(app: Apps, tmp_path: Path) -> None:
    app(ORDER, "^Order$")
    source = """
    (task "name" (tool/set-value {:label "Name" :role "input" :value "Ada"}))
    (task "patience" (tool/wait {:ms 6000}))
    (task "city" (tool/set-value {:label "City" :role "input" :value "London"}))
    (tool/read {:label "City" :role "input"})
    """
    (tmp_path / "goal.txt").write_text(source, encoding="utf-8")
    env = {**os.environ, "OPERATOR_CONSOLE_DATA": str(tmp_path / "data")}
    env.pop("OPERATOR_CONSOLE_FORBID_DEVICES", None)
    command = [sys.executable, "-m", "console", "run", "--json"]
    first = subprocess.Popen(
        [*command, *PROGRAM, "--goal-file", str(tmp_path / "goal.txt")], env=env, stdout=subprocess.PIPE, text=True
    )
    assert first.stdout is not None
    done = []
    for line in first.stdout:
        event = json.loads(line)
        done.append(event)
        if event.get("event") == "action_intended" and event["action"]["type"] == "wait":
            os.kill(first.pid, signal.SIGKILL)
            break
    first.wait(10)
    first.stdout.close()
    again = subprocess.run(
        [*command, "--resume", "last"], env=env, capture_output=True, text=True, timeout=90, check=False
    )
    told = [json.loads(line) for line in again.stdout.splitlines()]
    assert again.returncode == 0, again.stderr
    assert told[-1]["step"]["return"] == "London"
    values = [
        event["record"]["action"]["value"]
        for event in [*done, *told]
        if event.get("event") == "attempted" and event["record"]["action"]["type"] == "set_value"
    ]
    assert values == ["Ada", "London"]
    step = told[-1]["step"]
    assert [call["args"]["value"] for call in step["tool_calls"] if call["name"] == "set_value"] == values
    assert [*step["journal"]] == ["name", "patience", "city"]
