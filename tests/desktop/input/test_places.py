"""Points and corners by geometry: monitors may lie left of and above the first, and beyond them is nothing."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.contracts.errors import InputError
from console.contracts.geometry import Point, Rect
from console.desktop.input.activity import CORNER, corner_of
from console.desktop.input.pointer import DRAG_STEP, NUMBER_OF_STEPS, path, require_on_screen

LEFT = Rect(x=-1920, y=0, width=1920, height=1080)
MAIN = Rect(x=0, y=0, width=2560, height=1440)
ABOVE = Rect(x=300, y=-1024, width=1280, height=1024)
ALL = [MAIN, LEFT, ABOVE]


@pytest.mark.parametrize("point", [(0, 0), (-1820, 100), (-1920, 0), (2559, 1439), (300, -1024), (1579, -1)])
def test_points_on_any_monitor_are_allowed(point):
    require_on_screen(Point(x=point[0], y=point[1]), ALL)


@pytest.mark.parametrize(
    "point", [(2560, 0), (-1921, 5), (-5, 1080), (0, 1440), (299, -5), (1580, -1), (99_999, 3), (1_000_000_000, 0)]
)
def test_a_point_on_no_monitor_is_refused_by_name(point):
    with pytest.raises(InputError, match=r"on no monitor") as raised:
        require_on_screen(Point(x=point[0], y=point[1]), ALL)
    assert f"({point[0]}, {point[1]})" in raised.value.message


@pytest.mark.parametrize("value", ["400", True, None, math.nan, math.inf, 1.5, [0, 0]])
def test_a_coordinate_is_a_whole_number(value):
    with pytest.raises(ValueError, match="x"):
        Point(x=value, y=1)


@pytest.mark.parametrize(
    ("point", "corner"),
    [
        ((0, 0), "top left"),
        ((CORNER - 1, CORNER - 1), "top left"),
        ((CORNER, CORNER - 1), None),
        ((2559, 1439), "bottom right"),
        ((2559, 0), "top right"),
        ((0, 1439), "bottom left"),
        ((2560 - CORNER, 1440 - CORNER), "bottom right"),
        ((2559 - CORNER, 1439), None),
        ((-1920, 0), "top left"),
        ((-1, 1079), "bottom right"),
        ((-1, 500), None),
        ((300, -1024), "top left"),
        ((1579, -1), "bottom right"),
        ((1200, 700), None),
        ((5000, 5000), None),
    ],
)
def test_every_monitor_has_four_corners_of_a_few_pixels(point, corner):
    assert corner_of(Point(x=point[0], y=point[1]), ALL) == corner


whole = st.integers(-3000, 3000)


@given(whole, whole, whole, whole)
def test_a_drag_goes_in_even_steps_and_ends_where_it_should(x1, y1, x2, y2):
    start, end = Point(x=x1, y=y1), Point(x=x2, y=y2)
    points = path(start, end)
    assert points[-1] == end
    assert 2 <= len(points) <= NUMBER_OF_STEPS
    longest = max(math.dist((a.x, a.y), (b.x, b.y)) for a, b in zip([start, *points], points, strict=False))
    assert longest <= max(DRAG_STEP, math.dist((x1, y1), (x2, y2)) / NUMBER_OF_STEPS) + 2
