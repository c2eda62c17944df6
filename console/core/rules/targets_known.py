"""Refuses targets and tools that are not there, and names the closest that are."""

from __future__ import annotations

import re

from rapidfuzz.distance import Levenshtein

from console.contracts.actions import ActionBatch, AnyAction, Custom
from console.contracts.moves import AttemptRecord, NextActionHint
from console.contracts.scene import Scene
from console.contracts.view import AdapterActionRef

LISTED = 8
_ELEMENT_ID = re.compile(r"[a-z_]+:.+")


def unknown_target(action: AnyAction, purpose: str, scene: Scene) -> AttemptRecord | None:
    """The refusal of an id that is not in the scene, or None. Points, empty ids and bare numbers pass."""
    known = {element.id for element in scene.elements}
    for target in action.targets():
        if target in known or target.startswith("point:") or not _ELEMENT_ID.fullmatch(target):
            continue
        return AttemptRecord(
            step_purpose=purpose,
            action=action,
            succeeded=False,
            error=_sentence(target, sorted(known)),
            next_action_hint=NextActionHint.DIFFERENT_TARGET,
        )
    return None


def closest(target: str, known: list[str]) -> str | None:
    """The known id with the smallest edit distance, if that is at most half the length and at most 8."""
    best = min(known, key=lambda other: Levenshtein.distance(target, other), default=None)
    limit = min(len(target) // 2, 8)
    return best if best is not None and Levenshtein.distance(target, best) <= limit else None


def _sentence(target: str, known: list[str]) -> str:
    near = closest(target, known)
    guess = f" Did you mean {near}?" if near else ""
    listed = ", ".join(known[:LISTED]) or "none"
    return f"There is no element {target} on the screen.{guess} Some that are there: {listed}."


def unregistered_tool(action: AnyAction, purpose: str, tools: tuple[AdapterActionRef, ...]) -> AttemptRecord | None:
    """The refusal of a custom action that nobody offers, or None."""
    members = action.actions if isinstance(action, ActionBatch) else (action,)
    offered = {(tool.adapter, tool.action) for tool in tools}
    for member in members:
        if not isinstance(member, Custom) or (member.adapter, member.action) in offered:
            continue
        names = _closest_tools(f"{member.adapter}.{member.action}", [f"{tool}.{name}" for tool, name in offered])
        return AttemptRecord(
            step_purpose=purpose,
            action=action,
            succeeded=False,
            error=f"There is no tool {member.adapter}.{member.action}. There are: {names}.",
            next_action_hint=NextActionHint.DIFFERENT_ACTION,
        )
    return None


def _closest_tools(name: str, offered: list[str]) -> str:
    """All names if they are few, else those that are most like it."""
    near = sorted(offered, key=lambda other: (Levenshtein.distance(name, other), other))[:LISTED]
    more = f" and {len(offered) - len(near)} more" if len(offered) > len(near) else ""
    return (", ".join(sorted(near)) or "none") + more
