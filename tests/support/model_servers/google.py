"""Google's generateContent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .answers import Answer, Broken, Refusal, Say, Status, Use
from .anthropic import pieces

USAGE = {"promptTokenCount": 1200, "candidatesTokenCount": 80, "totalTokenCount": 1280}
_STATUS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}


def error(answer: Status) -> dict[str, Any]:
    status = _STATUS.get(answer.code, "UNKNOWN")
    return {"error": {"code": answer.code, "message": answer.message, "status": status}}


def _parts(body: dict[str, Any], answer: Answer) -> list[dict[str, Any]]:
    if isinstance(answer, Use):
        offered = (body.get("tools") or [{}])[0].get("functionDeclarations") or [{}]
        calls = [(answer.tool or offered[0].get("name", "tool"), answer.arguments), *answer.more]
        return [{"functionCall": {"name": name, "args": arguments}} for name, arguments in calls]
    assert isinstance(answer, Say | Refusal | Broken)
    return [{"text": answer.text}]


def _finish(answer: Answer) -> str:
    if isinstance(answer, Refusal):
        return "SAFETY"
    return "MAX_TOKENS" if getattr(answer, "cut", False) else "STOP"


def _chunk(parts: list[dict[str, Any]], finish: str | None) -> dict[str, Any]:
    candidate: dict[str, Any] = {"index": 0, "content": {"role": "model", "parts": parts}}
    if finish:
        candidate["finishReason"] = finish
    return {"candidates": [candidate], "usageMetadata": USAGE, "modelVersion": "m", "responseId": "r1"}


def whole(body: dict[str, Any], answer: Answer) -> dict[str, Any]:
    return _chunk(_parts(body, answer), _finish(answer))


def streamed(body: dict[str, Any], answer: Answer) -> Iterator[str | float]:
    """A function call comes in one piece, words in several."""
    pause = getattr(answer, "pause_s", 0.0)
    if isinstance(answer, Use):
        if pause:
            yield pause * 6
        yield _event(_chunk(_parts(body, answer), _finish(answer)))
        return
    words = pieces(getattr(answer, "text", ""))
    for place, piece in enumerate(words):
        if pause:
            yield pause
        last = place == len(words) - 1
        yield _event(_chunk([{"text": piece}], _finish(answer) if last and not isinstance(answer, Broken) else None))
        if isinstance(answer, Broken):
            return


def _event(chunk: dict[str, Any]) -> str:
    return f"data: {json.dumps(chunk)}\r\n\r\n"
