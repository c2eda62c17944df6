"""A window that receives: it mirrors its fields to a file and logs every key, button and wheel event it gets.

Run as a program: `receiver.py FOLDER [--title TITLE] [--delay MS]`.
The folder gets `state.json`, always whole, and `events.jsonl`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QObject, QRect, QTimer
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

_KINDS = {
    QEvent.Type.KeyPress: "key_press",
    QEvent.Type.KeyRelease: "key_release",
    QEvent.Type.MouseButtonPress: "press",
    QEvent.Type.MouseButtonRelease: "release",
    QEvent.Type.MouseButtonDblClick: "press",
    QEvent.Type.Wheel: "wheel",
}


class Log(QObject):
    """Writes a line for each event that reaches a widget."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._file = path.open("a", encoding="utf-8", buffering=1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = _KINDS.get(event.type())
        if kind is not None and isinstance(watched, QWidget):
            line = {"t": time.monotonic(), "kind": kind, "widget": watched.objectName(), **_details(event)}
            self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        return False


def _details(event: QEvent) -> dict[str, Any]:
    if isinstance(event, QKeyEvent):
        return {
            "keysym": event.nativeVirtualKey(),
            "text": event.text(),
            "modifiers": event.modifiers().value,
            "repeat": event.isAutoRepeat(),
        }
    if isinstance(event, QWheelEvent):
        return {"dx": event.angleDelta().x(), "dy": event.angleDelta().y(), "modifiers": event.modifiers().value}
    if isinstance(event, QMouseEvent):
        where = event.globalPosition()
        return {"button": event.button().name, "x": where.x(), "y": where.y(), "modifiers": event.modifiers().value}
    return {}


class Receiver(QWidget):
    """A text, a line, a button that counts, and a tick box."""

    def __init__(self, folder: Path, title: str, delay_ms: int) -> None:
        super().__init__()
        self._folder = folder
        self._clicks = 0
        self.setWindowTitle(title)
        self.text = QPlainTextEdit(objectName="text", accessibleName="Text")
        self.line = QLineEdit(objectName="line", accessibleName="Line")
        self.button = QPushButton("Count", objectName="button")
        self.tick = QCheckBox("Tick me", objectName="tick")
        self.count = QLabel("Count: 0", objectName="count")
        box = QVBoxLayout(self)
        for widget in (self.text, self.line, self.button, self.tick, self.count):
            box.addWidget(widget)
        self.text.textChanged.connect(self.mirror)
        self.line.textChanged.connect(self.mirror)
        self.tick.toggled.connect(self.mirror)
        self.button.clicked.connect(lambda: QTimer.singleShot(delay_ms, self._counted))
        self.text.setFocus()
        self.resize(480, 360)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange:
            self.mirror()

    def moveEvent(self, event: QEvent) -> None:
        QTimer.singleShot(0, self.mirror)

    def resizeEvent(self, event: QEvent) -> None:
        QTimer.singleShot(0, self.mirror)

    def mirror(self) -> None:
        """Write the state so that a reader finds the old one or the new one, whole."""
        state = {
            "active": self.isActiveWindow(),
            "text": self.text.toPlainText(),
            "line": self.line.text(),
            "ticked": self.tick.isChecked(),
            "clicks": self._clicks,
            "places": {w.objectName(): self._place(w) for w in (self.text, self.line, self.button, self.tick)},
        }
        new = self._folder / "state.new"
        new.write_text(json.dumps(state, ensure_ascii=False), encoding="utf-8")
        os.replace(new, self._folder / "state.json")

    def _counted(self) -> None:
        self._clicks += 1
        self.count.setText(f"Count: {self._clicks}")
        self.mirror()

    def _place(self, widget: QWidget) -> list[int]:
        ratio = self.devicePixelRatioF()
        place = QRect(widget.mapToGlobal(widget.rect().topLeft()), widget.size())
        return [round(n * ratio) for n in (place.x(), place.y(), place.width(), place.height())]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--title", default="Receiver")
    parser.add_argument("--delay", type=int, default=0, help="milliseconds until a click on the button shows")
    options = parser.parse_args()
    app = QApplication(["receiver"])
    log = Log(options.folder / "events.jsonl")
    app.installEventFilter(log)
    window = Receiver(options.folder, options.title, options.delay)
    window.show()
    window.activateWindow()
    return app.exec()


if __name__ == "__main__":
    sys.exit(main())
