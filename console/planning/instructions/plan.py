"""The instructions of a goal with what the history says about each: done, tried, answered, replaced."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_lowercase

from console.contracts.actions import Extract, QuitApp, Wait, Window
from console.contracts.base import Json
from console.contracts.moves import AttemptRecord, NextActionHint

from .models import Ask, AskToGoOn, Instruction, ReadAs, Remember, Unknown, When
from .parse import parse
from .questions import Answer, Means
from .templates import fill

_MARK = re.compile(r"\[(?P<key>\d+[a-z]*)(?P<what>\.\d+| …|\+)?\] ")
_ANSWER = "operator_answer"
_ASKS_FIRST = "It asks first"
_DENIED = ("The operator denied it", "It is not allowed")


def mark(key: str, words: str, what: str = "") -> str:
    """The purpose of a step: which instruction it serves, and what for (part, waiting, answer to a dialog)."""
    return f"[{key}{what}] {words}"


@dataclass(frozen=True)
class Tried:
    """A step that served an instruction. `what` is empty for the deciding step."""

    index: int
    record: AttemptRecord
    what: str

    @property
    def waiting(self) -> bool:
        return self.what == " …"

    @property
    def asks_first(self) -> bool:
        """A window was told to close and puts a question instead."""
        closing = isinstance(self.record.action, QuitApp | Window)
        return closing and not self.record.succeeded and _ASKS_FIRST in (self.record.error or "")

    @property
    def delivered(self) -> bool:
        """It was done; only its effect was not seen, or the app asks something before it obeys."""
        effect = self.record.effect
        if self.asks_first:
            return True
        expected = getattr(self.record.action, "expect_after", None) is not None
        return expected and effect is not None and effect.status in ("timed_out", "contradicted")


@dataclass
class Entry:
    """One instruction and its story so far. What lies before `since` in the history does not count any more."""

    key: str
    instruction: Instruction
    since: int = 0
    skipped: bool = False
    stopped: bool = False
    fine: bool = False
    tried: list[Tried] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)

    @property
    def counted(self) -> list[Tried]:
        return [tried for tried in self.tried if tried.index >= self.since]

    @property
    def final(self) -> Tried | None:
        """The last deciding step."""
        return next((tried for tried in reversed(self.counted) if not tried.what), None)

    @property
    def failures(self) -> list[Tried]:
        return [
            t for t in self.counted if not t.record.succeeded and not t.waiting and t.what != "+" and not t.delivered
        ]

    @property
    def parts(self) -> int:
        """How many preparing steps have succeeded."""
        return sum(1 for tried in self.counted if tried.what.startswith(".") and tried.record.succeeded)

    @property
    def waited_ms(self) -> int:
        """How long this instruction has been waited for since anything else was done for it."""
        total = 0
        for tried in reversed(self.counted):
            if not tried.waiting:
                break
            if tried.record.succeeded and isinstance(tried.record.action, Wait):
                total += tried.record.action.ms
        return total

    @property
    def started(self) -> bool:
        return bool(self.counted) or any(not answer.about_wording for answer in self.answers)

    @property
    def switches(self) -> int:
        """How many ways have failed; a target that was gone or an interruption speaks against no way."""
        same_way = (NextActionHint.RETRY_LAST_ACTION, NextActionHint.DIFFERENT_TARGET)
        return sum(1 for tried in self.failures if tried.record.next_action_hint not in same_way)


@dataclass
class Plan:
    """All instructions in order."""

    entries: list[Entry]
    asked: tuple[str, ...] = ()
    denied: tuple[Entry, AttemptRecord] | None = None
    rejections: tuple[AttemptRecord, ...] = ()

    @classmethod
    def of(cls, goal: str, history: Sequence[AttemptRecord]) -> Plan:
        instructions = parse(goal) or (Unknown(source="", nearest="open Mousepad"),)
        plan = cls([Entry(str(number), instruction) for number, instruction in enumerate(instructions, 1)])
        rejections: list[AttemptRecord] = []
        for index, record in enumerate(history):
            if record.step_purpose == _ANSWER and isinstance(record.action, Extract):
                plan._answer(Answer(index, record.action.goal, record.action.data))
            elif record.step_purpose == "verify_done":
                rejections.append(record)
            else:
                plan._step(index, record)
                rejections = rejections if record.step_purpose == "skipped" else []
        plan.rejections = tuple(rejections)
        return plan

    def entry(self, key: str | None) -> Entry | None:
        return next((entry for entry in self.entries if entry.key == key), None)

    @property
    def furthest(self) -> int:
        """The place of the last instruction for which something was done: everything before it is behind us."""
        return max((place for place, entry in enumerate(self.entries) if entry.started), default=0)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of values that the instructions make."""
        makers = [_inner(entry.instruction) for entry in self.entries]
        return tuple(m.name for m in makers if isinstance(m, ReadAs | Remember | Ask) and m.name)

    @property
    def read_names(self) -> frozenset[str]:
        """The names of what was read or remembered. An answer may be a secret and is no result by itself."""
        makers = [_inner(entry.instruction) for entry in self.entries]
        return frozenset(made.name for made in makers if isinstance(made, ReadAs | Remember))

    def values(self, memory: Mapping[str, Json]) -> dict[str, Json]:
        """What was read, remembered and answered so far."""
        found: dict[str, Json] = {}
        for entry in self.entries:
            made = _inner(entry.instruction)
            if isinstance(made, ReadAs):
                read = next((t.record.data for t in reversed(entry.tried) if not t.what and t.record.succeeded), None)
                value = memory.get(made.name, read)
                if value is not None:
                    found[made.name] = value
            elif isinstance(made, Remember):
                found[made.name] = fill(made.text, found, found)
            elif isinstance(made, Ask) and made.name and entry.answers:
                found[made.name] = entry.answers[-1].text
        return found

    def _step(self, index: int, record: AttemptRecord) -> None:
        hit = _MARK.match(record.step_purpose)
        entry = self.entry(hit["key"]) if hit else None
        if hit is None or entry is None:
            return
        entry.tried.append(Tried(index, record, hit["what"] or ""))
        denied = not record.succeeded and (record.error or "").startswith(_DENIED)
        self.denied = (entry, record) if denied else None

    def _answer(self, answer: Answer) -> None:
        self.asked = (*self.asked, answer.question)
        entry = self._asking(answer)
        if entry is None:
            return
        entry.answers.append(answer)
        if isinstance(_inner(entry.instruction), Ask):
            return
        match answer.means():
            case Means.SKIP:
                entry.skipped = True
            case Means.STOP:
                entry.stopped = True
            case Means.PICK if answer.about_dialog:
                pass
            case Means.AGAIN | Means.PICK:
                entry.since = answer.index
            case Means.GO_ON:
                entry.fine = entry.fine or answer.about_going_on
            case Means.WORDS:
                self._replace(entry, answer)

    def _asking(self, answer: Answer) -> Entry | None:
        """The instruction that put the question; a question of the goal's own is known by its words."""
        by_words = [
            entry
            for entry in self.entries
            if isinstance(made := _inner(entry.instruction), Ask)
            and not entry.answers
            and made.question == answer.question
        ]
        return by_words[0] if by_words else self.entry(answer.key)

    def _replace(self, entry: Entry, answer: Answer) -> None:
        """The operator said it in other words; what cannot be read either is asked about again."""
        new = parse(answer.text)
        if isinstance(entry.instruction, AskToGoOn):
            return
        if not new or (any(isinstance(one, Unknown) for one in new) and not isinstance(entry.instruction, Unknown)):
            entry.since = answer.index
            return
        several = [entry.key + ascii_lowercase[n % 26] * (n // 26 + 1) for n in range(len(new))]
        keys = several if len(new) > 1 else [entry.key]
        place = self.entries.index(entry)
        self.entries[place : place + 1] = [
            Entry(key, one, since=answer.index, answers=[]) for key, one in zip(keys, new, strict=True)
        ]


def _inner(instruction: Instruction) -> Instruction:
    return instruction.then if isinstance(instruction, When) else instruction
