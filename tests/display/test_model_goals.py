"""Free-text goals on real applications, decided by a model behind each provider's wire format."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.apps import Apps
from tests.support.model_goals import CANARY, WIRES, run_model_goal
from tests.support.model_servers import Asked, ModelServer
from tests.support.model_servers.reader import PlannedModel, act, done, pick

pytestmark = pytest.mark.display
ORDER = ["zenity", "--forms", "--title=Order", "--add-entry=Name", "--add-entry=City"]


def fill(label: str, value: str) -> Any:
    def turn(asked: Asked) -> Any:
        return act(f"fill in {label}", {"type": "set_value", "target_id": pick(asked, label, "input"), "value": value})

    return turn


def press(label: str) -> Any:
    return lambda asked: act(f"press {label}", {"type": "click", "target_id": f"[{pick(asked, label, 'button')}]"})


@pytest.mark.parametrize("provider", WIRES)
def test_a_form_is_filled_in_over_every_wire(app: Apps, tmp_path: Path, provider: str) -> None:
    running = app(ORDER, "^Order$", stdout=subprocess.PIPE)
    model = PlannedModel([fill("Name", "Zoë Łuk"), fill("City", "Århus"), press("OK"), done("The order is sent.")])
    with ModelServer(model) as server:
        result = run_model_goal("Order for Zoë Łuk in Århus", tmp_path, server, provider)
    assert result.code == 0, result.told()
    out, _ = running.process.communicate(timeout=10)
    assert out.decode().strip() == "Zoë Łuk|Århus"
    assert all(asked.stream and len(asked.images) == 1 for asked in model.decisions + model.checks)
    assert result.step["usage"]["llm_requests"] == 5
    assert result.step["usage"]["input_tokens"] == 5 * 1200
    assert result.step["usage"]["output_tokens"] == 5 * 80
    kept = [path for path in tmp_path.rglob("*") if path.is_file() and CANARY.encode() in path.read_bytes()]
    assert not kept
    assert CANARY not in result.stderr
