"""The screen column: live, before or after, with the elements that the planner saw."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from console.contracts.errors import ConsoleError
from console.contracts.events import ActionIntended, ApprovalAsked, Attempted, Observed
from console.contracts.geometry import Point, Rect

from ..run_model import Row
from .canvas import Canvas, Picture

log = logging.getLogger(__name__)
Loader = Callable[[str], Awaitable[bytes]]
Moment = Literal["live", "before", "after"]
EMPTY = "No picture yet.\n\nDuring a run the screen is shown here as the planner saw it."


class ScreenPanel(QWidget):
    """Loads pictures by their names; a late one for a row that is no longer chosen is dropped."""

    def __init__(self, load: Loader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._load = load
        self._row: Row | None = None
        self._latest: Observed | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._wanted = ""
        self.canvas = Canvas(self)
        self.canvas.show_picture(None, EMPTY)
        self.canvas.zoomed.connect(self._say)
        self._caption = QLabel("", self)
        self._caption.setProperty("kind", "small")
        self._moments = QButtonGroup(self)
        self._buttons: dict[Moment, QPushButton] = {}
        self._elements = QPushButton("Elements", self)
        self._elements.setProperty("kind", "segment")
        self._elements.setCheckable(True)
        self._elements.setChecked(True)
        self._elements.setToolTip("Outline what the planner saw")
        self._elements.toggled.connect(self._toggle_outlines)
        self._frame_text = ""
        self._lay_out()

    @property
    def moment(self) -> Moment:
        return next((m for m, button in self._buttons.items() if button.isChecked()), "live")

    def set_moment(self, moment: Moment) -> None:
        self._buttons[moment].setChecked(True)
        self._refresh()

    def show_row(self, row: Row) -> None:
        """The pictures of a row; before an attempt has ended there is only the one it was planned on."""
        self._row = row
        attempted = isinstance(row.event, Attempted)
        for moment in ("before", "after"):
            self._buttons[moment].setEnabled(attempted)
        if attempted and self.moment == "live":
            self._buttons["before"].setChecked(True)
        if not attempted:
            self._buttons["live"].setChecked(True)
        self._refresh()

    def show_latest(self, seen: Observed) -> None:
        self._latest = seen
        if self.moment == "live":
            self._refresh()

    def clear(self) -> None:
        self._row, self._latest, self._wanted = None, None, ""
        self.canvas.mark((), None, None)
        self.canvas.show_picture(None, EMPTY)
        self._frame_text = ""
        self._say()

    def _refresh(self) -> None:
        row, event = self._row, self._row.event if self._row else None
        seen = (row.seen if row and row.seen else None) or self._latest
        name = seen.screenshot if seen else None
        target, point = None, None
        if isinstance(event, Attempted) and self.moment != "live":
            name = event.before if self.moment == "before" else event.after
        if isinstance(event, Attempted | ActionIntended) and event.target and self.moment != "after":
            target, point = event.target.bounds, event.target.point
        if isinstance(event, ApprovalAsked):
            target, point = event.request.target.bounds, event.request.target.point
        if seen is None:
            return
        outlines = [e.bounds for e in seen.view.elements if e.bounds is not None]
        self._show(name, seen, outlines if self.moment != "after" else [], target, point)

    def _show(
        self, name: str | None, seen: Observed, outlines: list[Rect], target: Rect | None, point: Point | None
    ) -> None:
        self._wanted = name or ""
        self._frame_text = seen.frame_id.rpartition("-")[2]
        if not name:
            self.canvas.mark((), None, None)
            self.canvas.show_picture(None, "No picture was kept of this moment.")
            self._say()
            return
        task = asyncio.ensure_future(self._fetch(name, outlines, target, point))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _fetch(self, name: str, outlines: list[Rect], target: Rect | None, point: Point | None) -> None:
        try:
            image = QImage.fromData(await self._load(name))
        except ConsoleError as error:
            if self._wanted == name:
                self.canvas.show_picture(None, error.sentence())
            return
        if self._wanted != name:
            return
        bounds = Rect(x=0, y=0, width=image.width(), height=image.height())
        self.canvas.mark(outlines, target, point)
        self.canvas.show_picture(Picture(image.copy(), bounds))
        self._say()

    def _toggle_outlines(self, on: bool) -> None:
        self.canvas.show_outlines = on
        self.canvas.update()

    def _say(self, _: float = 0) -> None:
        picture = self.canvas._picture
        if picture is None:
            self._caption.setText("")
            return
        how = f"fit {self.canvas.scale * 100:.0f} %" if self.canvas.fits else f"{self.canvas.scale * 100:.0f} %"
        self._caption.setText(f"{picture.bounds.width}×{picture.bounds.height} · {how}")
        self._caption.setToolTip(f"Frame {self._frame_text}")

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 10, 14, 12)
        layout.setSpacing(10)
        tools = QHBoxLayout()
        tools.setSpacing(4)
        for moment, text, tip in (
            ("live", "Planned on", "The screen as the planner saw it"),
            ("before", "Before", "Just before the input"),
            ("after", "After", "When the screen had come to rest"),
        ):
            button = QPushButton(text, self)
            button.setProperty("kind", "segment")
            button.setCheckable(True)
            button.setToolTip(tip)
            button.clicked.connect(self._refresh)
            self._moments.addButton(button)
            self._buttons[moment] = button  # type: ignore[index]
            tools.addWidget(button)
        self._buttons["live"].setChecked(True)
        tools.addSpacing(8)
        tools.addWidget(self._elements)
        tools.addStretch(1)
        tools.addWidget(self._caption)
        for text, tip, act in (
            ("−", "Smaller", lambda: self.canvas.zoom_to(self.canvas.scale / 1.25)),
            ("+", "Larger", lambda: self.canvas.zoom_to(self.canvas.scale * 1.25)),
            ("1:1", "One pixel for one pixel", lambda: self.canvas.zoom_to(1.0)),
            ("Fit", "The whole screen", self.canvas.fit),
        ):
            zoom = QToolButton(self)
            zoom.setText(text)
            zoom.setToolTip(tip)
            zoom.setAccessibleName(tip)
            zoom.setProperty("kind", "link")
            zoom.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            zoom.clicked.connect(lambda _=False, act=act: act())
            tools.addWidget(zoom)
        layout.addLayout(tools)
        layout.addWidget(self.canvas, 1)
