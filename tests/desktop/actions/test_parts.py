"""Selectors, differences between frames, comparing what was typed."""

from __future__ import annotations

import pytest

from console.contracts.geometry import Rect
from console.contracts.scene import Frame, Scene
from console.desktop.differences import all_cells, cells_within, changed_cells, grown, same_within
from console.desktop.selectors import find, parse_selector, why_not
from console.desktop.typed import arrived, inserted, missing, named

from .fakes import element, window


def scene() -> Scene:
    return Scene(
        id="s",
        taken_at_ms=0,
        frame=frame(),
        windows=(window(1, "Notes", "Mousepad"), window(2, "Really  delete?", "Mousepad", dialog=True)),
        elements=(
            element("ax:1", "button", "Save"),
            element("ax:2", "input", "Name", value="Ada"),
            element("ax:3", "input", "PIN", protected=True, value="leak"),
            element("ax:4", "label", "Saved  to\ndisk"),
        ),
    )


def frame(*marks: tuple[int, int]) -> Frame:
    pixels = bytearray(70 * 40 * 3)
    for x, y in marks:
        pixels[(y * 70 + x) * 3 + 2] = 1
    return Frame(
        id="f",
        bounds=Rect(x=100, y=50, width=70, height=40),
        image_width=70,
        image_height=40,
        taken_at_ms=0,
        pixels=bytes(pixels),
    )


class TestSelectors:
    @pytest.mark.parametrize(
        ("selector", "ids"),
        [
            ('button[name="Save"]', ["ax:1"]),
            ("button[name='Save']", ["ax:1"]),
            ('button[name="save"]', []),
            ('button[name^="sav"]', ["ax:1"]),
            ('button[name*="AV"]', ["ax:1"]),
            ('button[name*=""]', []),
            ('textbox[name="Name"]', ["ax:2"]),
            ('text="Saved to disk"', ["ax:4"]),
            ("text=sav", ["ax:1", "ax:4"]),
            ('text="Ada"', ["ax:2"]),
            ('text="leak"', []),
            ('id="ax:2"', ["ax:2"]),
            ('id="ax:9"', []),
            ('dialog[name="Really delete?"]', [""]),
            ('dialog[name="Notes"]', []),
            ('window[name="Notes"]', [""]),
        ],
    )
    def test_finding(self, selector: str, ids: list[str]) -> None:
        parsed = parse_selector(selector)
        assert parsed is not None
        assert [hit.element_id for hit in find(parsed, scene())] == ids

    @pytest.mark.parametrize("selector", ["#id", "[data-testid=x]", ".a > b", "button", ""])
    def test_what_only_a_browser_could_look_up(self, selector: str) -> None:
        assert parse_selector(selector) is None
        assert selector in why_not(selector)


class TestDifferences:
    def test_no_change(self) -> None:
        assert changed_cells(frame(), frame()) == frozenset()

    def test_single_pixels_at_the_edges(self) -> None:
        assert changed_cells(frame(), frame((0, 0), (69, 39))) == {(0, 0), (4, 2)}
        assert changed_cells(frame(), frame((69, 39))) == {(4, 2)}

    def test_ignored_areas(self) -> None:
        spot = Rect(x=100, y=50, width=1, height=1)
        assert changed_cells(frame(), frame((0, 0), (69, 39)), [spot]) == {(4, 2)}
        assert changed_cells(frame(), frame((0, 0)), [spot]) == frozenset()

    def test_frames_of_another_place(self) -> None:
        other = frame().model_copy(update={"bounds": Rect(x=0, y=0, width=70, height=40)})
        assert changed_cells(other, frame()) == all_cells(frame())
        assert len(all_cells(frame())) == 15

    def test_cells_and_areas(self) -> None:
        cells = {(0, 0), (1, 0)}
        assert cells_within(cells, frame(), Rect(x=100, y=50, width=16, height=16)) == {(0, 0)}
        assert grown(Rect(x=5, y=5, width=1, height=1), 2) == Rect(x=3, y=3, width=5, height=5)

    def test_the_same_within_an_area(self) -> None:
        spot = Rect(x=110, y=55, width=4, height=4)
        assert same_within(frame(), frame((0, 0)), spot)
        assert not same_within(frame(), frame((11, 6)), spot)
        assert not same_within(frame(), frame(), Rect(x=0, y=0, width=4, height=4))
        assert not same_within(frame(), frame().model_copy(update={"pixels": b""}), spot)


class TestTyped:
    @pytest.mark.parametrize(
        ("text", "before", "after", "lost"),
        [
            ("abc", "", "abc", ""),
            ("abc", "x", "xabc", ""),
            ("abc", "abc", "abcabc", ""),
            ("abc", "", "ac", "b"),
            ("Zażółć", "", "Zać", "żół"),
            ("a\r\nb", "", "a\nb", ""),
            ("abc", "abc", "abc", ""),
            ("1000", "", "1,000", ""),
            ("abc", "", "", "abc"),
            ("ab", "ab", "abb", "a"),
        ],
    )
    def test_missing(self, text: str, before: str, after: str, lost: str) -> None:
        assert missing(text, before, after) == lost

    def test_long_texts(self) -> None:
        assert missing("a" * 5000 + "ż", "", "a" * 5000) == "ż"

    def test_inserted(self) -> None:
        assert inserted("ad", "abcd") == "bc"

    def test_arrived_means_more_than_standing_there_before(self) -> None:
        assert not arrived("b", "abc", "ab_")
        assert arrived("b", "abc", "abcb")

    def test_names(self) -> None:
        assert named("a\n\t ") == "“a”, a line break, U+0009, space"
        assert named("abcdefghijklmn").endswith("and 2 more")
