"""The timeline column: it follows the tail, is read row by row, and stays quick when it is long."""

from __future__ import annotations

import asyncio
import time

import pytest
from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QPointF, Qt
from PySide6.QtGui import QHelpEvent, QImage, QTextDocument
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from console.contracts.events import RunPhase
from console.ui.main_window import MainWindow
from console.ui.theme import LIGHT, theme
from console.ui.timeline.delegate import ROW_HEIGHT
from console.ui.timeline.panel import TimelinePanel

from .conftest import Gaps
from .sample_events import Story, finished_run, long_run, waiting_run

ROWS = 20_000
EMBEDDED = "safe \u202eevil\u202c <b>bold</b>\nsecond line"


@pytest.fixture
def panel(qtbot: QtBot) -> TimelinePanel:
    panel = TimelinePanel()
    qtbot.addWidget(panel)
    panel.resize(392, 500)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


def read(panel: TimelinePanel) -> list[str]:
    """What a screen reader says, row by row."""
    model = panel.view.model()
    role = Qt.ItemDataRole.AccessibleTextRole
    return [model.index(place, 0).data(role) for place in range(model.rowCount())]


def labels(panel: TimelinePanel) -> list[str]:
    return [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]


def feed(panel: TimelinePanel, story: Story) -> None:
    for event in story.events:
        panel.show_event_of_run(event)
    panel.flush()


def test_an_empty_timeline_says_what_to_do(panel: TimelinePanel) -> None:
    assert any("Write a goal above" in text for text in labels(panel))
    assert not panel.view.isVisible()


def test_events_arrive_in_bunches_and_are_read_as_sentences(panel: TimelinePanel, qtbot: QtBot) -> None:
    QAbstractItemModelTester(panel.model, QAbstractItemModelTester.FailureReportingMode.Fatal, panel)
    inserted: list[int] = []
    panel.model.rowsInserted.connect(lambda _, first, last: inserted.append(last - first + 1))
    with qtbot.waitSignal(panel.caught_up):
        for event in waiting_run():
            panel.show_event_of_run(event)
    assert inserted == [11]
    assert labels(panel) == ["Timeline · 5 attempts"]
    said = read(panel)
    assert said[0] == "Open Downloads"
    assert said[5].startswith("Failed. Click “setup-2.1.run”. The row moved while clicking. timed out")
    assert said[-1].startswith("Attention. Click “Delete” in “Delete File?”. needs your approval. deletes")


def test_what_goes_on_now_is_the_last_row_with_its_seconds(panel: TimelinePanel, qtbot: QtBot) -> None:
    story = Story(at_ms=int(time.time() * 1000) - 40_000)
    story.started("Tidy up")
    story.looked()
    story.phase(RunPhase.PLANNING)
    feed(panel, story)
    assert read(panel)[-1].startswith("Busy. Planning… 39 s") or read(panel)[-1].startswith("Busy. Planning… 40 s")
    story.planned("Tidy up")
    story.attempted("Click “A”", "done")
    feed(panel, Story())
    for event in story.events[-4:]:
        panel.show_event_of_run(event)
    panel.flush()
    assert read(panel)[-1].startswith("Done. Click “A”")


def test_the_seconds_go_on_by_themselves(panel: TimelinePanel, qtbot: QtBot) -> None:
    story = Story(at_ms=int(time.time() * 1000))
    story.started("Tidy up")
    story.phase(RunPhase.PLANNING)
    feed(panel, story)
    qtbot.waitUntil(lambda: "Planning… 1 s" in read(panel)[-1], timeout=3000)


def test_the_row_of_now_cannot_be_chosen_and_goes_with_the_run(panel: TimelinePanel, qtbot: QtBot) -> None:
    story = Story()
    story.started("Tidy up")
    story.phase(RunPhase.LOOKING)
    feed(panel, story)
    assert panel.model.rowCount() == 1
    with qtbot.assertNotEmitted(panel.row_chosen):
        panel.view.setCurrentIndex(panel.model.index(0))
    panel.close_run()
    assert panel.model.rowCount() == 0


def test_it_follows_the_tail(panel: TimelinePanel, qtbot: QtBot) -> None:
    story = Story()
    story.events = long_run(30)
    feed(panel, story)
    assert panel.at_tail
    chosen = panel.chosen()
    assert chosen is not None
    assert chosen.title == "Click “Row 30”"
    assert not panel.latest.isVisible()


def test_it_stays_where_the_reader_is_and_offers_the_way_back(panel: TimelinePanel, qtbot: QtBot) -> None:
    events = long_run(60)
    story = Story()
    story.events = events[:120]
    feed(panel, story)
    panel.view.verticalScrollBar().setValue(0)
    story.events = events[120:]
    feed(panel, story)
    assert panel.view.verticalScrollBar().value() == 0
    assert panel.latest.isVisible()
    qtbot.mouseClick(panel.latest, Qt.MouseButton.LeftButton)
    assert panel.at_tail
    assert not panel.latest.isVisible()


