"""Reading again: only what has changed is asked for, and nothing that has changed is missed."""

from __future__ import annotations

from typing import Any

import pytest

from console.contracts.scene import Frame
from console.desktop.accessibility import pixels as pixels_module
from console.desktop.accessibility import reader as reader_module
from console.desktop.accessibility import roles
from console.desktop.accessibility.pixels import ChangedAreas, ChangedPixels, changed_tiles
from console.desktop.accessibility.reader import AccessibilityReader

from .fakes import SHOWING, Box, FakeApp, FakeBus, FakeNode, frame, top, window

BUTTON = 43
QUIET = frame()


@pytest.fixture(autouse=True)
def no_linger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ChangedPixels.__init__, "__defaults__", (0.0,))
    monkeypatch.setattr(reader_module, "YOUNG_S", 0.0)


class Desk:
    """One application with thirty buttons in three panels, read once."""

    def __init__(self) -> None:
        self.panels = [
            FakeNode(
                20,
                "",
                (0, 100 * p, 400, 100),
                [FakeNode(BUTTON, f"{p}{n}", (40 * n, 100 * p, 30, 20)) for n in range(10)],
            )
            for p in range(3)
        ]
        self.top = top(*self.panels)
        self.app = FakeApp([self.top], 7)
        self.bus: Any = FakeBus(self.app)
        self.reader = AccessibilityReader(self.bus)
        self.windows = (window(1, 7, active=True),)

    async def look(self, picture: Frame = QUIET) -> dict[str, str]:
        """Label to id."""
        self.bus.asked.clear()
        self.bus.asked_of.clear()
        seen = await self.reader.read(self.windows, picture)
        return {e.label: e.id for e in seen.elements}


@pytest.fixture
async def desk() -> Desk:
    desk = Desk()
    await desk.look()
    return desk


async def test_where_nothing_has_changed_one_call_is_enough(desk: Desk) -> None:
    assert len(await desk.look()) == 30
    assert desk.bus.asked.total() == 1


async def test_news_of_a_node_make_it_be_read_again(desk: Desk) -> None:
    node = desk.panels[1].children[4]
    node.name = "renamed"
    before = await desk.look()
    assert "renamed" not in before
    desk.bus.tell(desk.app, node, "PropertyChange", "accessible-name")
    after = await desk.look()
    assert after["renamed"] == before["14"]
    assert desk.bus.asked.total() < 20


async def test_a_child_that_comes_and_one_that_goes_are_noticed(desk: Desk) -> None:
    panel = desk.panels[0]
    gone = panel.children.pop(3)
    panel.children.insert(0, FakeNode(BUTTON, "new", (300, 50, 30, 20)))
    desk.bus.tell(desk.app, panel, "ChildrenChanged", "add")
    after = await desk.look()
    assert "new" in after
    assert gone.name not in after
    assert desk.bus.asked.total() < 40


async def test_what_was_hidden_is_read_when_it_shows(desk: Desk) -> None:
    late = FakeNode(BUTTON, "late", (300, 150, 30, 20), states=frozenset({roles.VISIBLE}))
    desk.panels[1].children.append(late)
    desk.bus.tell(desk.app, desk.panels[1], "ChildrenChanged", "add")
    assert "late" not in await desk.look()
    late.states = SHOWING
    desk.bus.tell(desk.app, late, "StateChanged", "showing")
    assert "late" in await desk.look()
    late.states = frozenset({roles.VISIBLE})
    desk.bus.tell(desk.app, late, "StateChanged", "showing")
    assert "late" not in await desk.look()


async def test_what_changes_its_looks_without_a_word_is_read_again(desk: Desk) -> None:
    desk.panels[2].children[1].name = "silently"
    after = await desk.look(frame(spots=[(50, 205, 4, 4)]))
    assert "silently" in after
    assert desk.bus.asked_of[desk.panels[0].children[1].path] == 0


async def test_what_changes_under_another_window_is_not_asked_about(desk: Desk) -> None:
    desk.windows = (window(9, 99, box=(0, 180, 640, 300)), *desk.windows)
    await desk.look()
    await desk.look(frame(spots=[(70, 230, 60, 40)]))
    assert desk.bus.asked.total() == 1


