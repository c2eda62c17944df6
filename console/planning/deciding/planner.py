"""A language model as planner: it decides each move and, in a call of its own, checks whether the goal is reached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from console.contracts.base import Json
from console.contracts.model_use import Report
from console.contracts.moves import AttemptRecord, Batch, Clarify, Done, DoneVerdict, Fail
from console.contracts.view import PlanningView

from ..models.calling import caller_of
from ..models.moves import the_move
from ..models.reading import Unreadable
from ..models.settings import ModelSettings
from ..parts import PlannerParts
from ..pictures import SentPicture, fitted, limits_of
from .dialogue import Dialogue, Question
from .forms import MOVE_TOOL, move_schema, offered_actions
from .grading import GRADER_TOKENS, Grader
from .prompt import decision_prompt, words_of_picture
from .table import Targets


class ModelPlanner:
    """Each turn is one request with all that matters in it, so nothing has to be carried from turn to turn."""

    def __init__(self, settings: ModelSettings, parts: PlannerParts) -> None:
        self.wants_screenshot = settings.screenshot
        self._settings = settings
        self._parts = parts
        self._limits = limits_of(settings.provider)
        tools = settings.answer_form == "tools"
        self._deciding = Dialogue(caller_of(settings, parts.keys), settings.max_output_tokens, tools=tools)
        checking = self._deciding
        if settings.grader:
            checking = Dialogue(caller_of(settings, parts.keys, settings.grader), GRADER_TOKENS, tools=tools)
        self._grader = Grader(checking, parts, self._limits)

    def report_to(self, report: Report) -> None:
        for dialogue in (self._deciding, self._grader.dialogue):
            dialogue.caller.report = report

    async def decide_next(
        self,
        goal: str,
        history: Sequence[AttemptRecord],
        shared_memory: Mapping[str, Json],
        view: PlanningView,
        screenshot_png: bytes | None,
    ) -> Batch | Done | Fail | Clarify:
        """One call, and at most two more to repair an answer. Raises `PlannerError`."""
        picture = await self._picture(screenshot_png)
        reference = self._parts.text("prompts/actions.md")
        prompt = decision_prompt(
            goal,
            history,
            shared_memory,
            view,
            max_tokens=self._settings.max_request_tokens,
            picture=words_of_picture(picture),
        )
        targets = Targets(view, prompt.shown)
        question = Question(
            f"{self._parts.text('prompts/decide.md')}\n{reference}",
            prompt.text,
            MOVE_TOOL,
            move_schema(offered_actions(reference)),
            "decide",
            picture,
        )
        return await self._deciding.ask(question, lambda answer: the_move(answer, _named(targets, picture)))

    async def verify_done(
        self,
        goal: str,
        summary: str,
        shared_memory: Mapping[str, Json],
        view: PlanningView,
        screenshot_png: bytes | None,
    ) -> DoneVerdict:
        """Raises `PlannerError` if nobody could check."""
        return await self._grader.grade(
            goal, summary, shared_memory, view, screenshot_png if self.wants_screenshot else None
        )

    async def close(self) -> None:
        for dialogue in (self._deciding, self._grader.dialogue):
            await dialogue.caller.close()

    async def _picture(self, png: bytes | None) -> SentPicture | None:
        if png is None or not self._settings.screenshot:
            return None
        return await fitted(png, self._limits)


def _named(targets: Targets, picture: SentPicture | None) -> Any:
    """Numbers to ids, and points of the picture that was sent to points of the screenshot."""

    def name(said: str) -> str:
        target = targets(said)
        if not target.startswith("point:") or picture is None:
            return target
        try:
            x, y = (float(part) for part in target.removeprefix("point:").split(","))
        except ValueError as error:
            raise Unreadable(f"“{target}” is no point; write point:X,Y with two numbers.") from error
        try:
            point = picture.to_source(x, y)
        except Exception as error:
            raise Unreadable(str(error)) from error
        return f"point:{point.x},{point.y}"

    return name
