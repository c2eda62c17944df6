"""Asks the person at the terminal; no answer is never a yes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

from console.contracts.operator import ClarifyAnswer, ClarifyRequest, VerifyDecision, VerifyRequest
from console.contracts.safety import ApprovalDecision, ApprovalRequest

from .output import Output, harmless

ReadLine = Callable[[], str]


class TerminalOperator:
    """Reads one line for each question. The end of the input denies and declines."""

    def __init__(self, output: Output, read_line: ReadLine) -> None:
        self._output = output
        self._read_line = read_line

    async def approve(self, request: ApprovalRequest) -> ApprovalDecision:
        for reason in request.risk.reasons:
            self._output.problem(f"   {reason}")
        self._output.problem(f"Approve “{harmless(request.sentence)}”? Type yes, or why not:")
        answer = (await self._line()).strip()
        if answer.casefold() in ("y", "yes"):
            return ApprovalDecision(verdict="approve")
        return ApprovalDecision(verdict="deny", reason="" if answer.casefold() in ("n", "no") else answer)

    async def answer(self, request: ClarifyRequest) -> ClarifyAnswer:
        self._output.problem(request.question)
        for number, candidate in enumerate(request.candidates, 1):
            self._output.problem(f"   {number}  {candidate}")
        self._output.problem("Your answer, or nothing to decline:")
        answer = (await self._line()).strip()
        if answer.isdecimal() and 1 <= int(answer) <= len(request.candidates):
            answer = request.candidates[int(answer) - 1]
        return ClarifyAnswer(text=answer, declined=not answer)

    async def judge(self, request: VerifyRequest) -> VerifyDecision:
        self._output.problem(f"It could not be checked ({request.problem}): {request.summary}")
        self._output.problem("Is it done? Type yes or no, or nothing if you cannot tell:")
        answer = (await self._line()).strip().casefold()
        if answer in ("y", "yes"):
            return VerifyDecision(verdict="accept")
        return VerifyDecision(verdict="reject" if answer in ("n", "no") else "unverified")

    async def _line(self) -> str:
        return await next_line(self._read_line)


async def next_line(read_line: ReadLine) -> str:
    """A line, or nothing at the end. It is read in a thread of its own that nothing waits for, because a read from a
    terminal cannot be taken back."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[str] = loop.create_future()

    def give(line: str) -> None:
        if not answer.done():
            answer.set_result(line)

    def read() -> None:
        try:
            line = read_line()
        except (OSError, ValueError):  # closed, or no text
            line = ""
        if not loop.is_closed():
            loop.call_soon_threadsafe(give, line)

    threading.Thread(target=read, name="stdin", daemon=True).start()
    return await answer
