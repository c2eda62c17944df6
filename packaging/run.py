"""Opens the console with the practice goal filled in; without a display, carries the goal out on a virtual desktop.

Further arguments go to the console. Without a display the report of the run is written to `out/`.
"""

from __future__ import annotations

import os
import subprocess
import sys

from debian import PRACTICE, RUNTIME
from environment import ROOT, prepare, use_a_new_enough_python
from report import Stop, say

GOAL = ROOT / "resources" / "practice" / "goal.txt"
DECISIONS = ROOT / "resources" / "practice" / "decisions.json"
OUT = ROOT / "out"


def has_display() -> bool:
    return not sys.platform.startswith("linux") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def command(python: str, arguments: list[str]) -> list[str]:
    """What is started: the window, or a run on a private desktop."""
    if has_display():
        return [python, "-m", "console", "--goal", GOAL.read_text(encoding="utf-8").strip(), *arguments]
    desktop = [python, "-m", "console.testing.private_desktop", "--"]
    options = ["--goal-file", str(GOAL), "--decisions", str(DECISIONS), "--report", str(OUT)]
    return [*desktop, python, "-m", "console", "run", *options, *arguments]


def main(arguments: list[str]) -> int:
    if {"-h", "--help"} & {*arguments}:
        print(__doc__)
        return 0
    try:
        use_a_new_enough_python()
        python = prepare((*RUNTIME, *PRACTICE), dev=False)
    except Stop as stop:
        print(stop, file=sys.stderr)
        return 3
    if not has_display():
        say("There is no display: the practice goal is carried out on a virtual desktop")
    try:
        code = subprocess.run(command(str(python), arguments), cwd=ROOT, check=False).returncode
    except KeyboardInterrupt:
        return 130
    if not has_display():
        say(f"The report is in {OUT.name}/" if code == 0 else f"The run ended with code {code}; see {OUT.name}/")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
