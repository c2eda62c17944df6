"""The forms that an answer may have: the tool that carries a move, the one that carries a verdict, and their words."""

from __future__ import annotations

import json
import re
from typing import Any

from ..models.spoken import THOUGHT

MOVE_TOOL, VERDICT_TOOL = "next_move", "verdict"
_ACTION_LINE = re.compile(r"^([a-z_]+) \{", re.MULTILINE)
_TEXT, _WHOLE = {"type": "string"}, {"type": "integer"}
_EXPECT = {
    "type": "object",
    "properties": {
        "kind": {
            "type": "string",
            "enum": ["selector_appears", "selector_disappears", "selector_text_contains", "dom_changed"],
        },
        "selector": _TEXT,
        "substring": _TEXT,
        "timeout_ms": _WHOLE,
    },
    "required": ["kind"],
}


def offered_actions(reference: str) -> list[str]:
    """The kinds that the reference describes; they are what the model is offered."""
    return _ACTION_LINE.findall(reference)


def action_schema(kinds: list[str]) -> dict[str, Any]:
    """One flat object: every provider takes it, and what is wrong in it is told by the console's own check."""
    return {
        "type": "object",
        "properties": {
            "type": {"type": "string", "enum": kinds},
            "target_id": {"type": "string", "description": "the number of an element, or point:X,Y"},
            "from_target_id": _TEXT,
            "to_target_id": _TEXT,
            **dict.fromkeys(("text", "value", "key", "app_name", "app", "action", "op", "button", "url"), _TEXT),
            **dict.fromkeys(("goal", "data", "name", "parse_as", "adapter", "label", "role_hint"), _TEXT),
            **dict.fromkeys(("count", "dx", "dy", "ms", "from_x", "from_y", "to_x", "to_y"), _WHOLE),
            **dict.fromkeys(("x", "y", "width", "height", "window_index", "field_index"), _WHOLE),
            "keys": {"type": "array", "items": _TEXT},
            "modifiers": {"type": "array", "items": _TEXT},
            "selectors": {"type": "array", "items": _TEXT},
            "params": {"type": "object", "description": "the parameters of a tool"},
            "expect_after": _EXPECT,
        },
        "required": ["type"],
    }


def move_schema(kinds: list[str]) -> dict[str, Any]:
    step = {
        "type": "object",
        "properties": {"purpose": _TEXT, "action": action_schema(kinds)},
        "required": ["purpose", "action"],
    }
    return {
        "type": "object",
        "properties": {
            THOUGHT: {"type": "string", "description": "what you see and why this comes next"},
            "kind": {"type": "string", "enum": ["batch", "done", "fail", "clarify"]},
            "purpose": {"type": "string", "description": "of a batch"},
            "steps": {"type": "array", "items": step, "description": "of a batch, one to five"},
            "summary": {
                "type": "string",
                "description": "of done: what was reached, and the answer if one was asked",
            },
            "extracted_data": {"type": "object", "description": "of done, if data was asked for"},
            "reason": {"type": "string", "description": "of fail"},
            "question": {"type": "string", "description": "of clarify"},
            "candidates": {"type": "array", "items": _TEXT, "description": "of clarify: answers to choose from"},
        },
        "required": [THOUGHT, "kind"],
    }


VERDICT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        THOUGHT: _TEXT,
        "verified": {"type": "boolean"},
        "reason": _TEXT,
        "evidence": {"type": "array", "items": _TEXT},
        "in_picture": {"type": "boolean"},
        "next_action_hint": {
            "type": "string",
            "enum": ["retry_last_action", "different_action", "different_target", "give_up"],
        },
    },
    "required": [THOUGHT, "verified", "reason"],
}


def as_text(schema: dict[str, Any]) -> str:
    """For a model that cannot call tools."""
    return "\n\n# Form\nAnswer with exactly one JSON object and nothing else, after this JSON schema:\n" + json.dumps(
        schema, ensure_ascii=False
    )
