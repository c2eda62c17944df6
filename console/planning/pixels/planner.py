"""What all planners that see only pixels have in common: the conversation, the looks, the repairs, and the check."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from console.contracts.base import Json
from console.contracts.errors import PlannerError
from console.contracts.model_use import CallPurpose, Report
from console.contracts.moves import AttemptRecord, Batch, BatchStep, Clarify, Done, DoneVerdict, Fail
from console.contracts.view import PlanningView

from ..deciding.dialogue import REPAIRS, Dialogue
from ..deciding.grading import Grader
from ..deciding.history import history_lines
from ..models.caller import ModelCaller
from ..models.connection import connect
from ..models.failures import ModelTrouble
from ..models.reading import Unreadable, snippet
from ..parts import PlannerParts
from ..pictures import PictureLimits, SentPicture, fitted, halved
from .history import Conversation, Exchange, Result
from .said import Acts, Asks, Ends, GivesUp, Looks
from .settings import AnyPixelSettings
from .wire import Answer, Wire

LOOKS = 4
Move = Batch | Done | Fail | Clarify


class PixelPlanner:
    """One run. It remembers the conversation with its model; the history of the run says what came of each step."""

    wants_screenshot = True

    def __init__(self, settings: AnyPixelSettings, parts: PlannerParts, wire: Wire, limits: PictureLimits) -> None:
        self._settings, self._parts, self._wire, self._limits = settings, parts, wire, limits
        self._caller = self._made_caller(settings.model)
        self._grader_caller = self._made_caller(settings.grader) if settings.grader else self._caller
        self._grader = Grader(Dialogue(self._grader_caller, 2048), parts, limits)
        self._talk = Conversation()
        self._known = 0
        self._open: Answer | None = None

    def report_to(self, report: Report) -> None:
        self._caller.report = self._grader_caller.report = report

    async def decide_next(
        self,
        goal: str,
        history: Sequence[AttemptRecord],
        shared_memory: Mapping[str, Json],
        view: PlanningView,
        screenshot_png: bytes | None,
    ) -> Move:
        """Raises `PlannerError`, also without a picture."""
        if screenshot_png is None:
            raise PlannerError("There is no picture of the screen.", "This planner sees nothing else.")
        picture = await fitted(screenshot_png, self._limits)
        self._take_in(goal, history, picture)
        repairs, looks, purpose = 0, 0, "decide"
        while True:
            answer = await self._ask("repair" if purpose == "repair" else "decide")
            try:
                move = self._move(answer)
            except Unreadable as error:
                repairs, purpose = repairs + 1, "repair"
                if repairs > REPAIRS:
                    raise PlannerError(
                        f"The model gave no usable answer, also after {REPAIRS} repairs: {snippet(str(error))}",
                        "Try again, or choose another model.",
                    ) from error
                self._answer_all(answer, f"Nothing was done: {error}", None, failed=True)
                continue
            if move is not None:
                self._open = answer
                return move
            looks += 1
            if looks > LOOKS:
                raise PlannerError("The model only looks at the screen and does nothing.", "Try another model.")
            self._answer_all(answer, "Nothing was done. This is the screen now.", picture)

    async def verify_done(
        self,
        goal: str,
        summary: str,
        shared_memory: Mapping[str, Json],
        view: PlanningView,
        screenshot_png: bytes | None,
    ) -> DoneVerdict:
        """A call of its own, without the conversation. Raises `PlannerError` if there is no model for it."""
        if self._wire.only_acts and not self._settings.grader:
            raise PlannerError("No model is set that checks whether the goal is reached.", "Name one in Settings.")
        return await self._grader.grade(goal, summary, shared_memory, view, screenshot_png)

    async def close(self) -> None:
        await self._caller.close()
        await self._grader_caller.close()

    def _take_in(self, goal: str, history: Sequence[AttemptRecord], picture: SentPicture) -> None:
        """What happened since the last call becomes the result of its calls; without one the conversation begins."""
        if self._open is None:
            before = "\n".join(history_lines(history)) if history else ""
            done = f"\n\nWhat has been done so far:\n{before}" if before else ""
            self._talk.opening = f"The goal:\n{goal}{done}\n\nThe picture is {picture.width}×{picture.height} pixels."
            self._talk.first_picture, self._talk.exchanges = picture, []
        else:
            news = history[self._known :]
            words = "\n".join(history_lines(news)) if news else "Nothing was done."
            answer, self._open = self._open, None
            if not all(record.succeeded for record in news):
                answer = _without_consent(answer)
            self._answer_all(answer, words, picture)
        self._known = len(history)

    def _answer_all(self, answer: Answer, words: str, picture: SentPicture | None, *, failed: bool = False) -> None:
        """The words stand with the first call; every call gets its result."""
        results = tuple(
            Result(call.call_id, call.name, words if place == 0 else "See above.", failed, call.data)
            for place, call in enumerate(answer.calls)
        )
        spoken = "" if results else words
        self._talk.add(Exchange(answer.reply, answer.size, results, spoken, picture))

    async def _ask(self, purpose: CallPurpose) -> Answer:
        """The model's answer; a picture that is not taken is sent smaller, twice at most."""
        for smaller in range(3):
            try:
                rules = self._parts.text("prompts/pixels.md")
                return await self._wire.ask(self._caller, self._talk, rules, purpose, self._settings.max_output_tokens)
            except ModelTrouble as trouble:
                newest = self._talk.newest
                if trouble.trouble != "image" or smaller == 2 or newest is None:
                    raise
                self._talk.shrink(await asyncio.to_thread(halved, newest))
        raise AssertionError("the last try raises")  # pragma: no cover

    def _move(self, answer: Answer) -> Move | None:
        """The move, or None if the model only wants to look. Raises `Unreadable`."""
        picture = self._talk.newest
        if answer.cut:
            raise Unreadable("The answer was cut off at the output limit. Make it shorter.")
        if picture is None:
            raise Unreadable("There is no picture yet.")
        steps: list[BatchStep] = []
        purpose = snippet(answer.words) or "use the screen"
        for call in answer.calls:
            said = self._wire.meaning(call, picture)
            if isinstance(said, Acts):
                steps += [BatchStep(purpose=_purpose(purpose, a), action=a, caution=said.caution) for a in said.actions]
                continue
            if steps or isinstance(said, Looks):
                break
            return _end(said)
        if steps:
            return Batch(purpose=purpose, steps=tuple(steps))
        return None if answer.calls else self._of_words(answer)

    def _of_words(self, answer: Answer) -> Move:
        """An answer without a call: a question, or a claim that is checked like any other."""
        words = answer.words.strip()
        if not words:
            raise Unreadable("The answer was empty.")
        return Clarify(question=words) if words.endswith("?") else Done(summary=words)

    def _made_caller(self, model: str) -> ModelCaller:
        settings, keys = self._settings, self._parts.keys
        return ModelCaller(lambda: connect(settings, keys, model), tries=settings.tries, timeout_s=settings.timeout_s)


def _purpose(batch: str, action: Any) -> str:
    return f"{batch}: {action.type}" if len(batch) < 80 else action.type


def _without_consent(answer: Answer) -> Answer:
    """A step was denied or failed, so nobody has acknowledged the provider's checks."""
    return replace(answer, calls=tuple(replace(call, data=None) for call in answer.calls))


def _end(said: Ends | GivesUp | Asks) -> Move:
    if isinstance(said, Ends):
        return Done(summary=said.summary)
    if isinstance(said, GivesUp):
        return Fail(reason=said.reason)
    return Clarify(question=said.question, candidates=said.candidates or None)
