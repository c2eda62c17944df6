"""Text from pixels: read once, kept by content, and no reason to fall when the engine is missing."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from console.contracts.geometry import Rect
from console.desktop.ocr import Ocr

from .fakes import frame, window

WHOLE = Rect(x=0, y=0, width=640, height=480)


class Engine:
    """Finds the same lines in every picture."""

    def __init__(self, *lines: tuple[str, float, tuple[int, int, int, int]]) -> None:
        self.lines, self.calls = lines, 0

    def __call__(self, image: Any) -> Any:
        self.calls += 1
        boxes = [[(x, y), (x + w, y), (x + w, y + h), (x, y + h)] for _, _, (x, y, w, h) in self.lines]
        texts, scores = [line[0] for line in self.lines], [line[1] for line in self.lines]
        return SimpleNamespace(boxes=boxes or None, txts=texts, scores=scores)


def ocr_with(engine: Engine) -> Ocr:
    ocr = Ocr()
    ocr._engine = engine
    return ocr


async def test_lines_become_elements_with_their_row() -> None:
    engine = Engine(
        ("Invoice 7", 0.9, (10, 10, 80, 20)), ("Delete", 0.9, (200, 12, 50, 20)), ("??", 0.2, (1, 99, 9, 9))
    )
    ocr = ocr_with(engine)
    area = Rect(x=100, y=50, width=300, height=200)
    found = await ocr.read(frame(), [(window(3, 7, box=(100, 50, 300, 200)), area)])
    ocr.close()
    assert [(e.label, e.source, e.window_id, e.element_type) for e in found] == [
        ("Invoice 7", "ocr", 3, "text"),
        ("Delete", "ocr", 3, "text"),
    ]
    assert found[1].context == "Invoice 7"
    assert (found[0].bounds.x, found[0].bounds.y) == (110, 60)


async def test_the_same_pixels_are_read_once_and_ids_stay() -> None:
    engine = Engine(("Hello", 0.9, (10, 10, 80, 20)))
    ocr = ocr_with(engine)
    first = await ocr.read(frame(), [(window(3, 7, box=(0, 0, 640, 480)), WHOLE)])
    again = await ocr.read(frame(), [(window(3, 7, box=(0, 0, 640, 480)), WHOLE)])
    assert engine.calls == 1
    assert [e.id for e in first] == [e.id for e in again]
    changed = await ocr.read(frame(spots=[(300, 300, 9, 9)]), [(window(3, 7, box=(0, 0, 640, 480)), WHOLE)])
    assert (engine.calls, changed[0].id) == (2, first[0].id)
    ocr.close()


async def test_nothing_is_read_of_what_is_off_the_picture_or_tiny() -> None:
    engine = Engine(("Hello", 0.9, (1, 1, 9, 9)))
    ocr = ocr_with(engine)
    assert await ocr.lines(frame(), Rect(x=9000, y=0, width=50, height=50)) == []
    assert await ocr.lines(frame(), Rect(x=0, y=0, width=5, height=500)) == []
    assert engine.calls == 0
    assert await ocr_with(Engine()).lines(frame(), WHOLE) == []
    ocr.close()


async def test_a_missing_engine_is_said_once_and_breaks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    ocr = Ocr()
    assert await ocr.read(frame(), [(window(3, 7), WHOLE)]) == ()
    assert ocr.problem is not None
    assert ocr.problem.kind == "ocr_missing"
    ocr.close()
