"""`operator-console observe`: what a planner would see now."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from console.contracts.desktop import Desktop, ImageMedia
from console.contracts.errors import ConsoleError, TargetError
from console.contracts.scene import Scene
from console.contracts.view import PlanningElement, PlanningView, RunProgress, ViewBudget
from console.core.view import build_view

from .exits import Exit, WrongUse
from .output import Output, harmless
from .wiring import Wiring

_MEDIA: dict[str, ImageMedia] = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg"}


async def observe(args: Namespace, wiring: Wiring, output: Output) -> int:
    media = _media(args.image)
    desk = await wiring.open_desk(None, output.problem)
    try:
        scene = await desk.desktop.observe(args.goal)
        shown = _of_app(scene, args.app) if args.app else scene
        view = build_view(shown, args.goal, budget=ViewBudget(), progress=RunProgress())
        if media is not None:
            await _save(desk.desktop, scene, Path(args.image), media)
    finally:
        await desk.desktop.close()
    if args.json:
        output.json(view.model_dump(mode="json"))
    else:
        for line in _lines(view):
            output.line(line)
    return Exit.SUCCEEDED


def _media(image: str | None) -> ImageMedia | None:
    if image is None:
        return None
    media = _MEDIA.get(Path(image).suffix.casefold())
    if media is None:
        raise WrongUse(f"“{image}” is no name of a picture. It has to end in .png or .jpg.")
    return media


def _of_app(scene: Scene, app: str) -> Scene:
    """Only what belongs to the application; its name may be shortened and in any case."""
    wanted = app.casefold()
    windows = tuple(window for window in scene.windows if wanted in window.app.casefold())
    ids = {window.id for window in windows}
    elements = tuple(e for e in scene.elements if e.window_id in ids or wanted in e.app.casefold())
    if not windows and not elements:
        there = sorted({window.app for window in scene.windows if window.app})
        raise TargetError(f"“{app}” is not on the screen.", f"These are: {', '.join(there) or 'none'}.")
    return scene.model_copy(update={"windows": windows, "elements": elements})


async def _save(desktop: Desktop, scene: Scene, path: Path, media: ImageMedia) -> None:
    data = await desktop.screenshot(scene.frame, media)
    try:
        path.write_bytes(data)  # noqa: ASYNC240 - nothing else runs in this loop
    except OSError as error:
        raise ConsoleError(f"The screenshot could not be saved: {error.strerror}.", "Choose another file.") from error


def _lines(view: PlanningView) -> list[str]:
    screen = view.screen
    lines = [f"{harmless(screen.window or 'No active window')}  ({harmless(screen.active_app or 'no application')})"]
    lines += [f"!  {harmless(blocker.description)}" for blocker in view.blockers]
    lines += [f"!  {harmless(anomaly.description)}" for anomaly in view.anomalies]
    lines += [_element(element) for element in view.elements]
    left_out = view.omitted_counts.elements
    return [*lines, f"   {left_out} more were left out"] if left_out else lines


def _element(element: PlanningElement) -> str:
    state = element.state
    words = [
        word
        for word, holds in (
            ("focused", state.focused),
            ("selected", state.selected),
            ("disabled", not state.enabled),
            ("ticked", state.checked),
            ("open", state.expanded),
        )
        if holds
    ]
    label = harmless(element.label or "") + (f" = {harmless(element.value)}" if element.value else "")
    tail = f"  ({', '.join(words)})" if words else ""
    return f"   {harmless(element.id):<12} {harmless(element.element_type):<12} {label}{tail}"
