"""The planner that carries out instructions: it reads its progress off the history and plans what is visible now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from console.contracts.actions import AxAction, Click, SetValue, TypeText, Wait
from console.contracts.base import Json
from console.contracts.effects import SelectorAppears, SelectorDisappears
from console.contracts.moves import AttemptRecord, Batch, BatchStep, Clarify, Done, DoneVerdict, Fail, NextActionHint
from console.contracts.view import PlanningView

from .context import Context
from .deeds import plan as plan_one
from .models import (
    Choose,
    ClickOn,
    Expect,
    Instruction,
    Press,
    Return,
    SetField,
    Tick,
    TypeWords,
    Unknown,
    WaitUntil,
)
from .outcomes import Act, Finished, GiveUp, Lacking, Outcome, Query
from .plan import Entry, Plan, mark
from .questions import dialog_open, missing, not_understood, told_apart
from .settings import InstructionSettings
from .sight import Sight
from .verify import Claim, verdict

_MOST_REJECTIONS, _LISTED = 3, 12
_FIRST_WAIT_MS, _LONGEST_WAIT_MS = 400, 4000
_FOLDED_TIMEOUT_MS = 3000
_ENDINGS = "\"'\\\n"


@dataclass(frozen=True)
class _Now:
    """The plan, the view and the values of this turn."""

    plan: Plan
    sight: Sight
    values: dict[str, Json]
    memory: Mapping[str, Json]


class InstructionPlanner:
    """A `PlanProducer` without a model. All that it knows of its progress it takes from the history; only the claim of
    its last turn is kept, for the grading that follows."""

    wants_screenshot = False

    def __init__(self, settings: InstructionSettings | None = None) -> None:
        self._settings = settings or InstructionSettings()
        self._claim: Claim | None = None

    async def decide_next(
        self,
        goal: str,
        history: Sequence[AttemptRecord],
        shared_memory: Mapping[str, Json],
        view: PlanningView,
        screenshot_png: bytes | None,
    ) -> Batch | Done | Fail | Clarify:
        plan = Plan.of(goal, history)
        now = _Now(plan, Sight(view), plan.values(shared_memory), shared_memory)
        move = _ended(plan) or _unread(plan) or self._onwards(now)
        self._claim = Claim.of(goal, plan, move)
        return move

    async def verify_done(
        self,
        goal: str,
        summary: str,
        shared_memory: Mapping[str, Json],
        view: PlanningView,
        screenshot_png: bytes | None,
    ) -> DoneVerdict:
        claim = self._claim if self._claim is not None and self._claim.goal == goal else None
        return verdict(goal, summary, shared_memory, Sight(view), claim)

    def _onwards(self, now: _Now) -> Batch | Done | Fail | Clarify:
        """From the furthest instruction on: steps as long as they suit what is seen now."""
        steps: list[BatchStep] = []
        served: list[Entry] = []
        entries = now.plan.entries
        for place in range(now.plan.furthest, len(entries)):
            entry = entries[place]
            if steps and not _joins(entry.instruction):
                break
            outcome = self._outcome(now, place)
            if isinstance(outcome, Finished) and not steps:
                continue
            if not isinstance(outcome, Act):
                if steps:
                    break
                return self._without_steps(outcome, entry, now)
            if steps and len(steps) + len(outcome.steps) > self._settings.batch:
                break
            steps += outcome.steps
            served.append(entry)
            if not outcome.quiet:
                break
        if not steps:
            return _done(now)
        _fold(steps, _after(served[-1], entries))
        return Batch(purpose=_purpose(served, len(entries)), steps=tuple(steps))

    def _outcome(self, now: _Now, place: int) -> Outcome:
        entries = now.plan.entries
        following = entries[place + 1].instruction if place + 1 < len(entries) else None
        context = Context(
            entry=entries[place],
            sight=now.sight,
            values=now.values,
            names=now.plan.names,
            settings=self._settings,
            next_words=following.words() if following else "",
            checked_next=isinstance(following, Expect | WaitUntil),
            asked=now.plan.asked,
        )
        answered = self._dialog_answer(context)
        return answered or plan_one(context)

    def _dialog_answer(self, context: Context) -> Outcome | None:
        """The step that presses what the operator chose in a dialog that was in the way."""
        entry, title = context.entry, context.sight.modal
        answer = entry.answers[-1] if entry.answers else None
        if answer is None or not answer.picked or title is None or f": {dialog_open(title)}" not in answer.question:
            return None
        if any(tried.what == "+" and tried.index > answer.index for tried in entry.tried):
            return None
        button = next((e for e in context.sight.of_window(title) if e.label == answer.picked), None)
        if button is None:
            return None
        return Act((context.step(Click(target_id=button.id), "+", f"Click “{button.label}” in the dialog “{title}”"),))

    def _without_steps(self, outcome: Outcome, entry: Entry, now: _Now) -> Batch | Fail | Clarify:
        match outcome:
            case Query(clarify):
                return _asked(clarify, entry, now.plan)
            case GiveUp(reason):
                return Fail(reason=reason)
            case Lacking():
                return self._lacking(outcome, entry, now)
            case _:
                return Fail(reason=f"Instruction {entry.key} cannot be carried out.")  # pragma: no cover

    def _lacking(self, lack: Lacking, entry: Entry, now: _Now) -> Batch | Fail | Clarify:
        """Wait a little longer each time; then ask what was meant, or say what is missing."""
        waited, limit = entry.waited_ms, lack.limit_ms if lack.limit_ms is not None else self._settings.wait_s * 1000
        words = entry.instruction.words()
        modal = now.sight.modal
        if lack.ask and lack.alike and waited >= limit // 4:
            return _asked(missing(entry.key, words, lack.words, lack.alike), entry, now.plan)
        if waited < limit:
            ms = max(min(max(_FIRST_WAIT_MS, waited), _LONGEST_WAIT_MS, limit - waited), 1)
            step = BatchStep(purpose=mark(entry.key, f"Wait for: {lack.words}", " …"), action=Wait(ms=ms))
            return Batch(purpose=f"Wait for: {lack.words}", steps=(step,))
        if lack.ask and lack.near:
            return _asked(missing(entry.key, words, lack.words, lack.near), entry, now.plan)
        if lack.ask and modal is not None:
            query = self._about_dialog(entry, now, modal)
            if query is not None:
                return _asked(query.clarify, entry, now.plan)
        return Fail(reason=_missing_reason(lack, entry, now, waited))

    def _about_dialog(self, entry: Entry, now: _Now, title: str) -> Query | None:
        context = Context(entry, now.sight, now.values, now.plan.names, self._settings)
        outcome = context.ask_about_dialog(title)
        # A dialog of an app that has stopped shows no buttons; there is nothing to choose from.
        return outcome if isinstance(outcome, Query) and "• " in outcome.clarify.question else None


def _ended(plan: Plan) -> Fail | None:
    """What ends the run whatever the screen shows: a denial, the operator's word, a claim rejected too often."""
    if plan.denied is not None:
        entry, record = plan.denied
        return Fail(reason=f"Instruction {entry.key} ({entry.instruction.words()}) was not carried out. {record.error}")
    stopped = next((entry for entry in plan.entries if entry.stopped), None)
    if stopped is not None:
        return Fail(reason=f"The operator ended the run at instruction {stopped.key} ({stopped.instruction.words()}).")
    last = plan.rejections[-1] if plan.rejections else None
    if last is not None and (
        len(plan.rejections) >= _MOST_REJECTIONS or last.next_action_hint is NextActionHint.GIVE_UP
    ):
        return Fail(reason=f"The result did not stand the check. {last.error or ''}".strip())
    return None


