"""The window and a run together: it starts, waits, stops, fails and closes as a person expects."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QMessageBox
from pytestqt.qtbot import QtBot

from console.contracts.errors import CaptureError, DesktopUnavailable, StorageError
from console.contracts.events import RunEvent, RunPhase
from console.contracts.geometry import Point, Rect
from console.contracts.health import Finding
from console.contracts.outcome import RunLimits
from console.contracts.safety import ApprovalDecision
from console.contracts.scene import Frame
from console.contracts.settings import AppearanceSettings, Settings
from console.testing.doubles import MemoryStore
from console.ui.backstage import WindowOrder
from console.ui.cards.approval import ApprovalCard
from console.ui.check import CheckDialog
from console.ui.history import HistoryDialog
from console.ui.live import follow
from console.ui.main_window import MainWindow
from console.ui.program import ProgramDialog
from console.ui.session import STILL_ON_THE_MOUSE_S, Session
from console.ui.settings_form import SettingsDialog
from tests.conftest import ExpectedLog

from . import sample_pictures
from .conftest import PLANNERS, Gaps
from .sample_events import GOAL, Story, approval, waiting_run
from .sample_setup import Servers, SetUp

WIDE = Settings(appearance=AppearanceSettings(compact_during_run=False))


class ScriptedRun:
    """Gives its events, then waits to be stopped unless it has ended; an error in the script is raised."""

    def __init__(self, order: WindowOrder, script: Sequence[RunEvent | Exception]) -> None:
        self.order, self._script = order, script
        self.decisions: list[ApprovalDecision] = []
        self.looks = 0
        self.closed = False
        self.ask = False

    async def events(self) -> AsyncIterator[RunEvent]:
        for event in self._script:
            if isinstance(event, Exception):
                raise event
            yield event
        if self.ask:
            self.decisions.append(await self.order.operator.approve(approval()))
        stopped = asyncio.Event()
        self.order.control.on_change(lambda: stopped.set() if self.order.control.stopping else None)
        if not self.order.control.stopping:
            await stopped.wait()
        story = Story()
        story.ended("stopped", self.order.control.stop_reason or "")
        for event in story.events:
            yield event

    async def look(self) -> Frame | None:
        self.looks += 1
        if self.looks == 1:
            raise CaptureError("The screen could not be captured.", "Wait.")
        pixels = bytes((10, 200, 30)) * (64 * 48)
        bounds = Rect(x=0, y=0, width=64, height=48)
        return Frame(id="f", bounds=bounds, image_width=64, image_height=48, taken_at_ms=1, pixels=pixels)

    async def close(self) -> None:
        self.closed = True


class Language:
    """Of programs."""

    def names(self) -> Sequence[str]:
        return ("map",)

    async def check(self, source: str) -> str:
        return ""

    async def server_names(self) -> Sequence[str]:
        return []

    def from_run(self, events: Sequence[RunEvent]) -> str:
        return f"; {len(events)} events"

    def instructions(self, events: Sequence[RunEvent]) -> str:
        return f"# {len(events)} steps"


class Stage:
    """Stands for the rest of the console."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.store.blobs.update({name: sample_pictures.stored(name) for name in ("files", "dialog")})
        self.script: Sequence[RunEvent | Exception] = ()
        self.ask = False
        self.runs: list[ScriptedRun] = []
        self.saved: list[Settings] = []
        self.themes: list[str] = []
        self.exported: list[tuple[str, Path]] = []
        self.closed = False
        self.checks = 0
        self.found = [Finding("Input", "ok", "keys and pointer can be sent")]
        self.failure: Exception | None = None
        self.planners, self.tools = SetUp(), Servers()
        self.programs = Language()

    async def prepare(self, order: WindowOrder) -> ScriptedRun:
        if self.failure is not None:
            raise self.failure
        run = ScriptedRun(order, self.script)
        run.ask = self.ask
        self.runs.append(run)
        return run

    async def export(self, run_id: str, folder: Path) -> Path:
        self.exported.append((run_id, folder))
        return folder / "report.html"

    async def check(self) -> Sequence[Finding]:
        self.checks += 1
        if self.failure is not None:
            raise self.failure
        await asyncio.sleep(0.02)
        return self.found

    async def recent_goals(self) -> Sequence[str]:
        return ["an earlier goal"]

    def save_settings(self, settings: Settings) -> None:
        if self.failure is not None:
            raise self.failure
        self.saved.append(settings)

    def apply_theme(self, settings: Settings) -> None:
        self.themes.append(settings.appearance.theme)

    async def close(self) -> None:
        self.closed = True


@pytest.fixture
def stage() -> Stage:
    return Stage()


