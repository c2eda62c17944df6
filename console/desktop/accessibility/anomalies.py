"""What can be wrong with reading applications, in words."""

from __future__ import annotations

from collections.abc import Sequence

from console.contracts.scene import SceneAnomaly, WindowInfo

from .bus import AccessibilityError
from .node import TreeRead

FLAG = "--force-renderer-accessibility"
_CHROMIUM = ("chrom", "electron", "brave", "microsoft-edge", "vivaldi", "opera")


def none_at_all(error: AccessibilityError) -> SceneAnomaly:
    return SceneAnomaly(kind="no_accessibility", description=error.sentence())


def silent(app: str) -> SceneAnomaly:
    return SceneAnomaly(
        kind="app_not_answering", description=f"{app or 'An application'} does not answer; it was skipped.", app=app
    )


def took_too_long(app: str) -> SceneAnomaly:
    return SceneAnomaly(kind="truncated", description=f"Reading {app or 'an application'} took too long.", app=app)


def unreadable(app: str, count: int) -> SceneAnomaly:
    """`count` is 0 if nothing of it could be read."""
    if not count:
        return SceneAnomaly(kind="unreadable_app", description=f"{app or 'An application'} could not be read.", app=app)
    what = "1 element" if count == 1 else f"{count} elements"
    return SceneAnomaly(kind="unreadable_nodes", description=f"{what} of {app} could not be read.", app=app)


def of_reads(reads: Sequence[TreeRead], app: str, lost: int) -> tuple[SceneAnomaly, ...]:
    """What an application has too much of, and what of it failed; `lost` counts whole toplevels."""
    found: list[SceneAnomaly] = []
    if any(read.truncated for read in reads):
        found.append(SceneAnomaly(kind="truncated", description=f"{app} has more elements than were read.", app=app))
    if count := lost + sum(read.unreadable for read in reads):
        found.append(unreadable(app, count))
    return tuple(found)


def is_chromium(window: WindowInfo, toolkit: str | None) -> bool:
    """Whether the application is built on Chromium, by its own word or by its name."""
    return (toolkit or "").casefold() == "chromium" or any(name in window.app.casefold() for name in _CHROMIUM)


def switched_off(window: WindowInfo) -> SceneAnomaly:
    text = f"Accessibility is off in {window.app or window.title}. Start it with {FLAG} to see its elements."
    return SceneAnomaly(kind="accessibility_off", description=text, app=window.app)
