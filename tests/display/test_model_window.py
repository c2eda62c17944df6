"""A model in the window: each trouble is seen as a sentence, waits count down, Stop ends them, the cost is there."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.apps import Apps
from tests.support.console_window import ConsoleWindow, elements, wait_for
from tests.support.model_goals import CANARY, VARIABLES
from tests.support.model_servers import Answer, Asked, Broken, Hang, ModelServer, Refusal, Say, Status, Use
from tests.support.model_servers.reader import PlannedModel, act, done, pick

pytestmark = pytest.mark.display
TROUBLES: list[tuple[Answer, str]] = [
    (Status(401, f"bad key {CANARY}"), "does not accept the key"),
    (Status(403, "no"), "does not let this key"),
    (Status(404, "no"), "does not know the model"),
    (Status(429, "no"), "limits how often it is called"),
    (Status(500, "no"), "has trouble (500)"),
    (Status(529, "no"), "is overloaded"),
    (Hang(20), "did not answer within"),
    (Broken(), "broke off"),
    (Refusal(), "The model refused"),
    (Say("I cannot do that"), "no usable answer"),
]


class Brain:
    """Answers as it is told at the moment."""

    def __init__(self) -> None:
        self.answer: Any = Status(500)

    def __call__(self, asked: Asked) -> Answer:
        return self.answer(asked) if callable(self.answer) else self.answer


@pytest.fixture
def console(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, app: Apps) -> Iterator[tuple[ConsoleWindow, Brain]]:
    """The window beside a small form, with a model behind a server that the test controls."""
    for name in VARIABLES:
        monkeypatch.setenv(name, CANARY)
    app(["zenity", "--forms", "--title=Order", "--add-entry=Name"], "^Order$")
    brain = Brain()
    with ModelServer(brain) as server:
        model = {
            "provider": "anthropic",
            "model": "m",
            "address": server.address("anthropic"),
            "tries": 1,
            "timeout_s": 5,
        }
        settings = {"planner": "model", "planners": {"model": model}, "appearance": {"compact_during_run": False}}
        settings["limits"] = {"max_tokens": 5000}
        window = ConsoleWindow(tmp_path / "console", "Order for Ada", settings)
        yield window, brain
        window.close()


def shown(window: ConsoleWindow) -> str:
    return "\n".join(element.label for element in elements(window.process.pid))


def test_every_trouble_is_a_sentence_in_the_window_and_the_key_is_nowhere(
    console: tuple[ConsoleWindow, Brain], tmp_path: Path
) -> None:
    window, brain = console
    for answer, words in TROUBLES:
        brain.answer = answer
        window.start()
        assert window.wait_ended() == "Failed", window.told()
        wait_for(lambda words=words: words in shown(window), words, lambda: shown(window))
        assert CANARY not in shown(window)
    window.close()
    kept = [path for path in tmp_path.rglob("*") if path.is_file() and CANARY.encode() in path.read_bytes()]
    assert not kept
    assert os.environ["ANTHROPIC_API_KEY"] == CANARY


def test_it_thinks_aloud_waits_visibly_is_stopped_and_says_what_it_cost(console: tuple[ConsoleWindow, Brain]) -> None:
    window, brain = console
    brain.answer = Use({"thought": "I look for the name first.", "kind": "done", "summary": "x"}, pause_s=0.7)
    window.start()
    wait_for(lambda: "I look for the name" in shown(window), "its words", lambda: shown(window))
    window.click("Stop")
    assert window.wait_ended() == "Stopped"
    fills = [
        lambda asked: act(
            "fill it in", {"type": "set_value", "target_id": pick(asked, "Name", "input"), "value": "Ada"}
        ),
        done("It is filled in."),
    ]
    brain.answer = PlannedModel(fills)
    window.start()
    assert window.wait_ended() == "Done", window.told()
    wait_for(lambda: "3,840 tokens" in shown(window), "the tokens", lambda: shown(window))
    assert CANARY not in shown(window)


def test_a_wait_counts_down_and_stop_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, app: Apps) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", CANARY)
    app(["zenity", "--forms", "--title=Order", "--add-entry=Name"], "^Order$")
    with ModelServer(lambda _: Status(429, "slow down", {"retry-after": "60"})) as server:
        model = {"provider": "anthropic", "model": "m", "address": server.address("anthropic")}
        settings = {"planner": "model", "planners": {"model": model}, "appearance": {"compact_during_run": False}}
        window = ConsoleWindow(tmp_path / "console", "Order for Ada", settings)
        try:
            window.start()
            wait_for(lambda: "Asks the model again in" in shown(window), "the countdown", lambda: shown(window))
            window.click("Stop")
            pressed = time.monotonic()
            assert window.wait_ended() == "Stopped"
            assert time.monotonic() - pressed < 3
        finally:
            window.close()
        assert len(server.asked) == 1


def test_a_run_that_has_used_its_tokens_asks_before_it_goes_on(console: tuple[ConsoleWindow, Brain]) -> None:
    window, brain = console
    hover = {"type": "hover"}

    def turn(asked: Asked) -> Answer:
        return act("point", {**hover, "target_id": pick(asked, "Name", "input")})

    brain.answer = PlannedModel([*[turn] * 5, done("It was pointed at.")])
    window.start()
    window.answer("Go on, up to as much again")
    assert window.wait_ended() == "Done", window.told()