@pytest.fixture
async def session(qt_loop: asyncio.AbstractEventLoop, stage: Stage) -> AsyncIterator[Session]:
    """It closes itself at the end: while the loop still runs, and not when the widgets of a test are put away."""
    window = MainWindow(PLANNERS, WIDE, sample_pictures.load)
    window.show()
    session = Session(window, stage, WIDE)
    await asyncio.sleep(0.05)
    yield session
    finished = asyncio.Event()
    session.finished.connect(finished.set)
    if not stage.closed:
        session.close()
        await asyncio.wait_for(finished.wait(), 5)
    window.deleteLater()
    await asyncio.sleep(0.02)


async def until(check: object, seconds: float = 3.0) -> None:
    """Wait for something that no signal tells."""
    end = asyncio.get_running_loop().time() + seconds
    while not check():  # type: ignore[operator]
        assert asyncio.get_running_loop().time() < end, "it did not come true"
        await asyncio.sleep(0.01)


def begun() -> list[RunEvent]:
    story = Story()
    story.started()
    story.looked()
    story.phase(RunPhase.PLANNING)
    return story.events


async def test_a_goal_runs_and_is_stopped_from_the_window(session: Session, stage: Stage, qtbot: QtBot) -> None:
    stage.script = begun()
    window = session.window
    window.goal_bar.entry.write(GOAL)
    qtbot.mouseClick(window.goal_bar.buttons["run"], Qt.MouseButton.LeftButton)
    await until(lambda: window.goal_bar.pill.phase is RunPhase.PLANNING)
    assert session.running
    for _ in range(5):
        window.commands["stop"].trigger()
    await until(lambda: not session.running)
    assert window.goal_bar.pill.phase is RunPhase.STOPPED
    stopped = [row for row in window.timeline.model.run.rows if row.mark == "■"]
    assert [row.title for row in stopped] == ["Stopped by you."]
    assert stage.runs[0].closed
    assert window.goal_bar.buttons["run"].isVisible()


async def test_the_screen_is_live_while_a_run_is_watched(
    session: Session, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follow, "__defaults__", (0.01,))
    stage.script = begun()
    panel = session.window.screen_panel
    session.start(GOAL, "instructions", RunLimits())
    await until(lambda: panel.caption.whole.startswith("live"))
    run = stage.runs[0]

    async def looks_meanwhile() -> int:
        await asyncio.sleep(0.05)
        before = run.looks
        await asyncio.sleep(0.05)
        return run.looks - before

    session.window.showMinimized()
    assert await looks_meanwhile() == 0, "nobody can see it"
    session.window.showNormal()
    panel.set_moment("before")
    assert await looks_meanwhile() == 0, "another moment is shown"
    panel.set_moment("live")
    assert await looks_meanwhile() > 0
    session.stop()
    await until(lambda: not session.running)
    assert await looks_meanwhile() == 0, "between runs nothing is captured"
    assert not panel.caption.whole.startswith("live")


async def test_pause_and_one_step_steer_the_run(session: Session, stage: Stage) -> None:
    stage.script = begun()
    window = session.window
    session.pause_or_resume()
    session.single_step()
    session.hand_on_input("You moved the mouse.")
    session.start(GOAL, "instructions", RunLimits())
    await until(lambda: window.goal_bar.pill.phase is RunPhase.PLANNING)
    control = stage.runs[0].order.control
    window.commands["pause"].trigger()
    assert control.paused
    assert window.goal_bar.buttons["pause"].text() == "Resume"
    window.commands["pause"].trigger()
    assert not control.paused
    window.commands["step"].trigger()
    assert control.single_step


async def test_a_hand_on_the_mouse_pauses_an_action(session: Session, stage: Stage) -> None:
    story = Story()
    story.started()
    story.phase(RunPhase.ACTING)
    stage.script = story.events
    session.start(GOAL, "instructions", RunLimits())
    await until(lambda: session.window.goal_bar.pill.phase is RunPhase.ACTING)
    session._touched_at = time.monotonic()
    stage.runs[0].order.hand("You moved the mouse.")
    assert not stage.runs[0].order.control.paused, "the hand that has just clicked Run is still on the mouse"
    session._touched_at -= STILL_ON_THE_MOUSE_S
    session._touched_at = time.monotonic()
    stage.runs[0].order.hand("You moved the mouse.")
    assert not stage.runs[0].order.control.paused, "the hand that has just pressed Run"
    session._touched_at -= STILL_ON_THE_MOUSE_S
    stage.runs[0].order.hand("You moved the mouse.")
    assert stage.runs[0].order.control.paused
    assert "You moved the mouse. The run is paused; press Resume to go on." in session.window.notices.texts


