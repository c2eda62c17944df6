"""The shipped files are found, in a checkout and in a wheel."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from console import resources

ROOT = Path(__file__).parent.parent


def test_a_file_of_the_checkout_is_found():
    assert resources.resource("practice/goal.txt") == ROOT / "resources" / "practice" / "goal.txt"


def test_what_is_missing_is_named():
    with pytest.raises(FileNotFoundError, match="no/such-file is missing"):
        resources.resource("no/such-file")


def test_the_practice_decisions_are_a_list():
    decisions = json.loads(resources.resource("practice/decisions.json").read_text(encoding="utf-8"))
    assert {decision["on"] for decision in decisions} <= {"approval", "clarify"}


def test_a_wheel_carries_and_finds_them(tmp_path):
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        str(tmp_path),
        str(ROOT),
    ]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("operator_console-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    code = "from console.resources import resource; print(resource('practice/goal.txt'))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path / "site", capture_output=True, text=True, check=True
    )
    assert Path(done.stdout.strip()) == tmp_path / "site" / "console" / "_resources" / "practice" / "goal.txt"
