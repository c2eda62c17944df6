"""Runs every check: format, lint, types, layers, tests, display tests, coverage; ends with a line for each.

`--quick` leaves the display tests out, and with them the coverage of the whole. Further arguments go to pytest; then
coverage is not judged, since only a part of the tests has run. Tests marked `slow` repeat others many times and run
when asked for: `.venv/bin/python -m console.testing.private_desktop -- .venv/bin/python -m pytest -m slow`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass

from debian import DISPLAY_TESTS, PRACTICE, RUNTIME
from environment import ROOT, prepare, use_a_new_enough_python
from report import Stop

NO_TESTS = 5
LIMIT_S = 1500.0
COVERED_IN_FULL = "console/contracts/*,console/core/*"
COVERED_WHOLE = "90"
# The plain tests run in two processes, which take about as long as each other.
FIRST_HALF = ("tests/ptc", "tests/planning", "tests/desktop")
HALVES = (".coverage.first", ".coverage.second")


@dataclass(frozen=True)
class Check:
    """A command with a name; `fine` are the exit codes that pass. `beside` runs at the same time, on another core."""

    name: str
    command: list[str]
    fine: tuple[int, ...] = (0,)
    beside: tuple[str, ...] = ()


@dataclass(frozen=True)
class Result:
    """How a check ended."""

    name: str
    passed: bool
    seconds: float

    def line(self) -> str:
        return f"  {'passed' if self.passed else 'FAILED'}  {self.name:<24} {self.seconds:7.1f} s"


def checks(python: str, quick: bool, arguments: list[str]) -> Iterable[Check]:
    """All of them, in order, the fast ones first."""
    module = [python, "-m"]
    yield Check("format", [*module, "ruff", "format", "--check", "."])
    yield Check("lint", [*module, "ruff", "check", "."])
    yield Check("types", [*module, "mypy"])
    yield Check("direction of imports", [python, "-c", "from importlinter.cli import lint_imports_command as m; m()"])
    cover = [] if arguments else ["--cov", "--cov-report="]
    fine = (0, NO_TESTS) if arguments else (0,)
    plain = [*module, "pytest", "-m", "not display and not slow", *cover, *arguments]
    if arguments:
        yield Check("tests", plain, fine)
    else:
        others = [f"--ignore={folder}" for folder in FIRST_HALF]
        yield Check("tests", [*plain, *FIRST_HALF], fine, beside=(*plain, *others))
        yield Check("coverage of both halves", [*module, "coverage", "combine", *HALVES])
    if not quick:
        desktop = [*module, "console.testing.private_desktop", "--"]
        append = ["--cov-append"] if cover else []
        yield Check(
            "display tests",
            [*desktop, *module, "pytest", "-m", "display and not slow", *cover, *append, *arguments],
            fine,
        )
    if not arguments:
        report = [*module, "coverage", "report"]
        yield Check("contracts, core: all", [*report, f"--include={COVERED_IN_FULL}", "--fail-under=100"])
    if not arguments and not quick:
        yield Check(f"whole: {COVERED_WHOLE} %", [*report, f"--fail-under={COVERED_WHOLE}"])


def run(check: Check) -> Result:
    """Run one check to its end, or to its limit."""
    print(f"\n── {check.name} " + "─" * (70 - len(check.name)), flush=True)
    began = time.monotonic()
    commands = [check.command, *([list(check.beside)] if check.beside else [])]
    started = [_start(command, HALVES[place] if check.beside else None) for place, command in enumerate(commands)]
    try:
        codes = [process.wait(LIMIT_S) for process in started]
        passed = all(code in check.fine for code in codes)
    except subprocess.TimeoutExpired:
        print(f"{check.name} did not end within {LIMIT_S:g} s", flush=True)
        passed = False
    finally:
        for process in started:
            _end(process)
    return Result(check.name, passed, time.monotonic() - began)


def _start(command: list[str], coverage_file: str | None) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    if coverage_file is not None:
        environment["COVERAGE_FILE"] = str(ROOT / coverage_file)
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, start_new_session=True)


def _end(process: subprocess.Popen[bytes]) -> None:
    """The private desktop ends what it started when it is asked to."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def main(arguments: list[str]) -> int:
    if {"-h", "--help"} & {*arguments}:
        print(__doc__)
        return 0
    quick = "--quick" in arguments
    arguments = [argument for argument in arguments if argument != "--quick"]
    packages = (*RUNTIME, *PRACTICE) if quick else (*RUNTIME, *PRACTICE, *DISPLAY_TESTS)
    try:
        use_a_new_enough_python()
        python = prepare(packages, dev=True)
    except Stop as stop:
        print(stop, file=sys.stderr)
        return 3
    try:
        results = [run(check) for check in checks(str(python), quick, arguments)]
    except KeyboardInterrupt:
        return 130
    failed = [result for result in results if not result.passed]
    print("\n── all checks " + "─" * 61)
    print("\n".join(result.line() for result in results))
    print(f"checks: {len(results) - len(failed)} passed, {len(failed)} failed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
