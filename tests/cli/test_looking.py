"""`observe`, `runs`, `report`, `doctor` and the window."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from console.cli import health
from console.cli.health import examine
from console.cli.wiring import ServerProbe
from console.contracts.errors import ConsoleError
from console.contracts.scene import SceneAnomaly
from console.contracts.tool_servers import ToolLine
from console.contracts.view import Blocker, ElementState
from console.desktop.accessibility.diagnosis import Part
from console.storage.journal import Journal
from console.testing.doubles import MemoryStore
from tests.core.scenes import element, frame, scene, window
from tests.storage.stories import attempted, ended, phase, started

from .fakes import FakeWiring, say


def test_observe(wiring: FakeWiring, tmp_path: Path) -> None:
    said = say(wiring, "observe", "--json", "--goal", "save", "--image", str(tmp_path / "screen.PNG"))
    assert said.code == 0
    (view,) = said.lines
    assert view["goal"] == "save"
    assert sorted(e["label"] for e in view["elements"]) == ["Delete all", "Save"]
    assert (tmp_path / "screen.PNG").read_bytes() == b"picture of f1"


def test_observe_for_people(wiring: FakeWiring) -> None:
    state = ElementState(focused=True, enabled=False, checked=True)
    wiring.shown = (
        scene(
            element("b1", "Save\x1b[31m", state=state),
            element("e1", "Name", "entry", value="x\ny"),
            blockers=(Blocker(kind="modal", description="A dialog waits."),),
            anomalies=(SceneAnomaly(kind="app_stopped", description="An app is stopped."),),
        ),
    )
    said = say(wiring, "observe")
    assert [" ".join(line.split()) for line in said.out.splitlines()] == [
        "Notes (Mousepad)",
        "! A dialog waits.",
        "! An app is stopped.",
        "b1 button Save [31m (focused, disabled, ticked)",
        "e1 entry Name = x y",
    ]
    wiring.shown = (scene(*(element(f"b{n}", f"Button {n}") for n in range(90)), windows=(window(active=False),)),)
    lines = say(wiring, "observe").out.splitlines()
    assert lines[0] == "No active window  (no application)"
    assert lines[-1] == "   10 more were left out"


def test_observe_one_application(wiring: FakeWiring) -> None:
    files = window(2, "Home", "Thunar")
    wiring.shown = (scene(element("b1", "Save"), element("f1", "Up", window_id=2), windows=(window(), files)),)
    (view,) = say(wiring, "observe", "--app", "thun", "--json").lines
    assert [e["label"] for e in view["elements"]] == ["Up"]
    said = say(wiring, "observe", "--app", "Gimp")
    assert said.code == 1
    assert said.err == "operator-console: “Gimp” is not on the screen. These are: Mousepad, Thunar.\n"


def test_observe_with_a_name_that_does_not_do(wiring: FakeWiring, tmp_path: Path) -> None:
    assert say(wiring, "observe", "--image", "screen.gif").code == 2
    said = say(wiring, "observe", "--image", str(tmp_path / "none" / "a.jpg"))
    assert (said.code, "could not be saved" in said.err) == (1, True)


def fill(folder: Path) -> None:
    async def story() -> None:
        journal = Journal(folder)
        for event in (
            started(1, "abc1", goal="Save the file"),
            attempted(2, "abc1"),
            ended(3, run_id="abc1"),
            started(4, "abd2", goal="Send\nthe invoice " + "x" * 200),
            phase(5, run_id="abd2"),
        ):
            await journal.append(event)
        await journal.close()

    asyncio.run(story())


def test_runs(wiring: FakeWiring) -> None:
    said = say(wiring, "runs")
    assert (said.code, said.out) == (0, "")
    assert "There are no runs yet." in said.err
    fill(wiring.folder)
    head, newest, oldest = say(wiring, "runs").out.splitlines()
    assert head.split() == ["RUN", "STARTED", "STATE", "ACTS", "GOAL"]
    assert newest.startswith("abd2")
    assert newest.endswith("…")
    assert "Send / the invoice x" in newest
    assert oldest.split()[-4:] == ["1", "Save", "the", "file"]
    assert [line["run_id"] for line in say(wiring, "runs", "--json", "--search", "FILE").lines] == ["abc1"]
    assert "No run matches." in say(wiring, "runs", "--search", "nothing").err
    assert len(say(wiring, "runs", "--limit", "1", "--json").lines) == 1


def test_a_run_is_deleted_by_the_beginning_of_its_name(wiring: FakeWiring) -> None:
    fill(wiring.folder)
    said = say(wiring, "runs", "--delete", "abc")
    assert (said.code, said.out) == (0, "The run abc1 is deleted, with the pictures that only it had.\n")
    assert [line["run_id"] for line in say(wiring, "runs", "--json").lines] == ["abd2"]
    assert "This run is still going on. Stop it first." in say(wiring, "runs", "--delete", "last").err
    fill(wiring.folder)
    assert say(wiring, "runs", "--delete", "abc1", "--json").lines == [{"deleted": "abc1"}]
    again = say(wiring, "runs", "--delete", "abc")
    assert (again.code, "There is no run “abc”." in again.err) == (1, True)


def test_report(wiring: FakeWiring, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(wiring.folder)
    monkeypatch.chdir(tmp_path)
    said = say(wiring, "report", "abc")
    assert (said.code, said.out.strip()) == (0, "report-abc1/report.html")
    (line,) = say(wiring, "report", "last", "--out", str(tmp_path / "there"), "--json").lines
    assert line == {"run_id": "abd2", "report": str(tmp_path / "there/report.html")}
    assert json.loads(Path("there/step.json").read_text())["fail"]["reason"] == "interrupted"
    assert "2 runs begin with “ab”" in say(wiring, "report", "ab").err
    assert "There is no run “zzz”." in say(wiring, "report", "zzz").err


def raising(error: BaseException) -> Callable[[], Coroutine[Any, Any, None]]:
    async def probe() -> None:
        raise error

    return probe


def giving(value: Any) -> Callable[[], Coroutine[Any, Any, Any]]:
    async def probe() -> Any:
        return value

    return probe


@pytest.fixture
def at_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":1")
    monkeypatch.setenv("XDG_SESSION_TYPE", "x11")


@pytest.mark.usefixtures("at_a_display")
def test_doctor_where_all_is_well(wiring: FakeWiring) -> None:
    said = say(wiring, "doctor", "--json")
    assert [(line["part"], line["health"]) for line in said.lines] == [
        ("Versions", "ok"),
        ("Session", "ok"),
        ("Display", "ok"),
        ("Window manager", "ok"),
        ("Input", "ok"),
        ("Screen capture", "ok"),
        ("Accessibility", "ok"),
        ("Reading pixels", "ok"),
        ("Journal", "ok"),
    ]
    assert said.code == 0


@pytest.mark.usefixtures("at_a_display")
def test_doctor_says_how_to_mend_it(wiring: FakeWiring, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "PATIENCE_S", 0.05)
    wiring.folder.mkdir()
    (wiring.folder / "journal.db").write_bytes(b"no database" * 100)
    wiring.probe = {
        "window_manager": giving(None),
        "input": raising(SystemExit("NOTE: You must install tkinter")),
        "grab": lambda: asyncio.sleep(60),
        "accessibility": raising(ConsoleError("There is no session bus.", "Start the desktop with dbus-run-session.")),
    }
    said = say(wiring, "doctor")
    assert said.code == 1
    text = " ".join(said.out.split())
    for words in (
        "! Window manager there is none, so windows cannot be brought to the front → Start one, such as openbox.",
        "✕ Input SystemExit: NOTE: You must install tkinter",
        "✕ Screen capture no answer within 0.05 s",
        "! Accessibility There is no session bus. → Start the desktop with dbus-run-session.",
        "! Journal The journal was damaged.",
    ):
        assert words in text, words


@pytest.mark.usefixtures("at_a_display")
@pytest.mark.parametrize(
    "missing",
    [
        Part("Session bus", False, "There is none.", "Start the desktop with “dbus-run-session”."),
        Part("Accessibility bus", False, "It is not there.", "Install “at-spi2-core”."),
        Part("Applications", False, "None can be read.", "Start the applications again."),
    ],
    ids=lambda part: part.name,
)
def test_doctor_says_which_part_of_accessibility_is_missing(wiring: FakeWiring, missing: Part) -> None:
    assert "✓  Accessibility    can be read: Mousepad, Thunar" in say(wiring, "doctor").out
    wiring.probe = {"accessibility": giving([Part("First", True, "answers"), missing])}
    said = say(wiring, "doctor")
    assert f"!  Accessibility    {missing.name}: {missing.detail}\n{' ' * 20}→ {missing.hint}" in said.out
    assert said.code == 0


@pytest.mark.usefixtures("at_a_display")
def test_doctor_tells_of_each_server_of_tools_and_none_keeps_a_run_away(
    wiring: FakeWiring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "SERVER_PATIENCE_S", 0.05)
    wiring.probe = {
        "servers": [
            ServerProbe("notes", giving([ToolLine(name="a"), ToolLine(name="b")])),
            ServerProbe("one", giving([ToolLine(name="a")])),
            ServerProbe("off", None),
            ServerProbe("slow", lambda: asyncio.sleep(60)),
            ServerProbe("gone", raising(ConsoleError("“x” could not be started: No such file.", "Check the command."))),
        ],
        "server_problems": ["The server “old” in mcp.json, line 3, is not used: it is no object."],
    }
    said = say(wiring, "doctor", "--json")
    assert [(line["health"], line["text"], line["mend"]) for line in said.lines if line["part"] == "Tools"] == [
        ("ok", "notes: 2 tools", ""),
        ("ok", "one: 1 tool", ""),
        ("ok", "off: switched off", ""),
        ("warn", "slow: no answer within 0.05 s", "Look at it in Settings, under Tools."),
        ("warn", "gone: “x” could not be started: No such file.", "Check the command."),
        ("warn", "The server “old” in mcp.json, line 3, is not used: it is no object.", "Mend it in mcp.json."),
    ]
    assert said.code == 0


def test_doctor_on_a_blank_wayland_screen(wiring: FakeWiring, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    monkeypatch.setattr(health, "find_spec", lambda name: None)
    wiring.probe = {"grab": giving(frame(blank=True)), "input": raising(ValueError())}
    found = {line["part"]: line for line in say(wiring, "doctor", "--json").lines}
    assert found["Session"]["health"] == "warn"
    assert "Xorg" in found["Session"]["mend"]
    assert found["Display"]["text"] == "DISPLAY is not set"
    assert "the picture is blank" in found["Screen capture"]["text"]
    assert found["Reading pixels"]["health"] == "warn"
    assert found["Input"]["text"] == "ValueError"


@pytest.mark.parametrize(
    ("installed", "verdict"),
    [
        ({"python-xlib": "0.33"}, "python-xlib and python3-xlib overwrite each other"),
        ({"mss": None}, "missing: mss"),
        ({"xcffib": None}, "Python 3."),
    ],
)
async def test_doctor_and_the_packages(
    wiring: FakeWiring, monkeypatch: pytest.MonkeyPatch, installed: dict[str, str | None], verdict: str
) -> None:
    monkeypatch.setattr(health, "_version", lambda name: installed.get(name, None if name == "python-xlib" else "1.0"))
    monkeypatch.setattr(health.sys, "platform", "darwin")
    versions, _, display, *_ = await examine(wiring.probes(), MemoryStore(), {})
    assert verdict in versions.text
    assert display.text == "the system's own"


def test_a_package_that_is_not_there() -> None:
    assert health._version("no-such-package") is None


def test_the_window(wiring: FakeWiring) -> None:
    assert say(wiring).code == 0
    assert say(wiring, "--goal", "Save", "--theme", "dark").code == 0
    assert wiring.app == [(None, None), ("Save", "dark")]
    wiring.no_desktop = True
    assert say(wiring).code == 5
