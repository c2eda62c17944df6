"""Clicking, pointing, scrolling, dragging and selecting."""

from __future__ import annotations

import pytest

from console.contracts import actions as act
from console.contracts.geometry import Point, Rect

from .fakes import Listed, Stage, element, fine, problem, window


@pytest.fixture
def stage() -> Stage:
    stage = Stage()
    stage.world.put(element("ax:save", "button", "Save"))
    stage.world.put(
        element("ax:row", "row", "Row", actions=("activate",), bounds=Rect(x=32, y=96, width=96, height=24))
    )
    return stage


async def test_a_button_is_pressed_by_accessibility(stage: Stage) -> None:
    performed = await stage.do(act.Click(target_id="ax:save"))
    assert ("act", "ax:save", "click") in stage.world.log
    assert performed.receipt.route.route == "accessibility"
    assert "click" not in stage.world.names()


@pytest.mark.parametrize(
    ("fields", "sent"),
    [
        ({"button": "right"}, ("right", 1, (), 0)),
        ({"count": 2}, ("left", 2, (), 0)),
        ({"modifiers": ("ctrl",)}, ("left", 1, ("ctrl",), 0)),
        ({"hold_ms": 300}, ("left", 1, (), 300)),
    ],
)
async def test_everything_but_a_plain_click_is_done_by_the_pointer(stage: Stage, fields, sent) -> None:  # type: ignore[no-untyped-def]
    performed = await stage.do(act.Click(target_id="ax:save", **fields))
    assert ("click", 64, 60, *sent) in stage.world.log
    assert performed.receipt.route.route == "native_input"


async def test_activating_a_row_is_not_a_click(stage: Stage) -> None:
    await stage.do(act.Click(target_id="ax:row"))
    assert ("click", 80, 108, "left", 1, (), 0) in stage.world.log


async def test_a_point_means_the_pixel(stage: Stage) -> None:
    await stage.do(act.Click(target_id="point:64,60"))
    assert ("click", 64, 60, "left", 1, (), 0) in stage.world.log


async def test_a_point_outside_the_picture_is_refused(stage: Stage) -> None:
    permit = await stage.plan(act.Wait(ms=0))
    click = act.Click(target_id="point:999,60")
    performed = await stage.desktop.perform(click, permit.model_copy(update={"action": click}))
    assert "outside the picture" in problem(performed)


async def test_the_console_is_never_clicked(stage: Stage) -> None:
    permit = await stage.plan(act.Click(target_id="ax:save"))
    stage.world.windows.insert(0, Listed(window(99, "Console", "Console", active=False), own=True))
    performed = await stage.desktop.perform(act.Click(target_id="ax:save"), permit)
    assert "The console covers “Save”" in problem(performed)
    assert stage.world.names() == []


async def test_a_covered_target_is_not_clicked(stage: Stage) -> None:
    stage.world.windows.insert(0, Listed(window(5, "Note", "Sticky", active=False)))
    assert "“Note” covers “Save”" in problem(await stage.do(act.Click(target_id="ax:save")))
    assert "act" not in stage.world.names()


async def test_a_window_in_the_back_is_brought_to_the_front_first(stage: Stage) -> None:
    stage.world.windows = [
        Listed(window(2, "Other", "Other", active=True)),
        Listed(window(1, "Notes", "Mousepad", active=False)),
    ]
    await stage.do(act.Click(target_id="ax:save"))
    assert stage.world.names()[:2] == ["activate", "act"]


async def test_a_window_that_stays_in_the_back_is_not_clicked(stage: Stage) -> None:
    stage.world.windows = [
        Listed(window(2, "Other", "Other", active=True)),
        Listed(window(1, "Notes", "Mousepad", active=False)),
    ]
    stage.windows.stubborn = True
    assert "did not come to the front. “Other” is in front" in problem(await stage.do(act.Click(target_id="ax:save")))
    assert "act" not in stage.world.names()


async def test_something_greyed_out_is_not_clicked(stage: Stage) -> None:
    stage.world.change("ax:save", enabled=False)
    assert "greyed out" in problem(await stage.do(act.Click(target_id="ax:save")))


async def test_hovering_only_moves(stage: Stage) -> None:
    fine(await stage.do(act.Hover(target_id="ax:save")))
    assert stage.world.names() == ["move"]


async def test_scrolling_is_in_notches_at_the_target(stage: Stage) -> None:
    await stage.do(act.Scroll(dy=3, dx=-1, target_id="ax:row"))
    assert ("scroll", 80, 108, -1, 3) in stage.world.log


async def test_scrolling_without_a_target_is_done_in_the_active_window(stage: Stage) -> None:
    await stage.do(act.Scroll(dy=1))
    assert ("scroll", 120, 96, 0, 1) in stage.world.log


@pytest.mark.parametrize(("dy", "words"), [(0, "by nothing"), (600, "More than 100")])
async def test_scrolling_by_nothing_or_too_much_is_refused(stage: Stage, dy: int, words: str) -> None:
    assert words in problem(await stage.do(act.Scroll(dy=dy)))
    assert "scroll" not in stage.world.names()


async def test_dragging_goes_by_its_points(stage: Stage) -> None:
    await stage.do(act.Drag(from_target_id="ax:save", to_target_id="ax:row", via=(Point(x=5, y=6),)))
    assert ("drag", (64, 60), (5, 6), (80, 108)) in stage.world.log


async def test_dragging_over_the_edge_is_refused(stage: Stage) -> None:
    drag = act.Drag(from_target_id="ax:save", to_target_id="ax:row", via=(Point(x=5000, y=6),))
    assert "on no monitor" in problem(await stage.do(drag))
    assert "drag" not in stage.world.names()


async def test_selecting_is_a_drag(stage: Stage) -> None:
    await stage.do(act.Select(from_x=40, from_y=50, to_x=80, to_y=52))
    assert ("drag", (40, 50), (80, 52)) in stage.world.log
