"""Pictures of the screen: whatever the back-end does, one kind of error comes out."""

from __future__ import annotations

import asyncio
import io
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image

from console.contracts.errors import CaptureError, ConsoleError, DesktopUnavailable
from console.contracts.geometry import Rect
from console.contracts.scene import Frame
from console.desktop import capture as capture_module
from console.desktop.capture import Capture, as_image, encode, is_blank, monitors

from .fakes import frame


class BackEnd:
    """Gives red pictures of the size it was asked for, times a scale; or raises."""

    def __init__(
        self, boxes: list[tuple[int, int, int, int]], scale: float = 1.0, error: Exception | None = None
    ) -> None:
        self.boxes, self.scale, self.error = boxes, scale, error
        self.closed = False
        self._monitors: Any = ["stale"]

    @property
    def monitors(self) -> list[dict[str, int]]:
        assert self._monitors is None, "the geometry is read anew each time"
        left, top = min(b[0] for b in self.boxes), min(b[1] for b in self.boxes)
        right, bottom = max(b[0] + b[2] for b in self.boxes), max(b[1] + b[3] for b in self.boxes)
        whole = (left, top, right - left, bottom - top)
        return [dict(zip(("left", "top", "width", "height"), box, strict=True)) for box in (whole, *self.boxes)]

    def grab(self, box: dict[str, int]) -> Any:
        if self.error is not None:
            raise self.error
        size = (int(box["width"] * self.scale), int(box["height"] * self.scale))
        return SimpleNamespace(size=size, raw=bytes((0, 0, 255, 0)) * size[0] * size[1])

    def close(self) -> None:
        self.closed = True
        if self.error is not None:
            raise self.error


def capture_of(back_end: BackEnd, monkeypatch: pytest.MonkeyPatch) -> Capture:
    monkeypatch.setattr(capture_module, "require_live_display", lambda: None)
    monkeypatch.setattr("mss.MSS", lambda: back_end)
    return Capture()


async def test_red_stays_red_in_the_frame_and_in_both_images(monkeypatch: pytest.MonkeyPatch) -> None:
    capture = capture_of(BackEnd([(0, 0, 64, 48)]), monkeypatch)
    shot = await capture.grab()
    assert shot.pixels[:3] == b"\xff\x00\x00"
    for media in ("image/png", "image/jpeg"):
        image = Image.open(io.BytesIO(await capture.encode(shot, media)))  # type: ignore[arg-type]
        red, green, blue = image.convert("RGB").getpixel((5, 5))  # type: ignore[misc]
        assert (red > 250, green < 5, blue < 5) == (True, True, True)
    await capture.close()


@pytest.mark.parametrize(
    ("asked", "got"),
    [
        (None, (-1920, 0, 4480, 1440)),
        ((-1950, -10, 100, 100), (-1920, 0, 70, 90)),
        ((2500, 1400, 999, 999), (2500, 1400, 60, 40)),
        ((-99999, -99999, 999999, 999999), (-1920, 0, 4480, 1440)),
        ((10, 10, 0, 5), None),
        ((10, 10, -5, 5), None),
        ((9000, 10, 50, 50), None),
    ],
)
async def test_a_region_is_cut_to_the_screen(
    asked: tuple[int, int, int, int] | None, got: tuple[int, int, int, int] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    capture = capture_of(BackEnd([(-1920, 0, 1920, 1080), (0, 0, 2560, 1440)]), monkeypatch)
    region = Rect(x=asked[0], y=asked[1], width=asked[2], height=asked[3]) if asked else None
    if got is None:
        with pytest.raises(CaptureError, match="not on the screen"):
            await capture.grab(region)
    else:
        shot = await capture.grab(region)
        assert (shot.bounds.x, shot.bounds.y, shot.bounds.width, shot.bounds.height) == got
        assert [m.bounds.x for m in shot.monitors] == [-1920, 0]
        assert (shot.to_screen(5, 5).x, shot.to_screen(5, 5).y) == (got[0] + 5, got[1] + 5)
    await capture.close()


@pytest.mark.parametrize(("scale", "image"), [(1.0, 1440), (2.0, 2880), (1.5, 2160)])
async def test_the_scale_is_that_of_this_picture(scale: float, image: int, monkeypatch: pytest.MonkeyPatch) -> None:
    capture = capture_of(BackEnd([(0, 0, 1440, 900)], scale), monkeypatch)
    shot = await capture.grab()
    assert (shot.image_width, shot.monitors[0].scale) == (image, scale)
    assert (shot.to_screen(image - 1, 0).x, shot.to_screen(0, 0).x) == (1439, 0)
    await capture.close()


class Strange(Exception):
    """An error of no known family."""


@pytest.mark.parametrize("error", [Strange("boo"), OSError("gone"), ValueError("bad"), AttributeError("none")])
async def test_every_error_becomes_a_capture_error_and_the_next_try_is_a_fresh_one(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    back_end = BackEnd([(0, 0, 64, 48)], error=error)
    capture = capture_of(back_end, monkeypatch)
    with pytest.raises(CaptureError, match="could not be captured"):
        await capture.grab()
    assert back_end.closed
    back_end.error, back_end._monitors = None, None
    assert (await capture.grab()).image_width == 64
    await capture.close()


async def test_it_says_whether_a_picture_is_on_its_way(monkeypatch: pytest.MonkeyPatch) -> None:
    capture = capture_of(BackEnd([(0, 0, 64, 48)]), monkeypatch)
    shot = asyncio.ensure_future(capture.grab())
    await asyncio.sleep(0)
    assert capture.busy
    await shot
    assert not capture.busy
    await capture.close()


async def test_wayland_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_SESSION_TYPE", "wayland")
    capture = capture_of(BackEnd([(0, 0, 64, 48)], error=Strange("XGetImage() failed")), monkeypatch)
    with pytest.raises(CaptureError) as caught:
        await capture.grab()
    assert "X11" in caught.value.hint
    await capture.close()


async def test_closing_never_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    back_end = BackEnd([(0, 0, 64, 48)])
    capture = capture_of(back_end, monkeypatch)
    await capture.grab()
    back_end.error = OSError("the server is gone")
    await capture.close()


def test_without_a_display_there_is_no_capture(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DesktopUnavailable) as caught:
        Capture()
    assert isinstance(caught.value, ConsoleError)


@pytest.mark.parametrize(
    ("shot", "blank"),
    [
        (frame(0), True),
        (frame(255), True),
        (frame(200, spots=[(10, 10, 60, 40)]), False),
        (frame(200, spots=[(300, 200, 1, 1)]), False),
    ],
)
def test_a_picture_of_one_colour_is_blank(shot: Frame, blank: bool) -> None:
    assert is_blank(as_image(shot)) is blank


def test_a_barely_speckled_picture_is_blank_too() -> None:
    image = Image.new("RGB", (640, 480), (10, 10, 10))
    image.putpixel((100, 100), (13, 12, 11))
    assert is_blank(image)


def test_the_first_monitor_is_the_primary_one() -> None:
    boxes = [Rect(x=0, y=0, width=100, height=100), Rect(x=100, y=0, width=100, height=100)]
    assert [m.primary for m in monitors(boxes, 2.0)] == [True, False]
    assert encode(frame(), "image/png").startswith(b"\x89PNG")
