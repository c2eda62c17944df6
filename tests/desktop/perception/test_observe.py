"""One look: what each part says goes into the scene, and what is missing is said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from console.contracts.errors import CaptureError
from console.contracts.geometry import Rect
from console.contracts.scene import Frame, SceneAnomaly, SceneElement, WindowInfo
from console.contracts.view import ElementState
from console.desktop.accessibility.reader import AccessibilitySnapshot
from console.desktop.capture import as_image
from console.desktop.observe import Observer, blockers, picture_of, with_an_active, without_own
from console.desktop.windows import Listed

from .fakes import frame, window


def element(id_: str, label: str, window_id: int = 1, kind: str = "button", **more: Any) -> SceneElement:
    box = more.pop("box", (10, 10, 40, 20))
    bounds = Rect(x=box[0], y=box[1], width=box[2], height=box[3])
    return SceneElement(
        id=id_, element_type=kind, label=label, bounds=bounds, window_id=window_id, clickable=True, **more
    )


class Parts:
    """Capture, windows, accessibility and OCR in one, each with a fixed answer."""

    def __init__(self, snapshot: AccessibilitySnapshot, *listed: Listed, shot: Frame | None = None) -> None:
        self.snapshot, self.listed, self.shot = snapshot, listed, shot or frame(spots=[(5, 5, 90, 90)])
        self.read_areas: list[tuple[int, Rect]] = []
        self.words: tuple[SceneElement, ...] = ()
        self.problem: SceneAnomaly | None = None
        self.error: CaptureError | None = None

    async def grab(self, region: Rect | None = None) -> Frame:
        if self.error:
            raise self.error
        return self.shot

    async def all_windows(self) -> tuple[Listed, ...]:
        return self.listed

    async def read(self, first: Any, second: Any = None) -> Any:
        if isinstance(first, Frame):
            self.read_areas = [(w.id, area) for w, area in second]
            return self.words
        return self.snapshot


def observer(parts: Any, *, ocr: bool = True) -> Observer:
    return Observer(parts, parts, parts, parts if ocr else None)


def shown(*windows: WindowInfo) -> Sequence[Listed]:
    return [Listed(w, own=False) for w in windows]


async def test_a_scene_holds_what_all_parts_saw() -> None:
    seen = AccessibilitySnapshot(
        (element("ax:1", "OK"),), (SceneAnomaly(kind="x", description="y"),), "ax:1", frozenset({1})
    )
    parts = Parts(seen, *shown(window(1, 7, active=True)))
    scene = await observer(parts).observe("")
    assert [e.id for e in scene.elements] == ["ax:1"]
    assert (scene.focused_id, [a.kind for a in scene.anomalies]) == ("ax:1", ["x"])
    assert scene.capabilities == ("native_input", "capture", "accessibility", "ocr")
    assert "ocr" not in (await observer(parts, ocr=False).observe("")).capabilities


async def test_only_windows_without_a_tree_are_read_from_pixels() -> None:
    windows = (window(1, 7, active=True), window(2, 8, box=(100, 100, 200, 100)), window(3, 9, minimized=True))
    parts = Parts(AccessibilitySnapshot(covered=frozenset({1})), *shown(*windows))
    parts.words = (element("ocr:1", "Hello", 2, "text", source="ocr", box=(400, 120, 50, 20)),)
    scene = await observer(parts).observe("")
    assert [id_ for id_, _ in parts.read_areas] == [2]
    assert [e.label for e in scene.elements] == ["Hello"]


async def test_a_drawn_part_of_the_active_window_is_read_from_pixels() -> None:
    area = Rect(x=10, y=10, width=100, height=100)
    seen = AccessibilitySnapshot(covered=frozenset({1, 2}), mute=((1, area), (2, area)))
    parts = Parts(seen, *shown(window(1, 7, active=True), window(2, 8)))
    await observer(parts).observe("")
    assert parts.read_areas == [(1, area)]


async def test_what_lies_off_the_screen_is_left_out() -> None:
    outside = element("ax:1", "Off", box=(9000, 10, 40, 20))
    parts = Parts(AccessibilitySnapshot((outside,)), *shown(window(1, 7)))
    assert (await observer(parts, ocr=False).observe("")).elements == ()


async def test_a_blank_screen_and_a_missing_engine_are_said() -> None:
    parts = Parts(AccessibilitySnapshot(), shot=frame().model_copy(update={"blank": True}))
    parts.problem = SceneAnomaly(kind="ocr_missing", description="no engine")
    assert [a.kind for a in (await observer(parts).observe("")).anomalies] == ["blank_screen", "ocr_missing"]


async def test_without_a_picture_there_is_no_scene() -> None:
    parts: Any = Parts(AccessibilitySnapshot())
    parts.error = CaptureError("gone")
    with pytest.raises(CaptureError):
        await observer(parts).observe("")
    assert await picture_of(parts) is None


async def test_the_console_is_not_in_the_scene_and_painted_over() -> None:
    own = Listed(window(9, 1, box=(5, 5, 30, 30)), own=True)
    scene = await observer(Parts(AccessibilitySnapshot(), own, *shown(window(1, 7))), ocr=False).observe("")
    assert [w.id for w in scene.windows] == [1]
    image = as_image(scene.frame)
    assert image.getpixel((10, 10)) == (128, 128, 128)
    assert image.getpixel((60, 60)) == (10, 10, 10)
    assert without_own(scene.frame, shown(window(1, 7))) is scene.frame


def test_the_topmost_application_counts_as_active_when_none_is() -> None:
    found = with_an_active((window(1, 7, minimized=True), window(2, 7, menu=True), window(3, 7), window(4, 7)))
    assert [w.active for w in found] == [False, False, True, False]
    assert with_an_active(()) == ()


def test_a_modal_dialog_blocks_and_names_a_button_of_it() -> None:
    dialog = window(2, 7, title="Save?", modal=True, dialog=True)
    inside = (element("ax:1", "Row", 2, "cell"), element("ax:2", "Save", 2), element("ax:3", "Else", 1))
    (found,) = blockers((dialog, window(1, 7)), inside)
    assert (found.kind, found.element_id) == ("modal_dialog", "ax:2")
    assert "Save?" in found.description


def test_a_question_for_a_password_is_a_blocker_of_its_own() -> None:
    dialog = window(2, 7, title="Authentication required", dialog=True, active=True)
    secret = element("ax:1", "Password", 2, "input", protected=True, state=ElementState(focused=True))
    assert [b.kind for b in blockers((dialog,), (secret,))] == ["modal_dialog", "auth_required"]
    assert blockers((dialog.model_copy(update={"minimized": True}),), (secret,)) == ()
