"""The command as a person calls it: in a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from console import __version__

CONSOLE = [sys.executable, "-m", "console"]
FAKE = "import sys; from tests.cli.fakes import *; sys.exit(process({kind}))"


def call(command: Sequence[str], **env: str) -> subprocess.CompletedProcess[str]:
    """Without a display, and with Python's own idea of the terminal."""
    bare = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY")}
    return subprocess.run(command, env={**bare, **env}, capture_output=True, text=True, timeout=60, check=False)


def fake(folder: Path, *argv: str, kind: str = "FakeWiring") -> list[str]:
    return [sys.executable, "-c", FAKE.format(kind=kind), str(folder), *argv]


@pytest.mark.parametrize("argv", [["--help"], ["--version"], ["run", "--help"], ["doctor", "--help"]])
def test_help_needs_nothing(argv: list[str]) -> None:
    done = call([*CONSOLE, *argv])
    assert (done.returncode, done.stderr) == (0, "")
    assert "operator-console" in done.stdout


def test_help_loads_nothing_heavy_and_does_without_tkinter_and_qt() -> None:
    code = (
        "import sys\n"
        "heavy = ('tkinter', 'PySide6', 'pyautogui', 'mss', 'pydantic', 'sqlite3')\n"
        "sys.modules.update(dict.fromkeys(heavy))\n"
        "from console.__main__ import main\n"
        "sys.argv = ['operator-console', '--version']\n"
        "sys.exit(main())\n"
    )
    done = call([sys.executable, "-c", code])
    assert (done.returncode, done.stdout, done.stderr) == (0, f"operator-console {__version__}\n", "")


def test_help_is_quick() -> None:
    """The best of three, because other tests run beside it."""
    times = []
    for _ in range(3):
        began = time.perf_counter()
        call([*CONSOLE, "--version"], COVERAGE_PROCESS_START="")
        times.append(time.perf_counter() - began)
    assert min(times) < 0.6, times


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["jump"], "invalid choice"),
        (["--theme", "pink"], "invalid choice"),
        (["run", "x", "--max-steps", "0"], "not a whole number from 1"),
        (["run", "x", "--timeout", "soon"], "not a number of seconds"),
        (["run", "x", "--timeout", "nan"], "not a number of seconds"),
        (["run", "x", "--goal-file", "y"], "not allowed with"),
        (["report"], "required"),
    ],
)
def test_wrong_use_is_one_sentence(argv: list[str], words: str) -> None:
    done = call([*CONSOLE, *argv])
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert "--help" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_terminal_that_knows_only_ascii(tmp_path: Path) -> None:
    done = call(fake(tmp_path, "run", "Zażółć"), PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "+  Done: It is saved" in done.stdout
    assert "Goal: Za????" in done.stdout
    assert call([*CONSOLE, "jump"], PYTHONIOENCODING="ascii").stderr.isascii()


def started(folder: Path, *argv: str, kind: str, **env: str) -> subprocess.Popen[str]:
    """A run whose planner has begun to think."""
    process = subprocess.Popen(
        fake(folder, *argv, kind=kind),
        env={**os.environ, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "thinking\n"
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_in_good_order(tmp_path: Path, number: int) -> None:
    process = started(tmp_path, "run", "x", "--json", kind="EndlessWiring")
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 4
    assert json.loads(out.splitlines()[-1])["end"] == "stopped"
    assert err == "Stopping. Press Ctrl+C again to leave at once.\n"
    listed = call(fake(tmp_path, "runs", "--json")).stdout
    assert json.loads(listed)["phase"] == "Stopped"


def test_a_second_signal_leaves_at_once(tmp_path: Path) -> None:
    process = started(tmp_path, "run", "x", kind="EndlessWiring", STUBBORN="1")
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    assert process.stderr.readline().startswith("Stopping.")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (4, "")


def test_a_broken_pipe_is_quiet(tmp_path: Path) -> None:
    assert call(fake(tmp_path, "run", "x")).returncode == 0
    reading, writing = os.pipe()
    os.close(reading)
    for argv in (["runs"], ["run", "x"], ["run", "x", "--json"]):
        done = subprocess.run(
            fake(tmp_path, *argv), stdout=writing, stderr=subprocess.PIPE, text=True, timeout=60, check=False
        )
        assert (done.returncode, done.stderr) == (0 if argv == ["runs"] else 4, "")
    os.close(writing)
