"""Tells whether the process that began a run is still there."""

from __future__ import annotations

import os
from pathlib import Path


def this_process() -> tuple[int, str]:
    """Our id and the moment of our start, because ids are used again."""
    return os.getpid(), started(os.getpid())


def alive(pid: int, since: str) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return started(pid) == since


def started(pid: int) -> str:
    """The start time of a process in ticks since boot (Linux); empty where it cannot be had."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return ""
    return stat.rpartition(")")[2].split()[19]
