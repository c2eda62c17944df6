"""The limits of the next run, in words, with a small form that drops down."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QSpinBox, QToolButton, QWidget, QWidgetAction

from console.contracts.outcome import RunLimits
from console.contracts.settings import LimitSettings


class LimitsButton(QToolButton):
    """Reads “80 steps · 15 min”."""

    def __init__(self, limits: LimitSettings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolTip("A run ends at these limits; waiting for you is not counted")
        menu = QMenu(self)
        form = QWidget(menu)
        layout = QHBoxLayout(form)
        layout.setContentsMargins(12, 8, 12, 8)
        self.steps, self.minutes = QSpinBox(form), QSpinBox(form)
        self.steps.setRange(1, 10_000)
        self.steps.setAccessibleName("Steps at most")
        self.minutes.setRange(1, 1_440)
        self.minutes.setAccessibleName("Minutes at most")
        for text, box in (("At most", self.steps), ("steps and", self.minutes)):
            layout.addWidget(QLabel(text, form))
            layout.addWidget(box)
            box.valueChanged.connect(self._say)
        layout.addWidget(QLabel("minutes", form))
        action = QWidgetAction(menu)
        action.setDefaultWidget(form)
        menu.addAction(action)
        self.setMenu(menu)
        self._limits = limits
        self.show_limits(limits)

    def show_limits(self, limits: LimitSettings) -> None:
        self._limits = limits
        self.steps.setValue(limits.max_steps)
        self.minutes.setValue(max(1, round(limits.timeout_s / 60)))
        self._say()

    def limits(self) -> RunLimits:
        return RunLimits(
            max_steps=self.steps.value(),
            timeout_ms=self.minutes.value() * 60_000,
            max_cost_usd=self._limits.max_cost_usd or None,
            max_tokens=self._limits.max_tokens or None,
        )

    def _say(self) -> None:
        words = f"{self.steps.value()} steps · {self.minutes.value()} min"
        self.setText(f"{words} ▾")
        self.setAccessibleName(f"Limits of the run: {words}")
