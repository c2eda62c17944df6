"""Anthropic's computer use: pydantic-ai speaks the messages, the tool itself is handed through."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from console.contracts.model_use import CallPurpose

from ..models.caller import ModelCaller, Reply, Request
from ..models.spoken import spoken
from ..pictures import SentPicture
from .anthropic_actions import said_by
from .history import Conversation, Exchange, Trimmed
from .said import Said
from .wire import OWN_TOOLS, Answer, Call, own_meaning

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage

BETAS = {"computer_20251124": "computer-use-2025-11-24", "computer_20250124": "computer-use-2025-01-24"}


class AnthropicWire:
    """`tool` is the version of the computer tool."""

    only_acts = False

    def __init__(self, tool: str) -> None:
        self._tool = tool

    async def ask(
        self, caller: ModelCaller, talk: Conversation, rules: str, purpose: CallPurpose, max_output_tokens: int
    ) -> Answer:
        await caller.connection()  # loads the libraries beside the loop
        from pydantic_ai.models import ModelRequestParameters

        sent = talk.trimmed()
        newest = sent.sent_pictures[-1]
        request = Request(
            messages_of(sent, rules),
            ModelRequestParameters(),
            purpose,
            max_output_tokens,
            extra={"extra_body": {"tools": self._tools(newest)}, "anthropic_betas": [BETAS[self._tool]]},
            size_bytes=sent.size_bytes,
        )
        return answer_of(await caller.ask(request))

    def meaning(self, call: Call, picture: SentPicture) -> Said:
        return own_meaning(call) or said_by(call.name, call.arguments, picture)

    def _tools(self, picture: SentPicture) -> list[dict[str, Any]]:
        computer = {
            "type": self._tool,
            "name": "computer",
            "display_width_px": picture.width,
            "display_height_px": picture.height,
        }
        own = [
            {"name": name, "description": words, "input_schema": schema} for name, (words, schema) in OWN_TOOLS.items()
        ]
        return [computer, *own]


def messages_of(sent: Trimmed, rules: str) -> list[ModelMessage]:
    """The conversation as pydantic-ai has it; each call is followed by its result, and text without calls by text."""
    from pydantic_ai.messages import ModelRequest, UserPromptPart

    first = UserPromptPart([sent.opening, *_pictures(sent.picture)])
    messages: list[ModelMessage] = [ModelRequest(parts=[first], instructions=rules)]
    for exchange in sent.exchanges:
        messages += [exchange.reply, ModelRequest(parts=_results(exchange), instructions=rules)]
    return messages


def _results(exchange: Exchange) -> list[Any]:
    from pydantic_ai.messages import ToolReturnPart, UserPromptPart

    if not exchange.results or not exchange.results[0].call_id:
        words = " ".join([*(result.words for result in exchange.results), exchange.words]).strip()
        return [UserPromptPart([words or "Go on.", *_pictures(exchange.picture)])]
    parts: list[Any] = []
    for place, result in enumerate(exchange.results):
        last = place == len(exchange.results) - 1
        words = f"{result.words} {exchange.words}".strip() if last else result.words
        content = [words, *_pictures(exchange.picture)] if last else words
        parts.append(ToolReturnPart(result.name, content, tool_call_id=result.call_id))
    return parts


def _pictures(picture: SentPicture | None) -> list[Any]:
    from pydantic_ai.messages import BinaryContent

    return [BinaryContent(picture.data, media_type=picture.media_type)] if picture else []


def answer_of(reply: Reply) -> Answer:
    """The calls and the words of a reply."""
    calls = []
    for part in reply.tool_calls():
        arguments = part.args if isinstance(part.args, dict) else json.loads(part.args or "{}")
        calls.append(Call(part.tool_call_id, part.tool_name, arguments))
    words = spoken(reply.response)
    size = len(words) + sum(len(json.dumps(call.arguments)) for call in calls)
    return Answer(reply.response, size, tuple(calls), words, reply.cut)
