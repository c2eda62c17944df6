"""The attempts so far in words for the model: the last in full, those before in a line each, and what to beware of."""

from __future__ import annotations

import json
from collections.abc import Sequence

from console.contracts.actions import Key, KeyCombo, TypeText, Wait
from console.contracts.moves import AttemptRecord

from .table import quoted

IN_FULL, IN_SHORT = 12, 40
LONGEST_PURPOSE, LONGEST_OK, LONGEST_ERROR, LONGEST_ACTION, LONGEST_DATA = 120, 180, 600, 240, 400
FIXATION, STALL, BANNED = 5, 3, 8


def history_lines(history: Sequence[AttemptRecord], in_full: int = IN_FULL) -> list[str]:
    """Oldest first. Never without the newest: what is left out is the beginning, and how much of it is said."""
    if not history:
        return ["Nothing has been done yet."]
    full = list(history[-in_full:]) if in_full else []
    before = list(history[: len(history) - len(full)])
    lines: list[str] = []
    if len(before) > IN_SHORT:
        went = sum(record.succeeded for record in before[:-IN_SHORT])
        lines.append(f"({len(before) - IN_SHORT} earlier attempts are not listed; {went} of them went well.)")
    first = max(len(before) - IN_SHORT, 0)
    lines += [_short(place + 1, record) for place, record in enumerate(before) if place >= first]
    lines += [_full(len(before) + place, record) for place, record in enumerate(full, 1)]
    return lines


def warnings(history: Sequence[AttemptRecord]) -> list[str]:
    """BANNED, FIXATION and STALL, where they hold."""
    lines: list[str] = []
    banned = _banned(history)
    if banned:
        lines.append("BANNED, since it failed already and nothing has changed for it:")
        lines += [f"- {action}" for action in banned]
    if len(history) >= FIXATION and not any(record.succeeded for record in history[-FIXATION:]):
        lines.append(f"FIXATION: the last {FIXATION} attempts all failed. Change the approach.")
    tail = history[-STALL:]
    if len(tail) == STALL and all(r.succeeded and r.action == tail[0].action for r in tail):
        lines.append(f"STALL: the same action was done {STALL} times. Look at what it changed, and do something else.")
    return lines


def _banned(history: Sequence[AttemptRecord]) -> list[str]:
    """The newest distinct failures, newest first. Keys and waits may be tried again."""
    found: list[str] = []
    for record in reversed(history):
        action = record.action
        exempt = isinstance(action, Key | KeyCombo | Wait) or (isinstance(action, TypeText) and not action.target_id)
        if record.succeeded or exempt or action.type in ("done", "extract"):
            continue
        words = _action(record)
        if words not in found:
            found.append(words)
        if len(found) == BANNED:
            break
    return found


def _short(number: int, record: AttemptRecord) -> str:
    outcome = "ok" if record.succeeded else "failed"
    return f"{number}. {quoted(record.step_purpose, LONGEST_PURPOSE)} ({record.action.type}): {outcome}"


def _full(number: int, record: AttemptRecord) -> str:
    parts = [f"{number}. {quoted(record.step_purpose, LONGEST_PURPOSE)} {_action(record)}"]
    if record.succeeded:
        parts.append(f"ok, {record.effect.words()}" if record.effect else "ok")
        if record.effect is not None and record.effect.detail:
            parts.append(quoted(record.effect.detail, LONGEST_OK))
    else:
        parts.append(f"FAILED: {quoted(record.error or 'no reason is known', LONGEST_ERROR)}")
    if record.data is not None and record.step_purpose != "operator_answer":
        parts.append(f"data: {quoted(_json(record.data), LONGEST_DATA)}")
    if record.next_action_hint is not None:
        parts.append(f"hint: {record.next_action_hint.words()}")
    return " → ".join(parts)


def _action(record: AttemptRecord) -> str:
    body = _json(record.action.model_dump(mode="json", exclude_none=True))
    return body if len(body) <= LONGEST_ACTION else body[: LONGEST_ACTION - 1] + "…"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
