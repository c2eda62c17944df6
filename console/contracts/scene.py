"""What the desktop looks like at one moment: the frame, the windows and the elements, before any budget."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from .base import Value
from .geometry import Point, Rect
from .view import Blocker, ElementState

ElementSource = Literal["accessibility", "ocr", "browser"]


class Monitor(Value):
    """One monitor in physical pixels; `scale` is device pixels for each logical one."""

    name: str = ""
    bounds: Rect
    scale: float = 1.0
    primary: bool = False


class Frame(Value):
    """One captured image. `pixels` is packed 8-bit RGB, row by row, and never part of the JSON."""

    id: str
    bounds: Rect
    image_width: int
    image_height: int
    taken_at_ms: int
    monitors: tuple[Monitor, ...] = ()
    blank: bool = False
    pixels: bytes = Field(default=b"", exclude=True, repr=False)

    def to_screen(self, x: float, y: float) -> Point:
        """The physical pixel that image point (x, y) shows."""
        return Point(
            x=self.bounds.x + int(x * self.bounds.width / self.image_width),
            y=self.bounds.y + int(y * self.bounds.height / self.image_height),
        )


class WindowInfo(Value):
    """A visible top-level window; `bounds` is the client area, `frame` includes the decoration."""

    id: int
    title: str = ""
    app: str = ""
    pid: int | None = None
    bounds: Rect
    frame: Rect | None = None
    active: bool = False
    minimized: bool = False
    modal: bool = False
    dialog: bool = False
    menu: bool = False
    transient_for: int | None = None


class SceneElement(Value):
    """Something on the screen that can be named. `id` stays the same from one observation to the next.

    `context` is the text of the row or group it stands in, `actions` the names of its accessibility actions, and
    `protected` marks a password field, whose value is never read.
    """

    id: str
    element_type: str
    label: str = ""
    value: str | None = None
    description: str = ""
    state: ElementState = ElementState()
    bounds: Rect
    clickable: bool = False
    settable: bool = False
    select_options: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    window_id: int | None = None
    window: str = ""
    app: str = ""
    pid: int | None = None
    context: str = ""
    source: ElementSource = "accessibility"
    protected: bool = False


class SceneAnomaly(Value):
    """Something about the observation itself that the planner and the operator should know."""

    kind: str
    description: str
    app: str = ""


class Scene(Value):
    """One observation. Windows stand topmost first; the console's own windows are in none of the lists."""

    id: str
    taken_at_ms: int
    frame: Frame
    windows: tuple[WindowInfo, ...] = ()
    elements: tuple[SceneElement, ...] = ()
    anomalies: tuple[SceneAnomaly, ...] = ()
    blockers: tuple[Blocker, ...] = ()
    capabilities: tuple[str, ...] = ()
    focused_id: str | None = None

    @property
    def active_window(self) -> WindowInfo | None:
        return next((window for window in self.windows if window.active), None)

    def element(self, element_id: str) -> SceneElement | None:
        return next((element for element in self.elements if element.id == element_id), None)

    def window_of(self, element: SceneElement) -> WindowInfo | None:
        return next((window for window in self.windows if window.id == element.window_id), None)

    def element_at(self, point: Point) -> SceneElement | None:
        """The smallest element that covers the point."""
        hits = [element for element in self.elements if element.bounds.contains(point)]
        return min(hits, key=lambda element: element.bounds.area, default=None)

    def window_at(self, point: Point) -> WindowInfo | None:
        """The topmost window that covers the point."""
        return next((w for w in self.windows if not w.minimized and (w.frame or w.bounds).contains(point)), None)
