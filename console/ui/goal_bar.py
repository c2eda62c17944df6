"""The top of the window: the goal, the planner, the limits, the state, and the four controls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
    QWidgetAction,
)

from console.contracts.events import RunPhase
from console.contracts.outcome import RunLimits
from console.contracts.settings import LimitSettings

from .commands import command, shown_shortcut
from .pill import Pill

MOST_LINES = 6
PLACEHOLDER = "What should be done? One instruction a line, for example: Open Mousepad"


@dataclass(frozen=True)
class PlannerChoice:
    name: str
    title: str


class GoalEntry(QPlainTextEdit):
    """Grows with its lines. Up in the first line and Down in the last walk through earlier goals."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(PLACEHOLDER)
        self.setAccessibleName("Goal")
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._past: Sequence[str] = ()
        self._place = -1
        self._draft = ""
        self.textChanged.connect(self._grow)
        self._grow()

    def set_past(self, goals: Sequence[str]) -> None:
        self._past, self._place = goals, -1

    def keyPressEvent(self, event: QKeyEvent) -> None:
        cursor = self.textCursor()
        first, last = cursor.blockNumber() == 0, cursor.blockNumber() == self.blockCount() - 1
        if event.key() == Qt.Key.Key_Up and first and not event.modifiers() and self._walk(1):
            return
        if event.key() == Qt.Key.Key_Down and last and not event.modifiers() and self._walk(-1):
            return
        super().keyPressEvent(event)

    def _walk(self, by: int) -> bool:
        place = self._place + by
        if not -1 <= place < len(self._past):
            return False
        if self._place == -1:
            self._draft = self.toPlainText()
        self._place = place
        self.setPlainText(self._past[place] if place >= 0 else self._draft)
        self.moveCursor(self.textCursor().MoveOperation.End)
        return True

    def _grow(self) -> None:
        lines = min(max(self.blockCount(), 1), MOST_LINES)
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + 20)


class GoalBar(QFrame):
    """Shows the state; says what the operator wants."""

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
        self.entry = GoalEntry(self)
        self.planner = QComboBox(self)
        self.planner.setAccessibleName("Planner")
        for choice in planners:
            self.planner.addItem(choice.title, choice.name)
        self.pill = Pill(self)
        self.buttons = {key: self._button(key, actions[key]) for key in ("run", "pause", "step", "stop")}
        self.buttons["run"].setProperty("kind", "primary")
        self.buttons["stop"].setProperty("kind", "stop")
        self._limits = _LimitsButton(limits, self)
        self.more = QToolButton(self)
        self.more.setText("More")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.more)
        for key in ("goal", "history", "export", "bar"):
            menu.addAction(actions[key])
        menu.addSeparator()
        menu.addAction(actions["settings"])
        menu.addAction(actions["quit"])
        self.more.setMenu(menu)
        self._phase = RunPhase.READY
        self._running = False
        self.entry.textChanged.connect(self._refresh)
        self._lay_out()
        self.show_phase(RunPhase.READY)
        self.entry.installEventFilter(self)

    @property
    def goal(self) -> str:
        return self.entry.toPlainText().strip()

    def want_run(self) -> None:
        if self.goal and not self._running:
            self.run_wanted.emit(self.goal, self.planner.currentData(), self._limits.limits())

    def show_running(self, running: bool) -> None:
        self._running = running
        self.show_phase(self._phase)

    def _refresh(self) -> None:
        self.show_phase(self._phase)

    def show_limits(self, limits: LimitSettings) -> None:
        self._limits.show_limits(limits)

    def show_phase(self, phase: RunPhase) -> None:
        """The pill, and which controls make sense."""
        self._phase = phase
        self.pill.show_phase(phase)
        running = self._running
        paused = phase is RunPhase.PAUSED
        self.buttons["run"].setVisible(not running)
        self.buttons["run"].setEnabled(bool(self.goal))
        self.buttons["pause"].setVisible(running)
        self.buttons["step"].setVisible(running)
        self.buttons["pause"].setEnabled(running and phase is not RunPhase.STOPPING)
        self.buttons["step"].setEnabled(running and phase is not RunPhase.STOPPING)
        self.buttons["stop"].setEnabled(running)
        shortcut = shown_shortcut(command("pause"))
        self.buttons["pause"].setText(f"{'Resume' if paused else 'Pause'}  {shortcut}")
        self.entry.setReadOnly(running)
        self.planner.setEnabled(not running)
        self._limits.setEnabled(not running)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ctrl+Enter in the goal runs it instead of breaking the line."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.want_run()
                return True
        return super().eventFilter(watched, event)

    def _button(self, key: str, action: QAction) -> QPushButton:
        row = command(key)
        button = QPushButton(f"{row.text}  {shown_shortcut(row)}", self)
        button.setAccessibleName(row.text)
        button.setToolTip(action.toolTip())
        button.clicked.connect(action.trigger)
        return button

    def _lay_out(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 10)
        layout.setSpacing(8)
        layout.addWidget(self.entry, 1)
        top = Qt.AlignmentFlag.AlignTop
        for widget in (self.planner, self._limits, self.pill, *self.buttons.values(), self.more):
            column = QVBoxLayout()
            column.setContentsMargins(0, 2, 0, 0)
            column.addWidget(widget, 0, top)
            column.addStretch(1)
            layout.addLayout(column)


class _LimitsButton(QToolButton):
    """The limits of the next run, in a small form that drops down."""

    def __init__(self, limits: LimitSettings, parent: QWidget) -> None:
        super().__init__(parent)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setAccessibleName("Limits of the run")
        menu = QMenu(self)
        form = QWidget(menu)
        layout = QHBoxLayout(form)
        layout.setContentsMargins(12, 8, 12, 8)
        self._steps, self._minutes = QSpinBox(form), QSpinBox(form)
        self._steps.setRange(1, 10_000)
        self._minutes.setRange(1, 1_440)
        for text, box in (("At most", self._steps), ("steps and", self._minutes)):
            layout.addWidget(QLabel(text, form))
            layout.addWidget(box)
            box.valueChanged.connect(self._say)
        layout.addWidget(QLabel("minutes", form))
        action = QWidgetAction(menu)
        action.setDefaultWidget(form)
        menu.addAction(action)
        self.setMenu(menu)
        self.show_limits(limits)

    def show_limits(self, limits: LimitSettings) -> None:
        self._steps.setValue(limits.max_steps)
        self._minutes.setValue(max(1, round(limits.timeout_s / 60)))
        self._say()

    def limits(self) -> RunLimits:
        return RunLimits(max_steps=self._steps.value(), timeout_ms=self._minutes.value() * 60_000)

    def _say(self) -> None:
        self.setText(f"{self._steps.value()} steps · {self._minutes.value()} min")
        self.setToolTip("A run ends at these limits; waiting for you is not counted")