async def test_an_open_question_holds_nothing_up_and_its_answer_arrives(
    session: Session, stage: Stage, gaps: Gaps
) -> None:
    """Row 11: the loop goes on while the card is open."""
    stage.script, stage.ask = waiting_run(), True
    session.start(GOAL, "instructions", RunLimits())
    await until(lambda: session.window.card is not None)
    ticker = asyncio.ensure_future(gaps.run())
    await asyncio.sleep(0.4)
    ticker.cancel()
    assert gaps.ticks > 10
    assert session.window.windowTitle().startswith("● Needs you")
    card = session.window.card
    assert isinstance(card, ApprovalCard)
    card._approve.click()
    await until(lambda: bool(stage.runs[0].decisions))
    assert stage.runs[0].decisions[0].verdict == "approve"
    assert session.window.card is None


async def test_stop_with_an_open_question_is_a_denial(session: Session, stage: Stage) -> None:
    stage.script, stage.ask = waiting_run(), True
    session.start(GOAL, "instructions", RunLimits())
    await until(lambda: session.window.card is not None)
    session.window.clear_card()
    session.stop_by_hand()
    await until(lambda: not session.running)
    assert stage.runs[0].decisions[0].verdict == "deny"


async def test_closing_during_a_run_stops_it_first(session: Session, stage: Stage) -> None:
    """Row 49: stop, let go, save, quit; each waits for the one before."""
    stage.script = begun()
    session.start(GOAL, "instructions", RunLimits())
    await until(lambda: session.window.goal_bar.pill.phase is RunPhase.PLANNING)
    finished = asyncio.Event()
    session.finished.connect(finished.set)
    session.window.close()
    session.window.close()
    assert session.window.isVisible()
    await asyncio.wait_for(finished.wait(), 5)
    assert stage.runs[0].order.control.stop_reason == "The window was closed."
    assert stage.runs[0].closed
    assert stage.closed
    assert not session.window.isVisible()


async def test_a_bug_in_the_run_is_told_and_ends_it_as_failed(
    session: Session, stage: Stage, expected_log: ExpectedLog
) -> None:
    """Row 51: within a second, and in words."""
    expected_log("Unexpected error in the window")
    stage.script = [*begun(), ValueError("the planner is confused")]
    session.start(GOAL, "instructions", RunLimits())
    await until(lambda: not session.running, 1.0)
    assert session.window.goal_bar.pill.phase is RunPhase.FAILED
    assert "the planner is confused" in session.window.notices.texts[0]


async def test_a_run_that_cannot_begin_says_why(session: Session, stage: Stage) -> None:
    stage.failure = DesktopUnavailable("There is no desktop.", "Start one.")
    session.start(GOAL, "instructions", RunLimits())
    await until(lambda: not session.running)
    assert session.window.notices.texts == ["There is no desktop. Start one."]
    assert session.window.screen_panel.canvas.accessibleDescription() == "There is no desktop. Start one."
    stage.failure = None


async def test_during_a_run_the_bar_takes_the_place_of_the_window(session: Session, stage: Stage) -> None:
    session.settings = Settings()
    story = Story()
    story.events = begun()
    story.planned("Tidy up")
    story.attempted("Click “A”", "done")
    stage.script = story.events
    session.start(GOAL, "instructions", RunLimits())
    await until(lambda: session.bar.isVisible() and session.window.goal_bar.pill.phase is RunPhase.ACTING)
    assert session.window.isMinimized()
    assert session.bar.accessibleName().startswith("Click “A”. Tidy up · step 1")
    assert await stage.runs[0].order.make_way(Point(x=session.bar.x() + 5, y=session.bar.y() + 5))
    session.show_window()
    assert not session.bar.isVisible()
    assert await stage.runs[0].order.make_way(Point(x=1, y=1))


async def test_the_theme_is_chosen_from_the_menu_and_kept(session: Session, stage: Stage) -> None:
    session.window.commands["theme_dark"].trigger()
    assert stage.themes == ["dark"]
    assert stage.saved[0].appearance.theme == "dark"
    stage.failure = StorageError("The settings cannot be written.", "Free some space.")
    session.choose_theme("light")
    assert session.window.notices.texts == ["The settings cannot be written. Free some space."]
    stage.failure = None


async def test_history_and_settings_open_without_holding_anything_up(session: Session, stage: Stage) -> None:
    for event in waiting_run():
        await stage.store.append(event)
    session.window.commands["history"].trigger()
    dialog = session.window.findChild(HistoryDialog)
    assert dialog is not None
    await until(lambda: dialog.chosen() is not None)
    dialog._open.click()
    await until(lambda: session.window.timeline.model.run.goal == GOAL)
    session.window.commands["settings"].trigger()
    form = session.window.findChild(SettingsDialog)
    assert form is not None
    form.save()
    assert len(stage.saved) == 1


