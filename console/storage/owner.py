"""Tells whether the process that carries out a run is still there."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PROC = Path("/proc")


@dataclass(frozen=True)
class Owner:
    """A process. `started` tells it from a later one with the same number; it is empty where that is not known."""

    pid: int
    started: str

    def alive(self) -> bool:
        if self.pid == os.getpid():
            return self == this_process()
        if PROC.is_dir():
            started = _started(self.pid)
            return started is not None and started == self.started
        if os.name == "nt":  # signal 0 is Ctrl+C there
            return False
        return _answers(self.pid)


def this_process() -> Owner:
    return Owner(os.getpid(), _started(os.getpid()) or "")


def _started(pid: int) -> str | None:
    """The boot and the tick at which the process began; None if there is none, or only what is left of it."""
    try:
        fields = (PROC / str(pid) / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in ("Z", "X") else f"{_boot()}:{fields[19]}"


@cache
def _boot() -> str:
    try:
        return (PROC / "sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return ""


def _answers(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return True