async def test_a_window_that_moves_is_read_again(desk: Desk) -> None:
    desk.windows = (window(1, 7, active=True, box=(100, 100, 400, 300)),)
    desk.top.box = (100, 100, 400, 300)
    desk.panels[0].children[0].box = (100, 100, 30, 20)
    seen = await desk.reader.read(desk.windows, QUIET)
    assert next(e for e in seen.elements if e.label == "00").bounds.x == 100


async def test_a_new_dialog_is_read_without_the_window_behind_it(desk: Desk) -> None:
    dialog = FakeNode(16, "Sure?", (50, 50, 100, 100), [FakeNode(BUTTON, "Yes", (60, 60, 30, 20))])
    desk.app.root.children.append(dialog)
    desk.windows = (window(2, 7, title="Sure?", box=(50, 50, 100, 100), dialog=True, active=True), *desk.windows)
    assert "Yes" in await desk.look()
    assert desk.bus.asked_of[desk.panels[2].path] == 0


async def test_everything_is_read_again_some_day(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.panels[2].children[1].name = "unseen"
    assert "unseen" not in await desk.look()
    monkeypatch.setattr(reader_module, "STALE_S", 0.0)
    assert "unseen" in await desk.look()


async def test_anomalies_last_as_long_as_their_cause(desk: Desk) -> None:
    ill = FakeNode(BUTTON, "ill", broken=frozenset({"Name"}))
    desk.panels[0].children.append(ill)
    desk.bus.tell(desk.app, desk.panels[0], "ChildrenChanged", "add")
    for _ in range(3):
        seen = await desk.reader.read(desk.windows, QUIET)
        assert [a.kind for a in seen.anomalies] == ["unreadable_nodes"]
    ill.broken = frozenset()
    desk.bus.tell(desk.app, desk.panels[0], "ChildrenChanged", "add")
    assert not (await desk.reader.read(desk.windows, QUIET)).anomalies


async def test_an_application_that_has_just_come_is_read_as_a_whole(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader_module, "YOUNG_S", 60.0)
    desk.panels[2].children[1].name = "not told"
    assert "not told" in await desk.look()


async def test_an_application_that_ends_is_forgotten(desk: Desk) -> None:
    desk.bus.apps.clear()
    assert await desk.look() == {}


async def test_a_change_is_looked_at_again_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ChangedPixels.__init__, "__defaults__", (60.0,))
    desk = Desk()
    await desk.look()
    desk.panels[0].children[0].name = "told late"
    assert "told late" in await desk.look()


@pytest.mark.parametrize("size", [(640, 480), (641, 479), (33, 31), (1366, 768)])
@pytest.mark.parametrize("corner", [(0.0, 0.0), (0.999, 0.0), (0.0, 0.999), (0.999, 0.999), (0.5, 0.5)])
def test_a_single_pixel_is_found(size: tuple[int, int], corner: tuple[float, float]) -> None:
    x, y = int(corner[0] * size[0]), int(corner[1] * size[1])
    tiles = changed_tiles(frame(size=size), after := frame(size=size, spots=[(x, y, 1, 1)]))
    assert tiles.sum() == 1
    areas = ChangedAreas(tiles, after)
    assert areas.touch(window(1, 1, box=(x, y, 1, 1)).bounds)
    assert areas.any()


@pytest.mark.parametrize(("cover", "left"), [((0, 0, 640, 480), False), ((0, 0, 40, 40), True), ((50, 50, 9, 9), True)])
def test_only_what_is_wholly_covered_does_not_count(cover: Box, left: bool) -> None:
    after = frame(spots=[(52, 52, 4, 4)])
    areas = ChangedAreas(changed_tiles(frame(), after), after)
    mine = window(1, 7, box=(0, 0, 640, 480))
    assert areas.of(mine, (window(2, 8, box=cover), mine)).any() is left


def test_pixels_of_another_size_say_nothing() -> None:
    pixels = pixels_module.ChangedPixels()
    assert pixels.look(frame()) is None
    assert pixels.look(frame(size=(320, 200))) is None
