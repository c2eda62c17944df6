"""One look at the desktop: pixels, windows and elements together, as a `Scene`."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Sequence

from console.contracts.errors import CaptureError
from console.contracts.scene import Frame, Scene, SceneAnomaly, SceneElement, WindowInfo
from console.contracts.view import Blocker

from .accessibility.matching import Covers
from .accessibility.reader import AccessibilityReader, AccessibilitySnapshot
from .capture import Capture, as_image
from .ocr import Ocr
from .windows import Listed, WindowSystem

_VEIL = (128, 128, 128)
_SIGN_IN = ("sign in", "log in", "password required", "authentication required", "authenticate")


class Observer:
    """Looks with all that there is; what is missing is said in the scene."""

    def __init__(self, capture: Capture, windows: WindowSystem, reader: AccessibilityReader, ocr: Ocr | None) -> None:
        self._capture = capture
        self._windows = windows
        self._reader = reader
        self._ocr = ocr
        self._ids = itertools.count(1)

    async def observe(self, goal: str) -> Scene:
        """Raises `CaptureError` or `DesktopUnavailable`; everything else becomes an anomaly."""
        listed, frame = await asyncio.gather(self._windows.all_windows(), self._capture.grab())
        windows = with_an_active(tuple(entry.info for entry in listed if not entry.own))
        frame = without_own(frame, listed)
        snapshot = await self._reader.read(windows, frame)
        pixels = await self._pixels(frame, windows, snapshot)
        elements = tuple(e for e in (*snapshot.elements, *pixels) if not e.bounds.intersection(frame.bounds).empty)
        return Scene(
            id=f"scene-{next(self._ids)}",
            taken_at_ms=time.time_ns() // 1_000_000,
            frame=frame,
            windows=windows,
            elements=elements,
            anomalies=(*snapshot.anomalies, *self._anomalies(frame, windows)),
            blockers=blockers(windows, elements),
            capabilities=(
                "native_input",
                "capture",
                *(("accessibility",) if snapshot.covered else ()),
                *(("ocr",) if self._ocr else ()),
            ),
            focused_id=snapshot.focused_id,
        )

    async def _pixels(
        self, frame: Frame, windows: Sequence[WindowInfo], snapshot: AccessibilitySnapshot
    ) -> tuple[SceneElement, ...]:
        """The text of visible windows that have no tree. An app that does not answer is read as well."""
        if self._ocr is None:
            return ()
        bare = [(w, w.bounds) for w in windows if w.id not in snapshot.covered and _worth_reading(w)]
        # Only of the active window: reading pixels takes its time, and what has not changed is not read again.
        bare += [(w, area) for w in windows if w.active for id_, area in snapshot.mute if id_ == w.id]
        if not bare:
            return ()
        read = await self._ocr.read(frame, bare)
        covers = Covers(windows)
        return tuple(element for element in read if not covers.hide(element))

    def _anomalies(self, frame: Frame, windows: Sequence[WindowInfo]) -> tuple[SceneAnomaly, ...]:
        found: list[SceneAnomaly] = []
        if frame.blank:
            found.append(SceneAnomaly(kind="blank_screen", description="The screen looks blank."))
        if self._ocr is not None and self._ocr.problem is not None:
            found.append(self._ocr.problem)
        return tuple(found)


def _worth_reading(window: WindowInfo) -> bool:
    return not window.minimized and (not window.menu or window.bounds.width > 40)


def with_an_active(windows: tuple[WindowInfo, ...]) -> tuple[WindowInfo, ...]:
    """With the focus on the console or on nothing, the topmost application counts as active: it gets the focus back."""
    if any(window.active for window in windows):
        return windows
    top = next((w.id for w in windows if not w.minimized and not w.menu), None)
    return tuple(w.model_copy(update={"active": True}) if w.id == top else w for w in windows)


def without_own(frame: Frame, listed: Sequence[Listed]) -> Frame:
    """The console's own windows painted over, because it must not see itself either."""
    own = [entry.info for entry in listed if entry.own and not entry.info.minimized]
    if not own:
        return frame
    image = as_image(frame)
    across, down = frame.image_width / frame.bounds.width, frame.image_height / frame.bounds.height
    for window in own:
        box = (window.frame or window.bounds).intersection(frame.bounds)
        if box.empty:
            continue
        left, top = (box.x - frame.bounds.x) * across, (box.y - frame.bounds.y) * down
        image.paste(_VEIL, (int(left), int(top), int(left + box.width * across), int(top + box.height * down)))
    return frame.model_copy(update={"pixels": image.tobytes()})


def blockers(windows: Sequence[WindowInfo], elements: Sequence[SceneElement]) -> tuple[Blocker, ...]:
    """Dialogs that stand before their application, and questions for a password."""
    found: list[Blocker] = []
    for window in windows:
        if window.minimized or not (window.modal or (window.dialog and window.active)):
            continue
        inside = [e for e in elements if e.window_id == window.id]
        first = next((e.id for e in sorted(inside, key=lambda e: e.element_type != "button") if e.clickable), None)
        words = window.title or window.app or "A dialog"
        found.append(Blocker(kind="modal_dialog", description=f"“{words}” is open.", element_id=first))
        text = f"{window.title} {' '.join(e.label for e in inside)}".casefold()
        if any(mark in text for mark in _SIGN_IN) and any(e.protected for e in inside):
            found.append(Blocker(kind="auth_required", description=f"“{words}” asks for a password.", element_id=first))
    return tuple(found)


async def picture_of(capture: Capture) -> Frame | None:
    """A frame, or None where the screen cannot be captured just now."""
    try:
        return await capture.grab()
    except CaptureError:
        return None