async def test_the_desktop_is_checked_in_a_dialog(session: Session, stage: Stage) -> None:
    session.window.commands["check"].trigger()
    dialog = session.window.findChild(CheckDialog)
    assert dialog is not None
    assert dialog.told.text() == "Looking at what works here…"
    await until(lambda: dialog.told.text() == "Everything works here.")
    stage.found = [
        Finding("Input", "ok", "keys and pointer can be sent"),
        Finding("Accessibility", "warn", "Session bus: There is none.", "Start one."),
    ]
    dialog.look()
    await until(lambda: dialog.told.text() == "A run can work here, with limits.")
    lines = [label.text() for label in dialog._area.findChildren(QLabel)]
    assert lines[-4:] == ["!", "Accessibility", "Session bus: There is none.", "→ Start one."]
    stage.found = [Finding("Display", "bad", "DISPLAY is not set")]
    dialog.look()
    await until(lambda: dialog.told.text() == "A run could not work here yet.")
    stage.failure = StorageError("The journal cannot be read.", "Free some space.")
    dialog.look()
    await until(lambda: session.window.notices.texts == ["The journal cannot be read. Free some space."])
    stage.failure = None


async def test_a_check_that_is_left_is_not_waited_for(session: Session, stage: Stage) -> None:
    session.dialogs.check()
    dialog = session.window.findChild(CheckDialog)
    assert dialog is not None
    await until(lambda: stage.checks == 1)
    dialog.close()
    await asyncio.sleep(0.05)
    assert session.window.findChild(CheckDialog) is None


async def test_a_past_run_is_deleted_when_it_is_confirmed(session: Session, stage: Stage) -> None:
    for event in waiting_run():
        await stage.store.append(event)
    session.dialogs.history()
    dialog = session.window.findChild(HistoryDialog)
    assert dialog is not None
    await until(lambda: dialog.chosen() is not None)
    for words in ("Cancel", "Delete"):
        assert len(await stage.store.runs()) == 1
        dialog._delete.click()
        box = dialog.findChild(QMessageBox)
        assert box is not None
        assert GOAL.splitlines()[0] in box.informativeText()
        next(button for button in box.buttons() if button.text() == words).click()
        await until(lambda: dialog.findChild(QMessageBox) is None)
    await until(lambda: dialog.chosen() is None)
    assert await stage.store.runs() == ()
    assert not dialog._delete.isEnabled()


async def test_the_run_that_is_shown_can_be_run_as_a_program(session: Session, stage: Stage) -> None:
    for event in waiting_run():
        await stage.store.append(event)
    session.dialogs.run_id = waiting_run()[0].run_id
    session.window.commands["program"].trigger()
    await until(lambda: session.window.findChild(ProgramDialog) is not None)
    dialog = session.window.findChild(ProgramDialog)
    assert dialog.editor.toPlainText() == f"; {len(waiting_run())} events"
    await dialog.look_over()
    dialog.run.click()
    await until(lambda: bool(stage.runs))
    assert stage.runs[0].order.planner == "program"
    assert session.window.goal_bar.goal == f"; {len(waiting_run())} events"


async def test_the_planner_is_made_ready_while_nobody_waits(session: Session, stage: Stage) -> None:
    assert stage.planners.loaded == []
    session.window.goal_bar.planner.setCurrentIndex(1)
    await until(lambda: stage.planners.loaded == [PLANNERS[1].name])


async def test_an_interrupted_run_goes_on(session: Session, stage: Stage) -> None:
    for event in waiting_run():
        await stage.store.append(event)
    session.window.commands["history"].trigger()
    dialog = session.window.findChild(HistoryDialog)
    assert dialog is not None
    await until(lambda: dialog.chosen() is not None)
    dialog._resume.click()
    await until(lambda: bool(stage.runs))
    assert stage.runs[0].order.resume == waiting_run()[0].run_id
    assert session.window.goal_bar.goal == GOAL


async def test_a_run_is_exported_to_the_chosen_folder(session: Session, stage: Stage, tmp_path: Path) -> None:
    session.window.commands["export"].trigger()
    assert session.window.notices.texts == ["There is no run to export yet. Run a goal or open a past run."]
    stage.script = begun()
    session.start(GOAL, "instructions", RunLimits())
    await until(lambda: session.window.goal_bar.pill.phase is RunPhase.PLANNING)
    session.window.commands["export"].trigger()
    dialog = session.window.findChild(QFileDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(tmp_path))
    await until(lambda: bool(stage.exported))
    assert stage.exported == [("run-0417", tmp_path / "run-run-0417")]
    dialog.close()


async def test_earlier_goals_are_there(session: Session) -> None:
    assert list(session.window.goal_bar.entry.past) == ["an earlier goal"]
