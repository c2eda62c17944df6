"""OpenAI's responses, with function calls and computer calls."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .answers import Answer, Broken, Refusal, Say, Status, Use
from .anthropic import pieces
from .openai_chat import error as error_of_chat

USAGE = {
    "input_tokens": 1200,
    "input_tokens_details": {"cached_tokens": 200},
    "output_tokens": 80,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 1280,
}


def error(answer: Status) -> dict[str, Any]:
    return error_of_chat(answer)


def _items(body: dict[str, Any], answer: Answer) -> list[dict[str, Any]]:
    turn = len(body["input"]) if isinstance(body["input"], list) else 1
    if isinstance(answer, Use):
        offered = body.get("tools") or [{}]
        calls = [(answer.tool or offered[0].get("name", "tool"), answer.arguments), *answer.more]
        return [_call(f"{place}_{turn}", name, arguments) for place, (name, arguments) in enumerate(calls)]
    assert isinstance(answer, Say | Refusal | Broken)
    part = (
        {"type": "refusal", "refusal": answer.text}
        if isinstance(answer, Refusal)
        else {"type": "output_text", "text": answer.text, "annotations": []}
    )
    return [{"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": [part]}]


def _call(place: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    head = {"id": f"i{place}", "call_id": f"call_{place}", "status": "completed"}
    if name == "computer":
        return {"type": "computer_call", "pending_safety_checks": [], **head, **arguments}
    return {"type": "function_call", **head, "name": name, "arguments": json.dumps(arguments)}


def _response(body: dict[str, Any], items: list[dict[str, Any]], answer: Answer, status: str) -> dict[str, Any]:
    cut = bool(getattr(answer, "cut", False)) and status == "completed"
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": body["model"],
        "status": "incomplete" if cut else status,
        "output": items,
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "instructions": None,
        "metadata": {},
        "parallel_tool_calls": False,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "usage": USAGE if status == "completed" else None,
    }


def whole(body: dict[str, Any], answer: Answer) -> dict[str, Any]:
    return _response(body, _items(body, answer), answer, "completed")


def streamed(body: dict[str, Any], answer: Answer) -> Iterator[str | float]:
    events = _Events()
    pause = getattr(answer, "pause_s", 0.0)
    yield events.one("response.created", response=_response(body, [], answer, "in_progress"))
    items = _items(body, answer)
    for index, item in enumerate(items):
        yield events.one("response.output_item.added", output_index=index, item=_begun(item))
        for name, fields in _deltas(item):
            if pause:
                yield pause
            yield events.one(name, output_index=index, item_id=item["id"], **fields)
            if isinstance(answer, Broken):
                return
        yield events.one("response.output_item.done", output_index=index, item=item)
    cut = bool(getattr(answer, "cut", False))
    name = "response.incomplete" if cut else "response.completed"
    yield events.one(name, response=_response(body, items, answer, "completed"))


class _Events:
    def __init__(self) -> None:
        self._number = -1

    def one(self, name: str, /, **fields: Any) -> str:
        self._number += 1
        return f"event: {name}\ndata: {json.dumps({'type': name, 'sequence_number': self._number, **fields})}\n\n"


def _begun(item: dict[str, Any]) -> dict[str, Any]:
    empty = {"message": {"content": []}, "function_call": {"arguments": ""}, "computer_call": {}}[item["type"]]
    return {**item, "status": "in_progress", **empty}


def _deltas(item: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    if item["type"] == "function_call":
        for piece in pieces(item["arguments"]):
            yield "response.function_call_arguments.delta", {"delta": piece}
        yield "response.function_call_arguments.done", {"arguments": item["arguments"], "name": item["name"]}
    elif item["type"] == "message":
        part = item["content"][0]
        words = part.get("text") or part.get("refusal") or ""
        key, kind = ("text", "output_text") if part["type"] == "output_text" else ("refusal", "refusal")
        yield "response.content_part.added", {"content_index": 0, "part": {**part, key: ""}}
        for piece in pieces(words):
            yield f"response.{kind}.delta", {"content_index": 0, "delta": piece, "logprobs": []}
        yield f"response.{kind}.done", {"content_index": 0, key: words, "logprobs": []}
        yield "response.content_part.done", {"content_index": 0, "part": part}
