"""The Debian packages that the console needs, and the way to have them installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable

from report import Stop, say

# What the console itself needs on a Debian desktop: the libraries of Qt's xcb platform, and the two buses.
RUNTIME = (
    "at-spi2-core", "dbus", "fontconfig", "libdbus-1-3", "libegl1", "libfontconfig1", "libgl1", "libglib2.0-0",
    "libxcb-cursor0", "libxcb-icccm4", "libxcb-image0", "libxcb-keysyms1", "libxcb-randr0", "libxcb-render-util0",
    "libxcb-shape0", "libxcb-xinerama0", "libxcb-xkb1", "libxkbcommon-x11-0", "libxkbcommon0",
)  # fmt: skip
# A virtual desktop, and the application of the practice goal.
PRACTICE = (
    "adwaita-icon-theme", "fonts-dejavu-core", "libatk-adaptor", "librsvg2-common", "mousepad", "openbox", "x11-utils",
    "xclip", "xvfb",
)  # fmt: skip
# What the display tests drive, and what they drive it with.
DISPLAY_TESTS = (
    "chromium", "dbus-x11", "fonts-dejavu", "fonts-noto-cjk", "fonts-noto-color-emoji", "galculator", "gvfs",
    "libglib2.0-bin", "python3-tk", "thunar", "wmctrl", "x11-xkb-utils", "x11-xserver-utils", "xdotool", "xterm",
    "zenity",
)  # fmt: skip


def missing_packages(names: Iterable[str]) -> list[str]:
    """Those that are not installed; none where packages are not Debian's."""
    if shutil.which("dpkg-query") is None:
        return []
    query = ["dpkg-query", "-W", "-f", "${binary:Package} ${db:Status-Status}\n", *names]
    lines = subprocess.run(query, capture_output=True, text=True, check=False).stdout.splitlines()
    there = {line.split()[0].split(":")[0] for line in lines if line.endswith(" installed")}
    return [name for name in names if name not in there]


def install_packages(names: Iterable[str]) -> None:
    """Install what is missing. Raises `Stop` with the exact command where this user may not."""
    missing = missing_packages(names)
    if not missing:
        return
    say(f"Installing {len(missing)} Debian packages: {' '.join(missing)}")
    root = _root_prefix()
    command = ["apt-get", "install", "-y", "--no-install-recommends", *missing]
    if root is None:
        raise Stop(f"Debian packages are missing and only root may install them. Run this, then start again:\n"
                   f"  sudo apt-get update && sudo {' '.join(command)}")  # fmt: skip
    _apt([*root, "apt-get", "update"])
    if _apt([*root, *command]) != 0:
        raise Stop(
            f"The packages could not be installed. What failed is above; the command was:\n  {' '.join(command)}"
        )


def _root_prefix() -> list[str] | None:
    """What to put before a command to run it as root; None where that is not allowed without a password."""
    if os.geteuid() == 0:
        return []
    if (
        shutil.which("sudo")
        and subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0
    ):
        return ["sudo", "-n", "env", "DEBIAN_FRONTEND=noninteractive"]
    return None


def _apt(command: list[str]) -> int:
    """Run it, with a line for each package that is set up; all that it said when it fails."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    command = [*command, "-o", "DPkg::Lock::Timeout=600", "-o", "Dpkg::Use-Pty=0"]
    said = []
    with subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        for line in process.stdout or ():
            said.append(line)
            if line.startswith(("Setting up ", "Fetched ", "E: ")):
                say(f"  {line.strip()}")
    if process.returncode != 0:
        print("".join(said[-30:]), flush=True)
    return process.returncode
