"""Makes `.venv` with the pinned dependencies and the console itself; does nothing when it is up to date."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from debian import install_packages
from report import Stop, say

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
STAMP = VENV / "operator-console.json"
OLDEST = (3, 11)


def use_a_new_enough_python() -> None:
    """Go on in a newer Python where this one is too old."""
    if sys.version_info >= OLDEST:
        return
    for minor in range(20, OLDEST[1] - 1, -1):
        found = shutil.which(f"python3.{minor}")
        if found:
            os.execv(found, [found, *sys.argv])
    raise Stop(f"Python 3.{OLDEST[1]} or newer is needed; this is {sys.version.split()[0]}.")


def prepare(packages: Iterable[str], *, dev: bool) -> Path:
    """Everything that is needed, here and now; gives the Python to run the console with."""
    install_packages(packages)
    wanted = _fingerprint()
    if _up_to_date(wanted, dev):
        return PYTHON
    _make_venv()
    _install(dev)
    STAMP.write_text(json.dumps({"fingerprint": wanted, "dev": dev}), encoding="utf-8")
    return PYTHON


def _fingerprint() -> str:
    """Changes with what is to be installed, with the Python and with the place of this folder."""
    parts = [(ROOT / "pyproject.toml").read_bytes(), CONSTRAINTS.read_bytes(), str(ROOT).encode()]
    return hashlib.sha256(b"\0".join([*parts, repr(sys.version_info[:2]).encode()])).hexdigest()


def _up_to_date(wanted: str, dev: bool) -> bool:
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return stamp.get("fingerprint") == wanted and (stamp.get("dev") or not dev) and _works()


def _works() -> bool:
    """Whether the environment has a Python that runs, of this version, in this place, with pip."""
    code = "import sys, pip; print(*sys.version_info[:2], sys.prefix)"
    try:
        done = subprocess.run([str(PYTHON), "-c", code], capture_output=True, text=True, check=False)
    except OSError:
        return False
    return done.stdout.strip() == f"{sys.version_info[0]} {sys.version_info[1]} {VENV}"


def _make_venv() -> None:
    if _works():
        return
    _have_venv_module()
    say(f"Making {VENV.name} with Python {sys.version.split()[0]}")
    done = subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], check=False)
    if done.returncode != 0:
        raise Stop("The environment could not be made; what failed is above.")


def _have_venv_module() -> None:
    """Debian's Python comes without ensurepip, which `venv` wants, until python3-venv is installed."""
    probe = [sys.executable, "-c", "import venv, ensurepip"]
    if subprocess.run(probe, capture_output=True, check=False).returncode == 0:
        return
    if sys.executable.startswith("/usr/bin/"):
        install_packages([f"python3.{sys.version_info[1]}-venv"])
    if subprocess.run(probe, capture_output=True, check=False).returncode != 0:
        raise Stop(f"{sys.executable} has no venv module: install it, or use another Python 3.{OLDEST[1]} or newer.")


def _install(dev: bool) -> None:
    """The console itself, editable, with the pinned dependencies."""
    say("Installing the dependencies (a few minutes the first time)")
    pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "install"]
    _pip([*pip, "-c", str(CONSTRAINTS), "--editable", f"{ROOT}[dev]" if dev else str(ROOT)])
    say("Ready")


def _pip(command: list[str]) -> None:
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    said = []
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        for line in process.stdout or ():
            said.append(line)
            if line.startswith("Collecting "):
                say(f"  {line.split(' (from')[0].strip()}")
            elif line.startswith("Installing collected packages"):
                say("  Unpacking")
    if process.returncode != 0:
        print("".join(said[-30:]), flush=True)
        raise Stop("The dependencies could not be installed; what failed is above.")
