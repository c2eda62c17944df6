"""Reads a move out of a model's object: strict in what an action does, lenient in what is said around it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from console.contracts.actions import ACTION
from console.contracts.moves import NEXT_MOVE, Batch, Clarify, Done, Fail

from .reading import Unreadable

Move = Batch | Done | Fail | Clarify
NameOf = Callable[[str], str]
"""Turns the number of an element, as the model writes it, into its id."""
TARGETS = ("target_id", "from_target_id", "to_target_id")
MOST_STEPS = 20
_SIDE_WORDS = ("purpose", "summary", "reason", "question")
_PROBLEMS = 4


def the_move(answer: dict[str, Any], name_of: NameOf) -> Move:
    """The typed move. Raises `Unreadable` with what is wrong, in words for the model."""
    shaped = _shaped(answer)
    if shaped["kind"] == "batch":
        steps = shaped.get("steps")
        if not isinstance(steps, list) or not steps:
            raise Unreadable("A batch needs at least one step in “steps”.")
        if len(steps) > MOST_STEPS:
            raise Unreadable(f"A batch has at most {MOST_STEPS} steps; send the first few and look again.")
        shaped["steps"] = [_step(step, place, name_of) for place, step in enumerate(steps, 1)]
        shaped.setdefault("purpose", shaped["steps"][0]["purpose"])
    try:
        move = NEXT_MOVE.validate_python(shaped)
    except ValidationError as error:
        raise Unreadable(_problems(error)) from error
    if isinstance(move, Clarify) and not move.question.strip():
        raise Unreadable("A clarify needs its question.")
    return move


def _shaped(answer: dict[str, Any]) -> dict[str, Any]:
    """The move under its published names, whatever is said around it."""
    shaped = {key: value for key, value in answer.items() if value is not None}
    for wrapper in ("next_move", "move"):
        if isinstance(shaped.get(wrapper), dict) and "kind" not in shaped:
            shaped = {key: value for key, value in shaped[wrapper].items() if value is not None}
    for name in _SIDE_WORDS:
        if name in shaped:
            shaped[name] = _as_words(shaped[name])
    if "kind" not in shaped:
        shaped = _without_kind(shaped)
    kind = shaped.get("kind")
    if kind not in ("batch", "done", "fail", "clarify"):
        raise Unreadable(f"“kind” is {json.dumps(kind, ensure_ascii=False)}; it is batch, done, fail or clarify.")
    if kind == "batch" and "steps" not in shaped and "actions" in shaped:
        shaped["steps"] = shaped.pop("actions")
    return shaped


def _without_kind(shaped: dict[str, Any]) -> dict[str, Any]:
    if "steps" in shaped or "actions" in shaped:
        return {**shaped, "kind": "batch"}
    if isinstance(shaped.get("type"), str):
        return {"kind": "batch", "steps": [{"action": shaped}]}
    if isinstance(shaped.get("action"), dict):
        return {"kind": "batch", "steps": [shaped]}
    raise Unreadable("The answer has no “kind”: it is batch, done, fail or clarify.")


def _step(step: Any, place: int, name_of: NameOf) -> dict[str, Any]:
    if not isinstance(step, dict):
        raise Unreadable(f"Step {place} is no object.")
    action = step.get("action") if isinstance(step.get("action"), dict) else step if "type" in step else None
    if action is None or not action.get("type"):
        raise Unreadable(f"Step {place} has no action with a “type”.")
    action = {key: value for key, value in action.items() if value is not None}
    for target in TARGETS:
        if target in action:
            action[target] = name_of(_as_id(action[target], place))
    try:
        parsed = ACTION.validate_python(action)
    except ValidationError as error:
        raise Unreadable(f"Step {place}, {action['type']}: {_problems(error)}") from error
    purpose = _as_words(step.get("purpose")) if step is not action else ""
    return {"purpose": purpose or parsed.describe(), "action": parsed}


def _as_id(value: Any, place: int) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise Unreadable(f"Step {place}: a target is the number or the id of an element in the table.")
    return str(value).strip()


def _as_words(value: Any) -> str:
    """Commentary as one text: lists joined, nothing as nothing."""
    if isinstance(value, list):
        return "; ".join(_as_words(item) for item in value)
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else str(value)


def _problems(error: ValidationError) -> str:
    """The first few, each with its place."""
    lines = []
    for problem in error.errors(include_url=False, include_context=False)[:_PROBLEMS]:
        where = ".".join(str(part) for part in problem["loc"] if part != "function-before[_published_tag()]")
        lines.append(f"{where or 'the answer'}: {problem['msg']}")
    return "; ".join(lines)
