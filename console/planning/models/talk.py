"""A plain conversation with the model of the settings: texts, and calls of tools where some are offered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from console.contracts.model_use import ModelCall, Report

from ..parts import PlannerParts
from .caller import Reply, Request
from .calling import caller_of
from .failures import refused
from .settings import ModelSettings

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage
    from pydantic_ai.models import ModelRequestParameters

Message = Mapping[str, Any]


@dataclass(frozen=True)
class AskedCall:
    """A tool that the model wants to have called."""

    id: str
    name: str
    args: dict[str, Any]


@dataclass(frozen=True)
class Said:
    """One answer. `cut` says that the model reached its output limit, so it must not be acted on."""

    text: str
    calls: tuple[AskedCall, ...]
    cut: bool
    call: ModelCall


class Talk:
    """Stateless: each question carries the conversation before it.

    A message is a map with the `role` (user, assistant or tool) and the `content`. That of an assistant may have
    `tool_calls` with `id`, `name` and `args`; that of a tool names its call by `tool_call_id` and `name`.
    """

    def __init__(self, settings: ModelSettings, parts: PlannerParts) -> None:
        self._caller = caller_of(settings, parts.keys)
        self._max_output_tokens = settings.max_output_tokens

    def report_to(self, report: Report) -> None:
        self._caller.report = report

    async def say(self, system: str, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]] = ()) -> Said:
        """The answer. A tool has a `name`, a `description` and its `parameters` as a JSON schema. Raises
        `PlannerError`."""
        await self._caller.connection()  # loads the libraries beside the loop, before they are named here
        size = len(system) + sum(len(str(message.get("content") or "")) for message in messages)
        request = Request(
            _messages(system, messages), _parameters(tools), "mission", self._max_output_tokens, size_bytes=size
        )
        reply = await self._caller.ask(request)
        if reply.response.finish_reason == "content_filter":
            raise refused(reply.text)
        return Said(reply.text, _calls(reply), reply.cut, reply.call)

    async def close(self) -> None:
        await self._caller.close()


def _messages(system: str, messages: Sequence[Message]) -> list[ModelMessage]:
    from pydantic_ai.messages import (
        ModelRequest,
        ModelResponse,
        TextPart,
        ToolCallPart,
        ToolReturnPart,
        UserPromptPart,
    )

    made: list[ModelMessage] = []
    for message in messages:
        role, content = message["role"], str(message.get("content") or "")
        if role == "assistant":
            parts: list[Any] = [TextPart(content)] if content else []
            calls = message.get("tool_calls") or ()
            parts += [ToolCallPart(call["name"], dict(call["args"]), tool_call_id=call["id"]) for call in calls]
            made.append(ModelResponse(parts=parts or [TextPart("(nothing)")]))
            continue
        if role == "tool":
            part: Any = ToolReturnPart(str(message["name"]), content, tool_call_id=str(message["tool_call_id"]))
        else:
            part = UserPromptPart(content)
        last = made[-1] if made else None
        if isinstance(last, ModelRequest):  # the results of one answer's calls belong into one message
            made[-1] = ModelRequest(parts=[*last.parts, part], instructions=system or None)
        else:
            made.append(ModelRequest(parts=[part], instructions=system or None))
    return made


def _parameters(tools: Sequence[Mapping[str, Any]]) -> ModelRequestParameters:
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.tools import ToolDefinition

    return ModelRequestParameters(
        function_tools=[
            ToolDefinition(
                name=str(tool["name"]),
                description=str(tool.get("description") or ""),
                parameters_json_schema=dict(tool.get("parameters") or {"type": "object", "properties": {}}),
                strict=False,
            )
            for tool in tools
        ]
    )


def _calls(reply: Reply) -> tuple[AskedCall, ...]:
    return tuple(
        AskedCall(call.tool_call_id, call.tool_name, call.args_as_dict(raise_if_invalid=False))
        for call in reply.tool_calls()
    )
