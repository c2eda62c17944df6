"""A planner in a program of its own: the example that ships, and every way to go wrong."""

from __future__ import annotations

import asyncio
import base64
import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from console.contracts.actions import Click
from console.contracts.errors import PlannerError
from console.contracts.moves import AttemptRecord, Batch, Clarify, Done, DoneVerdict
from console.planning import PlannerParts, entry
from console.resources import resource
from tests.planning.model_world import Heard, view_of

EXAMPLE = resource("examples/planner.py")


def planner(command: str, **settings: Any) -> Any:
    one = entry("command")
    assert one is not None
    made: Any = one.make(one.settings.model_validate({"command": command, **settings}), PlannerParts())
    made.heard = Heard()
    made.report_to(made.heard)
    return made


def program(folder: Path, body: str) -> str:
    """A planner whose loop does `body` with each question `q` as an object; `say(…)` answers."""
    lines = [
        "import json, sys, time",
        "def say(**answer): print(json.dumps({'id': q['id'], **answer}), flush=True)",
        "for line in sys.stdin:",
        "    q = json.loads(line)",
        *(f"    {line}" for line in body.splitlines()),
    ]
    path = folder / "planner.py"
    path.write_text("\n".join(lines), encoding="utf-8")
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(path))}"


async def decide(one: Any, goal: str = 'press "Save"', history: Any = (), png: bytes | None = None) -> Any:
    return await one.decide_next(goal, history, {}, view_of(), png)


async def test_the_example_presses_what_the_goal_names_asks_and_ends() -> None:
    one = planner(f"{shlex.quote(sys.executable)} {shlex.quote(str(EXAMPLE))}")
    move = await decide(one)
    assert isinstance(move, Batch)
    assert [step.action for step in move.steps] == [Click(target_id="ax:save")]
    done = AttemptRecord(step_purpose="p", action=Click(target_id="ax:save"), succeeded=True)
    assert await decide(one, history=[done]) == Done(summary="Pressed Save.")
    assert isinstance(await decide(one, goal='press "Nothing"'), Clarify)
    assert await one.verify_done("g", "s", {}, view_of(), None) == DoneVerdict(
        verified=True, reason="every press was delivered"
    )
    await one.close()


def test_the_example_is_short_enough_to_read() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 30


async def test_the_program_is_given_everything_and_may_talk_before_it_answers(tmp_path: Path) -> None:
    body = (
        "say(say='I think'); say(used={'model': 'own:m', 'input_tokens': 5, 'output_tokens': 2})\n"
        "print(json.dumps({'id': 0, 'move': {'kind': 'fail', 'reason': 'an old answer'}}), flush=True)\n"
        "say(move={'kind': 'done', 'summary': json.dumps(sorted(q)) + str(len(q['screenshot_png']))})"
    )
    one = planner(program(tmp_path, body))
    move = await decide(one, png=b"picture")
    await one.close()
    keys = ["call", "goal", "history", "id", "screenshot_png", "shared_memory", "view"]
    assert move == Done(summary=json.dumps(keys) + str(len(base64.b64encode(b"picture"))))
    assert one.heard.words == ["I think"]
    (call,) = one.heard.calls
    assert (call.model, call.tokens, call.purpose) == ("own:m", 7, "decide")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("say(error='no idea')", "The planner says: no idea"),
        ("say(move={'kind': 'jump'})", "The planner's move is not of the contract"),
        ("say(move={'kind': 'batch', 'purpose': 'p', 'steps': [{}]})", "steps.0.purpose"),
        ("print('hello', flush=True)", "is no JSON: hello"),
        ("print('[1]', flush=True)", "is no object"),
        ("say(used={'latency_ms': -1})", "The planner's used is not of the contract"),
        ("sys.stderr.write('out of luck\\n'); sys.exit(3)", r"ended \(code 3\). out of luck"),
    ],
)
async def test_what_goes_wrong_is_said(tmp_path: Path, body: str, words: str) -> None:
    one = planner(program(tmp_path, body))
    with pytest.raises(PlannerError, match=words):
        await decide(one)
    await one.close()


@pytest.mark.parametrize(
    ("command", "words"),
    [("", "no command"), ("'open", "cannot be read"), ("/nowhere/planner", "could not be started: No such file")],
)
async def test_a_command_that_cannot_be_started_is_said(command: str, words: str) -> None:
    with pytest.raises(PlannerError, match=words):
        await decide(planner(command))


async def test_silence_ends_after_its_time_and_the_next_question_starts_anew(tmp_path: Path) -> None:
    flag = tmp_path / "asked"
    body = (
        f"import pathlib; asked = pathlib.Path({str(flag)!r})\n"
        "if not asked.exists():\n    asked.touch(); time.sleep(60)\n"
        "say(move={'kind': 'done', 'summary': 'now'})"
    )
    one = planner(program(tmp_path, body), timeout_s=1)
    with pytest.raises(PlannerError, match="did not answer within 1 s"):
        await decide(one)
    assert await decide(one) == Done(summary="now")
    await one.close()


async def test_stop_ends_the_program(tmp_path: Path) -> None:
    one = planner(program(tmp_path, "time.sleep(60)"))
    task = asyncio.create_task(decide(one))
    while one._child._process is None:
        await asyncio.sleep(0.01)
    process = one._child._process
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert process.returncode is not None


async def test_a_wrong_verdict_is_said(tmp_path: Path) -> None:
    one = planner(program(tmp_path, "say(verdict={'verified': 'perhaps'})"))
    with pytest.raises(PlannerError, match="verdict is not of the contract"):
        await one.verify_done("g", "s", {}, view_of(), None)
    await one.close()
