"""Moves, sizes, hides, shows and closes windows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from console.contracts.action import quoted
from console.contracts.actions import Window
from console.contracts.base import Json
from console.contracts.effects import EffectStatus, ObservedEffect
from console.contracts.errors import TargetError
from console.contracts.geometry import Rect
from console.contracts.moves import StepErr, StepOk
from console.contracts.receipt import FocusRoute, OtherRoute
from console.contracts.scene import WindowInfo

from ..devices import WindowState
from .apps import close_all, windows_of
from .job import Job, Outcome

OBEYS_S = 1.5
PLACE_TRIES = 3
Op = Callable[[Window, WindowInfo, Job], Awaitable[Outcome]]
# Each preset as parts of the monitor: x, y, width, height.
PRESETS: dict[str, tuple[float, float, float, float]] = {
    "left_half": (0, 0, 0.5, 1),
    "right_half": (0.5, 0, 0.5, 1),
    "top_half": (0, 0, 1, 0.5),
    "bottom_half": (0, 0.5, 1, 0.5),
    "top_left": (0, 0, 0.5, 0.5),
    "top_right": (0.5, 0, 0.5, 0.5),
    "bottom_left": (0, 0.5, 0.5, 0.5),
    "bottom_right": (0.5, 0.5, 0.5, 0.5),
    "left_third": (0, 0, 1 / 3, 1),
    "center_third": (1 / 3, 0, 1 / 3, 1),
    "right_third": (2 / 3, 0, 1 / 3, 1),
}


async def window(action: Window, job: Job) -> Outcome:
    op = (action.preset or action.op).strip().casefold().replace("-", "_").replace(" ", "_")
    if op == "list":
        return Outcome(StepOk(data=[_row(w) for w in job.scene.windows if not w.menu]))
    if op not in OPS and op not in PRESETS:
        known = ", ".join(["list", *OPS, *PRESETS])
        raise TargetError(f"There is no window operation {quoted(op)}.", f"There are: {known}.")
    wanted = await _chosen(action, job)
    job.via(OtherRoute(detail="window manager"))
    await job.ready()
    if op in PRESETS:
        return await _place(job, wanted, _part(_monitor(action, wanted, job), PRESETS[op]))
    return await OPS[op](action, wanted, job)


async def _chosen(action: Window, job: Job) -> WindowInfo:
    if not action.app:
        if job.scene.active_window is None:
            raise TargetError("No window is active.", "Name the application.")
        return job.scene.active_window
    windows = await windows_of(action.app, job)
    if not 0 <= action.window_index < len(windows):
        count = f"{len(windows)} windows" if len(windows) != 1 else "one window"
        have = count if windows else "no window"
        raise TargetError(f"{quoted(action.app)} has {have}.", f"Window {action.window_index} is not one of them.")
    return windows[action.window_index]


async def _focus(_: Window, wanted: WindowInfo, job: Job) -> Outcome:
    job.via(FocusRoute())
    return _told(await job.hands.windows.activate(wanted.id), wanted, "active")


async def _close(_: Window, wanted: WindowInfo, job: Job) -> Outcome:
    return await close_all([wanted], job)


async def _move(action: Window, wanted: WindowInfo, job: Job) -> Outcome:
    if action.x is None and action.y is None:
        raise TargetError("Where to is missing.", "Give x and y.")
    return await _place(job, wanted, _given(action, wanted))


async def _resize(action: Window, wanted: WindowInfo, job: Job) -> Outcome:
    if action.width is None and action.height is None:
        raise TargetError("The size is missing.", "Give width and height.")
    return await _place(job, wanted, _given(action, wanted))


async def _minimize(_: Window, wanted: WindowInfo, job: Job) -> Outcome:
    return await _state(job, wanted, "minimize", "minimised", lambda w: w.minimized)


async def _maximize(action: Window, wanted: WindowInfo, job: Job) -> Outcome:
    whole = _monitor(action, wanted, job)
    # Panels take their part of the monitor, so most of it is as good as all.
    return await _state(job, wanted, "maximize", "maximised", lambda w: _outer(w).area >= 0.75 * whole.area)


async def _restore(_: Window, wanted: WindowInfo, job: Job) -> Outcome:
    return await _state(job, wanted, "restore", "restored", lambda w: not w.minimized)


async def _fullscreen(action: Window, wanted: WindowInfo, job: Job) -> Outcome:
    whole = _monitor(action, wanted, job)
    return await _state(job, wanted, "fullscreen", "full screen", lambda w: w.bounds.intersection(whole) == whole)


async def _unfullscreen(action: Window, wanted: WindowInfo, job: Job) -> Outcome:
    whole = _monitor(action, wanted, job)
    return await _state(job, wanted, "unfullscreen", "no longer full screen", lambda w: w.bounds != whole)


async def _center(action: Window, wanted: WindowInfo, job: Job) -> Outcome:
    whole, size = _monitor(action, wanted, job), _outer(wanted)
    x, y = whole.x + (whole.width - size.width) // 2, whole.y + (whole.height - size.height) // 2
    return await _place(job, wanted, size.model_copy(update={"x": max(x, whole.x), "y": max(y, whole.y)}))


OPS: dict[str, Op] = {
    "focus": _focus,
    "activate": _focus,
    "raise": _focus,
    "move": _move,
    "resize": _resize,
    "set_bounds": _move,
    "maximize": _maximize,
    "minimize": _minimize,
    "restore": _restore,
    "unmaximize": _restore,
    "fullscreen": _fullscreen,
    "exit_fullscreen": _unfullscreen,
    "center": _center,
    "close": _close,
}


async def _state(
    job: Job, wanted: WindowInfo, state: WindowState, word: str, holds: Callable[[WindowInfo], bool]
) -> Outcome:
    await job.hands.windows.set_state(wanted.id, state)
    done = await job.hands.windows.wait_for(lambda ws: any(w.id == wanted.id and holds(w) for w in ws), OBEYS_S)
    return _told(done, wanted, word)


async def _place(job: Job, wanted: WindowInfo, outer: Rect) -> Outcome:
    """`outer` is the place with decoration. A window that only comes in steps may end up a little smaller."""
    frame = wanted.frame or wanted.bounds
    inner = Rect(
        x=outer.x + wanted.bounds.x - frame.x,
        y=outer.y + wanted.bounds.y - frame.y,
        width=max(outer.width - (frame.width - wanted.bounds.width), 1),
        height=max(outer.height - (frame.height - wanted.bounds.height), 1),
    )
    asked = inner
    for _ in range(PLACE_TRIES):
        await job.hands.windows.move_resize(wanted.id, asked)
        if await job.hands.windows.wait_for(lambda ws: _off(ws, wanted, inner) == (0, 0), OBEYS_S / PLACE_TRIES):
            return _told(True, wanted, "where it was to be")
        shown = tuple(entry.info for entry in await job.hands.windows.all_windows())
        # Window managers differ in whether a position means the window or its decoration.
        x, y = _off(shown, wanted, inner)
        asked = asked.model_copy(update={"x": asked.x - x, "y": asked.y - y})
    return _told(False, wanted, "where it was to be")


def _off(shown: tuple[WindowInfo, ...], wanted: WindowInfo, place: Rect) -> tuple[int, int]:
    """How far the window is from its place."""
    now = next((w.bounds for w in shown if w.id == wanted.id), None)
    return (0, 0) if now is None else (now.x - place.x, now.y - place.y)


def _given(action: Window, wanted: WindowInfo) -> Rect:
    outer = _outer(wanted)
    given = {name: getattr(action, name) for name in ("x", "y", "width", "height")}
    if any(size is not None and size < 1 for size in (action.width, action.height)):
        raise TargetError("A window cannot be smaller than a pixel.", "Give a width and height above 0.")
    return outer.model_copy(update={name: value for name, value in given.items() if value is not None})


def _outer(wanted: WindowInfo) -> Rect:
    return wanted.frame or wanted.bounds


def _monitor(action: Window, wanted: WindowInfo, job: Job) -> Rect:
    monitors = job.scene.frame.monitors
    if not monitors:
        return job.scene.frame.bounds
    if action.display is not None:
        if not 0 <= action.display < len(monitors):
            raise TargetError(f"There is no display {action.display}.", f"There are {len(monitors)}, counted from 0.")
        return monitors[action.display].bounds
    return max((m.bounds for m in monitors), key=lambda bounds: bounds.intersection(wanted.bounds).area)


def _part(whole: Rect, parts: tuple[float, float, float, float]) -> Rect:
    x, y, width, height = parts
    return Rect(
        x=whole.x + int(x * whole.width),
        y=whole.y + int(y * whole.height),
        width=int(width * whole.width),
        height=int(height * whole.height),
    )


def _told(done: bool, wanted: WindowInfo, word: str) -> Outcome:
    status: EffectStatus = "observed" if done else "contradicted"
    words = f"{quoted(wanted.title)} is {word if done else f'not {word}'}."
    effect = ObservedEffect(status=status, detail=words)
    result = StepOk() if done else StepErr(message=f"{words} The window manager did not do it; try another way.")
    return Outcome(result, effect)


def _row(shown: WindowInfo) -> dict[str, Json]:
    outer = _outer(shown)
    return {
        "title": shown.title,
        "app": shown.app,
        "active": shown.active,
        "minimized": shown.minimized,
        "x": outer.x,
        "y": outer.y,
        "width": outer.width,
        "height": outer.height,
    }
