"""Finds installed applications by the names people use, and starts them."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from rapidfuzz import fuzz

from console.contracts.base import Value
from console.contracts.errors import TargetError
from console.core.worker import Worker

from .desktop_entries import DesktopEntry, read_entries

GOOD_MATCH, CLEAR_LEAD = 82.0, 8.0
MANY = 6
# Without these, some toolkits do not show what their windows contain.
_FOR_ACCESSIBILITY = {"ACCESSIBILITY_ENABLED": "1", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}
_CHROMIUM_LIKE = ("chrom", "brave", "vivaldi", "msedge", "opera")
_CHROMIUM_FLAG = "--force-renderer-accessibility"
# What the console sets for itself must not reach the applications.
_OURS = (
    "QT_API",
    "QT_QPA_PLATFORM",
    "QT_PLUGIN_PATH",
    "QT_QPA_PLATFORM_PLUGIN_PATH",
    "QML2_IMPORT_PATH",
    "QT_SCALE_FACTOR",
)


class Launch(Value):
    """A command that starts an application, and the names by which its window can be told."""

    name: str
    argv: tuple[str, ...]
    directory: str | None = None
    window_names: tuple[str, ...] = ()


class Started(Protocol):
    """A process that was started; `returncode` is None while it runs."""

    @property
    def pid(self) -> int: ...

    @property
    def returncode(self) -> int | None: ...


class AppCatalogue:
    """The .desktop files of this machine, read when first asked and again when an app is not found."""

    def __init__(self, environ: Mapping[str, str] | None = None) -> None:
        self._environ = os.environ if environ is None else environ
        self._worker = Worker("apps")
        self._entries: tuple[DesktopEntry, ...] | None = None

    async def find(self, name: str) -> Launch:
        """Raises `TargetError` if nothing or more than one thing is called so."""
        wanted = name.strip()
        if not wanted:
            raise TargetError("No application is named.", "Name it as it is called in the menu.")
        known = self._entries is not None
        entries = await self._read()
        try:
            return self._pick(wanted, entries)
        except TargetError:
            if not known:
                raise
            self._entries = None
            return self._pick(wanted, await self._read())

    async def names(self) -> tuple[str, ...]:
        """What can be started, for people."""
        return tuple(sorted({entry.name for entry in await self._read() if entry.shown}))

    def close(self) -> None:
        self._worker.close()

    async def _read(self) -> tuple[DesktopEntry, ...]:
        if self._entries is None:
            self._entries = await self._worker.call(read_entries, self._environ)
        return self._entries

    def _pick(self, wanted: str, entries: Sequence[DesktopEntry]) -> Launch:
        exact = [entry for entry in entries if wanted.casefold() in entry.exact_names()]
        if exact:
            return _launch(self._only(wanted, exact))
        program = shutil.which(wanted, path=self._environ.get("PATH"))
        if program and "/" not in wanted:
            return Launch(name=wanted, argv=(program,), window_names=(wanted,))
        scored = sorted(((_score(wanted, e), e) for e in entries if e.shown), key=lambda pair: -pair[0])
        good = [(score, entry) for score, entry in scored if score >= GOOD_MATCH]
        if not good:
            near = ", ".join(dict.fromkeys(entry.name for score, entry in scored[:MANY] if score >= 55))
            hint = f"Near: {near}." if near else "Name it as it is called in the menu."
            raise TargetError(f"There is no application called “{wanted}”.", hint)
        return _launch(self._only(wanted, [entry for score, entry in good if good[0][0] - score < CLEAR_LEAD]))

    @staticmethod
    def _only(wanted: str, entries: Sequence[DesktopEntry]) -> DesktopEntry:
        """One of them: what is called exactly so, else the one program they all start."""
        folded = wanted.casefold()
        called_so = [e for e in entries if folded in (e.name.casefold(), e.plain_name.casefold(), e.stem.casefold())]
        candidates = called_so or list(entries)
        if len({entry.argv[0] for entry in candidates}) > 1:
            names = ", ".join(f"“{name}”" for name in list(dict.fromkeys(e.name for e in candidates))[:MANY])
            raise TargetError(f"“{wanted}” can mean {names}.", "Use one of these names.")
        return min(candidates, key=lambda entry: (not entry.shown, len(entry.argv)))


class AppStarter:
    """Starts programs that live on by themselves."""

    def __init__(self, environ: Mapping[str, str] | None = None) -> None:
        self._environ = os.environ if environ is None else environ
        self._waits: set[asyncio.Task[int]] = set()

    async def start(self, launch: Launch, *arguments: str) -> Started:
        """The process. Raises `TargetError` if the program cannot be started."""
        try:
            process = await asyncio.create_subprocess_exec(
                *launch.argv,
                *_flags(launch.argv),
                *arguments,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,
                cwd=launch.directory,
                env=clean_environment(self._environ),
            )
        except OSError as error:
            raise TargetError(f"“{launch.name}” could not be started: {error.strerror}.", "Is it installed?") from error
        # The wait collects the process when it ends; it does not hold it up.
        wait = asyncio.create_task(process.wait())
        self._waits.add(wait)
        wait.add_done_callback(self._waits.discard)
        return process

    def close(self) -> None:
        for wait in self._waits:
            wait.cancel()


def clean_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment without what the console set for its own window, and with accessibility asked for."""
    kept = {key: value for key, value in environ.items() if key not in _OURS and not key.startswith("OPERATOR_CONSOLE")}
    return {**_FOR_ACCESSIBILITY, **kept}


def _flags(argv: Sequence[str]) -> tuple[str, ...]:
    program = Path(argv[0]).name
    wanted = any(mark in program for mark in _CHROMIUM_LIKE) and _CHROMIUM_FLAG not in argv
    return (_CHROMIUM_FLAG,) if wanted else ()


def app_matches(wanted: str, names: Iterable[str]) -> bool:
    """Whether one of the names of a window (class, title, program) is what was asked for."""
    folded = wanted.casefold().strip()
    return bool(folded) and any(folded in name.casefold() for name in names if name)


def _score(wanted: str, entry: DesktopEntry) -> float:
    folded = wanted.casefold()
    return max((fuzz.WRatio(folded, name) for name in entry.all_names() if name), default=0.0)


def _launch(entry: DesktopEntry) -> Launch:
    argv = (("x-terminal-emulator", "-e", *entry.argv)) if entry.terminal else entry.argv
    program = Path(entry.argv[0]).name if entry.argv else ""
    names = tuple(dict.fromkeys(name for name in (entry.wm_class, program, entry.name) if name))
    return Launch(
        name=entry.name,
        argv=argv,
        directory=entry.path if entry.path and Path(entry.path).is_dir() else None,
        window_names=names,
    )
