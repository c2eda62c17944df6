"""A test model that reads the table of elements in its request, as a real one would."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .answers import Answer, Use
from .server import Asked

_ROW = re.compile(r'^\[(\d+)\] (\S+)(?: ("(?:[^"\\]|\\.)*"))?(.*)$')
_WINDOW = re.compile(r"^Window (\".*\"):$")


@dataclass(frozen=True)
class SeenRow:
    number: str
    kind: str
    label: str
    rest: str
    window: str


def rows_of(text: str) -> list[SeenRow]:
    """Every row of the table, with the window it stands under."""
    found, window = [], ""
    for line in text.splitlines():
        head = _WINDOW.match(line)
        if head:
            window = json.loads(head[1].replace("<\\/", "</"))
            continue
        row = _ROW.match(line)
        if row:
            label = json.loads(row[3].replace("<\\/", "</")) if row[3] else ""
            found.append(SeenRow(row[1], row[2], label, row[4], window))
    return found


def pick(asked: Asked, label: str, *kinds: str, near: str = "") -> str:
    """The number of the row with that label. Fails the test if it is not there."""
    for row in rows_of(asked.text):
        if row.label == label and (not kinds or row.kind in kinds) and near in row.rest:
            return row.number
    raise AssertionError(f"the model was not shown {label!r} {kinds}: {[r.label for r in rows_of(asked.text)]}")


def shown(asked: Asked, label: str) -> bool:
    return any(row.label == label for row in rows_of(asked.text))


def window_shown(asked: Asked, words: str) -> bool:
    return any(words in row.window for row in rows_of(asked.text)) or f'Window in front: "{words}' in asked.text


def act(purpose: str, *actions: dict[str, Any], thought: str = "This comes next.", pause_s: float = 0.0) -> Use:
    """A batch of these actions."""
    steps = [{"purpose": purpose, "action": action} for action in actions]
    return Use({"thought": thought, "kind": "batch", "purpose": purpose, "steps": steps}, pause_s=pause_s)


def done(summary: str, **data: Any) -> Use:
    return Use({"thought": "It is all there.", "kind": "done", "summary": summary, **data})


def verdict(verified: bool, reason: str = "I see it.", **more: Any) -> Use:
    return Use({"thought": "Looking.", "verified": verified, "reason": reason, "in_picture": verified, **more})


Turn = Callable[[Asked], Answer]


@dataclass
class PlannedModel:
    """Answers each decision with the next turn of its plan, and each check with yes, or with the next of `verdicts`."""

    turns: Sequence[Turn | Answer]
    verdicts: Sequence[Answer] = ()
    decisions: list[Asked] = field(default_factory=list)
    checks: list[Asked] = field(default_factory=list)

    def __call__(self, asked: Asked) -> Answer:
        if "# The claim" in asked.text:
            self.checks.append(asked)
            place = len(self.checks) - 1
            return self.verdicts[place] if place < len(self.verdicts) else verdict(True)
        turn = self.turns[min(len(self.decisions), len(self.turns) - 1)]
        self.decisions.append(asked)
        return turn(asked) if callable(turn) else turn
