"""OpenAI's chat completions, which servers of one's own speak as well."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .answers import Answer, Broken, Refusal, Say, Status, Use
from .anthropic import pieces

USAGE = {"prompt_tokens": 1200, "completion_tokens": 80, "total_tokens": 1280}
_CODES = {401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}


def error(answer: Status) -> dict[str, Any]:
    return {"error": {"message": answer.message, "type": "error", "code": _CODES.get(answer.code), "param": None}}


def _calls(body: dict[str, Any], answer: Use) -> list[tuple[str, str]]:
    offered = body.get("tools") or [{}]
    first = answer.tool or offered[0].get("function", {}).get("name", "tool")
    return [(name, json.dumps(arguments)) for name, arguments in [(first, answer.arguments), *answer.more]]


def _finish(answer: Answer) -> str:
    if isinstance(answer, Use):
        return "length" if answer.cut else "tool_calls"
    if isinstance(answer, Refusal):
        return "content_filter"
    return "length" if isinstance(answer, Say) and answer.cut else "stop"


def whole(body: dict[str, Any], answer: Answer) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": getattr(answer, "text", None)}
    if isinstance(answer, Use):
        message["tool_calls"] = [
            {"id": f"call_{place}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for place, (name, arguments) in enumerate(_calls(body, answer))
        ]
    choice = {"index": 0, "message": message, "finish_reason": _finish(answer)}
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [choice],
        "usage": USAGE,
    }


def _chunk(body: dict[str, Any], delta: dict[str, Any], finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    chunk = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": body["model"], "choices": [choice]}
    return f"data: {json.dumps(chunk)}\n\n"


def streamed(body: dict[str, Any], answer: Answer) -> Iterator[str | float]:
    pause = getattr(answer, "pause_s", 0.0)
    yield _chunk(body, {"role": "assistant", "content": ""})
    if isinstance(answer, Use):
        for place, (name, arguments) in enumerate(_calls(body, answer)):
            head = {"index": place, "id": f"call_{place}", "type": "function"}
            yield _chunk(body, {"tool_calls": [{**head, "function": {"name": name, "arguments": ""}}]})
            for piece in pieces(arguments):
                if pause:
                    yield pause
                yield _chunk(body, {"tool_calls": [{"index": place, "function": {"arguments": piece}}]})
    else:
        assert isinstance(answer, Say | Refusal | Broken)
        for piece in pieces(answer.text):
            if pause:
                yield pause
            yield _chunk(body, {"content": piece})
            if isinstance(answer, Broken):
                return
    yield _chunk(body, {}, _finish(answer))
    if (body.get("stream_options") or {}).get("include_usage"):
        last = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": body["model"]}
        yield f"data: {json.dumps({**last, 'choices': [], 'usage': USAGE})}\n\n"
    yield "data: [DONE]\n\n"