def _unread(plan: Plan) -> Clarify | Fail | None:
    """Wording that is not understood is asked about before anything is done."""
    for entry in plan.entries:
        if not isinstance(entry.instruction, Unknown) or entry.skipped:
            continue
        source = entry.instruction.source or "(there are no instructions)"
        return _asked(not_understood(entry.key, source, entry.instruction.nearest), entry, plan)
    return None


def _asked(clarify: Clarify, entry: Entry, plan: Plan) -> Clarify | Fail:
    """A question that was put before gets other words; after three times it is given up."""
    apart = told_apart(clarify, plan.asked)
    if apart is None:
        return Fail(
            reason=f"Instruction {entry.key} ({entry.instruction.words()}) stays unclear after three questions."
        )
    return apart


def _joins(instruction: Instruction) -> bool:
    """Whether it may be planned in one batch with what stands before it, although that has not been done yet."""
    return isinstance(instruction, Choose | ClickOn | SetField | Tick | TypeWords | Press)


def _after(last: Entry, entries: Sequence[Entry]) -> Instruction | None:
    place = entries.index(last) + 1
    return entries[place].instruction if place < len(entries) else None


def _fold(steps: list[BatchStep], following: Instruction | None) -> None:
    """Let the action itself wait for what is expected next, if that is plain text that appears or goes."""
    action = steps[-1].action
    if not isinstance(following, Expect | WaitUntil) or not isinstance(action, Click | SetValue | AxAction | TypeText):
        return
    held = following.condition
    thing = held.thing
    text = thing.label
    simple = not (thing.kind or thing.window or thing.relation or thing.ordinal) and text.strip() == text
    if held.kind != "visible" or not simple or not text or any(char in text for char in "{" + _ENDINGS):
        return
    kind = SelectorDisappears if held.negated else SelectorAppears
    # Without quotes a part of the text will do, as it will for the check that follows.
    expected = kind(selector=f"text={text}", timeout_ms=_FOLDED_TIMEOUT_MS)
    steps[-1] = steps[-1].model_copy(update={"action": action.model_copy(update={"expect_after": expected})})


