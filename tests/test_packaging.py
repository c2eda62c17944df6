"""The two commands do what they say, without installing anything here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture
def packaging(monkeypatch: pytest.MonkeyPatch):
    """Imports a module of the folder `packaging`."""
    names = ("debian", "environment", "report", "run", "test")
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield __import__
    for name in names:
        sys.modules.pop(name, None)


def test_all_checks_run_in_order(packaging):
    test = packaging("test")
    names = [check.name for check in test.checks("python", False, [])]
    assert names == [
        "format",
        "lint",
        "types",
        "direction of imports",
        "tests",
        "coverage of both halves",
        "display tests",
        "contracts, core: all",
        "whole: 90 %",
    ]


def test_quick_leaves_out_the_display_and_the_whole(packaging):
    names = [check.name for check in packaging("test").checks("python", True, [])]
    assert "display tests" not in names
    assert names[-1] == "contracts, core: all"


def test_arguments_reach_pytest_and_then_coverage_is_not_judged(packaging):
    checks = {check.name: check for check in packaging("test").checks("python", False, ["-k", "gate"])}
    assert checks["tests"].command[-2:] == ["-k", "gate"]
    assert checks["display tests"].command[-2:] == ["-k", "gate"]
    assert 5 in checks["display tests"].fine
    assert "--cov" not in checks["tests"].command
    assert "whole: 90 %" not in checks


def test_the_two_halves_are_all_tests_and_none_twice(packaging):
    test = packaging("test")
    (tests,) = [check for check in test.checks("python", False, []) if check.beside]
    folders = [word for word in tests.command if word.startswith("tests/")]
    left_out = [word.removeprefix("--ignore=") for word in tests.beside if word.startswith("--ignore=")]
    assert folders == left_out == list(test.FIRST_HALF)
    assert all((ROOT / folder).is_dir() for folder in folders)


def test_one_of_two_that_fails_is_a_failed_result(packaging):
    test = packaging("test")
    good, bad = [sys.executable, "-c", ""], [sys.executable, "-c", "raise SystemExit(1)"]
    assert test.run(test.Check("both", good, beside=tuple(good))).passed
    assert not test.run(test.Check("both", good, beside=tuple(bad))).passed
    assert not test.run(test.Check("both", bad, beside=tuple(good))).passed


def test_a_failed_check_is_a_failed_result(packaging):
    test = packaging("test")
    assert test.run(test.Check("good", [sys.executable, "-c", ""])).passed
    assert not test.run(test.Check("bad", [sys.executable, "-c", "raise SystemExit(3)"])).passed


def test_a_check_that_hangs_is_ended(packaging, monkeypatch):
    test = packaging("test")
    monkeypatch.setattr(test, "LIMIT_S", 0.2)
    result = test.run(test.Check("slow", [sys.executable, "-c", "import time; time.sleep(60)"]))
    assert not result.passed
    assert result.seconds < 10


def test_run_without_a_display_uses_a_private_desktop(packaging, monkeypatch):
    run = packaging("run")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    command = run.command("python", ["--json"])
    assert command[:4] == ["python", "-m", "console.testing.private_desktop", "--"]
    assert command[-1] == "--json"
    assert str(ROOT / "out") in command


def test_run_with_a_display_opens_the_window_with_the_goal(packaging, monkeypatch):
    monkeypatch.setenv("DISPLAY", ":77")
    command = packaging("run").command("python", ["--planner", "x"])
    assert command[:4] == ["python", "-m", "console", "--goal"]
    assert command[4].startswith("Open Mousepad")
    assert command[5:] == ["--planner", "x"]


def test_missing_packages_are_found(packaging):
    debian = packaging("debian")
    if not debian.shutil.which("dpkg-query"):
        pytest.skip("not a Debian system")
    assert debian.missing_packages(["dpkg", "no-such-package-at-all"]) == ["no-such-package-at-all"]


def test_without_the_right_to_install_the_command_is_printed(packaging, monkeypatch):
    debian = packaging("debian")
    monkeypatch.setattr(debian, "missing_packages", list)
    monkeypatch.setattr(debian, "_root_prefix", lambda: None)
    with pytest.raises(debian.Stop, match="sudo apt-get install -y --no-install-recommends one two"):
        debian.install_packages(["one", "two"])


def test_an_environment_that_is_up_to_date_is_left_alone(packaging, monkeypatch, tmp_path):
    environment = packaging("environment")
    stamp = tmp_path / "stamp.json"
    stamp.write_text(f'{{"fingerprint": "{environment._fingerprint()}", "dev": true}}', encoding="utf-8")
    monkeypatch.setattr(environment, "STAMP", stamp)
    monkeypatch.setattr(environment, "_works", lambda: True)
    monkeypatch.setattr(environment, "_install", lambda dev: pytest.fail("installed again"))
    assert environment.prepare([], dev=True) == environment.PYTHON
    stamp.write_text('{"fingerprint": "old", "dev": true}', encoding="utf-8")
    assert not environment._up_to_date(environment._fingerprint(), True)


@pytest.mark.parametrize("name", ["run", "test"])
def test_help_says_what_it_does(name):
    command = [sys.executable, str(ROOT / "packaging" / f"{name}.py"), "--help"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.count(".") >= 2
