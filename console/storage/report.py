"""What stands in the report of a run: one row for each event that a person wants to read about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from console.contracts.events import (
    ActionIntended,
    ApprovalAsked,
    ApprovalGiven,
    Attempted,
    ClarifyAnswered,
    ClarifyAsked,
    DoneChecked,
    MemoryChanged,
    Noticed,
    PhaseChanged,
    Recorded,
    RunEvent,
    RunPhase,
    VerifyAnswered,
    VerifyAsked,
)
from console.contracts.safety import ApprovalRequest

from .pictures import Gallery, Shot

TONES = {"observed": "ok", "timed_out": "danger", "contradicted": "danger", "not_checked": "muted"}
VERDICTS = {"accept": "You said that it is done", "reject": "You said that it is not done", "unverified": "Not checked"}
_UNKNOWN = "The console was interrupted here: whether it happened is not known."


@dataclass(frozen=True)
class Chip:
    text: str
    tone: str = "muted"


@dataclass(frozen=True)
class Row:
    """`mark` is a sign and `tone` the name of its colour; `time` counts from the start of the run."""

    mark: str
    tone: str
    sentence: str
    time: str
    detail: str = ""
    chips: Sequence[Chip] = ()
    shots: Sequence[Shot] = ()


def picture_file(number: int, when: str, name: str) -> str:
    """The name of an exported screenshot; `number` counts the attempts from 1."""
    return f"{number:03}-{when}.{name.rpartition('.')[2]}"


def rows_of(events: Sequence[RunEvent], gallery: Gallery) -> list[Row]:
    """In order; pictures belong to the attempts."""
    writer = _RowWriter(events, gallery)
    return [row for event in events if (row := writer.row(event)) is not None]


class _RowWriter:
    def __init__(self, events: Sequence[RunEvent], gallery: Gallery) -> None:
        self._gallery = gallery
        self._start_ms = events[0].at_ms
        self._asked: dict[str, ApprovalRequest] = {}
        self._attempts = 0
        self._told = {event.attempt_id for event in events if isinstance(event, Attempted)}

    def row(self, event: RunEvent) -> Row | None:
        """None for what only a machine wants to read."""
        time = f"{(event.at_ms - self._start_ms) / 1000:.1f} s"
        match event:
            case Attempted():
                return self._attempt(event, time)
            case ActionIntended() if event.attempt_id not in self._told:
                return Row("?", "warn", event.sentence, time, _UNKNOWN)
            case ApprovalAsked():
                self._asked[event.request.request_id] = event.request
                return None
            case ApprovalGiven():
                return self._approval(event, time)
            case _:
                return _plain(event, time)

    def _attempt(self, event: Attempted, time: str) -> Row:
        self._attempts += 1
        record = event.record
        mark, tone = ("✓", "ok") if record.succeeded else ("✕", "danger")
        shots = [
            self._gallery.shot(name, when, f"screenshots/{picture_file(self._attempts, when, name)}", target)
            for when, name, target in (("before", event.before, event.target), ("after", event.after, None))
            if name is not None
        ]
        effect = record.effect or (event.receipt.observed_effect if event.receipt else None)
        details = (record.step_purpose, record.error, effect.detail if effect else None)
        return Row(
            mark,
            tone,
            event.sentence,
            time,
            " · ".join(_unlike(event.sentence, details)),
            list(_chips(event)),
            [shot for shot in shots if shot is not None],
        )

    def _approval(self, event: ApprovalGiven, time: str) -> Row:
        request = self._asked.get(event.request_id)
        sentence = event.headline() + (f" — {request.sentence}" if request else "")
        denied = event.decision.verdict == "deny"
        detail = " ".join(request.risk.reasons) if request else ""
        return Row("✕" if denied else "✓", "danger" if denied else "ok", sentence, time, detail)


def _unlike(sentence: str, details: Iterable[str | None]) -> Iterable[str]:
    """The details that add something."""
    return dict.fromkeys(detail for detail in details if detail and detail != sentence)


def _chips(event: Attempted) -> Iterable[Chip]:
    record, receipt = event.record, event.receipt
    effect = record.effect or (receipt.observed_effect if receipt else None)
    if effect is not None:
        yield Chip(effect.words(), TONES[effect.status])
    if receipt is not None:
        yield Chip(f"by {receipt.route.route.replace('_', ' ')}")
    if record.next_action_hint is not None:
        yield Chip(f"hint: {record.next_action_hint.words()}", "ask")
    if not event.settled:
        yield Chip("the screen was still changing", "warn")
    yield Chip(f"{event.duration_ms / 1000:.1f} s")


def _plain(event: RunEvent, time: str) -> Row | None:
    match event:
        case ClarifyAsked():
            return Row("?", "ask", event.headline(), time, " · ".join(event.request.candidates))
        case ClarifyAnswered():
            return Row("✕" if event.answer.declined else "✓", "ask", event.headline(), time)
        case VerifyAsked():
            return Row("?", "ask", event.headline(), time, event.request.problem)
        case VerifyAnswered():
            return Row("!", "ask", VERDICTS[event.decision.verdict], time, event.decision.reason)
        case DoneChecked():
            holds = event.verdict is not None and event.verdict.verified
            return Row("✓" if holds else "!", "ok" if holds else "warn", event.headline(), time, event.summary)
        case Recorded():
            tone = "ok" if event.record.succeeded else "warn"
            return Row("✓" if event.record.succeeded else "!", tone, event.headline(), time)
        case MemoryChanged(private=False) if event.key != "operator_answers":
            return Row("·", "muted", event.headline(), time, str(event.value))
        case PhaseChanged(phase=RunPhase.PAUSED):
            return Row("‖", "warn", event.headline(), time)
        case Noticed():
            tone = {"info": "muted", "warning": "warn", "error": "danger"}[event.severity]
            return Row("!", tone, event.text, time, event.hint)
        case _:
            return None
