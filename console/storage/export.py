"""Writes a run as files that anybody can open: a report, its pictures, the `Step`, the events."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from PIL import Image

from console.contracts.errors import StorageError
from console.contracts.events import (
    RUN_EVENT,
    ApprovalGiven,
    Attempted,
    ClarifyAnswered,
    ClarifyAsked,
    DoneChecked,
    Noticed,
    Recorded,
    RunEnded,
    RunEvent,
    RunStarted,
)
from console.contracts.geometry import Rect
from console.contracts.store import RunStore
from console.resources import resource

from .errors import spoken

WIDTH = 960
_TONES = {"observed": "ok", "timed_out": "danger", "contradicted": "danger", "not_checked": ""}
_ENDS = {
    "succeeded": ("Done", "ok"),
    "failed": ("Failed", "danger"),
    "refused": ("Refused", "ask"),
    "stopped": ("Stopped", "warn"),
}
_SHOWN = (Attempted, Recorded, ApprovalGiven, ClarifyAsked, ClarifyAnswered, DoneChecked, Noticed)


@dataclass(frozen=True)
class _Shot:
    caption: str
    width: int
    height: int
    data: str
    box: tuple[float, float, float, float] | None = None
    stroke: float = 2.0


@dataclass(frozen=True)
class _Row:
    mark: str
    tone: str
    sentence: str
    time: str
    detail: str = ""
    chips: Sequence[dict[str, str]] = ()
    shots: Sequence[_Shot] = field(default_factory=tuple)


async def export_run(store: RunStore, run_id: str, folder: Path) -> Path:
    """Write `report.html`, `screenshots/`, `step.json` and `events.jsonl`; the answer is the report.

    Raises `StorageError` if there is no such run or the folder cannot be written.
    """
    events = await store.events(run_id)
    started = next((event for event in events if isinstance(event, RunStarted)), None)
    if started is None:
        raise StorageError(f"There is no run {run_id}.", "“operator-console runs” lists them.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        pictures = await _save_pictures(store, events, folder / "screenshots")
        report = folder / "report.html"
        report.write_text(_render(started, events, pictures), encoding="utf-8")
        lines = (RUN_EVENT.dump_json(event).decode() for event in events)
        (folder / "events.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        ended = next((event for event in events if isinstance(event, RunEnded)), None)
        step = ended.step.to_json() if ended else None
        (folder / "step.json").write_text(json.dumps(step, indent=2, ensure_ascii=False), encoding="utf-8")
    except OSError as error:
        raise spoken(error, folder) from error
    return report


async def _save_pictures(store: RunStore, events: Sequence[RunEvent], folder: Path) -> dict[str, bytes]:
    """Each attempt's pictures as files in order; the answer holds their bytes by blob name."""
    folder.mkdir(exist_ok=True)
    found: dict[str, bytes] = {}
    for number, event in enumerate((e for e in events if isinstance(e, Attempted)), 1):
        for when, name in (("before", event.before), ("after", event.after)):
            if name is None:
                continue
            try:
                found[name] = found.get(name) or await store.blob(name)
            except StorageError:
                continue
            (folder / f"{number:03}-{when}.{name.rpartition('.')[2]}").write_bytes(found[name])
    return found


def _render(started: RunStarted, events: Sequence[RunEvent], pictures: dict[str, bytes]) -> str:
    template = resource("report/report.html.j2")
    environment = Environment(loader=FileSystemLoader(template.parent), autoescape=True, trim_blocks=True)
    ended = next((event for event in events if isinstance(event, RunEnded)), None)
    word, tone = _ENDS[ended.end] if ended else ("Interrupted", "warn")
    if ended and ended.unverified:
        word += " (unverified)"
    last_ms = events[-1].at_ms
    return environment.get_template(template.name).render(
        end={"word": word, "tone": tone, "sentence": ended.outcome.sentence() if ended else "The run has no end."},
        goal=started.goal,
        goal_line=started.goal.strip().splitlines()[0] if started.goal.strip() else "",
        started=datetime.fromtimestamp(started.at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC"),
        duration=f"{(last_ms - started.at_ms) / 1000:.1f} s",
        attempts=[event for event in events if isinstance(event, Attempted)],
        planner=started.planner or "unnamed",
        run_id=started.run_id,
        rows=[_row(event, started.at_ms, pictures) for event in events if isinstance(event, _SHOWN)],
        step=json.dumps(ended.step.to_json(), indent=2, ensure_ascii=False) if ended else "none",
    )


def _row(event: RunEvent, start_ms: int, pictures: dict[str, bytes]) -> _Row:
    time = f"{(event.at_ms - start_ms) / 1000:.1f} s"
    if not isinstance(event, Attempted):
        mark, tone = _mark_of(event)
        return _Row(mark, tone, event.headline(), time)
    record = event.record
    chips = []
    if event.receipt is not None:
        effect = event.receipt.observed_effect
        chips.append({"text": effect.words(), "tone": _TONES[effect.status]})
        chips.append({"text": event.receipt.route.route.replace("_", " "), "tone": ""})
    if record.next_action_hint:
        chips.append({"text": f"hint: {record.next_action_hint.words()}", "tone": "ask"})
    detail = record.error or (event.receipt.observed_effect.detail if event.receipt else None) or record.step_purpose
    box = event.target.bounds if event.target else None
    shots = [
        shot
        for caption, name, outlined in (("before", event.before, box), ("after", event.after, None))
        if name in pictures and (shot := _shot(caption, pictures[name], outlined))
    ]
    mark, tone = ("✓", "ok") if record.succeeded else ("✕", "danger")
    return _Row(mark, tone, event.sentence, time, detail, chips, shots)


def _mark_of(event: RunEvent) -> tuple[str, str]:
    if isinstance(event, ApprovalGiven):
        return ("✓", "ok") if event.decision.approves else ("✕", "danger")
    if isinstance(event, ClarifyAsked | ClarifyAnswered):
        return "?", "ask"
    if isinstance(event, Recorded) and event.record.succeeded:
        return "✓", "ok"
    return "!", "warn"


def _shot(caption: str, data: bytes, box: Rect | None) -> _Shot | None:
    """A smaller copy inside the report; the box is in pixels of the whole picture."""
    try:
        image = Image.open(io.BytesIO(data))
        width, height = image.size
        small: Any = image.convert("RGB")
    except OSError:
        return None
    small.thumbnail((WIDTH, WIDTH))
    out = io.BytesIO()
    small.save(out, "JPEG", quality=80)
    place = (box.x, box.y, box.width, box.height) if box else None
    encoded = base64.b64encode(out.getvalue()).decode()
    return _Shot(caption, width, height, f"data:image/jpeg;base64,{encoded}", place, max(width / 500, 2.0))
