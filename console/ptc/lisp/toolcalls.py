"""Calling a tool: checked, counted, perhaps answered from the cache, and always written down."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from .convert import internal, json_value, tool_arguments
from .failure import LispFailure
from .host import Tool, ToolReply
from .runtime import Runtime

_TOOL_WEIGHT = 400


@dataclass(frozen=True, slots=True)
class ToolRecord:
    """One call of a tool; `args` and `result` are JSON, `timestamp` is when it was called."""

    name: str
    args: dict[str, Any]
    result: Any
    error: str | None
    timestamp: str
    duration_ms: int
    cached: bool = False
    child_trace_id: str | None = None


def call_tool(rt: Runtime, name: str, args: Any) -> Any:
    """The answer of the tool `name` to a map of arguments."""
    tool = rt.host.tools.get(name) or rt.host.tools.get(name.replace("-", "_"))
    if tool is None:
        known = ", ".join(sorted(rt.host.tools)) or "none"
        raise LispFailure("unknown_tool", f"Unknown tool: {name}. Available tools: {known}", op=name)
    if not isinstance(args, dict):
        raise LispFailure("invalid_tool_args", f"tool/{name} takes one map or pairs of keyword and value", op=name)
    if rt.worker and tool.mutates:
        raise LispFailure("pmap_error", f"tool/{name} changes things and must not run in parallel", op=name)
    _count(rt, name)
    given = tool_arguments(rt, args)
    key = cache_key(name, given) if tool.cache else None
    if key is not None and key in rt.host.tool_cache:
        value = internal(rt, rt.host.tool_cache[key])
        _write_down(rt, name, given, json_value(rt, value), None, time.monotonic(), cached=True)
        return value
    value = rt.enter(_TOOL_WEIGHT, _answer, rt, tool, given)  # a tool gets most of a thread's stack
    if key is not None:
        rt.host.tool_cache[key] = value
    return value


def _count(rt: Runtime, name: str) -> None:
    limit = rt.meter.limits.max_tool_calls
    rt.meter.check()
    with rt.meter.lock:
        if limit is not None and rt.meter.tool_calls >= limit:
            raise LispFailure("tool_call_limit_exceeded", f"more than {limit} tool calls", op=name)
        rt.meter.tool_calls += 1


def _answer(rt: Runtime, tool: Tool, given: dict[str, Any]) -> Any:
    started = time.monotonic()
    try:
        answer = tool.call(given, rt.meter.remaining()) if tool.deadline else tool.call(given)
        answer = rt.host.wait_for(answer, rt.meter.remaining())
    except LispFailure as failure:
        _write_down(rt, tool.name, given, None, failure.message, started)
        raise
    except BaseException as error:  # a tool may fail in any way, and none of them ends this thread
        late = isinstance(error, TimeoutError | asyncio.CancelledError)
        told = str(error) or ("no answer in time" if late else type(error).__name__)
        _write_down(rt, tool.name, given, None, told, started)
        if late:
            rt.meter.check()
        raise LispFailure("tool_error", f"tool/{tool.name}: {told}", op=tool.name) from error
    reply = answer if isinstance(answer, ToolReply) else ToolReply(answer)
    if reply.child_step is not None:
        rt.record.child_steps.append(reply.child_step)
    if reply.child_trace_id is not None:
        rt.record.child_traces.append(reply.child_trace_id)
    if reply.error is not None:
        _write_down(rt, tool.name, given, None, reply.error, started, trace=reply.child_trace_id)
        raise LispFailure("tool_error", f"tool/{tool.name}: {reply.error}", op=tool.name)
    try:
        value = internal(rt, reply.value)
        shown = json_value(rt, value)
    except LispFailure as failure:
        _write_down(rt, tool.name, given, None, failure.message, started, trace=reply.child_trace_id)
        raise
    _write_down(rt, tool.name, given, shown, None, started, trace=reply.child_trace_id)
    rt.meter.check()
    return value


def _write_down(
    rt: Runtime,
    name: str,
    given: dict[str, Any],
    result: Any,
    error: str | None,
    started: float,
    *,
    cached: bool = False,
    trace: str | None = None,
) -> None:
    duration = 0 if cached else int((time.monotonic() - started) * 1000)
    args = json.loads(json.dumps(given, default=str))
    called = datetime.now(UTC) - timedelta(milliseconds=duration)
    rt.record.tool_calls.append(ToolRecord(name, args, result, error, called.isoformat(), duration, cached, trace))


def cache_key(name: str, given: dict[str, Any]) -> str:
    """The same for calls that mean the same: whole floats are whole numbers, and the order of names is none."""
    return json.dumps([name, _canonical(given)], sort_keys=True, default=str)


def _canonical(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _canonical(item) for key, item in value.items()}
    return [_canonical(item) for item in value] if isinstance(value, list) else value
