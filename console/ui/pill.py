"""The state of the run in words, with a colour that is never the only sign."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.contracts.events import RunPhase

from .theme import Tone, base_font, mixed, theme

_TONES: dict[RunPhase, Tone] = {
    RunPhase.READY: "",
    RunPhase.WAITING: "warn",
    RunPhase.PAUSED: "warn",
    RunPhase.STOPPING: "danger",
    RunPhase.STOPPED: "warn",
    RunPhase.DONE: "ok",
    RunPhase.FAILED: "danger",
    RunPhase.REFUSED: "ask",
    RunPhase.INTERRUPTED: "warn",
}


class Pill(QWidget):
    """As wide as its longest word, so that nothing beside it moves."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.phase = RunPhase.READY
        font = base_font()
        font.setBold(True)
        self._font = font
        metrics = QFontMetrics(font)
        width = max(metrics.horizontalAdvance(f"● {phase.value}") for phase in RunPhase)
        self.setFixedSize(width + 24, 28)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("State: Ready")

    def show_phase(self, phase: RunPhase) -> None:
        self.phase = phase
        self.setAccessibleName(f"State: {phase.value}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = theme.tokens
        color = tokens.tone(_TONES.get(self.phase, "accent"))
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(mixed(color, tokens.surface, 0.12)))
        radius = self.height() / 2
        painter.drawRoundedRect(self.rect(), radius, radius)
        painter.setFont(self._font)
        painter.setPen(QColor(color))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, f"● {self.phase.value}")
