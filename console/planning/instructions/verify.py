"""Checks a claim that all instructions are carried out against a fresh view."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from console.contracts.base import Json
from console.contracts.moves import Batch, Clarify, Done, DoneVerdict, Fail, NextActionHint

from .context import Context
from .deeds import acts
from .deeds_flow import filled, seen
from .models import Expect, ReadAs, WaitUntil
from .outcomes import Halt
from .plan import Entry, Plan
from .settings import InstructionSettings
from .sight import Sight


@dataclass(frozen=True)
class Claim:
    """What the planner held to be open when it last decided. `open_after` is left even if its batch succeeds."""

    goal: str
    plan: Plan
    open_now: str = ""
    open_after: str = ""

    @classmethod
    def of(cls, goal: str, plan: Plan, move: Batch | Done | Fail | Clarify) -> Claim:
        if isinstance(move, Done):
            return cls(goal, plan)
        places = {entry.key: place for place, entry in enumerate(plan.entries)}
        keys = (
            [step.purpose[1:].split("]")[0].split(".")[0].split(" ")[0] for step in move.steps]
            if isinstance(move, Batch)
            else []
        )
        begun = [places[key] for key in keys if key in places]
        first = plan.entries[begun[0] if begun else plan.furthest]
        rest = plan.entries[begun[-1] + 1 :] if begun else plan.entries[plan.furthest :]
        following = next((entry.key for entry in rest if acts(entry.instruction) and not entry.skipped), "")
        return cls(goal, plan, open_now=first.key, open_after=following)


def verdict(goal: str, summary: str, memory: Mapping[str, Json], sight: Sight, claim: Claim | None) -> DoneVerdict:
    """Every instruction done, every value read, and every expectation about the final state still true."""
    plan = claim.plan if claim else Plan.of(goal, ())
    finals = final_expectations(plan)
    for entry in finals:
        broken = _broken(entry, plan, memory, sight)
        if broken:
            return DoneVerdict(verified=False, reason=broken, next_action_hint=NextActionHint.DIFFERENT_ACTION)
    unread = [
        e.instruction.name
        for e in plan.entries
        if isinstance(e.instruction, ReadAs) and not e.skipped and memory.get(e.instruction.name) is None
    ]
    if unread:
        reason = f"These values were not read: {', '.join(unread)}."
        return DoneVerdict(verified=False, reason=reason, next_action_hint=NextActionHint.RETRY_LAST_ACTION)
    return _all_done(summary, finals, claim)


def _all_done(summary: str, finals: list[Entry], claim: Claim | None) -> DoneVerdict:
    if claim is not None and not claim.open_now:
        return _by_effects(claim.plan, finals)
    if claim is not None and (claim.open_after or not finals):
        reason = f"Instruction {claim.open_after or claim.open_now} is not carried out."
        return DoneVerdict(verified=False, reason=reason, next_action_hint=NextActionHint.RETRY_LAST_ACTION)
    if finals:
        return DoneVerdict(verified=True, reason=f"What is expected at the end holds: {_list(finals)}.")
    if " carried out: " in summary:
        return DoneVerdict(verified=True, reason="The planner carried out each instruction.")
    return DoneVerdict(
        verified=False,
        reason="Nothing shows that the instructions are carried out.",
        next_action_hint=NextActionHint.GIVE_UP,
    )


def _by_effects(plan: Plan, finals: list[Entry]) -> DoneVerdict:
    """Each acting instruction was delivered; those whose effect was seen are named."""
    for entry in plan.entries:
        last = entry.final
        if last is not None and not last.record.succeeded and not last.delivered and not entry.skipped:
            reason = f"Instruction {entry.key} ({entry.instruction.words()}) failed last: {last.record.error}"
            return DoneVerdict(verified=False, reason=reason, next_action_hint=NextActionHint.DIFFERENT_ACTION)
    observed = sum(
        1 for e in plan.entries if e.final and e.final.record.effect and e.final.record.effect.status == "observed"
    )
    acting = sum(1 for e in plan.entries if acts(e.instruction) and not e.skipped)
    held = f" What is expected at the end holds: {_list(finals)}." if finals else ""
    return DoneVerdict(
        verified=True, reason=f"{acting} acting instructions delivered, {observed} seen to have an effect.{held}"
    )


def final_expectations(plan: Plan) -> list[Entry]:
    """Those after the last instruction that changes something: only they speak of the final state."""
    finals: list[Entry] = []
    for entry in reversed(plan.entries):
        if acts(entry.instruction) and not entry.skipped:
            break
        if isinstance(entry.instruction, Expect | WaitUntil) and not entry.skipped:
            finals.insert(0, entry)
    return finals


def _broken(entry: Entry, plan: Plan, memory: Mapping[str, Json], sight: Sight) -> str:
    instruction = entry.instruction
    if not isinstance(instruction, Expect | WaitUntil):  # pragma: no cover - only these are asked about
        return ""
    context = Context(entry, sight, plan.values(memory), plan.names, InstructionSettings())
    try:
        now = seen(instruction.condition, context)
        words = filled(instruction.condition, context).words()
    except Halt as halt:
        return str(getattr(halt.outcome, "reason", "A value is missing."))
    return (
        "" if now.holds else f"Instruction {entry.key} expects that {words}, but {now.instead or 'it does not hold'}."
    )


def _list(entries: list[Entry]) -> str:
    return ", ".join(entry.instruction.words() for entry in entries)
