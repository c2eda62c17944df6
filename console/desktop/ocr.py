"""Reads text from pixels where no application says what it shows (RapidOCR, models from its package)."""

from __future__ import annotations

import hashlib
import logging
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from typing import Any

from PIL import Image

from console.contracts.geometry import Rect
from console.contracts.scene import Frame, SceneAnomaly, SceneElement, WindowInfo
from console.core.worker import Worker

from .capture import as_image
from .identity import Identities, Thing

log = logging.getLogger(__name__)
MIN_SCORE = 0.6
MIN_SIDE = 12
_CACHED = 32
Line = tuple[str, Rect]


class Ocr:
    """Loads its models when first used, and reads a region again only if its pixels have changed."""

    def __init__(self) -> None:
        self._worker = Worker("ocr")
        self._engine: Any = None
        self._cache: OrderedDict[str, list[Line]] = OrderedDict()
        self._ids = Identities("ocr")
        self.problem: SceneAnomaly | None = None

    async def read(self, frame: Frame, areas: Sequence[tuple[WindowInfo, Rect]]) -> tuple[SceneElement, ...]:
        """The lines of text in these parts of windows, as elements of type `text`.

        A missing engine is kept in `problem`.
        """
        found: list[tuple[WindowInfo, str, Rect]] = []
        for window, area in areas:
            lines = await self.lines(frame, area.intersection(window.bounds))
            found += [(window, text, box) for text, box in lines]
        things = [
            Thing((w.id, text, box.x // 24, box.y // 24), partial("{}|{}".format, w.app, text), "text", w.id)
            for w, text, box in found
        ]
        ids = self._ids.assign(things)
        return tuple(_element(id_, *line, _row(line, found)) for id_, line in zip(ids, found, strict=True))

    async def lines(self, frame: Frame, region: Rect) -> list[Line]:
        """The lines of text in a region of the frame, with their boxes in physical pixels."""
        part = region.intersection(frame.bounds)
        if part.width < MIN_SIDE or part.height < MIN_SIDE:
            return []
        return await self._worker.call(self._lines, frame, part)

    def close(self) -> None:
        self._worker.close()

    def _lines(self, frame: Frame, part: Rect) -> list[Line]:
        across, down = frame.image_width / frame.bounds.width, frame.image_height / frame.bounds.height
        left, top = (part.x - frame.bounds.x) * across, (part.y - frame.bounds.y) * down
        crop = as_image(frame).crop(
            (int(left), int(top), int(left + part.width * across), int(top + part.height * down))
        )
        key = hashlib.blake2b(crop.tobytes() + str(part).encode(), digest_size=16).hexdigest()
        if key in self._cache:
            self._cache.move_to_end(key)
            return self._cache[key]
        lines = [
            (
                text,
                Rect(x=part.x + int(x / across), y=part.y + int(y / down), width=int(w / across), height=int(h / down)),
            )
            for text, x, y, w, h in self._recognise(crop)
        ]
        self._cache[key] = lines
        if len(self._cache) > _CACHED:
            self._cache.popitem(last=False)
        return lines

    def _recognise(self, image: Image.Image) -> list[tuple[str, float, float, float, float]]:
        engine = self._loaded()
        if engine is None:
            return []
        import numpy as np

        result = engine(np.asarray(image)[:, :, ::-1])
        if result is None or result.boxes is None:
            return []
        found = []
        for box, text, score in zip(result.boxes, result.txts, result.scores, strict=True):
            xs, ys = [p[0] for p in box], [p[1] for p in box]
            if score >= MIN_SCORE and text.strip():
                found.append(
                    (text.strip(), float(min(xs)), float(min(ys)), float(max(xs) - min(xs)), float(max(ys) - min(ys)))
                )
        return found

    def _loaded(self) -> Any:
        if self._engine is None and self.problem is None:
            try:
                from rapidocr import RapidOCR

                logging.getLogger("RapidOCR").setLevel(logging.ERROR)
                threads = {"EngineConfig.onnxruntime.intra_op_num_threads": 1, "Global.log_level": "error"}
                self._engine = RapidOCR(params=threads)
            except Exception as error:  # whatever is wrong with it, the run goes on without it
                log.info("OCR is not available", exc_info=True)
                self.problem = SceneAnomaly(kind="ocr_missing", description=f"Text cannot be read from pixels: {error}")
        return self._engine


def _row(line: tuple[WindowInfo, str, Rect], lines: Sequence[tuple[WindowInfo, str, Rect]]) -> str:
    """What else stands on the same line of the window, from left to right."""
    window, text, box = line
    beside = [
        (other.x, words)
        for w, words, other in lines
        if w.id == window.id and words != text and abs(other.center.y - box.center.y) * 2 < box.height
    ]
    return " · ".join(words for _, words in sorted(beside))


def _element(id_: str, window: WindowInfo, text: str, box: Rect, row: str) -> SceneElement:
    return SceneElement(
        id=id_,
        element_type="text",
        label=text,
        bounds=box,
        clickable=True,
        window_id=window.id,
        window=window.title,
        app=window.app,
        pid=window.pid,
        context=row,
        source="ocr",
    )
