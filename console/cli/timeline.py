"""A run on the terminal: one calm line for each event worth showing."""

from __future__ import annotations

from datetime import datetime

from console.contracts.events import (
    ApprovalAsked,
    ApprovalGiven,
    Attempted,
    ClarifyAnswered,
    ClarifyAsked,
    DoneChecked,
    ModelCalled,
    ModelWaits,
    Noticed,
    PhaseChanged,
    Recorded,
    RunEnded,
    RunEvent,
    RunPhase,
    RunStarted,
    VerifyAnswered,
    VerifyAsked,
)
from console.contracts.model_use import ModelCall, spent_words

from .output import harmless, one_line

Line = tuple[str, str, str]
VERDICTS = {"accept": "You said that it is done", "reject": "You said that it is not done", "unverified": "Not checked"}


def timeline(event: RunEvent) -> str | None:
    """The line for the event, or None if a person can do without it."""
    line = _line(event)
    if line is None:
        return None
    mark, sentence, rest = line
    time = datetime.fromtimestamp(event.at_ms / 1000).astimezone().strftime("%H:%M:%S")
    return f"{time}  {mark}  {harmless(sentence)}" + (f" · {harmless(rest)}" if rest else "")


def _line(event: RunEvent) -> Line | None:
    match event:
        case RunStarted():
            return " ", one_line(event.headline()), f"run {event.run_id}"
        case Attempted():
            return _attempt(event)
        case ApprovalAsked():
            return "?", event.headline(), " ".join(event.request.risk.reasons)
        case ApprovalGiven():
            return ("✕" if event.decision.verdict == "deny" else "✓"), event.headline(), ""
        case ClarifyAsked():
            return "?", event.headline(), " / ".join(event.request.candidates)
        case ClarifyAnswered():
            return ("✕" if event.answer.declined else "✓"), event.headline(), ""
        case VerifyAsked():
            return "?", event.headline(), event.request.problem
        case VerifyAnswered():
            return "!", VERDICTS[event.decision.verdict], event.decision.reason
        case RunEnded():
            return ("✓" if event.end == "succeeded" else "✕"), event.headline(), f"{event.active_ms / 1000:.1f} s"
        case _:
            return _remark(event)


def _remark(event: RunEvent) -> Line | None:
    match event:
        case Recorded():
            hint = event.record.next_action_hint
            return ("✓" if event.record.succeeded else "!"), event.headline(), f"hint: {hint.words()}" if hint else ""
        case DoneChecked():
            holds = event.verdict is not None and event.verdict.verified
            return ("✓" if holds else "!"), event.headline(), ""
        case PhaseChanged(phase=RunPhase.PAUSED):
            return "‖", event.headline(), ""
        case Noticed() | ModelWaits():
            return "!", event.headline(), ""
        case ModelCalled():
            return _call(event.call)
        case _:
            return None


def _attempt(event: Attempted) -> Line:
    record = event.record
    effect = record.effect or (event.receipt.observed_effect if event.receipt else None)
    rest = [effect.words()] if effect else []
    rest += [f"hint: {record.next_action_hint.words()}"] if record.next_action_hint else []
    rest.append(f"{event.duration_ms / 1000:.1f} s")
    return ("✓" if record.succeeded else "✕"), event.headline(), " · ".join(rest)


def _call(call: ModelCall) -> Line:
    if call.problem:
        return "!", call.problem, call.model
    words = one_line(call.words) or f"{call.model} answered"
    return "·", words, f"{spent_words(call.tokens, call.cost_usd)} · {call.latency_ms / 1000:.1f} s"
