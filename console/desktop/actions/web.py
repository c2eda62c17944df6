"""Opens addresses in a browser by its address bar; there is no connection into the page."""

from __future__ import annotations

import re
import shutil

from console.contracts.action import quoted
from console.contracts.actions import Navigate
from console.contracts.effects import ObservedEffect
from console.contracts.errors import TargetError
from console.contracts.receipt import OtherRoute
from console.contracts.scene import WindowInfo

from ..apps import Launch
from .apps import start_and_wait
from .job import NATIVE, Job, Outcome

BROWSERS = ("chromium", "google-chrome", "firefox", "firefox-esr", "brave-browser", "vivaldi", "epiphany-browser")
_CLASSES = ("chrom", "firefox", "brave", "vivaldi", "epiphany", "edge", "opera")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_ALLOWED = ("http:", "https:", "file:", "about:")
TIMEOUT_MS, BAR_OPENS_S, POLL_S = 30_000, 0.15, 0.2


async def navigate(action: Navigate, job: Job) -> Outcome:
    url = checked(action.url)
    window = job.scene.active_window
    if window is None or not is_browser(window):
        return await _start(url, job)
    await job.to_front(window)
    await job.ready()
    await _to_address_bar(url, window, job)
    return await _arrival(action.timeout_ms or TIMEOUT_MS, window, job)


def checked(url: str) -> str:
    """The address with its scheme. Raises `TargetError` for one that would run something."""
    plain = url.strip()
    if not plain or any(character.isspace() or ord(character) < 32 for character in plain):
        raise TargetError(f"{quoted(url)} is no address.", "Give one like https://example.org.")
    scheme = _SCHEME.match(plain)
    if scheme is None or re.match(r"[^/]+:\d+(/|$)", plain):
        return f"https://{plain}"
    if scheme[0].casefold() not in _ALLOWED:
        raise TargetError(f"Addresses with {scheme[0]} are not opened.", "Use http, https or file.")
    return plain


def is_browser(window: WindowInfo) -> bool:
    return any(name in window.app.casefold() for name in _CLASSES)


async def _to_address_bar(url: str, window: WindowInfo, job: Job) -> None:
    job.via(NATIVE)
    keyboard = job.hands.input
    for keys in (["ctrl", "l"], ["ctrl", "a"]):
        await job.guard_keys(window.id)
        await keyboard.keys(keys)
        await job.hands.sleep(BAR_OPENS_S)
    await job.guard_keys(window.id)
    await keyboard.type_text(url)
    # What the bar completes by itself is selected after the caret and would be part of the address.
    await keyboard.keys(["delete"])
    await job.guard_keys(window.id)
    await keyboard.keys(["return"])


async def _arrival(timeout_ms: int, window: WindowInfo, job: Job) -> Outcome:
    """Another title is another document; without one, a changed picture is all that can be seen."""
    deadline = job.hands.clock.now() + timeout_ms / 1000
    before = job.baseline.sample if job.baseline else None
    while True:
        await job.hands.sleep(POLL_S)
        settled = await job.hands.settler.settle(1000)
        title = settled.sample.titles.get(window.id)
        if title is not None and title != window.title:
            return Outcome(effect=ObservedEffect(status="observed", detail=f"The page is {quoted(title)} now."))
        if job.hands.clock.now() >= deadline:
            break
        if settled.settled and before is not None and job.hands.clock.now() > deadline - timeout_ms / 1000 + 3:
            changed = await job.hands.settler.changes(before.frame, settled.sample.frame)
            if len(changed) > 40:
                words = "The page changed; its title did not."
                return Outcome(effect=ObservedEffect(status="observed", detail=words))
    return Outcome(effect=ObservedEffect(status="timed_out", detail="No other page came in time."))


async def _start(url: str, job: Job) -> Outcome:
    program = next((path for name in (*BROWSERS, "xdg-open") if (path := shutil.which(name))), None)
    if program is None:
        raise TargetError("No browser is installed.", "Install one, for instance Chromium.")
    name = program.rpartition("/")[2]
    job.via(OtherRoute(detail=f"started {name}"))
    launch = Launch(name=name, argv=(program,), window_names=(name.partition("-")[0], *_CLASSES))
    return await start_and_wait(launch, job, url)
