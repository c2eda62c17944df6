"""Writes a finished run down as a program that does the same again, with labels instead of the ids of one screen."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from console.contracts.actions import AnyAction, Custom
from console.contracts.events import ActionIntended, Attempted, RunEvent, RunStarted
from console.contracts.safety import TargetPrint

from .desk_tools import ACTS, plain_name

_TOOLS = {kind: tool for tool, kind in ACTS.items()}
_LEFT_OUT = frozenset({"type", "target_id", "expect_after", "hold_ms"})
_MASK = "••••••"
_AIMED = frozenset({"click", "hover", "set_value", "ax_action", "type"})


def program_of(events: Iterable[RunEvent]) -> str:
    """The steps that went well, in their order: a program as it was, a mission, or a program that failed, as the steps
    that it took. What cannot be written as a call stands as a comment."""
    lines: list[str] = []
    window = ""
    events = list(events)
    inside = _inside_programs(events)
    for event in events:
        if isinstance(event, RunStarted) and not lines and event.planner != "program":
            lines += [f"; {line}" for line in event.goal.splitlines() if line.strip()]
        if not isinstance(event, Attempted) or event.parent_id in inside or not event.record.succeeded:
            continue
        if _is_mission(event.record.action):
            continue  # its own steps stand before it
        source = _source(event.record.action)
        if source is not None:
            lines.append(source.strip())
            continue
        aim = event.target.print if event.target is not None else TargetPrint()
        call = _call(event.record.action, aim)
        if call is None:
            lines.append(f"; not taken over: {_one_line(event.sentence)}")
            continue
        place = _place(aim) if event.record.action.type in _AIMED else {}
        if place and aim.window and aim.window != window:
            lines.append(f"(tool/wait-for {_map(place)})")
            window = aim.window
        lines.append(call)
    return "\n".join(lines) + "\n"


def _inside_programs(events: Sequence[RunEvent]) -> set[str | None]:
    """The attempts of programs that went well, and of what they called."""
    inside: set[str | None] = {
        event.attempt_id
        for event in events
        if isinstance(event, Attempted) and event.record.succeeded and _source(event.record.action) is not None
    }
    for event in events:
        if isinstance(event, ActionIntended) and event.parent_id in inside:
            inside.add(event.attempt_id)
    return inside


def _source(action: AnyAction) -> str | None:
    """A program stands for itself."""
    if isinstance(action, Custom) and action.adapter == "ptc" and isinstance(action.params, dict):
        source = action.params.get("source") if action.action == "run" else None
        return source if isinstance(source, str) else None
    return None


def _is_mission(action: AnyAction) -> bool:
    return isinstance(action, Custom) and (action.adapter, action.action) == ("mission", "run")


def _call(action: AnyAction, aim: TargetPrint) -> str | None:
    if isinstance(action, Custom) and isinstance(action.params, dict | None) and not _is_mission(action):
        name = plain_name(action.adapter, action.action)
        return f"(tool/{name} {_map(action.params)})" if action.params else f"(tool/{name})"
    tool = _TOOLS.get(action.type)
    if tool is None:
        return None
    fields = action.model_dump(mode="json", exclude_none=True)
    given = {name: value for name, value in fields.items() if name not in _LEFT_OUT}
    if any(value == _MASK for value in given.values()):
        return f"; a secret was typed here, give it as data/secret: (tool/{tool} {_map(_place(aim))})"
    if getattr(action, "target_id", None):
        place = _place(aim)
        if not place:
            return None
        given = {**place, **given}
    elif action.targets():
        return None
    return f"(tool/{tool} {_map(given)})" if given else f"(tool/{tool})"


def _place(aim: TargetPrint) -> dict[str, Any]:
    """How a person would name the element; nothing if it has no label."""
    if not aim.label:
        return {}
    found = {"label": aim.label, "role": aim.element_type, "in": aim.window}
    return {name: value for name, value in found.items() if value}


def _map(values: dict[str, Any]) -> str:
    return "{" + " ".join(f":{name.replace('_', '-')} {_literal(value)}" for name, value in values.items()) + "}"


def _literal(value: Any) -> str:
    if isinstance(value, list):
        return "[" + " ".join(_literal(item) for item in value) + "]"
    if isinstance(value, dict):
        return _map(value)
    if value is None:
        return "nil"
    return json.dumps(value, ensure_ascii=False)


def _one_line(text: str) -> str:
    return " ".join(text.split())
