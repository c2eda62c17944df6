"""Has a model check, in a call of its own, whether a goal is reached; a yes without evidence is no yes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from console.contracts.base import Json
from console.contracts.moves import DoneVerdict, NextActionHint
from console.contracts.view import PlanningView

from ..models.reading import Unreadable
from ..parts import PlannerParts
from ..pictures import PictureLimits, fitted
from .dialogue import Dialogue, Question
from .forms import VERDICT_SCHEMA, VERDICT_TOOL
from .prompt import check_prompt, words_of_picture
from .table import Targets

GRADER_TOKENS = 2048


class Grader:
    """Its dialogue may be with another, cheaper model than the one that decides."""

    def __init__(self, dialogue: Dialogue, parts: PlannerParts, limits: PictureLimits) -> None:
        self.dialogue = dialogue
        self._parts, self._limits = parts, limits

    async def grade(
        self, goal: str, summary: str, memory: Mapping[str, Json], view: PlanningView, png: bytes | None
    ) -> DoneVerdict:
        """Raises `PlannerError` if nobody could check."""
        picture = await fitted(png, self._limits) if png else None
        prompt = check_prompt(goal, summary, memory, view, picture=words_of_picture(picture))
        rules = self._parts.text("prompts/verify.md")
        question = Question(rules, prompt.text, VERDICT_TOOL, VERDICT_SCHEMA, "verify", picture)
        return await self.dialogue.ask(question, lambda answer: the_verdict(answer, view, picture is not None))


def the_verdict(answer: dict[str, Any], view: PlanningView, has_picture: bool) -> DoneVerdict:
    """A yes counts only with evidence that is really there. Raises `Unreadable`."""
    verified = answer.get("verified")
    if not isinstance(verified, bool):
        raise Unreadable("“verified” has to be true or false.")
    reason = str(answer.get("reason") or "")
    try:
        hint = NextActionHint(answer["next_action_hint"]) if answer.get("next_action_hint") else None
    except ValueError:
        hint = None
    if not verified:
        return DoneVerdict(verified=False, reason=reason or "The check gave no reason.", next_action_hint=hint)
    evidence = answer.get("evidence")
    named = [str(item) for item in evidence] if isinstance(evidence, list) else []
    if _there(named, view) or (has_picture and answer.get("in_picture") is True and not named):
        return DoneVerdict(verified=True, reason=reason)
    return DoneVerdict(
        verified=False,
        reason="The check named no evidence that is on the screen."
        + (f" It named {', '.join(named[:5])}." if named else ""),
        next_action_hint=hint,
    )


def _there(named: list[str], view: PlanningView) -> bool:
    """Whether all that was named is in the view, and there is some."""
    targets = Targets(view, len(view.elements))
    try:
        return bool(named) and all(view.element(targets(item)) is not None for item in named)
    except Unreadable:
        return False