def test_it_does_not_run_away_from_a_row_that_was_chosen(panel: TimelinePanel, qtbot: QtBot) -> None:
    story = Story()
    story.events = long_run(4)
    feed(panel, story)
    panel.view.setCurrentIndex(panel.model.index(1))
    story.attempted("Click “Later”", "done")
    story.events = story.events[-4:]
    feed(panel, story)
    chosen = panel.chosen()
    assert chosen is not None
    assert chosen.title == "Click “Row 1”"


def test_a_shorter_column_keeps_the_tail(panel: TimelinePanel, qtbot: QtBot) -> None:
    story = Story()
    story.events = long_run(30)
    feed(panel, story)
    panel.resize(392, 260)
    qtbot.waitUntil(lambda: panel.at_tail and panel.view.height() < 260)


def test_arrow_keys_walk_through_the_rows(panel: TimelinePanel, qtbot: QtBot) -> None:
    story = Story()
    story.events = finished_run()
    feed(panel, story)
    titles: list[str] = []
    panel.row_chosen.connect(lambda row: titles.append(row.title))
    panel.view.setCurrentIndex(panel.model.index(1))
    for _ in range(3):
        qtbot.keyClick(panel.view, Qt.Key.Key_Down)
    assert titles == ["Switch to Thunar", "Double-click “Downloads”", "Click column “Date Modified”"]


def test_words_from_the_screen_stay_plain_and_on_one_line(panel: TimelinePanel, qtbot: QtBot) -> None:
    story = Story()
    story.started("Tidy up")
    story.planned(EMBEDDED)
    story.attempted(f"Click “{EMBEDDED}”", EMBEDDED)
    feed(panel, story)
    assert panel.view.rowHeight(1) == ROW_HEIGHT
    tip = panel.model.index(1).data(Qt.ItemDataRole.ToolTipRole)
    assert "&lt;b&gt;bold&lt;/b&gt;" in tip
    panel.grab()


def test_a_tip_is_never_rich_text(panel: TimelinePanel, qtbot: QtBot) -> None:
    story = Story()
    story.started("Tidy up")
    story.attempted("<b>Click</b> “A”", "<img src='file:///etc/passwd'>")
    feed(panel, story)
    tip = panel.model.index(0).data(Qt.ItemDataRole.ToolTipRole)
    shown = QTextDocument()
    shown.setHtml(tip)
    assert shown.toPlainText().splitlines()[:2] == ["<b>Click</b> “A”", "<img src='file:///etc/passwd'>"]


def test_each_kind_of_row_is_painted_in_its_colours(panel: TimelinePanel) -> None:
    story = Story()
    story.events = finished_run()
    panel.resize(392, 900)
    feed(panel, story)
    assert theme.tokens is LIGHT
    image = panel.view.grab().toImage()
    assert LIGHT.ok in colours(image)
    assert LIGHT.selected in colours(image)


def colours(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name() for x in range(0, image.width(), 1) for y in range(0, image.height(), 2)}


def test_a_foreign_index_has_no_data(panel: TimelinePanel) -> None:
    model: QAbstractItemModel = panel.model
    assert model.data(QModelIndex()) is None
    assert model.flags(QModelIndex()) == Qt.ItemFlag.NoItemFlags
    assert panel.model.row(-1) is None
    assert panel.model.last_attempt == -1
    help_event = QHelpEvent(QEvent.Type.ToolTip, QPointF(5, 5).toPoint(), QPointF(5, 5).toPoint())
    QApplication.sendEvent(panel.view.viewport(), help_event)


async def test_twenty_thousand_rows_never_hold_the_window_up(
    qt_loop: asyncio.AbstractEventLoop, qtbot: QtBot, gaps: Gaps
) -> None:
    """The bound is wide because the machine may be busy; `tests/bench/bench_timeline.py` measures it."""
    panel = TimelinePanel()
    qtbot.addWidget(panel)
    panel.resize(392, 500)
    panel.show()
    events = long_run(ROWS)
    await asyncio.sleep(0.1)
    caught_up = asyncio.Event()
    panel.caught_up.connect(caught_up.set)
    ticker = asyncio.ensure_future(gaps.run())
    panel.load(events)
    await caught_up.wait()
    ticker.cancel()
    assert panel.model.run.attempts == ROWS
    assert panel.at_tail
    assert gaps.ticks > 10
    assert gaps.longest_s < 0.2


async def test_a_thousand_rows_in_a_second_are_shown_as_they_come(
    qt_loop: asyncio.AbstractEventLoop, qtbot: QtBot, gaps: Gaps, window: MainWindow
) -> None:
    events = long_run(1000)
    window.begin_run()
    ticker = asyncio.ensure_future(gaps.run())
    for place in range(0, len(events), 30):
        for event in events[place : place + 30]:
            window.show_event(event)
        await asyncio.sleep(0.01)
    caught_up = asyncio.Event()
    window.timeline.caught_up.connect(caught_up.set)
    window.show_event(events[-1].model_copy(update={"seq": 0}))
    await caught_up.wait()
    ticker.cancel()
    assert window.timeline.model.run.attempts == 1001
    assert gaps.longest_s < 0.2
    window.set_running(False)
