"""Anthropic's messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .answers import Answer, Broken, Refusal, Say, Status, Use

USAGE = {"input_tokens": 1200, "output_tokens": 80}
_ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    529: "overloaded_error",
}


def error(answer: Status) -> dict[str, Any]:
    return {"type": "error", "error": {"type": _ERRORS.get(answer.code, "api_error"), "message": answer.message}}


def _blocks(body: dict[str, Any], answer: Answer) -> list[dict[str, Any]]:
    if isinstance(answer, Use):
        offered = body.get("tools") or [{}]
        calls = [(answer.tool or offered[0].get("name", "tool"), answer.arguments), *answer.more]
        told = [{"type": "thinking", "thinking": answer.thinking, "signature": "s"}] if answer.thinking else []
        return told + [
            {"type": "tool_use", "id": f"toolu_{place}_{len(body['messages'])}", "name": name, "input": arguments}
            for place, (name, arguments) in enumerate(calls)
        ]
    assert isinstance(answer, Say | Refusal | Broken)
    return [{"type": "text", "text": answer.text}]


def _stop(answer: Answer) -> str:
    if isinstance(answer, Refusal):
        return "refusal"
    if isinstance(answer, Use):
        return "max_tokens" if answer.cut else "tool_use"
    return "max_tokens" if isinstance(answer, Say) and answer.cut else "end_turn"


def _message(body: dict[str, Any], content: list[dict[str, Any]], stop: str | None) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": USAGE,
    }


def whole(body: dict[str, Any], answer: Answer) -> dict[str, Any]:
    return _message(body, _blocks(body, answer), _stop(answer))


def _event(name: str, **fields: Any) -> str:
    return f"event: {name}\ndata: {json.dumps({'type': name, **fields})}\n\n"


def streamed(body: dict[str, Any], answer: Answer) -> Iterator[str | float]:
    pause = getattr(answer, "pause_s", 0.0)
    yield _event("message_start", message=_message(body, [], None))
    for index, block in enumerate(_blocks(body, answer)):
        kind = block["type"]
        empty = {"text": {"text": ""}, "tool_use": {"input": {}}, "thinking": {"thinking": "", "signature": ""}}[kind]
        yield _event("content_block_start", index=index, content_block={**block, **empty})
        for delta in _deltas(block):
            if pause:
                yield pause
            yield _event("content_block_delta", index=index, delta=delta)
            if isinstance(answer, Broken):
                return
        yield _event("content_block_stop", index=index)
    yield _event("message_delta", delta={"stop_reason": _stop(answer), "stop_sequence": None}, usage=USAGE)
    yield _event("message_stop")


def _deltas(block: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if block["type"] == "tool_use":
        for piece in pieces(json.dumps(block["input"])):
            yield {"type": "input_json_delta", "partial_json": piece}
    elif block["type"] == "thinking":
        for piece in pieces(block["thinking"]):
            yield {"type": "thinking_delta", "thinking": piece}
        yield {"type": "signature_delta", "signature": "s"}
    else:
        for piece in pieces(block["text"]):
            yield {"type": "text_delta", "text": piece}


def pieces(text: str) -> list[str]:
    """A handful of pieces, whatever the length."""
    size = max(len(text) // 6, 1)
    return [text[start : start + size] for start in range(0, len(text), size)] or [""]
