"""The screen column: live, before or after, with the elements that the planner saw."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget
from shiboken6 import isValid

from console.contracts.errors import ConsoleError
from console.contracts.events import Attempted, Observed, RunEvent
from console.contracts.geometry import Rect
from console.contracts.scene import Frame

from ..buttons import Segments
from ..elided import ElidedLabel
from ..rows import Row
from .canvas import Canvas, Picture
from .moments import Moment, Shown, has_after, shown_at

Loader = Callable[[str], Awaitable[bytes]]
EMPTY = "No picture yet.\n\nDuring a run the screen is shown here, as the planner sees it."
NOT_KEPT = "No picture was kept of this moment."
MOMENTS = (
    ("live", "Live", "The screen now"),
    ("before", "Before", "The screen that the step was planned on, or just before its input"),
    ("after", "After", "When the screen had come to rest"),
)


class ScreenPanel(QWidget):
    """Loads pictures by their names; a late one for a row that is no longer chosen is dropped."""

    failed = Signal(object)

    def __init__(self, load: Loader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._load = load
        self._row: Row | None = None
        self._following = True
        self._latest: Observed | None = None
        self._newest = ""
        self._live: Picture | None = None
        self._running = False
        self._wish: Moment = "live"
        self._wanted: Shown | None = None
        self._fetching: Shown | None = None
        self._task: asyncio.Task[None] | None = None
        self._loaded = ""
        self._empty = EMPTY
        self.canvas = Canvas(self)
        self.canvas.show_picture(None, EMPTY)
        self.canvas.zoomed.connect(self._say)
        self.caption = ElidedLabel("", "small", self)
        self.caption.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.moments = Segments(MOMENTS, "Moment", self)
        self.moments.chosen.connect(self._choose)
        self.elements = QPushButton("Elements ✓", self)
        self.elements.setProperty("kind", "toggle")
        self.elements.setAccessibleName("Outline the elements")
        self.elements.setToolTip("Outline what the planner saw")
        self.elements.setCheckable(True)
        self.elements.setChecked(True)
        self.elements.setFixedSize(self.elements.sizeHint())
        self.elements.toggled.connect(self._toggle_outlines)
        self._frame = ""
        self._lay_out()
        self.clear()

    @property
    def moment(self) -> Moment:
        return next(moment for moment in ("live", "before", "after") if moment == self.moments.current)

    def set_moment(self, moment: Moment) -> None:
        self._wish = moment
        self.moments.press(moment)
        self._refresh()

    def show_row(self, row: Row, following: bool = False) -> None:
        """The pictures of a row. While one follows the run, and it does not wait, the screen stays live."""
        self._row, self._following = row, following
        self._settle()

    def show_event(self, event: RunEvent) -> None:
        """Keep track of what is newest."""
        if isinstance(event, Observed):
            self._latest = event
        newest = {Observed: "screenshot", Attempted: "after"}.get(type(event))
        self._newest = (newest and getattr(event, newest)) or self._newest
        if newest and self.moment == "live":
            self._refresh()

    @property
    def wants_live(self) -> bool:
        return self.moment == "live" and self.isVisible()

    def show_live(self, frame: Frame | None) -> None:
        """The screen right now; None forgets the last one. The pixels are copied, so the frame may go."""
        before, self._live = self._live, picture_of(frame) if frame is not None else None
        if self.moment == "live" and self._live is not before:
            self._refresh()

    def show_problem(self, words: str) -> None:
        """Why there is nothing to see, where there is no picture to look at instead."""
        self._empty = words
        if self.canvas.picture is None:
            self._show_none(words)

    def set_running(self, running: bool) -> None:
        """Only a run has a live screen."""
        self._running = running
        self._live = self._live if running else None
        self._settle()

    def clear(self) -> None:
        self._row, self._latest, self._live, self._newest, self._frame = None, None, None, "", ""
        self._wanted, self._following, self._wish = None, True, "live"
        self.canvas.mark((), None, None)
        self._empty = EMPTY
        self._show_none(EMPTY)
        self._settle()

    def _choose(self, moment: Moment) -> None:
        self._wish = moment
        self._refresh()

    def _settle(self) -> None:
        """Press the moment that is wished for, as far as there is one."""
        live, after = self._running, has_after(self._row)
        self.moments.button("live").setEnabled(live)
        self.moments.button("after").setEnabled(after)
        self.moments.button("before").setEnabled(self._row is not None)
        tail = live and self._following and not (self._row and self._row.waits)
        moment = self._wish
        if (moment == "live" and not tail and self._row is not None) or (moment == "after" and not after):
            moment = "before"
        self.moments.press(moment)
        self._refresh()

    def _refresh(self) -> None:
        shown = shown_at(self.moment, self._row, self._latest, self._newest)
        self._wanted, self._frame = shown, shown.frame.rpartition("-")[2]
        if self.moment == "live" and self._live is not None:
            self._show(shown, self._live)
        elif shown.name and shown.name == self._loaded and self.canvas.picture is not None:
            self._show(shown, self.canvas.picture)
        elif shown.name:
            self._fetch_wanted()
        else:
            self.canvas.mark((), None, None)
            self._show_none(NOT_KEPT if self._row or self._latest else self._empty)

    def _fetch_wanted(self) -> None:
        """One at a time: whatever was wished for in the meantime is looked at when it is here."""
        if self._task is None and self._wanted is not None and self._wanted.name:
            self._fetching = self._wanted
            self._task = asyncio.ensure_future(self._fetch(self._wanted))
            self._task.add_done_callback(self._fetched)

    async def _fetch(self, shown: Shown) -> None:
        try:
            data = await self._load(shown.name)
        except ConsoleError as error:
            if isValid(self) and self._wanted is shown:
                self._show_none(error.sentence())
            return
        if not isValid(self) or self._wanted is not shown:
            return
        image = QImage.fromData(data)
        if image.isNull():
            self._show_none("This picture cannot be read; the file may be damaged.")
            return
        self._show(shown, Picture(image, Rect(x=0, y=0, width=image.width(), height=image.height())))

    def _fetched(self, task: asyncio.Task[None]) -> None:
        self._task = None
        if task.cancelled() or not isValid(self):
            return
        if (error := task.exception()) is not None:
            self.failed.emit(error)
        elif self._wanted is not None and self._wanted is not self._fetching:
            self._fetch_wanted()

    def _show_none(self, words: str) -> None:
        self._loaded = ""
        self.canvas.show_picture(None, words)
        self._say()

    def _show(self, shown: Shown, picture: Picture) -> None:
        self._loaded = shown.name if picture is not self._live else ""
        self.canvas.mark(shown.outlines, shown.target, shown.point)
        self.canvas.show_picture(picture)
        self._say()

    def _toggle_outlines(self, on: bool) -> None:
        self.elements.setText("Elements ✓" if on else "Elements")
        self.canvas.set_outlines(on)

    def _say(self, _: float = 0) -> None:
        picture, canvas = self.canvas.picture, self.canvas
        self._whole.setText("100 %" if canvas.fits else "Fit")
        self._whole.setToolTip("One pixel for one pixel" if canvas.fits else "The whole screen")
        for tool in self._tools:
            tool.setEnabled(picture is not None)
        if picture is None:
            self.caption.say("")
            return
        size = f"{picture.bounds.width}×{picture.bounds.height}"
        zoom = f"{'fit ' if canvas.fits else ''}{canvas.scale * 100:.0f} %"
        source = "live" if picture is self._live else f"frame {self._frame}" if self._frame else ""
        self.caption.say(*([f"{source} · {size} · {zoom}"] if source else []), f"{size} · {zoom}", zoom)

    def _toggle_fit(self) -> None:
        if self.canvas.fits:
            self.canvas.zoom_to(1.0)
        else:
            self.canvas.fit()

    def _tool(self, text: str, tip: str, act: Callable[[], None]) -> QToolButton:
        tool = QToolButton(self)
        tool.setText(text)
        tool.setToolTip(tip)
        tool.setAccessibleName(tip)
        tool.setProperty("kind", "tool")
        tool.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        tool.clicked.connect(lambda _=False: act())
        return tool

    def _lay_out(self) -> None:
        self._whole = self._tool("100 %", "One pixel for one pixel", self._toggle_fit)
        self._tools = (
            self._tool("−", "Smaller", self.canvas.smaller),
            self._tool("+", "Larger", self.canvas.larger),
            self._whole,
        )
        tools = QHBoxLayout()
        tools.setSpacing(2)
        tools.addWidget(self.moments)
        tools.addSpacing(6)
        tools.addWidget(self.elements)
        tools.addSpacing(6)
        tools.addWidget(self.caption, 1)
        for tool in self._tools:
            tools.addWidget(tool)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 10, 14, 12)
        layout.setSpacing(10)
        layout.addLayout(tools)
        layout.addWidget(self.canvas, 1)


def picture_of(frame: Frame) -> Picture:
    """A copy of its pixels."""
    width, height = frame.image_width, frame.image_height
    wrapped = QImage(frame.pixels, width, height, 3 * width, QImage.Format.Format_RGB888)
    return Picture(wrapped.copy(), frame.bounds)
