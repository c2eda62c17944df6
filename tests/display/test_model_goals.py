"""Free-text goals on real applications, decided by a model behind each provider's wire format."""

from __future__ import annotations

import io
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from console.resources import resource
from tests.support.apps import Apps, ReceiverWindow
from tests.support.goals import run_goal
from tests.support.model_goals import CANARY, FORMATS, options, run_model_goal
from tests.support.model_servers import Answer, Asked, ModelServer, Say, Use
from tests.support.model_servers.reader import PlannedModel, act, done, pick

pytestmark = pytest.mark.display
ORDER = ["zenity", "--forms", "--title=Order", "--add-entry=Name", "--add-entry=City"]


def fill(label: str, value: str) -> Any:
    def turn(asked: Asked) -> Any:
        return act(f"fill in {label}", {"type": "set_value", "target_id": pick(asked, label, "input"), "value": value})

    return turn


def press(label: str) -> Any:
    return lambda asked: act(f"press {label}", {"type": "click", "target_id": f"[{pick(asked, label, 'button')}]"})


@pytest.mark.parametrize("provider", FORMATS)
def test_a_form_is_filled_in_over_every_wire(app: Apps, tmp_path: Path, provider: str) -> None:
    running = app(ORDER, "^Order$", stdout=subprocess.PIPE)
    model = PlannedModel([fill("Name", "Zoë Łuk"), fill("City", "Århus"), press("OK"), done("The order is sent.")])
    with ModelServer(model) as server:
        report = ["--report", str(tmp_path / "report")]
        result = run_model_goal("Order for Zoë Łuk in Århus", tmp_path, server, provider, arguments=report)
    assert result.code == 0, result.told()
    out, _ = running.process.communicate(timeout=10)
    assert out.decode().strip() == "Zoë Łuk|Århus"
    assert all(asked.stream and len(asked.images) == 1 for asked in model.decisions + model.checks)
    assert result.step["usage"]["llm_requests"] == 5
    assert result.step["usage"]["input_tokens"] == 5 * 1200
    assert result.step["usage"]["output_tokens"] == 5 * 80
    assert (tmp_path / "report" / "report.html").exists()
    kept = [path for path in tmp_path.rglob("*") if path.is_file() and CANARY.encode() in path.read_bytes()]
    assert not kept
    assert CANARY not in result.stderr


PIXELS = {"anthropic-computer": "anthropic", "openai-computer": "openai", "ui-tars": "compatible"}


def said(name: str, *steps: tuple[str, Any]) -> Answer:
    """Clicks and texts in the words of each kind of model."""
    words = {
        "ui-tars": lambda kind, v: f"click(start_box='({v[0]},{v[1]})')" if kind == "click" else f"type(content='{v}')",
        "openai-computer": lambda kind, v: (
            {"type": "click", "x": v[0], "y": v[1], "button": "left"} if kind == "click" else {"type": kind, "text": v}
        ),
        "anthropic-computer": lambda kind, v: (
            {"action": "left_click", "coordinate": list(v)} if kind == "click" else {"action": kind, "text": v}
        ),
    }
    calls = [words[name](kind, value) for kind, value in steps]
    if name == "ui-tars":
        return Say("Thought: go on\nAction: " + "\n".join(calls))
    if name == "openai-computer":
        return Use({"actions": calls}, tool="computer")
    return Use(calls[0], tool="computer", more=tuple(("computer", call) for call in calls[1:]))


def ended(name: str) -> Answer:
    return Say("Action: finished(content='typed')") if name == "ui-tars" else Use({"summary": "typed"}, tool="finish")


@pytest.mark.parametrize("name", PIXELS)
def test_a_model_that_sees_only_pixels_clicks_and_types(name: str, receiver: ReceiverWindow, tmp_path: Path) -> None:
    """It says where in the pixels of the picture that it was sent, whatever size that is."""
    turns = iter(range(9))

    def brain(asked: Asked) -> Answer:
        if "# The claim" in asked.text:
            body = {"thought": "t", "verified": True, "reason": "r", "in_picture": True}
            return Say(json.dumps(body)) if name == "ui-tars" else Use(body, tool="verdict")
        if next(turns):
            return (
                Say("Action: finished(content='typed')")
                if name == "ui-tars"
                else Use({"summary": "typed"}, tool="finish")
            )
        with Image.open(io.BytesIO(asked.images[-1])) as sent:
            scale = sent.width / 1280, sent.height / 800
        at = [
            tuple(round(v * s) for v, s in zip(receiver.centre(part), scale, strict=True))
            for part in ("button", "line")
        ]
        return said(name, ("click", at[0]), ("click", at[1]), ("type", "Zażółć <b> 1"))

    with ModelServer(brain) as server:
        settings = {"model": "m", "address": server.address(PIXELS[name]), "grader": "m" if name == "ui-tars" else ""}
        result = run_model_goal("press and type", tmp_path, server, "", planner=name, settings=settings)
    assert result.code == 0, result.told()
    assert receiver.state["clicks"] == 1
    assert receiver.line == "Zażółć <b> 1"


def test_a_program_of_ones_own_plans(app: Apps, tmp_path: Path) -> None:
    running = app(["zenity", "--question", "--title=Sure", "--ok-label=Fine", "--text=Really?"], "^Sure$")
    example = resource("examples/planner.py")
    arguments = ["--planner", "command", "--set", f"command={shlex.quote(sys.executable)} {shlex.quote(str(example))}"]
    result = run_goal('Press "Fine"', tmp_path, arguments=arguments)
    assert result.code == 0, result.told()
    assert running.process.wait(10) == 0


def test_a_past_decision_is_put_to_another_planner_and_nothing_is_done(app: Apps, tmp_path: Path) -> None:
    app(ORDER, "^Order$")
    model = PlannedModel([fill("Name", "Ada"), done("It is filled in.")])
    with ModelServer(model) as server:
        assert run_model_goal("Fill in Ada", tmp_path, server, "anthropic").code == 0
    other = PlannedModel(
        [lambda asked: act("clear it", {"type": "click", "target_id": pick(asked, "Cancel", "button")})]
    )
    with ModelServer(other) as server:
        given = options(server, "openai")
        command = [sys.executable, "-m", "console", "ask", "last", "--turn", "1", "--planner", "model", "--json"]
        command += [part for name, value in given.items() for part in ("--set", f"{name}={value}")]
        env = {**os.environ, "OPERATOR_CONSOLE_DATA": str(tmp_path / "data"), "OPENAI_API_KEY": CANARY}
        told = subprocess.run(command, env=env, capture_output=True, text=True, check=True, timeout=60)
    then, now = (json.loads(line) for line in told.stdout.splitlines())
    assert then["move"]["steps"][0]["action"]["value"] == "Ada"
    assert now["move"]["purpose"] == "clear it"
    assert len(other.decisions[0].images) == 1
    assert "Cancel" in other.decisions[0].text
