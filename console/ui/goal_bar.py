"""The top of the window: the goal, the planner, the limits, the state, and the four controls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QComboBox, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from console.contracts.events import RunPhase
from console.contracts.settings import LimitSettings

from .buttons import KeyButton
from .commands import command, shown_shortcut
from .goal_entry import GoalEntry
from .limits_button import LimitsButton
from .more_menu import MoreButton
from .pill import Pill

ONE_ROW, CONTROL_HEIGHT = 1180, 32
_KINDS = {"run": "primary", "stop": "stop"}


@dataclass(frozen=True)
class PlannerChoice:
    name: str
    title: str


class GoalBar(QFrame):
    """Shows the state; says what the operator wants. The actions of the window are enabled here and nowhere else."""

    run_wanted = Signal(str, str, object)

    def __init__(
        self,
        planners: Sequence[PlannerChoice],
        limits: LimitSettings,
        actions: dict[str, QAction],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("top")
        self._actions = actions
        self.entry = GoalEntry(self)
        self.planner = QComboBox(self)
        self.planner.setAccessibleName("Planner")
        self.planner.setToolTip("Who decides what to do next")
        for choice in planners:
            self.planner.addItem(choice.title, choice.name)
        self.limits = LimitsButton(limits, self)
        self.pill = Pill(self)
        self.buttons = {key: self._button(key, actions[key]) for key in ("run", "pause", "step", "stop")}
        self.more = MoreButton(actions, self.entry, self)
        self._phase = RunPhase.READY
        self._running = False
        self._lay_out()
        self.entry.textChanged.connect(self._refresh)
        self.entry.run_wanted.connect(self.want_run)
        self._refresh()

    @property
    def goal(self) -> str:
        return self.entry.toPlainText().strip()

    def want_run(self) -> None:
        if self.goal and not self._running:
            self.run_wanted.emit(self.goal, self.planner.currentData(), self.limits.limits())

    def choose_planner(self, name: str) -> None:
        """Choose it, if there is such a one."""
        self.planner.setCurrentIndex(max(self.planner.findData(name), 0))

    def show_limits(self, limits: LimitSettings) -> None:
        self.limits.show_limits(limits)

    def show_running(self, running: bool) -> None:
        """What belongs to the next run makes room while one is under way."""
        self._running = running
        self.entry.lock(running)
        self._refresh()

    def show_phase(self, phase: RunPhase) -> None:
        self._phase = phase
        self._refresh()

    def _refresh(self) -> None:
        """The pill, and which controls make sense."""
        running, steerable = self._running, self._running and self._phase is not RunPhase.STOPPING
        self.pill.show_phase(self._phase)
        for widget in (self.planner, self.limits, self.buttons["run"]):
            widget.setVisible(not running)
        for key in ("pause", "step"):
            self.buttons[key].setVisible(running)
            self._actions[key].setEnabled(steerable)
        self._actions["run"].setEnabled(not running and bool(self.goal))
        self._actions["stop"].setEnabled(running)
        self.buttons["pause"].show_words("Resume" if self._phase is RunPhase.PAUSED else command("pause").text)
        for key, button in self.buttons.items():
            button.setEnabled(self._actions[key].isEnabled())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow window has the controls under the goal."""
        super().resizeEvent(event)
        one_row = self.width() >= ONE_ROW
        way = QBoxLayout.Direction.LeftToRight if one_row else QBoxLayout.Direction.TopToBottom
        if self._rows.direction() != way:
            self._rows.setDirection(way)
            self._rows.setStretch(1, 0)

    def _button(self, key: str, action: QAction) -> KeyButton:
        row = command(key)
        button = KeyButton(row.text, shown_shortcut(row), _KINDS.get(key, ""), self)
        button.setToolTip(action.toolTip())
        button.clicked.connect(action.trigger)
        return button

    def _lay_out(self) -> None:
        self._rows = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._rows.setContentsMargins(12, 10, 12, 10)
        self._rows.setSpacing(8)
        controls = QHBoxLayout()
        controls.setSpacing(8)
        for widget in (self.planner, self.limits):
            controls.addWidget(widget)
        controls.addStretch(1)
        for shown in (self.pill, *self.buttons.values(), self.more):
            controls.addWidget(shown)
        for control in (self.planner, self.limits, *self.buttons.values(), self.more):
            control.setFixedHeight(CONTROL_HEIGHT)
        column = QVBoxLayout()
        column.setContentsMargins(0, 1, 0, 0)
        column.addLayout(controls)
        column.addStretch(1)
        self._rows.addWidget(self.entry, 1, Qt.AlignmentFlag.AlignTop)
        self._rows.addLayout(column)
