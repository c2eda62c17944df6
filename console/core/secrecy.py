"""Keeps what is typed into a password field out of every record."""

from __future__ import annotations

import json
from collections.abc import Collection

from console.contracts.actions import ActionBatch, AnyAction, SetValue, TypeText
from console.contracts.events import RUN_EVENT, RunEvent, Stamp
from console.contracts.moves import Batch, Clarify, Done, Fail
from console.contracts.scene import Scene

MASK = "••••••"


def masked(action: AnyAction, *, protected: bool) -> AnyAction:
    """The action as it may be written down: without the text that goes into a protected field."""
    if not protected:
        return action
    if isinstance(action, TypeText):
        return action.model_copy(update={"text": MASK})
    if isinstance(action, SetValue):
        return action.model_copy(update={"value": MASK})
    if isinstance(action, ActionBatch):
        return action.model_copy(update={"actions": tuple(masked(member, protected=True) for member in action.actions)})
    return action


def secret_of(action: AnyAction) -> str:
    """The text that goes into the field."""
    return action.text if isinstance(action, TypeText) else getattr(action, "value", "")


def masked_in(action: AnyAction, scene: Scene) -> AnyAction:
    """The action as it may be written down, by what its target is in the scene."""
    ids = action.targets() or ((scene.focused_id,) if scene.focused_id else ())
    protected = any((element := scene.element(id_)) is not None and element.protected for id_ in ids)
    return masked(action, protected=protected)


def masked_move(move: Batch | Done | Fail | Clarify, scene: Scene) -> Batch | Done | Fail | Clarify:
    """The move as it may be written down."""
    if not isinstance(move, Batch):
        return move
    steps = tuple(step.model_copy(update={"action": masked_in(step.action, scene)}) for step in move.steps)
    return move.model_copy(update={"steps": steps})


def redacted(event: Stamp, secrets: Collection[str]) -> RunEvent:
    """The event with every secret blotted out, in whatever field it stands."""
    body = event.model_dump_json()
    for secret in sorted(secrets, key=len, reverse=True):
        body = body.replace(json.dumps(secret, ensure_ascii=False)[1:-1], MASK)
    return RUN_EVENT.validate_json(body)
