"""The window: what happened, what is on the screen, what the planner saw; and the card that needs an answer."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import metadata

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMainWindow, QMessageBox, QSplitter, QVBoxLayout, QWidget

from console.contracts.events import Observed, PhaseChanged, RunEnded, RunEvent, RunPhase
from console.contracts.scene import Frame
from console.contracts.settings import Settings

from .cards.card import Card
from .commands import actions
from .details.panel import DetailsPanel
from .elided import ElidedLabel
from .goal_bar import GoalBar, PlannerChoice
from .notices import Notices
from .rows import Row
from .screen.panel import Loader, ScreenPanel
from .timeline.panel import TimelinePanel

TITLE = "Operator Console"
ABOUT = """Operator Console {version}

Watch and steer an agent that works on a live desktop.
MIT licence."""
NARROW, THREE_COLUMNS, DECORATION = 1080, 1000, 40


class MainWindow(QMainWindow):
    """Signals out, events in. It holds nothing that the events could not rebuild."""

    run_requested = Signal(str, str, object)
    pause_toggled = Signal()
    step_requested = Signal()
    stop_requested = Signal()
    close_requested = Signal()
    history_requested = Signal()
    settings_requested = Signal()
    check_requested = Signal()
    export_requested = Signal()
    ask_requested = Signal()
    program_requested = Signal()
    open_requested = Signal()
    save_requested = Signal()
    bar_requested = Signal()
    theme_requested = Signal(str)

    def __init__(self, planners: Sequence[PlannerChoice], settings: Settings, load: Loader) -> None:
        super().__init__()
        self.setWindowTitle(TITLE)
        room = self.screen().availableGeometry()
        self.resize(min(1280, room.width()), min(800, room.height() - DECORATION))
        self.setMinimumSize(720, 480)
        self.planners = planners
        self.commands = actions(self)
        self.goal_bar = GoalBar(planners, settings.limits, self.commands, self)
        self.timeline = TimelinePanel(self)
        self.screen_panel = ScreenPanel(load, self)
        self.details = DetailsPanel(self)
        self.notices = Notices(self)
        self._card: Card | None = None
        self._slot = QVBoxLayout()
        self._slot.setContentsMargins(14, 0, 14, 12)
        self._status, self._right_status = ElidedLabel("", "muted", self), QLabel("", self)
        self.may_close = False
        self.running = False
        self._needed = ""
        self._details_wished: bool | None = None
        self._past = False
        self._lay_out()
        self.goal_bar.run_wanted.connect(self.run_requested)
        self.timeline.row_chosen.connect(self._show_row)
        self.timeline.caught_up.connect(self._caught_up)
        self.screen_panel.failed.connect(self.notices.show_error)
        self.details.element_chosen.connect(self.screen_panel.canvas.highlight)
        self.show_settings(settings)
        self.show_status("Ready", "")

    # Commands of the table.

    def start_run(self) -> None:
        self.goal_bar.want_run()

    def toggle_pause(self) -> None:
        if self.running:
            self.pause_toggled.emit()

    def single_step(self) -> None:
        if self.running:
            self.step_requested.emit()

    def stop_run(self) -> None:
        if self.running:
            self.stop_requested.emit()

    def open_history(self) -> None:
        self.history_requested.emit()

    def export_run(self) -> None:
        self.export_requested.emit()

    def open_file(self) -> None:
        self.open_requested.emit()

    def save_run(self) -> None:
        self.save_requested.emit()

    def open_program(self) -> None:
        self.program_requested.emit()

    def ask_again(self) -> None:
        self.ask_requested.emit()

    def open_settings(self) -> None:
        self.settings_requested.emit()

    def check_desktop(self) -> None:
        self.check_requested.emit()

    def show_bar(self) -> None:
        self.bar_requested.emit()

    def toggle_details(self) -> None:
        self._details_wished = not self.details.isVisible()
        self._arrange()

    def use_system_theme(self) -> None:
        self.theme_requested.emit("system")

    def use_light_theme(self) -> None:
        self.theme_requested.emit("light")

    def use_dark_theme(self) -> None:
        self.theme_requested.emit("dark")

    def show_about(self) -> None:
        box = QMessageBox(QMessageBox.Icon.NoIcon, f"About {TITLE}", ABOUT.format(version=version()), parent=self)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    def focus_goal(self) -> None:
        self.goal_bar.entry.setFocus()
        self.goal_bar.entry.selectAll()

    # Events in.

    def show_settings(self, settings: Settings) -> None:
        """What the next run starts with, and which theme is ticked."""
        self.goal_bar.show_limits(settings.limits)
        self.goal_bar.choose_planner(settings.planner)
        self.commands[f"theme_{settings.appearance.theme}"].setChecked(True)

    def begin_run(self) -> None:
        """A new run: nothing of the last one is left."""
        self._past = False
        self.timeline.load([])
        self.screen_panel.clear()
        self.details.clear()
        self.set_running(True)

    def set_running(self, running: bool) -> None:
        self.running = running
        self.goal_bar.show_running(running)
        self.screen_panel.set_running(running)
        if not running:
            self.timeline.close_run()
        self.show_needed("")

    def show_event(self, event: RunEvent) -> None:
        self.timeline.show_event_of_run(event)
        self.screen_panel.show_event(event)
        if isinstance(event, PhaseChanged):
            self.goal_bar.show_phase(event.phase)
        elif isinstance(event, Observed):
            noted = [anomaly.description for anomaly in event.view.anomalies]
            self.show_status(" · ".join(["● Desktop ready", event.headline(), *noted]), "Run saved")
        elif isinstance(event, RunEnded):
            self.timeline.flush()

    @property
    def wants_live(self) -> bool:
        """Whether a picture of the screen as it is now would be seen."""
        return self.running and not self.isMinimized() and self.screen_panel.wants_live

    def set_live_frame(self, frame: Frame | None) -> None:
        """The screen right now, or None where it is not looked at; nothing of the frame is kept."""
        self.screen_panel.show_live(frame)

    def load_run(self, events: Sequence[RunEvent]) -> None:
        """Show a past run, to be stepped through. A long one comes in slices."""
        self.screen_panel.clear()
        self.details.clear()
        self._past = True
        self.timeline.load(events)
        self.goal_bar.entry.write(self.timeline.model.run.goal)

    def _caught_up(self) -> None:
        """All of a past run is there: it has an end, or it was interrupted."""
        if self._past:
            self._past = False
            self.timeline.close_run()
            run = self.timeline.model.run
            self.goal_bar.show_phase(run.phase if run.ended else RunPhase.INTERRUPTED)

    def show_card(self, card: Card, words: str) -> None:
        """Under the screen it talks about; there is only one at a time."""
        self.clear_card()
        self.timeline.flush()
        self.timeline.to_latest()
        self._card = card
        self._slot.addWidget(card)
        card.show()
        card.setFocus()
        self.show_needed(words)

    def clear_card(self) -> None:
        card, self._card = self._card, None
        if card is not None:
            card.abandon()
            self._slot.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.show_needed("")

    @property
    def card(self) -> Card | None:
        return self._card

    def show_needed(self, words: str) -> None:
        """Say in the title that the operator is needed."""
        self._needed = words
        self.setWindowTitle(f"● Needs you — {TITLE}" if words else TITLE)

    def show_status(self, left: str, right: str) -> None:
        self._status.say(left)
        self._right_status.setText(right)

    def closeEvent(self, event: QCloseEvent) -> None:
        """The window closes when the run has ended, its keys are released and the journal is closed."""
        if self.may_close:
            event.accept()
            return
        event.ignore()
        self.close_requested.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Details are there if they are wished for, else if there is room; where there is none, they take the place
        of the timeline."""
        wished = self._details_wished
        self.details.setVisible(self.width() >= NARROW if wished is None else wished)
        self.timeline.setVisible(self.width() >= THREE_COLUMNS or self.details.isHidden())

    def _show_row(self, row: Row) -> None:
        self.screen_panel.show_row(row, self.timeline.following)
        self.details.show_row(row, self.timeline.model.run)

    def _lay_out(self) -> None:
        middle = QWidget(self)
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.screen_panel, 1)
        column.addLayout(self._slot)
        splitter = QSplitter(Qt.Orientation.Horizontal, self)
        splitter.setHandleWidth(1)
        splitter.setChildrenCollapsible(False)
        for widget, least in ((self.timeline, 240), (middle, 430), (self.details, 260)):
            splitter.addWidget(widget)
            widget.setMinimumWidth(least)
        splitter.setSizes([392, 596, 292])
        splitter.setStretchFactor(1, 1)
        foot = QFrame(self)
        foot.setObjectName("foot")
        line = QHBoxLayout(foot)
        line.setContentsMargins(14, 4, 14, 4)
        line.addWidget(self._status, 1)
        line.addWidget(self._right_status)
        page = QWidget(self)
        page.setObjectName("page")
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.goal_bar)
        notices = QVBoxLayout()
        notices.setContentsMargins(0, 0, 0, 0)
        notices.addWidget(self.notices)
        layout.addLayout(notices)
        layout.addWidget(splitter, 1)
        layout.addWidget(foot)
        self.setCentralWidget(page)


def version() -> str:
    """The installed version; a source tree that was never installed has none."""
    try:
        return metadata.version("operator-console")
    except metadata.PackageNotFoundError:
        return ""
