"""The screen column: the right picture at the right moment, and the target exactly where the click goes."""

from __future__ import annotations

import asyncio
import gc

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from console.contracts.errors import StorageError
from console.contracts.events import RunEvent
from console.contracts.geometry import Point, Rect
from console.contracts.scene import Frame
from console.ui.main_window import MainWindow
from console.ui.rows import Row
from console.ui.run_model import RunModel
from console.ui.screen.canvas import Canvas, Picture
from console.ui.screen.panel import EMPTY, NOT_KEPT, ScreenPanel

from . import sample_pictures
from .sample_events import DELETE, Story, finished_run, waiting_run

SCREEN = Rect(x=0, y=0, width=2500, height=1250)
SIZES = [(1000, 700), (640, 480), (333, 777)]


def blank(width: int, height: int, color: str = "#ffffff") -> QImage:
    image = QImage(width, height, QImage.Format.Format_RGB888)
    image.fill(QColor(color))
    return image


def rows_of(events: list[RunEvent]) -> list[Row]:
    run = RunModel()
    run.apply_all(events)
    return [row for row in run.rows if row.kind != "group"]


@pytest.fixture
def canvas(qtbot: QtBot) -> Canvas:
    canvas = Canvas()
    qtbot.addWidget(canvas)
    canvas.resize(600, 400)
    canvas.show()
    return canvas


