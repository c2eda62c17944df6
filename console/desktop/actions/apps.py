"""Brings applications to the front, starts them and closes them."""

from __future__ import annotations

from collections.abc import Sequence

from console.contracts.action import quoted
from console.contracts.actions import ActivateApp, LaunchApp, QuitApp
from console.contracts.effects import EffectStatus, ObservedEffect
from console.contracts.errors import TargetError
from console.contracts.moves import StepErr
from console.contracts.receipt import FocusRoute, OtherRoute
from console.contracts.scene import WindowInfo

from ..apps import Launch, app_matches
from .job import Job, Outcome

WINDOW_COMES_S, SURELY_ITS_S, WINDOW_GOES_S, DIALOG_COMES_S = 15.0, 3.0, 5.0, 0.2


async def activate_app(action: ActivateApp, job: Job) -> Outcome:
    windows = await windows_of(action.app_name, job)
    if not windows:
        raise TargetError(f"{quoted(action.app_name)} has no window.", "Open it first.")
    window = next((w for w in windows if not w.dialog), windows[0])
    job.via(FocusRoute())
    await job.ready()
    if window.active:
        return Outcome(effect=_effect("observed", f"{quoted(window.title)} was active already."))
    if not await job.hands.windows.activate(window.id) and not await _its_dialog_is_active(window, job):
        return _failed(f"{quoted(window.title)} did not come to the front.", "Look at what is in front of it.")
    return Outcome(effect=_effect("observed", f"{quoted(window.title)} is active."))


async def launch_app(action: LaunchApp, job: Job) -> Outcome:
    launch = await job.hands.apps.find(action.app_name)
    job.via(OtherRoute(detail=f"started {launch.argv[0].rpartition('/')[2]}"))
    return await start_and_wait(launch, job, background=action.background)


async def start_and_wait(launch: Launch, job: Job, *arguments: str, background: bool = False) -> Outcome:
    """Start it and wait for its new window, which it has even if it was running already."""
    active = job.scene.active_window
    await job.ready()
    known = {entry.info.id for entry in await job.hands.windows.all_windows()}
    process = await job.hands.starter.start(launch, *arguments)
    begun = job.hands.clock.now()
    while True:
        shown = [e.info for e in await job.hands.windows.all_windows() if not e.own and not e.info.menu]
        new = [w for w in shown if w.id not in known]
        passed = job.hands.clock.now() - begun
        its = [w for w in new if w.pid == process.pid or _named_so(w, launch)] or (new if passed > SURELY_ITS_S else [])
        if its:
            return await _arrived(its[0], active, job, background=background)
        if process.returncode:
            return _failed(
                f"{launch.name} ended at once with code {process.returncode}.", "Start it by hand to see why."
            )
        if passed > WINDOW_COMES_S:
            return _failed(
                f"{launch.name} showed no window within {WINDOW_COMES_S:g} s.", "Look whether it is running."
            )
        await job.hands.sleep(0.05)


async def _arrived(window: WindowInfo, active: WindowInfo | None, job: Job, *, background: bool) -> Outcome:
    if background and active is not None:
        await job.hands.windows.activate(active.id)
    elif not window.active:
        await job.hands.windows.activate(window.id)
    return Outcome(effect=_effect("observed", f"{quoted(window.title)} opened."))


async def quit_app(action: QuitApp, job: Job) -> Outcome:
    windows = await windows_of(action.app_name, job)
    if not windows:
        raise TargetError(f"{quoted(action.app_name)} has no window.", "It may be closed already.")
    job.via(OtherRoute(detail="asked the window to close"))
    await job.ready()
    return await close_all([w for w in windows if not w.dialog] or windows, job)


async def close_all(windows: Sequence[WindowInfo], job: Job) -> Outcome:
    """Ask each to close, as its close button does. A question that the app asks instead is reported."""
    known = {entry.info.id for entry in await job.hands.windows.all_windows()}
    for window in windows:
        await job.hands.windows.close_window(window.id)
    left = {window.id for window in windows}
    pids = {window.pid for window in windows}
    deadline = job.hands.clock.now() + WINDOW_GOES_S
    while True:
        await job.hands.sleep(DIALOG_COMES_S)
        shown = [entry.info for entry in await job.hands.windows.all_windows() if not entry.own]
        if not any(window.id in left for window in shown):
            return Outcome(effect=_effect("observed", f"{quoted(windows[0].title)} closed."))
        asked = next((w for w in shown if w.id not in known and w.pid in pids and (w.dialog or w.modal)), None)
        if asked is not None:
            return _failed(f"It asks first: {quoted(asked.title or asked.app)}.", "Answer that dialog.")
        if job.hands.clock.now() > deadline:
            return _failed(f"{quoted(windows[0].title)} is still open.", "Look at what it is doing.")


async def windows_of(name: str, job: Job) -> list[WindowInfo]:
    """The windows of the app, topmost first: by class or title, else by what the installed app of that name is."""
    windows = [w for w in job.scene.windows if not w.menu]
    exact = [w for w in windows if w.app.casefold() == name.casefold().strip()]
    if exact:
        return exact
    by_name = [w for w in windows if app_matches(name, (w.app,))] or [
        w for w in windows if app_matches(name, (w.title,))
    ]
    if by_name:
        return by_name
    try:
        launch = await job.hands.apps.find(name)
    except TargetError:
        return []
    return [w for w in windows if _named_so(w, launch)]


async def _its_dialog_is_active(window: WindowInfo, job: Job) -> bool:
    """A modal dialog of the app takes the focus in its place."""
    active = await job.active_window()
    return active is not None and active.info.dialog and active.info.pid == window.pid


def _named_so(window: WindowInfo, launch: Launch) -> bool:
    return any(app_matches(name, (window.app,)) for name in launch.window_names)


def _failed(message: str, hint: str) -> Outcome:
    return Outcome(StepErr(message=f"{message} {hint}"), _effect("contradicted", message))


def _effect(status: EffectStatus, detail: str) -> ObservedEffect:
    return ObservedEffect(status=status, detail=detail)
