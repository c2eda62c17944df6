"""Approvals and answers that were written down beforehand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from console.contracts.base import Value
from console.contracts.operator import ClarifyAnswer, ClarifyRequest, Operator, VerifyDecision, VerifyRequest
from console.contracts.safety import ApprovalDecision, ApprovalRequest

from .exits import WrongUse

NOBODY = "No prepared decision covers it, and nobody is there to ask."


def _compiles(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"is no regular expression: {error}") from error
    return pattern


class Decision(Value):
    """One row: for which questions it is meant, and what is decided. It is used `times` times, or without limit."""

    model_config = ConfigDict(extra="forbid")  # a misspelt key would silently decide something else

    on: Literal["approval", "clarify"]
    match: Annotated[str, AfterValidator(_compiles)] = ""
    decide: Literal["approve", "deny", "answer"]
    text: str = ""
    times: int | None = Field(default=None, ge=1)
    secret: bool = False

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.on == "approval" and self.decide == "answer":
            raise ValueError("an approval is approved or denied, not answered")
        if self.on == "clarify" and self.decide == "approve":
            raise ValueError("a question is answered or denied, not approved")
        return self


_ROWS: TypeAdapter[list[Decision]] = TypeAdapter(list[Decision])


def read_decisions(file: str) -> list[Decision]:
    """Raises `WrongUse` with the row that is wrong."""
    try:
        return _ROWS.validate_python(json.loads(Path(file).read_text(encoding="utf-8")))
    except OSError as error:
        raise WrongUse(f"The decisions in {file} cannot be read: {error.strerror}. Check the name.") from error
    except ValidationError as error:
        raise WrongUse(f"{_place(error)} in {file}. Mend it and start again.") from error
    except ValueError as error:
        raise WrongUse(f"{file} is not JSON: {error}. It has to be a list of decisions.") from error


def _place(error: ValidationError) -> str:
    first = error.errors()[0]
    message = first["msg"].removeprefix("Value error, ")
    if not first["loc"]:
        return f"The decisions have to be a list ({message})"
    row, *field = first["loc"]
    return f"Decision {int(row) + 1}{''.join(f', “{name}”' for name in field)}: {message}"


class DecisionsOperator:
    """An operator that knows only its rows; whatever matches none goes to `otherwise`, or is denied and left
    unanswered."""

    def __init__(self, rows: Sequence[Decision] = (), otherwise: Operator | None = None) -> None:
        self._rows = rows
        self._left = [row.times for row in rows]
        self._otherwise = otherwise

    async def approve(self, request: ApprovalRequest) -> ApprovalDecision:
        row = self._take("approval", _words_of(request))
        if row is not None:
            verdict: Literal["approve", "deny"] = "approve" if row.decide == "approve" else "deny"
            return ApprovalDecision(verdict=verdict, reason=row.text)
        if self._otherwise is not None:
            return await self._otherwise.approve(request)
        return ApprovalDecision(verdict="deny", reason=NOBODY)

    async def answer(self, request: ClarifyRequest) -> ClarifyAnswer:
        row = self._take("clarify", [request.question])
        if row is not None:
            return ClarifyAnswer(text=row.text, declined=row.decide == "deny", secret=row.secret)
        if self._otherwise is not None:
            return await self._otherwise.answer(request)
        return ClarifyAnswer(declined=True)

    async def judge(self, request: VerifyRequest) -> VerifyDecision:
        if self._otherwise is not None:
            return await self._otherwise.judge(request)
        return VerifyDecision(verdict="unverified")

    def _take(self, on: str, words: Sequence[str]) -> Decision | None:
        """The first row that matches and is not used up."""
        for number, row in enumerate(self._rows):
            left = self._left[number]
            if row.on == on and left != 0 and any(re.search(row.match, text) for text in words):
                self._left[number] = None if left is None else left - 1
                return row
        return None


def _words_of(request: ApprovalRequest) -> list[str]:
    """Each text that a pattern may be meant for, and all of them together."""
    texts = list(filter(None, _texts(request)))
    return [*texts, "\n".join(texts)]


def _texts(request: ApprovalRequest) -> Iterator[str]:
    yield request.sentence
    yield request.purpose
    yield request.target.print.label
    yield request.target.print.window
    yield request.risk.category
    yield from request.risk.reasons


class ApproveAll:
    """The operator of `act --yes`: the person has said so on the command line."""

    async def approve(self, request: ApprovalRequest) -> ApprovalDecision:
        return ApprovalDecision(verdict="approve", reason="--yes")

    async def answer(self, request: ClarifyRequest) -> ClarifyAnswer:
        return ClarifyAnswer(declined=True)

    async def judge(self, request: VerifyRequest) -> VerifyDecision:
        return VerifyDecision(verdict="unverified")