@pytest.fixture
def panel(qtbot: QtBot, qt_loop: asyncio.AbstractEventLoop) -> ScreenPanel:
    panel = ScreenPanel(sample_pictures.load)
    qtbot.addWidget(panel)
    panel.resize(600, 500)
    panel.show()
    return panel


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("zoom", [None, 0.4, 1.0, 2.0])
@pytest.mark.parametrize("image_scale", [1, 2], ids=["image of the screen's size", "image at half the size"])
def test_the_mark_lies_on_the_pixel_that_is_clicked(
    canvas: Canvas, size: tuple[int, int], zoom: float | None, image_scale: int
) -> None:
    canvas.resize(*size)
    canvas.show_picture(Picture(blank(2500 // image_scale, 1250 // image_scale), SCREEN))
    point = Point(x=1000, y=500)
    canvas.mark((), Rect(x=950, y=480, width=100, height=40), point)
    if zoom is not None:
        canvas.zoom_to(zoom, QPointF(10, 10))
    marker = canvas.marker()
    assert marker is not None
    back = canvas.to_screen(marker)
    assert abs(back.x() - 0.5 - point.x) < 1
    assert abs(back.y() - 0.5 - point.y) < 1


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_picture_and_mark_are_painted_with_one_transform(
    canvas: Canvas, qtbot: QtBot, size: tuple[int, int], ratio: float
) -> None:
    """A black dot of the picture is found where the mark is, at every size and density."""
    canvas.resize(*size)
    image = blank(2500, 1250)
    painter = QPainter(image)
    painter.fillRect(985, 485, 31, 31, QColor("#000000"))
    painter.end()
    canvas.show_picture(Picture(image, SCREEN))
    canvas.mark((), None, Point(x=1000, y=500))
    marker = canvas.marker()
    assert marker is not None
    canvas._point = None
    painted = QImage(round(size[0] * ratio), round(size[1] * ratio), QImage.Format.Format_RGB32)
    painted.setDevicePixelRatio(ratio)
    canvas.render(painted)
    grey = painted.convertToFormat(QImage.Format.Format_Grayscale8)
    pixels = np.frombuffer(grey.constBits(), np.uint8).reshape(grey.height(), grey.bytesPerLine())
    down, across = np.nonzero(pixels[:, : grey.width()] < 100)
    middle_x, middle_y = across.mean() + 0.5, down.mean() + 0.5
    assert abs(middle_x / ratio - marker.x()) <= 1
    assert abs(middle_y / ratio - marker.y()) <= 1


def test_screens_left_of_the_first_one_have_negative_pixels(canvas: Canvas) -> None:
    canvas.show_picture(Picture(blank(100, 50), Rect(x=-1000, y=-500, width=1000, height=500)))
    assert canvas.to_widget(QPointF(-1000, -500)).x() == pytest.approx(1, abs=1)
    assert canvas.to_screen(canvas.to_widget(QPointF(-3, -7))).x() == pytest.approx(-3)


def test_zoom_keeps_the_point_under_the_pointer_and_the_picture_in_sight(canvas: Canvas, qtbot: QtBot) -> None:
    canvas.show_picture(Picture(blank(1280, 800), Rect(x=0, y=0, width=1280, height=800)))
    at = QPointF(200, 100)
    before = canvas.to_screen(at)
    wheel = QWheelEvent(
        at, canvas.mapToGlobal(at), QPoint(0, 0), QPoint(0, 240), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(canvas, wheel)
    after = canvas.to_screen(at)
    assert not canvas.fits
    assert (after.x(), after.y()) == (pytest.approx(before.x()), pytest.approx(before.y()))
    canvas.zoom_to(1000)
    assert canvas.scale == 8
    qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
    qtbot.mouseMove(canvas, QPoint(590, 390))
    qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=QPoint(590, 390))
    canvas._pan(QPointF(1e6, 1e6))
    assert canvas.to_widget(QPointF(0, 0)).x() < canvas.width()
    canvas.fit()
    assert canvas.fits


def test_the_canvas_works_by_keys(canvas: Canvas, qtbot: QtBot) -> None:
    canvas.show_picture(Picture(blank(1280, 800), Rect(x=0, y=0, width=1280, height=800)))
    fit = canvas.scale
    qtbot.keyClick(canvas, Qt.Key.Key_Plus)
    assert canvas.scale > fit
    left = canvas.to_widget(QPointF(0, 0)).x()
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    assert canvas.to_widget(QPointF(0, 0)).x() < left
    qtbot.keyClick(canvas, Qt.Key.Key_Minus)
    qtbot.keyClick(canvas, Qt.Key.Key_0)
    assert canvas.fits
    qtbot.keyClick(canvas, Qt.Key.Key_F1)


def test_it_is_described_for_a_screen_reader(canvas: Canvas) -> None:
    canvas.show_picture(None, "Nothing yet.\n\nRun something.")
    assert canvas.accessibleDescription() == "Nothing yet. Run something."
    canvas.show_picture(Picture(blank(10, 10), Rect(x=0, y=0, width=10, height=10)))
    canvas.mark([DELETE], DELETE, DELETE.center)
    assert canvas.accessibleDescription() == "1 elements. The target is at 1022, 512."


def test_an_empty_screen_says_why(panel: ScreenPanel) -> None:
    assert panel.canvas.accessibleDescription() == EMPTY.replace("\n\n", " ")
    assert panel.caption.whole == ""
    assert not panel.moments.button("live").isEnabled()


def test_an_attempt_has_a_before_with_its_target_and_an_after_without(panel: ScreenPanel, qtbot: QtBot) -> None:
    row = next(row for row in rows_of(finished_run()) if row.title.startswith("Click “Delete”"))
    panel.show_row(row)
    qtbot.waitUntil(lambda: panel.canvas.picture is not None)
    assert panel.moment == "before"
    assert panel.canvas.accessibleDescription() == "8 elements. The target is at 1022, 512."
    assert panel.caption.whole.startswith("frame 28 · 1280×800 · fit ")
    qtbot.mouseClick(panel.moments.button("after"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.canvas.accessibleDescription() == "0 elements.")


def test_a_step_that_waits_shows_what_it_was_planned_on(panel: ScreenPanel, qtbot: QtBot) -> None:
    panel.set_running(True)
    row = rows_of(waiting_run())[-1]
    assert row.waits
    panel.show_row(row, following=True)
    qtbot.waitUntil(lambda: panel.canvas.picture is not None)
    assert panel.moment == "before"
    assert "1022, 512" in panel.canvas.accessibleDescription()
    assert not panel.moments.button("after").isEnabled()


def test_while_one_follows_the_run_the_screen_is_live(panel: ScreenPanel, qtbot: QtBot) -> None:
    story = Story()
    story.started()
    story.looked()
    story.planned("Tidy up")
    story.attempted("Click “A”", "done")
    panel.set_running(True)
    for event in story.events:
        panel.show_event(event)
    panel.show_row(rows_of(story.events)[-1], following=True)
    assert panel.moment == "live"
    qtbot.waitUntil(lambda: panel.canvas.picture is not None)
    panel.show_row(rows_of(story.events)[-1], following=False)
    assert panel.moment == "before"
    panel.set_moment("live")
    assert panel.moment == "live"
    panel.set_running(False)
    assert panel.moment == "before"
    assert not panel.moments.button("live").isEnabled()


def test_a_live_frame_is_copied(panel: ScreenPanel) -> None:
    """Row 56: the pixels may go as soon as they were handed over."""
    panel.set_running(True)
    pixels = bytes((10, 200, 30)) * (64 * 48)
    bounds = Rect(x=0, y=0, width=64, height=48)
    panel.show_live(Frame(id="f-1", bounds=bounds, image_width=64, image_height=48, taken_at_ms=1, pixels=pixels))
    del pixels
    gc.collect()
    picture = panel.canvas.picture
    assert picture is not None
    assert picture.image.pixelColor(63, 47).getRgb()[:3] == (10, 200, 30)
    assert panel.caption.whole.startswith("live · 64×48")
    panel.show_live(None)
    assert panel.canvas.picture is None


@pytest.mark.slow
def test_five_hundred_frames_with_garbage_collection(panel: ScreenPanel, qapp: QApplication) -> None:
    panel.set_running(True)
    bounds = Rect(x=0, y=0, width=320, height=200)
    for number in range(500):
        pixels = bytes((number % 256, 0, 0)) * (320 * 200)
        panel.show_live(
            Frame(id=f"f-{number}", bounds=bounds, image_width=320, image_height=200, taken_at_ms=1, pixels=pixels)
        )
        del pixels
        if number % 25 == 0:
            gc.collect()
            panel.move(number % 90, 0)
        qapp.processEvents()
    picture = panel.canvas.picture
    assert picture is not None
    assert picture.image.pixelColor(5, 5).red() == 499 % 256


def test_a_picture_that_is_gone_says_so_and_so_does_a_damaged_one(qtbot: QtBot, qt_loop: object) -> None:
    async def load(name: str) -> bytes:
        if name == "files":
            raise StorageError("The picture is not there any more.", "It may have been removed by hand.")
        return b"no picture"

    panel = ScreenPanel(load)
    qtbot.addWidget(panel)
    rows = rows_of(finished_run())
    panel.show_row(rows[1])
    qtbot.waitUntil(lambda: "not there any more" in panel.canvas.accessibleDescription())
    panel.show_row(next(row for row in rows if row.title.startswith("Click “Delete”")))
    qtbot.waitUntil(lambda: "damaged" in panel.canvas.accessibleDescription())
    panel.show_row(rows[0])
    panel.set_moment("before")
    panel.clear()
    assert panel.canvas.accessibleDescription() == EMPTY.replace("\n\n", " ")


def test_a_moment_without_a_picture_says_so(panel: ScreenPanel) -> None:
    story = Story()
    story.started()
    story.looked(picture=None)
    story.attempted("Click “A”", "done", before=None, after=None)
    panel.show_row(rows_of(story.events)[0])
    assert panel.canvas.accessibleDescription() == NOT_KEPT


def test_a_bug_of_the_store_is_told(qtbot: QtBot, qt_loop: object) -> None:
    async def load(name: str) -> bytes:
        raise KeyError(name)

    panel = ScreenPanel(load)
    qtbot.addWidget(panel)
    with qtbot.waitSignal(panel.failed):
        panel.show_row(rows_of(finished_run())[1])


async def test_a_late_picture_of_another_row_is_dropped(qtbot: QtBot, qt_loop: asyncio.AbstractEventLoop) -> None:
    """Row 55: what comes late goes nowhere."""
    asked: list[str] = []
    go, first, second = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def load(name: str) -> bytes:
        asked.append(name)
        if len(asked) == 1:
            first.set()
            await go.wait()
        else:
            second.set()
        return sample_pictures.stored(name)

    panel = ScreenPanel(load)
    qtbot.addWidget(panel)
    rows = rows_of(finished_run())
    panel.show_row(rows[1])
    panel.show_row(rows[2])
    panel.show_row(next(row for row in rows if row.title.startswith("Click “Delete”")))
    await first.wait()
    go.set()
    await second.wait()
    await asyncio.sleep(0.05)
    assert asked == ["files", "dialog"]
    assert "1022, 512" in panel.canvas.accessibleDescription()


def test_outlines_can_be_put_away(panel: ScreenPanel, qtbot: QtBot) -> None:
    panel.show_row(rows_of(finished_run())[1])
    qtbot.waitUntil(lambda: panel.canvas.picture is not None)
    with_outlines = panel.canvas.grab().toImage()
    qtbot.mouseClick(panel.elements, Qt.MouseButton.LeftButton)
    assert panel.elements.text() == "Elements"
    assert panel.canvas.grab().toImage() != with_outlines
    panel.canvas.highlight(DELETE)
    assert panel.canvas.grab().toImage() != with_outlines


def test_zoom_buttons_say_and_do_what_they_say(panel: ScreenPanel, qtbot: QtBot) -> None:
    panel.show_row(rows_of(finished_run())[1])
    qtbot.waitUntil(lambda: panel.canvas.picture is not None)
    smaller, larger, whole = panel._tools
    qtbot.mouseClick(whole, Qt.MouseButton.LeftButton)
    assert (panel.canvas.scale, whole.text()) == (1.0, "Fit")
    qtbot.mouseClick(larger, Qt.MouseButton.LeftButton)
    assert panel.caption.whole.endswith("125 %")
    qtbot.mouseClick(smaller, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(whole, Qt.MouseButton.LeftButton)
    assert panel.canvas.fits


async def test_a_card_or_window_that_closed_hears_nothing_late(
    qt_loop: asyncio.AbstractEventLoop, qtbot: QtBot
) -> None:
    """Row 55: the picture arrives after the window is gone."""
    go = asyncio.Event()

    async def load(name: str) -> bytes:
        await go.wait()
        return sample_pictures.stored(name)

    panel = ScreenPanel(load)
    panel.show_row(rows_of(finished_run())[1])
    await asyncio.sleep(0)
    panel.deleteLater()
    QApplication.sendPostedEvents(panel, 52)
    go.set()
    await asyncio.sleep(0.05)


def test_choosing_an_element_shows_it_on_the_screen(window: MainWindow, qtbot: QtBot) -> None:
    window.load_run(finished_run())
    qtbot.waitUntil(lambda: window.screen_panel.canvas.picture is not None)
    before = window.screen_panel.canvas.grab().toImage()
    window.details.saw.table.selectRow(0)
    assert window.screen_panel.canvas.grab().toImage() != before
