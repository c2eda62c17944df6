"""The wiring: what it makes of an order, and what it says where there is no desktop."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

from console.app.backstage import Backstage
from console.app.console import Console
from console.cli.wiring import Desk, RunOrder, RunParts
from console.contracts.errors import ConsoleError
from console.contracts.events import Attempted
from console.contracts.outcome import RunLimits
from console.contracts.tool_servers import ToolServer
from console.core.control import RunControl
from console.core.gate import Gate
from console.core.permits import PermitBook
from console.core.policy import Policy
from console.core.state import RunState
from console.testing.doubles import FakeDesktop, MemoryStore
from tests.core.scenes import scene
from tests.support.mcp_servers import alive, started


@pytest.fixture
def console(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Console:
    monkeypatch.setenv("OPERATOR_CONSOLE_DATA", str(tmp_path_factory.mktemp("data")))
    return Console()


@pytest.mark.parametrize("display", [None, ":999"])
@pytest.mark.parametrize("arguments", [[], ["run", "Wait 1 second"], ["observe"]])
def test_without_a_display_it_says_so_in_one_line(display: str | None, arguments: list[str]) -> None:
    env = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "QT_QPA_PLATFORM")}
    env.pop("OPERATOR_CONSOLE_FORBID_DEVICES", None)
    if display:
        env["DISPLAY"] = display
    done = subprocess.run(
        [sys.executable, "-m", "console", *arguments], env=env, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 5, done.stderr
    assert done.stderr.count("\n") == 1
    assert "display" in done.stderr


def test_on_wayland_it_says_so_even_where_an_x_server_is_there() -> None:
    env = {**os.environ, "XDG_SESSION_TYPE": "wayland", "DISPLAY": ":0"}
    env.pop("OPERATOR_CONSOLE_FORBID_DEVICES", None)
    command = [sys.executable, "-m", "console", "observe"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "On Wayland" in done.stderr) == (5, True)


def test_the_planners_can_be_chosen_by_name(console: Console) -> None:
    names = [planner.name for planner in console.planners()]
    assert names[:6] == ["instructions", "model", "anthropic-computer", "openai-computer", "ui-tars", "command"]
    parts = RunParts(Desk(None, None), None, MemoryStore(), RunControl())  # type: ignore[arg-type]
    with pytest.raises(ConsoleError, match="There is no planner “gpt”"):
        console.make_run(RunOrder("x", planner="gpt"), parts)
    assert console.make_run(RunOrder("x", run_id="r"), parts).run_id == "r"


async def test_the_servers_of_the_file_are_tools_of_a_run(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = secrets.token_hex(8)
    monkeypatch.setenv("OPERATOR_CONSOLE_DATA", str(tmp_path))
    assert console.tools.box(print).adapters == ()
    console.tools.save([started("notes", mark), ToolServer(name="off", command="x", enabled=False)])
    assert [server.name for server in console.tools.load()[0]] == ["notes", "off"]
    assert "read_note" in [line.name for line in await console.tools.test(console.tools.load()[0][0])]
    backstage = Backstage(console, None)  # type: ignore[arg-type]
    assert {"map", "tool/click", "tool/mission-run"} <= {*backstage.programs.names()}
    assert {"tool/notes-read-note", "tool/notes-stamp"} <= {*await backstage.programs.server_names()}
    await backstage.close()
    file = tmp_path / "mcp.json"
    file.write_text(file.read_text(encoding="utf-8").replace('"off"', '"odd": {}, "off"'), encoding="utf-8")
    told: list[str] = []
    box = console.tools.box(told.append)
    assert "The server “odd”" in told[0]
    source = """[(tool/notes-read-note {:title "milk"}) (apropos "read note" {:limit 1})
                 (tool/mission-run {:prompt "x"})]"""
    office = PermitBook()
    desk = Desk(FakeDesktop(scene(), office=office, adapters=box.adapters), Gate(office, Policy(), None), box.adapters)
    run = console.make_run(RunOrder(source, planner="program"), RunParts(desk, None, MemoryStore(), RunControl()))
    events = [event async for event in run.events(source)]
    await box.close()
    done = [event.record for event in events if isinstance(event, Attempted)]
    assert (done[0].action.describe(), done[0].data) == ("notes: read note “title: milk”", {"result": "two litres"})
    assert "A mission needs a model" in str(done[1].error)
    assert alive(mark) == []


async def test_the_window_looks_the_servers_over_with_the_desktop(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPERATOR_CONSOLE_DATA", str(tmp_path))
    console.tools.save([ToolServer(name="gone", command="no-such-program")])
    backstage = Backstage(console, None)  # type: ignore[arg-type]
    (found,) = [one for one in await backstage.check() if one.part == "Tools"]
    assert found.text == "gone: “no-such-program” could not be started: No such file or directory."
    await backstage.close()


async def test_the_window_looks_the_desktop_over_in_a_thread(console: Console) -> None:
    backstage = Backstage(console, None)  # type: ignore[arg-type]
    found = await backstage.check()
    assert {"Versions", "Screen capture", "Accessibility", "Journal"} <= {one.part for one in found}
    assert await backstage.recent_goals() == []
    await backstage.close()


def test_limits_come_from_the_order_then_from_the_resumed_run_then_from_the_settings(console: Console) -> None:
    assert console.limits(RunOrder("x")) == RunLimits(max_steps=80, timeout_ms=900_000, max_cost_usd=5.0)
    assert console.limits(RunOrder("x", max_cost_usd=0.5, max_tokens=7)).max_tokens == 7
    assert console.limits(RunOrder("x", max_steps=3, timeout_ms=5)).model_dump()["max_steps"] == 3
    resumed = RunState(goal="x", limits=RunLimits(max_steps=7))
    assert console.limits(RunOrder("x", resume=resumed)).max_steps == 7
