"""The raw tab: the event as JSON, long ones cut until they are asked for."""

from __future__ import annotations

import json

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication, QShowEvent, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from console.contracts.base import Value

from ..theme import mono_font

CUT, SLICE, LONGEST_LINE = 60_000, 100_000, 1_000


class RawTab(QWidget):
    """Makes the text only while it is visible: a reply of megabytes costs nothing until somebody wants it,
    and then it comes in slices, its endless lines folded. What is copied is the whole, unfolded."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._value: Value | None = None
        self._dirty = False
        self._whole = ""
        self._shown = 0
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setUndoRedoEnabled(False)
        self.text.setFont(mono_font())
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName("The event as JSON")
        self.copy = QPushButton("Copy", self)
        self.copy.clicked.connect(self._to_clipboard)
        self.more = QPushButton("Show all", self)
        self.more.clicked.connect(self._show_all)
        self.more.hide()
        self._slices = QTimer(self, interval=0)
        self._slices.timeout.connect(self._show_slice)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 10, 14, 10)
        layout.addWidget(self.text, 1)
        buttons = QHBoxLayout()
        buttons.addWidget(self.copy)
        buttons.addWidget(self.more)
        buttons.addStretch(1)
        layout.addLayout(buttons)

    def show_value(self, value: Value | None) -> None:
        self._value, self._dirty = value, True
        self._slices.stop()
        if self.isVisible():
            self._make()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._dirty:
            self._make()

    @property
    def complete(self) -> bool:
        """Whether everything is shown."""
        return self._shown >= len(self._whole)

    def _make(self) -> None:
        self._dirty = False
        dumped = self._value.model_dump(mode="json") if self._value is not None else None
        self._whole = json.dumps(dumped, indent=2, ensure_ascii=False) if dumped is not None else ""
        self._shown = min(CUT, len(self._whole))
        self.text.setPlainText(folded(self._whole[: self._shown]) + ("" if self.complete else "\n…"))
        self.more.setVisible(not self.complete)
        self.more.setText(f"Show all {len(self._whole):,} characters")
        self.copy.setEnabled(bool(self._whole))

    def _show_all(self) -> None:
        self.more.hide()
        self._shown = 0
        self.text.clear()
        self._slices.start()

    def _show_slice(self) -> None:
        """A slice at a time, so that the window goes on."""
        cursor = QTextCursor(self.text.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(folded(self._whole[self._shown : self._shown + SLICE]))
        self._shown += SLICE
        if self.complete:
            self._slices.stop()

    def _to_clipboard(self) -> None:
        QGuiApplication.clipboard().setText(self._whole)


def folded(text: str) -> str:
    """The text with its endless lines broken: one line of megabytes takes seconds to lay out."""
    lines = text.split("\n")
    if max(map(len, lines)) <= LONGEST_LINE:
        return text
    return "\n".join(
        line[start : start + LONGEST_LINE] for line in lines for start in range(0, max(len(line), 1), LONGEST_LINE)
    )
