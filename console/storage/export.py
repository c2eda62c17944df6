"""Writes a run as files that anybody can open: a report, its pictures, the `Step`, the events."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from console.contracts.deeds import Deeds
from console.contracts.errors import StorageError
from console.contracts.events import Attempted, MemoryChanged, RunEnded, RunEvent, RunStarted
from console.contracts.step import Step, StepFail
from console.contracts.store import RunStore
from console.resources import resource

from .pictures import Gallery
from .report import picture_file, rows_of
from .scrub import scrubbed
from .tracing.entries import entries_of

_ENDS = {
    "succeeded": ("Done", "ok"),
    "failed": ("Failed", "danger"),
    "refused": ("Refused", "ask"),
    "stopped": ("Stopped", "warn"),
}
PICTURES = "screenshots"
_PICTURE = re.compile(r"\d{3,}-(before|after)\.\w+")
NO_END = "The run was interrupted and has no end."


async def export_run(store: RunStore, run_id: str, folder: Path) -> Path:
    """Write `report.html`, `screenshots/`, `step.json` and `events.jsonl`; the answer is the report.

    Raises `StorageError` if there is no such run or the folder cannot be written.
    """
    events = [scrubbed(event) for event in await store.events(run_id)]
    if not events:
        raise StorageError(f"There is no run {run_id}.", "“operator-console runs” lists them.")
    gallery = Gallery()
    try:
        await asyncio.to_thread(_make_room, folder / PICTURES)
        for name, files in _files(events).items():
            with contextlib.suppress(StorageError):  # the rest tells its story without a picture that is lost
                await asyncio.to_thread(_keep, folder / PICTURES, files, gallery, name, await store.blob(name))
        return await asyncio.to_thread(_write, folder, events, gallery)
    except OSError as error:
        raise StorageError(
            f"The report could not be written to {folder}: {error.strerror or error}.", "Choose another folder."
        ) from error


def step_of(events: Sequence[RunEvent]) -> Step:
    """The result of the run; for one without an end, a failure that keeps what it had noted."""
    ended = _ended(events)
    if ended is not None:
        return ended.step
    memory = {event.key: event.value for event in events if isinstance(event, MemoryChanged)}
    fail = StepFail(reason="interrupted", message=NO_END, details={})
    begun = next((event for event in events if isinstance(event, RunStarted)), None)
    trace_id = begun.trace_id if begun else None
    return Step.model_validate({**Deeds.of(events).fields(), "memory": memory, "fail": fail, "trace_id": trace_id})


def _ended(events: Sequence[RunEvent]) -> RunEnded | None:
    last = events[-1]
    return last if isinstance(last, RunEnded) else None


def _files(events: Sequence[RunEvent]) -> dict[str, list[str]]:
    """The pictures of the attempts, in order, with the names of the files that they become."""
    files: dict[str, list[str]] = {}
    for number, event in enumerate((event for event in events if isinstance(event, Attempted)), 1):
        for when, name in (("before", event.before), ("after", event.after)):
            if name is not None:
                files.setdefault(name, []).append(picture_file(number, when, name))
    return files


def _make_room(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        if _PICTURE.fullmatch(old.name):  # of an earlier export into the same folder
            old.unlink()


def _keep(folder: Path, files: Sequence[str], gallery: Gallery, name: str, data: bytes) -> None:
    gallery.add(name, data)
    for file in files:
        (folder / file).write_bytes(data)


def _write(folder: Path, events: Sequence[RunEvent], gallery: Gallery) -> Path:
    lines = "".join(f"{event.model_dump_json()}\n" for event in events)
    (folder / "events.jsonl").write_text(lines, encoding="utf-8")
    entries = "".join(f"{entry.model_dump_json()}\n" for entry in entries_of(events))
    (folder / "trace.jsonl").write_text(entries, encoding="utf-8")
    (folder / "step.json").write_text(_pretty(step_of(events)) + "\n", encoding="utf-8")
    report = folder / "report.html"
    report.write_text(_render(events, gallery), encoding="utf-8")
    return report


def _pretty(step: Step) -> str:
    return json.dumps(step.to_json(), indent=2, ensure_ascii=False)


def _render(events: Sequence[RunEvent], gallery: Gallery) -> str:
    template = resource("report/report.html.j2")
    environment = Environment(
        loader=FileSystemLoader(template.parent), autoescape=True, trim_blocks=True, undefined=StrictUndefined
    )
    started = next((event for event in events if isinstance(event, RunStarted)), None)
    goal, ended = (started.goal if started else ""), _ended(events)
    word, tone = _ENDS[ended.end] if ended else ("Interrupted", "warn")
    return environment.get_template(template.name).render(
        end={
            "word": f"{word} (unverified)" if ended and ended.unverified else word,
            "tone": tone,
            "sentence": ended.outcome.sentence() if ended else NO_END,
        },
        goal=goal,
        title=goal.strip().partition("\n")[0],
        facts=_facts(events, started),
        rows=rows_of(events, gallery),
        step=_pretty(step_of(events)),
    )


def _facts(events: Sequence[RunEvent], started: RunStarted | None) -> list[str]:
    first, last = events[0], events[-1]
    attempts = sum(isinstance(event, Attempted) for event in events)
    began = datetime.fromtimestamp(first.at_ms / 1000).astimezone()
    return [
        began.strftime("%Y-%m-%d %H:%M"),
        f"{(last.at_ms - first.at_ms) / 1000:.1f} s",
        f"{attempts} attempt{'' if attempts == 1 else 's'}",
        f"planner: {(started.planner if started else '') or 'unnamed'}",
        f"run {first.run_id}",
    ]
