"""The details column: what the planner saw, the receipt in words, and the raw JSON when somebody wants it."""

from __future__ import annotations

import asyncio
import json
import time

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from console.contracts.events import MemoryChanged
from console.contracts.view import ElementState, PlanningElement
from console.ui.details.elements import words
from console.ui.details.panel import DetailsPanel
from console.ui.details.raw import CUT, folded
from console.ui.details.receipt import facts
from console.ui.rows import Row
from console.ui.run_model import RunModel
from console.ui.tips import plain_tip

from .conftest import Gaps
from .sample_events import RUN_ID, finished_run, waiting_run


@pytest.fixture
def panel(qtbot: QtBot) -> DetailsPanel:
    panel = DetailsPanel()
    qtbot.addWidget(panel)
    panel.resize(292, 600)
    panel.show()
    return panel


def last(events: list[object]) -> tuple[Row, RunModel]:
    run = RunModel()
    run.apply_all(events)  # type: ignore[arg-type]
    return run.rows[-1], run


def said(panel: QWidget) -> list[str]:
    return [label.text() for label in panel.findChildren(QLabel) if label.isVisible() and label.text()]


def test_an_empty_column_says_what_will_stand_there(panel: DetailsPanel) -> None:
    assert said(panel) == [
        "The app, the window and the elements that the planner was shown stand here, once it has looked."
    ]


def test_it_shows_the_view_with_what_was_left_out_and_the_budget(panel: DetailsPanel) -> None:
    panel.show_row(*last(waiting_run()))
    words_shown = said(panel)
    for expected in (
        "Thunar",
        "Delete File?",
        "The dialog “Delete File?” is open.",
        "8 shown · 112 omitted",
        "5 / 80",
        "none used",
    ):
        assert expected in words_shown
    assert any(text.endswith("/ 15:00 · waiting not counted") for text in words_shown)
    model = panel.saw.table.model()
    cells = [model.index(1, column).data() for column in range(3)]
    assert cells == ["2", "button", "Cancel · focused"]
    assert [model.headerData(c, Qt.Orientation.Horizontal) for c in range(3)] == ["", "Kind", "Label and state"]


def test_nothing_special_is_said_in_so_many_words(panel: DetailsPanel) -> None:
    panel.show_row(*last(finished_run()))
    assert "nothing special" in said(panel)
    panel.clear()
    assert "nothing special" not in said(panel)


def test_pointing_at_an_element_says_where_it_is(panel: DetailsPanel, qtbot: QtBot) -> None:
    panel.show_row(*last(waiting_run()))
    table = panel.saw.table
    with qtbot.waitSignal(panel.element_chosen) as told:
        table.selectRow(3)
    assert told.args[0] is not None
    with qtbot.waitSignal(panel.element_chosen):
        qtbot.mouseMove(table.viewport(), QPoint(60, 8))
        table.entered.emit(table.model().index(0, 0))
    tip = table.model().index(0, 2).data(Qt.ItemDataRole.ToolTipRole)
    assert tip == plain_tip("Delete", "ax:1")


def element(label: str | None = None, value: str | None = None, **state: bool) -> PlanningElement:
    return PlanningElement(id="1", element_type="thing", label=label, value=value, state=ElementState(**state))


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (element("Bold", checked=True), "Bold · ticked"),
        (element("Bold", checked=False, enabled=False), "Bold · greyed out · not ticked"),
        (element("Name", "Ada\nLovelace"), "Name · = Ada Lovelace"),
        (element(selected=True), "selected"),
    ],
)
def test_an_element_is_told_with_its_value_and_its_state(shown: PlanningElement, expected: str) -> None:
    assert words(shown) == expected


def test_a_receipt_says_how_it_was_done(panel: DetailsPanel) -> None:
    run = RunModel()
    run.apply_all(finished_run())
    row = next(row for row in run.rows if row.title.startswith("Click “Delete”"))
    told = dict(facts(row))
    assert told["What"] == "Click “Delete” in “Delete File?”"
    assert told["Effect"] == "observed: dialog closed"
    assert told["Way"] == "accessibility"
    assert told["Point"] == "1022, 512"
    panel.tabs.setCurrentWidget(panel.receipt)
    panel.show_row(row, run)
    receipt = panel.receipt
    assert [receipt.item(0, 0).text(), receipt.item(0, 1).text()] == ["What", told["What"]]


def test_a_receipt_of_what_waits_gives_the_risk() -> None:
    row, _ = last(waiting_run())
    told = dict(facts(row))
    assert "deletes" in told["Risk"]
    assert facts(None)[0][1] == "Choose an attempt in the timeline."


def test_raw_json_is_made_only_when_it_is_looked_at(panel: DetailsPanel, qtbot: QtBot) -> None:
    row, run = last(waiting_run())
    panel.show_row(row, run)
    assert panel.raw.text.toPlainText() == ""
    panel.tabs.setCurrentWidget(panel.raw)
    shown = json.loads(panel.raw.text.toPlainText())
    assert shown["request"]["sentence"] == "Click “Delete” in “Delete File?”"
    qtbot.mouseClick(panel.raw.copy, Qt.MouseButton.LeftButton)
    assert json.loads(QGuiApplication.clipboard().text()) == shown


async def test_five_megabytes_are_cut_until_they_are_asked_for_and_then_come_in_slices(
    qt_loop: asyncio.AbstractEventLoop, panel: DetailsPanel, gaps: Gaps
) -> None:
    """Row 57: nobody waits for a reply that nobody reads, nor for one that somebody does."""
    big = MemoryChanged(run_id=RUN_ID, seq=1, at_ms=1, key="reply", value="x y " * 1_250_000)
    panel.tabs.setCurrentWidget(panel.raw)
    raw = panel.raw
    began = time.monotonic()
    panel.show_row(Row("note", "Noted", event=big), RunModel())
    assert time.monotonic() - began < 0.5
    assert len(raw.text.toPlainText()) < CUT * 1.1
    assert raw.more.text() == "Show all 5,000,134 characters"
    ticker = asyncio.ensure_future(gaps.run())
    raw.more.click()
    while not raw.complete:
        await asyncio.sleep(0.05)
    ticker.cancel()
    assert raw.text.toPlainText().replace("\n", "").count("x y ") == 1_250_000
    assert gaps.longest_s < 0.2
    raw.copy.click()
    assert json.loads(QGuiApplication.clipboard().text())["value"] == big.value


def test_short_lines_are_left_alone() -> None:
    assert folded("a\nb") == "a\nb"
    assert folded("") == ""
    assert [len(line) for line in folded("x" * 2500 + "\ny").splitlines()] == [1000, 1000, 500, 1]
