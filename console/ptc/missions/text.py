"""A mission whose result is a text, or JSON; its tools are called by the provider of the model."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from console.contracts.step import Step

from ..lisp import Tool, ToolReply
from ..signature import ListOf, MapOf, Maybe, Primitive, Signature, Type
from ..typecheck import CoercionError, coerce, validate
from .errors import Stopped
from .feedback import enveloped, of_bad_return
from .flight import Flight
from .llm import LlmInput, LlmReply, LlmToolCall
from .prompts import json_request, tool_schemas, wants_json
from .template import expand
from .turn import Turn, TurnKind
from .values import as_json, as_value, cleaned, cut

_FENCED = re.compile(r"```(?:json)?[ \t]*\r?\n(.*?)```", re.DOTALL | re.IGNORECASE)
_NOTHING = object()
_RESULT = 20_000
_TRIES = 200


class TextRun:
    """Asks until the answer is valid, and answers the calls of tools in between."""

    def __init__(self, flight: Flight):
        self._flight = flight
        contract = flight.mission.contract
        self._contract = contract if contract is not None and wants_json(contract) else None
        self._schema = self._contract.json_schema() if self._contract else None
        self._calls: list[dict[str, Any]] = []

    async def run(self) -> Step:
        """The final answer; Stopped where the last turn brings none."""
        flight, mission = self._flight, self._flight.mission
        flight.prompt = expand(mission.prompt, flight.context)
        flight.say("user", flight.prompt if self._schema is None else json_request(flight.prompt, self._schema))
        for number in range(1, mission.max_turns + 1):
            last = number == mission.max_turns
            kind: TurnKind = "must_return" if last else "normal"
            reply = await flight.ask(self._question(number))
            if await flight.over_budget():
                raise Stopped("budget_callback_exceeded", "the tokens of the mission are used up")
            if reply.tool_calls and flight.tools:
                await self._answer_calls(number, kind, reply)
                continue
            step = self._final(number, kind, reply, last=last)
            if step is not None:
                return step
        raise Stopped("max_turns_exceeded", f"no final answer after {mission.max_turns} turns")

    def _question(self, number: int) -> LlmInput:
        tools = self._flight.tools
        names, schemas = tuple(tools), tool_schemas(tools)
        return LlmInput(number, output="text", tool_names=names, tools=schemas, schema=self._schema)

    def _final(self, number: int, kind: TurnKind, reply: LlmReply, *, last: bool) -> Step | None:
        flight = self._flight
        flight.say("assistant", reply.content)
        if self._contract is None:
            flight.record(Turn(number, kind, reply.content, None, reply.content, success=True))
            return self._succeeded(reply.content)
        value = found_json(reply.content)
        if value is _NOTHING:
            told = "the answer holds no JSON"
            self._refused(number, kind, reply, Stopped("json_parse_error", told), last=last)
            return None
        value = with_moments(self._contract.returns, _unwrapped(self._contract, value))
        problems = validate(self._contract, value)
        if problems:
            told = of_bad_return(str(self._contract), value, problems, flight.mission.format)
            self._refused(number, kind, reply, Stopped("validation_error", told), last=last)
            return None
        flight.record(Turn(number, kind, reply.content, None, as_value(value), success=True))
        return self._succeeded(value)

    def _refused(self, number: int, kind: TurnKind, reply: LlmReply, stop: Stopped, *, last: bool) -> None:
        failure = {"reason": stop.reason, "message": stop.message}
        self._flight.record(Turn(number, kind, reply.content, None, failure, success=False))
        if last:
            raise stop
        told = f"{enveloped(stop.message)}\n\nAnswer again with one JSON value that matches the schema."
        self._flight.say("user", told)

    def _succeeded(self, value: Any) -> Step:
        usage: dict[str, Any] = {}
        if self._schema is not None:
            usage = {"schema_used": True, "schema_bytes": len(json.dumps(self._schema))}
        step = self._flight.succeeded(value, **usage)
        return Step.model_validate(dict(step) | {"tool_calls": cleaned(self._calls)})

    async def _answer_calls(self, number: int, kind: TurnKind, reply: LlmReply) -> None:
        flight = self._flight
        asked = [{"id": call.id, "name": call.name, "args": as_json(call.args)} for call in reply.tool_calls]
        flight.say("assistant", reply.content, tool_calls=asked)
        made = []
        for call in reply.tool_calls:
            record = await self._call(call)
            made.append(record)
            answer = record["result"] if record["error"] is None else {"error": record["error"]}
            told = enveloped(cut(json.dumps(answer, ensure_ascii=False), _RESULT))
            flight.say("tool", told, tool_call_id=call.id, name=call.name)
        self._calls += made
        turn = Turn(number, kind, reply.content, None, None, success=all(one["error"] is None for one in made))
        flight.record(turn.after((), tuple(made), {}))

    async def _call(self, call: LlmToolCall) -> dict[str, Any]:
        """One call as it is written down; what goes wrong in it is told to the model."""
        flight = self._flight
        limit = flight.mission.max_tool_calls
        tool = flight.tools.get(call.name)
        record: dict[str, Any] = {"name": call.name, "args": as_json(call.args), "result": None, "error": None}
        record["timestamp"] = datetime.now(UTC).isoformat()
        started = time.monotonic()
        if tool is None:
            record["error"] = f"Unknown tool: {call.name}. Available tools: {', '.join(flight.tools)}"
        elif limit is not None and flight.ledger.tool_calls >= limit:
            record["error"] = f"tool_call_limit_exceeded: more than {limit} tool calls"
        else:
            flight.ledger.tool_calls += 1
            record |= await self._result(tool, call.args)
        return record | {"duration_ms": int((time.monotonic() - started) * 1000)}

    async def _result(self, tool: Tool, args: Mapping[str, Any]) -> dict[str, Any]:
        left = self._flight.seconds()
        seconds = self._flight.mission.timeout / 1000
        seconds = seconds if left is None else min(seconds, left)
        try:
            async with asyncio.timeout(seconds):
                answer = await _called(tool, dict(args), seconds)
        except TimeoutError:
            return {"error": "no answer in time"}
        except Exception as error:  # noqa: BLE001 - a tool may fail in any way, and the model reads how
            return {"error": str(error) or type(error).__name__}
        if not isinstance(answer, ToolReply):
            return {"result": as_json(answer)}
        self._flight.adopt(answer.child_step, answer.child_trace_id)
        return {"result": as_json(answer.value), "error": answer.error, "child_trace_id": answer.child_trace_id}


async def _called(tool: Tool, args: dict[str, Any], seconds: float) -> Any:
    given: tuple[Any, ...] = (args, seconds) if tool.deadline else (args,)
    if inspect.iscoroutinefunction(tool.call):
        return await tool.call(*given)
    # A plain function may wait, and the loop must not.
    answer = await asyncio.to_thread(tool.call, *given)
    return await answer if inspect.isawaitable(answer) else answer


def found_json(text: str) -> Any:
    """The JSON of an answer: in a block, bare, or the first that stands in the text."""
    for candidate in (*_FENCED.findall(text), text):
        try:
            return json.loads(candidate)
        except (ValueError, RecursionError):
            continue
    decoder = json.JSONDecoder()
    for match in islice(re.finditer(r"[{\[]", text), _TRIES):
        try:
            return decoder.raw_decode(text, match.start())[0]
        except (ValueError, RecursionError):
            continue
    return _NOTHING


def _unwrapped(contract: Signature, value: Any) -> Any:
    """A list is asked for as the `items` of an object."""
    if isinstance(contract.returns, ListOf) and isinstance(value, dict) and "items" in value:
        return value["items"]
    return value


def with_moments(kind: Type, value: Any) -> Any:
    """The value with moments where the type has them and JSON can only have text."""
    if isinstance(kind, Maybe):
        return with_moments(kind.of, value)
    if isinstance(kind, ListOf) and isinstance(value, list):
        return [with_moments(kind.of, item) for item in value]
    if isinstance(kind, MapOf) and isinstance(value, dict):
        kinds = dict(kind.fields)
        return {name: with_moments(kinds[name], item) if name in kinds else item for name, item in value.items()}
    if kind == Primitive("datetime") and isinstance(value, str):
        try:
            return coerce(kind, value).value
        except CoercionError:
            return value
    return value


async def run_text(flight: Flight) -> Step:
    """Runs a mission with text output."""
    return await TextRun(flight).run()
