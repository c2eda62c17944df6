"""Hands each call of the contract to a child process as one JSON line and reads its answer as a typed move."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field, ValidationError

from console.contracts.base import Json, Value
from console.contracts.errors import PlannerError
from console.contracts.model_use import ModelCall, ModelWords, PlannerNews, Report
from console.contracts.moves import NEXT_MOVE, AttemptRecord, Batch, Clarify, Done, DoneVerdict, Fail
from console.contracts.view import PlanningView

from .child import Child


class CommandSettings(Value):
    """How the program is started."""

    command: str = Field(
        default="",
        max_length=4000,
        title="Command",
        description="Started once a run. It reads one JSON object a line and answers with one.",
    )
    timeout_s: int = Field(
        default=120, ge=1, le=3600, title="Time for an answer", description="In seconds, for one call."
    )
    screenshot: bool = Field(
        default=True, title="Send the picture", description="As PNG in base64, in “screenshot_png”."
    )


class CommandPlanner:
    """The program answers `{"id", "move"}`, `{"id", "verdict"}` or `{"id", "error"}`; before that it may send
    `{"id", "say"}` with its words so far, and `{"id", "used"}` with what a model of its own has used."""

    def __init__(self, settings: CommandSettings) -> None:
        self.wants_screenshot = settings.screenshot
        self._settings = settings
        self._child = Child(settings.command)
        self._report: Report = _nobody

    def report_to(self, report: Report) -> None:
        self._report = report

    async def decide_next(
        self,
        goal: str,
        history: Sequence[AttemptRecord],
        shared_memory: Mapping[str, Json],
        view: PlanningView,
        screenshot_png: bytes | None,
    ) -> Batch | Done | Fail | Clarify:
        """The program's move. Raises `PlannerError`."""
        told = {
            "call": "decide_next",
            "goal": goal,
            "history": [record.model_dump(mode="json") for record in history],
            **_present(shared_memory, view, screenshot_png),
        }
        answer = await self._ask(told, "move")
        try:
            return NEXT_MOVE.validate_python(answer)
        except ValidationError as error:
            raise _wrong("move", error) from error

    async def verify_done(
        self,
        goal: str,
        summary: str,
        shared_memory: Mapping[str, Json],
        view: PlanningView,
        screenshot_png: bytes | None,
    ) -> DoneVerdict:
        """The program's verdict. Raises `PlannerError`."""
        present = _present(shared_memory, view, screenshot_png)
        answer = await self._ask({"call": "verify_done", "goal": goal, "summary": summary, **present}, "verdict")
        try:
            return DoneVerdict.model_validate(answer)
        except ValidationError as error:
            raise _wrong("verdict", error) from error

    async def close(self) -> None:
        await self._child.close()

    async def _ask(self, question: dict[str, Any], wanted: str) -> Any:
        """The wanted part of the answer; words and costs that come before it are passed on."""
        began = time.monotonic()
        try:
            async with asyncio.timeout(self._settings.timeout_s):
                async for answer in self._child.ask(question):
                    if "error" in answer:
                        raise PlannerError(f"The planner says: {answer['error']}", "Mend it, or choose another.")
                    if wanted in answer:
                        return answer[wanted]
                    await self._pass_on(answer, question["call"], began)
        except TimeoutError as error:
            await self._child.close()
            raise PlannerError(
                f"The planner did not answer within {self._settings.timeout_s} s.", "Raise the time in Settings."
            ) from error
        raise AssertionError("it answers until it is no longer asked")  # pragma: no cover

    async def _pass_on(self, answer: dict[str, Any], call: str, began: float) -> None:
        if isinstance(answer.get("say"), str):
            await self._report(ModelWords(text=answer["say"]))
        used = answer.get("used")
        if isinstance(used, dict):
            latency_ms = int((time.monotonic() - began) * 1000)
            purpose = "verify" if call == "verify_done" else "decide"
            try:
                news = ModelCall.model_validate(
                    {"model": "unknown", "latency_ms": latency_ms, **used, "purpose": purpose}
                )
            except ValidationError as error:
                raise _wrong("used", error) from error
            await self._report(news)


async def _nobody(_: PlannerNews) -> None:
    """Nobody listens."""


def _present(memory: Mapping[str, Json], view: PlanningView, png: bytes | None) -> dict[str, Any]:
    return {
        "shared_memory": dict(memory),
        "view": view.model_dump(mode="json"),
        "screenshot_png": base64.b64encode(png).decode() if png else None,
    }


def _wrong(what: str, error: ValidationError) -> PlannerError:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"]) or what
    return PlannerError(f"The planner's {what} is not of the contract: {place}: {first['msg']}.", "Mend the program.")
