"""OpenAI's computer use over the responses, by its own library: pydantic-ai does not speak computer calls yet."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

from console.contracts.model_use import CallPurpose

from ..models.caller import ModelCaller, Request, Watch
from ..models.connection import Connection
from ..models.failures import cut_off
from ..models.spoken import LONGEST_WORDS
from ..pictures import SentPicture
from .history import Conversation, Exchange, Trimmed
from .openai_actions import said_by
from .said import Said
from .wire import OWN_TOOLS, Answer, Call, own_meaning

if TYPE_CHECKING:
    from pydantic_ai.messages import FinishReason, ModelResponse

_HEARD = ("response.output_text.delta", "response.reasoning_summary_text.delta", "response.refusal.delta")
_ENDS = ("response.completed", "response.incomplete", "response.failed")


class OpenAIWire:
    """`tool` is `computer`, or `computer_use_preview` for the older models."""

    only_acts = False

    def __init__(self, tool: str) -> None:
        self._tool = tool

    async def ask(
        self, caller: ModelCaller, talk: Conversation, rules: str, purpose: CallPurpose, max_output_tokens: int
    ) -> Answer:
        await caller.connection()  # loads the libraries beside the loop
        from pydantic_ai.models import ModelRequestParameters

        sent = talk.trimmed()
        body = {
            "instructions": rules,
            "input": items_of(sent),
            "tools": self._tools(sent.sent_pictures[-1]),
            "max_output_tokens": max_output_tokens,
            "truncation": "auto",
            "store": False,
        }

        async def send(connection: Connection, watch: Watch) -> ModelResponse:
            return await _streamed(connection, body, watch)

        request = Request(
            [], ModelRequestParameters(), purpose, max_output_tokens, size_bytes=sent.size_bytes, send=send
        )
        reply = await caller.ask(request)
        items = (reply.response.provider_details or {}).get("items", [])
        calls = tuple(_call(item) for item in items if item.get("type") in ("computer_call", "function_call"))
        return Answer(items, len(json.dumps(items)), calls, reply.text, reply.cut)

    def meaning(self, call: Call, picture: SentPicture) -> Said:
        return own_meaning(call) or said_by(call.arguments, picture)

    def _tools(self, picture: SentPicture) -> list[dict[str, Any]]:
        computer: dict[str, Any] = {"type": self._tool}
        if self._tool == "computer_use_preview":
            computer |= {"display_width": picture.width, "display_height": picture.height, "environment": "linux"}
        own = [
            {"type": "function", "name": name, "description": words, "parameters": schema, "strict": False}
            for name, (words, schema) in OWN_TOOLS.items()
        ]
        return [computer, *own]


def items_of(sent: Trimmed) -> list[dict[str, Any]]:
    """The conversation as items; each call is followed by its output."""
    items = [_said(sent.opening, sent.picture)]
    for exchange in sent.exchanges:
        items += exchange.reply
        items += _outputs(exchange)
    return items


def _outputs(exchange: Exchange) -> list[dict[str, Any]]:
    """A computer call is answered with a picture and no words, so the words follow as a message."""
    items: list[dict[str, Any]] = []
    shown = False
    for result in exchange.results:
        if result.name != "computer":
            items.append({"type": "function_call_output", "call_id": result.call_id, "output": result.words})
            continue
        picture = {"type": "computer_screenshot", "image_url": _url(exchange.picture) if exchange.picture else BLANK}
        shown = exchange.picture is not None
        output: dict[str, Any] = {"type": "computer_call_output", "call_id": result.call_id, "output": picture}
        if result.data:
            output["acknowledged_safety_checks"] = result.data
        items.append(output)
    words = " ".join(result.words for result in exchange.results if result.name == "computer")
    told = f"{words} {exchange.words}".strip()
    if told or not exchange.results:
        items.append(_said(told or "Go on.", None if shown else exchange.picture))
    return items


def _said(text: str, picture: SentPicture | None) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "input_text", "text": text}]
    if picture is not None:
        content.append({"type": "input_image", "image_url": _url(picture), "detail": "high"})
    return {"role": "user", "content": content}


def _url(picture: SentPicture) -> str:
    return f"data:{picture.media_type};base64,{base64.b64encode(picture.data).decode()}"


def _call(item: dict[str, Any]) -> Call:
    if item["type"] == "computer_call":
        return Call(item["call_id"], "computer", item, item.get("pending_safety_checks") or None)
    try:
        arguments = json.loads(item.get("arguments") or "{}")
    except ValueError:
        arguments = {}
    return Call(item["call_id"], item["name"], arguments if isinstance(arguments, dict) else {})


async def _streamed(connection: Connection, body: dict[str, Any], watch: Watch) -> ModelResponse:
    """The whole response, told while it comes. Raises what the library raises, or `ModelTrouble` if it broke off."""
    from pydantic_ai.messages import ModelResponse, TextPart
    from pydantic_ai.usage import RequestUsage

    said: list[str] = []
    ended: Any = None
    async with await connection.client.responses.create(model=connection.place.model, stream=True, **body) as stream:
        async for event in stream:
            if event.type in _HEARD:
                said.append(event.delta)
            await watch.heard(lambda: "".join(said)[-LONGEST_WORDS:])
            if event.type in _ENDS:
                ended = event.response
    if ended is None or ended.status == "failed":
        raise cut_off(connection.place)
    usage = ended.usage
    counted = RequestUsage(
        input_tokens=usage.input_tokens if usage else 0,
        output_tokens=usage.output_tokens if usage else 0,
        cache_read_tokens=usage.input_tokens_details.cached_tokens if usage and usage.input_tokens_details else 0,
    )
    items = [item.model_dump(mode="json", exclude_none=True) for item in ended.output]
    refused = any(part.get("type") == "refusal" for item in items for part in item.get("content") or [])
    finish: FinishReason = "content_filter" if refused else "length" if ended.status == "incomplete" else "stop"
    return ModelResponse(
        parts=[TextPart("".join(said))],
        usage=counted,
        finish_reason=finish,
        provider_details={"items": items},
    )


BLANK = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
)
"""One pixel: a computer call must be answered with a picture, also when the picture of that time is left out."""
