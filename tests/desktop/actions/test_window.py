"""Windows are moved, sized, hidden and closed, and it is checked that they were."""

from __future__ import annotations

from typing import Any

import pytest

from console.contracts import actions as act
from console.contracts.geometry import Rect

from .fakes import SCREEN, WINDOW, Listed, Stage, fine, problem, window


class Manager:
    """Does what it is asked, as a window manager; `offset` is how it misunderstands positions."""

    def __init__(self, stage: Stage, offset: tuple[int, int] = (0, 0)) -> None:
        self._stage = stage
        self._offset = offset
        stage.world.on = {"move_resize": self.place, "set_state": self.state, "close_window": self.close}

    def place(self, window_id: int, bounds: Rect) -> None:
        x, y = self._offset
        moved = bounds.model_copy(update={"x": bounds.x + x, "y": bounds.y + y})
        self.change(window_id, bounds=moved, frame=None)

    def state(self, window_id: int, state: str) -> None:
        changes: dict[str, Any] = {
            "maximize": {"bounds": SCREEN},
            "fullscreen": {"bounds": SCREEN},
            "unfullscreen": {"bounds": WINDOW},
            "minimize": {"minimized": True},
            "restore": {"minimized": False},
        }
        self.change(window_id, **changes[state])

    def close(self, window_id: int) -> None:
        self._stage.world.windows = [entry for entry in self._stage.world.windows if entry.info.id != window_id]

    def change(self, window_id: int, **fields: Any) -> None:
        for entry in self._stage.world.windows:
            if entry.info.id == window_id:
                entry.info = entry.info.model_copy(update=fields)


@pytest.fixture
def stage() -> Stage:
    stage = Stage()
    Manager(stage)
    return stage


def bounds(stage: Stage) -> tuple[int, int, int, int]:
    box = stage.world.windows[0].info.bounds
    return box.x, box.y, box.width, box.height


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"op": "move", "x": 5, "y": 6}, (5, 6, 240, 160)),
        ({"op": "resize", "width": 100}, (0, 16, 100, 160)),
        ({"op": "x", "preset": "left_half"}, (0, 0, 160, 192)),
        ({"op": "x", "preset": "bottom-right"}, (160, 96, 160, 96)),
        ({"op": "center"}, (40, 16, 240, 160)),
        ({"op": "maximize"}, (0, 0, 320, 192)),
        ({"op": "fullscreen"}, (0, 0, 320, 192)),
        ({"op": "x", "preset": "left_half", "display": 0}, (0, 0, 160, 192)),
    ],
)
async def test_places(stage: Stage, fields: dict[str, Any], place: tuple[int, ...]) -> None:
    performed = await stage.do(act.Window(**fields))
    fine(performed)
    assert bounds(stage) == place
    assert performed.receipt.observed_effect.status == "observed"


async def test_the_decoration_is_part_of_the_place(stage: Stage) -> None:
    stage.world.windows = [
        Listed(
            window(
                1,
                "Notes",
                "Mousepad",
                bounds=Rect(x=2, y=20, width=200, height=100),
                frame=Rect(x=0, y=0, width=204, height=122),
            )
        )
    ]
    await stage.do(act.Window(op="x", preset="left_half"))
    assert bounds(stage) == (2, 20, 156, 170)


async def test_a_manager_that_counts_from_the_decoration_is_corrected() -> None:
    stage = Stage()
    Manager(stage, offset=(1, 20))
    fine(await stage.do(act.Window(op="move", x=5, y=30)))
    assert bounds(stage)[:2] == (5, 30)


@pytest.mark.parametrize("op", ["minimize", "restore", "exit_fullscreen", "focus", "close"])
async def test_states(stage: Stage, op: str) -> None:
    fine(await stage.do(act.Window(op=op)))


async def test_a_manager_that_does_nothing(stage: Stage) -> None:
    stage.world.on.clear()
    performed = await stage.do(act.Window(op="maximize"))
    assert "is not maximised" in problem(performed)
    assert performed.receipt.observed_effect.status == "contradicted"
    assert "not where it was to be" in problem(await stage.do(act.Window(op="move", x=1, y=1)))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"op": "fly"}, "no window operation “fly”"),
        ({"op": "move"}, "Give x and y"),
        ({"op": "resize"}, "Give width and height"),
        ({"op": "resize", "width": 0}, "smaller than a pixel"),
        ({"op": "x", "preset": "left_half", "display": 3}, "no display 3"),
        ({"op": "focus", "app": "Mousepad", "window_index": 4}, "has one window"),
        ({"op": "focus", "app": "gedit"}, "has no window"),
    ],
)
async def test_refusals(stage: Stage, fields: dict[str, Any], words: str) -> None:
    assert words in problem(await stage.do(act.Window(**fields)))


async def test_no_window_is_active(stage: Stage) -> None:
    stage.world.activate(77)
    assert "No window is active" in problem(await stage.do(act.Window(op="maximize")))


async def test_the_list(stage: Stage) -> None:
    data = fine(await stage.do(act.Window(op="list"))).data
    assert isinstance(data, list)
    assert data[0] == {
        "title": "Notes", "app": "Mousepad", "active": True, "minimized": False,
        "x": 0, "y": 16, "width": 240, "height": 160,
    }  # fmt: skip
