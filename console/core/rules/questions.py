"""Decides whether a Clarify may be asked: not the same question twice, and not without end."""

from __future__ import annotations

from collections.abc import Sequence

from console.contracts.actions import Extract
from console.contracts.base import Json
from console.contracts.moves import AttemptRecord

AT_MOST = 20
MEMORY_KEY = "operator_answers"


def may_ask(question: str, asked: Sequence[str]) -> bool:
    return question not in asked and len(asked) < AT_MOST


def answered(question: str, answer: str) -> AttemptRecord:
    """The answer as the planner finds it in the history. It costs no step."""
    return AttemptRecord(
        step_purpose="operator_answer", action=Extract(goal=question, data=answer), succeeded=True, data=answer
    )


def remembered(memory: Json, question: str, answer: str, at_ms: int) -> list[Json]:
    """The list of answers with this one added."""
    before = memory if isinstance(memory, list) else []
    return [*before, {"question": question, "answer": answer, "at": at_ms}]
