"""The raw tab: the event as JSON, long ones cut until they are asked for."""

from __future__ import annotations

import json

from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from console.contracts.base import Value

from ..theme import mono_font

CUT = 60_000


class RawTab(QWidget):
    """Makes the text only while it is visible: a reply of megabytes costs nothing until somebody wants it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._value: Value | None = None
        self._dirty = False
        self._whole = ""
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setFont(mono_font())
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName("The event as JSON")
        self._copy = QPushButton("Copy", self)
        self._copy.clicked.connect(self._to_clipboard)
        self._more = QPushButton("Show all", self)
        self._more.clicked.connect(self._show_all)
        self._more.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 10, 14, 10)
        layout.addWidget(self.text, 1)
        buttons = QHBoxLayout()
        buttons.addWidget(self._copy)
        buttons.addWidget(self._more)
        buttons.addStretch(1)
        layout.addLayout(buttons)

    def show_value(self, value: Value | None) -> None:
        self._value, self._dirty = value, True
        if self.isVisible():
            self._make()

    def showEvent(self, event: QShowEvent) -> None:
        if self._dirty:
            self._make()

    def _make(self) -> None:
        self._dirty = False
        dumped = self._value.model_dump(mode="json") if self._value is not None else None
        self._whole = json.dumps(dumped, indent=2, ensure_ascii=False) if dumped is not None else ""
        cut = len(self._whole) > CUT
        self.text.setPlainText(self._whole[:CUT] + ("\n…" if cut else ""))
        self._more.setVisible(cut)
        self._more.setText(f"Show all {len(self._whole):,} characters")
        self._copy.setEnabled(bool(self._whole))

    def _show_all(self) -> None:
        self.text.setPlainText(self._whole)
        self._more.hide()

    def _to_clipboard(self) -> None:
        QGuiApplication.clipboard().setText(self._whole)
