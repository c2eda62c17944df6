"""What works on this desktop, and how to mend what does not: the lines of the doctor, in a dialog."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from console.contracts.health import Finding, Health

Examine = Callable[[], Awaitable[Sequence[Finding]]]
WORDS: dict[Health, str] = {"ok": "Works", "warn": "Works with limits", "bad": "Does not work"}
LOOKING = "Looking at what works here…"


class CheckDialog(QDialog):
    """Opened, not executed. It looks as soon as it is there, and again when it is asked to."""

    failed = Signal(object)

    def __init__(self, examine: Examine, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Check this desktop")
        self.resize(640, 480)
        self._examine = examine
        self._task: asyncio.Future[Sequence[Finding]] | None = None
        self.told = QLabel(LOOKING, self)
        self.told.setProperty("kind", "title")
        self.told.setTextFormat(Qt.TextFormat.PlainText)
        self.told.setWordWrap(True)
        self._area = QScrollArea(self)
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._again, close = QPushButton("Check again", self), QPushButton("Close", self)
        self._again.clicked.connect(self.look)
        close.clicked.connect(self.reject)
        self._lay_out(close)
        self.look()

    def look(self) -> None:
        if self._task is None:
            self.told.setText(LOOKING)
            self._again.setEnabled(False)
            self._task = asyncio.ensure_future(self._examine())
            self._task.add_done_callback(self._looked)

    def _looked(self, task: asyncio.Future[Sequence[Finding]]) -> None:
        self._task = None
        if task.cancelled() or not isValid(self):
            return
        self._again.setEnabled(True)
        if (error := task.exception()) is not None:
            self.told.setText("It could not be found out.")
            self.failed.emit(error)
        else:
            self._show(task.result())

    def done(self, result: int) -> None:
        self._leave()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._leave()
        super().closeEvent(event)

    def _leave(self) -> None:
        """What is still looked at is not waited for."""
        if self._task is not None:
            self._task.cancel()

    def _show(self, found: Sequence[Finding]) -> None:
        self.told.setText(verdict(found))
        page = QWidget(self)
        page.setObjectName("page")
        grid = QGridLayout(page)
        grid.setContentsMargins(0, 0, 8, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(10)
        grid.setColumnStretch(2, 1)
        top = Qt.AlignmentFlag.AlignTop
        for row, finding in enumerate(found):
            mark = _label(finding.mark, finding.health)
            mark.setAccessibleName(WORDS[finding.health])
            grid.addWidget(mark, row, 0, top)
            grid.addWidget(_label(finding.part, "strong"), row, 1, top)
            words = QVBoxLayout()
            words.setSpacing(2)
            words.addWidget(_label(finding.text, wrapped=True))
            if finding.mend:
                words.addWidget(_label(f"→ {finding.mend}", finding.health, wrapped=True))
            grid.addLayout(words, row, 2)
        grid.setRowStretch(len(found), 1)
        self._area.setWidget(page)

    def _lay_out(self, close: QPushButton) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(14)
        layout.addWidget(self.told)
        layout.addWidget(self._area, 1)
        row = QHBoxLayout()
        row.addStretch(1)
        for button in (self._again, close):
            button.setAutoDefault(False)
            row.addWidget(button)
        layout.addLayout(row)


def verdict(found: Sequence[Finding]) -> str:
    bad, warned = (sum(one.health == health for one in found) for health in ("bad", "warn"))
    if bad:
        return "A run could not work here yet."
    return "A run can work here, with limits." if warned else "Everything works here."


def _label(text: str, kind: str = "", *, wrapped: bool = False) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(wrapped)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if kind:
        label.setProperty("kind", kind)
    return label