def _purpose(served: Sequence[Entry], total: int) -> str:
    first, last = served[0], served[-1]
    if first is last:
        return f"Instruction {first.key} of {total}: {first.instruction.words()}"
    return f"Instructions {first.key} to {last.key} of {total}"


def _missing_reason(lack: Lacking, entry: Entry, now: _Now, waited: int) -> str:
    parts = [
        f"Instruction {entry.key} ({entry.instruction.words()}): waited {waited / 1000:g} s in vain for: {lack.words}"
    ]
    parts[0] += f"; {lack.otherwise}." if lack.otherwise else "."
    if lack.near:
        parts.append(f"The nearest on the screen: {', '.join(f'“{label}”' for label in lack.near)}.")
    elif lack.ask:
        front = dict.fromkeys(
            e.label for e in now.sight.elements if e.label and e.clickable and now.sight.in_active_window(e)
        )
        parts += [f"In front there are: {', '.join(f'“{label}”' for label in list(front)[:_LISTED])}."] if front else []
    parts += [anomaly.description for anomaly in now.sight.view.anomalies]
    return " ".join(parts)


def _done(now: _Now) -> Done:
    """The claim, with what was read; “return” chooses from that."""
    plan, values = now.plan, now.values
    wanted = [
        name
        for entry in plan.entries
        if isinstance(entry.instruction, Return) and not entry.skipped
        for name in entry.instruction.names
    ]
    made = {name: value for name, value in values.items() if name in plan.read_names}
    data: Json = dict(made)
    if wanted:
        data = values.get(wanted[0]) if len(wanted) == 1 else {name: values.get(name) for name in wanted}
    elif not made and not any(key != "operator_answers" for key in now.memory):
        data = None
    return Done(summary=summary_of(plan, made), extracted_data=data)


def summary_of(plan: Plan, made: Mapping[str, Json]) -> str:
    done = [entry.instruction.words() for entry in plan.entries if not entry.skipped]
    skipped = len(plan.entries) - len(done)
    count = "The instruction is" if len(done) == 1 else f"All {len(done)} instructions are"
    text = f"{count} carried out: {'; '.join(done)}."
    text += f" Left out: {skipped}." if skipped else ""
    return text + "".join(f" {name} is {value}." for name, value in made.items())
