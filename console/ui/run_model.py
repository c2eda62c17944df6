"""What the timeline shows, folded from the events of a run; no Qt in it."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import singledispatchmethod

from console.contracts.events import (
    ActionIntended,
    ApprovalAsked,
    ApprovalGiven,
    Attempted,
    ChecklistChanged,
    ClarifyAnswered,
    ClarifyAsked,
    Decided,
    DoneChecked,
    ModelCalled,
    ModelSays,
    ModelWaits,
    Noticed,
    Observed,
    PhaseChanged,
    Recorded,
    RunEnded,
    RunEvent,
    RunPhase,
    RunStarted,
    Stamp,
    VerifyAnswered,
    VerifyAsked,
)
from console.contracts.model_use import ModelSpent
from console.contracts.outcome import RunLimits
from console.core.control import ONE_STEP
from console.core.risk_words import SHORT

from .mission_rows import checklist_rows
from .model_rows import CALL, thought_row, trouble_row, wait_row
from .rows import EFFECTS, ENDS, FAILED, MISSED, WENT_WELL, Chip, Row, Tone


@dataclass
class RunModel:
    """`rows` grow at the end; `apply` answers which old rows have changed."""

    rows: list[Row] = field(default_factory=list)
    goal: str = ""
    planner: str = ""
    run_id: str = ""
    phase: RunPhase = RunPhase.READY
    phase_since_ms: int = 0
    phase_detail: str = ""
    attempts: int = 0
    steps_used: int = 0
    limits: RunLimits = field(default_factory=RunLimits)
    active_ms: int = 0
    started_ms: int = 0
    seen: Observed | None = None
    ended: RunEnded | None = None
    batch: str = ""
    spent: ModelSpent = field(default_factory=ModelSpent)
    words: str = ""
    wait: ModelWaits | None = None
    _planned: str = ""
    _open: dict[str, int] = field(default_factory=dict)

    def apply_all(self, events: Iterable[RunEvent]) -> None:
        for event in events:
            self.apply(event)

    def apply(self, event: Stamp) -> list[int]:
        """Take the event in; the answer is the places of the rows that it changed, new ones not counted."""
        changed = self._take(event)
        self.active_ms += getattr(event, "duration_ms", 0)
        return changed

    @singledispatchmethod
    def _take(self, event: Stamp) -> list[int]:
        return []

    @_take.register
    def _(self, event: RunStarted) -> list[int]:
        self.goal, self.planner, self.run_id = event.goal, event.planner, event.run_id
        self.limits = event.limits
        self.started_ms = self.started_ms or event.at_ms
        if event.resumed_from is not None:
            self._add(Row("note", "Resumed", mark="▸", tone="accent", event=event))
        return []

    @_take.register
    def _(self, event: PhaseChanged) -> list[int]:
        self.phase, self.phase_since_ms, self.phase_detail = event.phase, event.at_ms, event.detail
        if event.phase is RunPhase.PAUSED and event.detail != ONE_STEP:
            self._add(Row("note", "Paused", "‖", "warn", event.detail, event=event))
        return []

    @_take.register
    def _(self, event: Observed) -> list[int]:
        self.seen = event
        return []

    @_take.register
    def _(self, event: Decided) -> list[int]:
        self._planned = getattr(event.move, "purpose", "")
        return []

    @_take.register
    def _(self, event: ModelSays) -> list[int]:
        self.words, self.wait = event.text, None
        return []

    @_take.register
    def _(self, event: ModelWaits) -> list[int]:
        self.wait = event
        return self._put(CALL, wait_row(event))

    @_take.register
    def _(self, event: ModelCalled) -> list[int]:
        self.spent = self.spent.plus(event.call)
        self.words, self.wait = "", None
        if event.call.problem:
            return self._put(CALL, trouble_row(event))
        self._open.pop(CALL, None)
        self._add(replace(thought_row(event), depth=self._depth(event.parent_id)))
        return []

    @_take.register
    def _(self, event: ChecklistChanged) -> list[int]:
        changed = []
        place = self._open.get(event.parent_id or "")
        if place is not None:
            self.rows[place] = replace(self.rows[place], detail=event.headline())
            changed.append(place)
        depth = self._depth(event.parent_id)
        for item, row in zip(event.items, checklist_rows(event, depth), strict=True):
            changed += self._put(f"{event.parent_id}/{item.id}", row)
        return changed

    @_take.register
    def _(self, event: ApprovalAsked) -> list[int]:
        request = event.request
        self._group(self._planned)
        chip = Chip(SHORT.get(request.risk.category, request.risk.level.value), "warn")
        row = Row(
            "attempt",
            request.sentence,
            "!",
            "warn",
            "needs your approval",
            (chip,),
            attempt_id=request.attempt_id,
            event=event,
            waits=True,
        )
        return self._put(request.attempt_id, row)

    @_take.register
    def _(self, event: ApprovalGiven) -> list[int]:
        place = self._open.get(event.attempt_id)
        if place is None:
            return []
        tone: Tone = "ok" if event.decision.approves or event.decision.verdict == "edit" else "danger"
        words = event.headline()
        self.rows[place] = replace(self.rows[place], detail=words, tone=tone, chips=(), waits=False)
        return [place]

    @_take.register
    def _(self, event: ActionIntended) -> list[int]:
        if event.parent_id is None:
            self._group(event.batch_purpose)
        self.steps_used = max(self.steps_used, event.step_number)
        row = Row(
            "attempt",
            event.sentence,
            "▸",
            "accent",
            event.purpose,
            right="now",
            attempt_id=event.attempt_id,
            event=event,
            intent=event,
            depth=self._depth(event.parent_id),
        )
        return self._put(event.attempt_id, row)

    @_take.register
    def _(self, event: Attempted) -> list[int]:
        if event.parent_id is None:
            self._group(event.batch_purpose)
        self.attempts += 1
        record, effect = event.record, event.receipt.observed_effect if event.receipt else None
        chips = [Chip(effect.words(), EFFECTS[effect.status])] if effect else []
        if record.next_action_hint:
            chips.append(Chip(f"hint: {record.next_action_hint.words()}", "ask"))
        if not event.settled:
            chips.append(Chip("still moving", "warn"))
        detail = record.error or (effect.detail if effect and effect.detail else record.step_purpose)
        missed = effect is not None and effect.status in ("timed_out", "contradicted")
        mark, tone = FAILED if not record.succeeded else MISSED if missed else WENT_WELL
        place = self._open.get(event.attempt_id)
        row = Row(
            "attempt",
            event.sentence,
            mark,
            tone,
            detail,
            tuple(chips),
            f"{event.duration_ms / 1000:.1f} s",
            attempt_id=event.attempt_id,
            event=event,
            intent=self.rows[place].intent if place is not None else None,
            depth=self._depth(event.parent_id),
        )
        changed = self._put(event.attempt_id, row)
        self._open.pop(event.attempt_id, None)
        return changed

    @_take.register
    def _(self, event: Recorded) -> list[int]:
        self.steps_used += event.steps_charged
        if event.record.step_purpose == "operator_answer":
            return []
        hint = event.record.next_action_hint
        chips = (Chip(f"hint: {hint.words()}", "ask"),) if hint else ()
        good = event.record.succeeded
        title = event.headline() if not good else event.record.action.describe()
        self._add(Row("note", title, "✓" if good else "!", "ok" if good else "warn", chips=chips, event=event))
        return []

    @_take.register
    def _(self, event: ClarifyAsked) -> list[int]:
        row = Row("note", event.request.question, "?", "ask", "waits for your answer", event=event, waits=True)
        return self._put(event.request.request_id, row)

    @_take.register
    def _(self, event: ClarifyAnswered) -> list[int]:
        place = self._open.pop(event.request_id, None)
        if place is None:
            return []
        question = self.rows[place]
        detail = f"asked: {question.title}"
        took_s = (event.at_ms - question.event.at_ms) // 1000 if question.event else 0
        self.rows[place] = replace(
            question, title=event.headline(), detail=detail, right=f"{took_s} s", event=event, waits=False
        )
        return [place]

    @_take.register
    def _(self, event: DoneChecked) -> list[int]:
        good = event.verdict is not None and event.verdict.verified
        mark, tone = ("✓", "ok") if good else ("!", "warn")
        self._add(Row("note", event.headline(), mark, tone, event.summary, event=event))  # type: ignore[arg-type]
        return []

    @_take.register
    def _(self, event: VerifyAsked) -> list[int]:
        return self._put(
            event.request.request_id,
            Row("note", event.headline(), "?", "ask", event.request.problem, event=event, waits=True),
        )

    @_take.register
    def _(self, event: VerifyAnswered) -> list[int]:
        place = self._open.pop(event.request_id, None)
        if place is None:
            return []
        words = {"accept": "You accepted it", "reject": "You said it is not done", "unverified": "Left unverified"}
        self.rows[place] = replace(self.rows[place], detail=words[event.decision.verdict], waits=False)
        return [place]

    @_take.register
    def _(self, event: Noticed) -> list[int]:
        self._add(Row("note", event.text, "!", "warn", event.hint, event=event))
        return []

    @_take.register
    def _(self, event: RunEnded) -> list[int]:
        self.ended, self.steps_used, self.active_ms = event, event.steps_used, event.active_ms
        mark, tone = ENDS[event.end]
        changed = self.close_open()
        self._add(Row("group", "Result", event=event))
        self._add(
            Row("note", event.outcome.sentence(), mark, tone, "not verified" if event.unverified else "", event=event)
        )
        return changed

    def close_open(self) -> list[int]:
        """The run is over: nothing is happening now, and nobody is asked any more."""
        places = sorted(self._open.values())
        for place in places:
            row = self.rows[place]
            if row.mark == "▸":
                self.rows[place] = replace(row, mark="■", tone="warn", detail="what came of it is not known", right="")
            elif row.waits:
                self.rows[place] = replace(row, detail="not answered", waits=False)
        self._open.clear()
        return places

    def _depth(self, parent_id: str | None) -> int:
        """One more than that of the program it belongs to."""
        place = self._open.get(parent_id) if parent_id is not None else None
        return self.rows[place].depth + 1 if place is not None else int(parent_id is not None)

    def _group(self, purpose: str) -> None:
        """Batches that go on with the same purpose stand under one heading."""
        if purpose and purpose != self.batch:
            self.batch = purpose
            self._add(Row("group", purpose))

    def _put(self, key: str, row: Row) -> list[int]:
        """Replace the row of this key, or add it."""
        place = self._open.get(key)
        if place is None:
            self._add(row)
            self._open[key] = len(self.rows) - 1
            return []
        old = self.rows[place]
        self.rows[place] = replace(row, seen=old.seen, clock=old.clock)
        return [place]

    def _add(self, row: Row) -> None:
        at_ms = row.event.at_ms if row.event is not None else 0
        clock = time.strftime("%H:%M:%S", time.localtime(at_ms / 1000)) if at_ms else ""
        self.rows.append(replace(row, seen=row.seen or self.seen, clock=clock))
