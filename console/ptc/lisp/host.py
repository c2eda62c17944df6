"""What the host lends to a program: its context, its tools, its budget and what it can discover."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from .awaited import Awaited
from .failure import LispFailure


@dataclass(frozen=True, slots=True)
class ToolReply:
    """What a tool may answer instead of a bare value; with `error` set the call failed."""

    value: Any = None
    error: str | None = None
    child_step: Any = None
    child_trace_id: str | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """`call` takes a dict of arguments and gives a value, or something to await; a tool that `mutates` is not run in
    parallel; with `deadline` it is called with the seconds that are left as its second argument."""

    call: Callable[..., Any]
    name: str = ""
    signature: str | None = None
    description: str = ""
    cache: bool = False
    mutates: bool = False
    deadline: bool = False

    @classmethod
    def of(cls, name: str, given: Any) -> Tool:
        """A tool from any accepted shape: a Tool, a callable, or a callable with its signature or its options."""
        if isinstance(given, Tool):
            return replace(given, name=name)
        if callable(given):
            return cls(given, name)
        if isinstance(given, tuple) and len(given) == 2 and callable(given[0]):
            options: Any = {"signature": given[1]} if isinstance(given[1], str) else given[1]
            if isinstance(options, Mapping):
                known = {"signature", "description", "cache", "mutates", "deadline"}
                return cls(given[0], name, **{k: v for k, v in options.items() if k in known})
        raise LispFailure("invalid_tool", f"the tool {name!r} is no callable, and no callable with a signature")


@dataclass(frozen=True, slots=True)
class Found:
    """The host's answer to a discovery form. A world fault reads as nil; a programmer fault ends the program."""

    kind: Literal["ok", "world_fault", "programmer_fault"]
    value: Any = None


Discovery = Callable[[str, dict[str, Any]], Found]


@dataclass(slots=True)
class Host:
    """The world of one run. `loop` is where asynchronous tools are awaited; without it they get one of their own.
    `on_task` is told the journal after each task, in the thread of the program, so that a task is kept once it is done.
    """

    context: Mapping[Any, Any] = field(default_factory=dict)
    tools: Mapping[str, Tool] = field(default_factory=dict)
    budget: Mapping[Any, Any] = field(default_factory=dict)
    discovery: Discovery | None = None
    on_task: Callable[[Mapping[str, Any]], None] | None = None
    library: Mapping[str, Any] = field(default_factory=dict)
    namespaces: Mapping[str, frozenset[str] | None] = field(default_factory=dict)
    strict_data: bool = False
    loop: asyncio.AbstractEventLoop | None = None
    tool_cache: dict[str, Any] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    _pending: set[Awaited] = field(default_factory=set)
    _cancelled: bool = False

    def wait_for(self, answer: Any, seconds: float) -> Any:
        """The answer of a tool. It is awaited on the loop of the host while this thread of the program waits."""
        if not inspect.isawaitable(answer):
            return answer
        if self.loop is None:
            return asyncio.run(_within(answer, max(0.0, seconds)))
        call = Awaited(self.loop, answer)
        with self.lock:
            self._pending.add(call)
            cancelled = self._cancelled
        try:
            if cancelled:  # by a thread that could not know yet of this call
                call.cancel()
            return call.result(seconds)
        finally:
            with self.lock:
                self._pending.discard(call)

    def cancel_pending(self) -> None:
        """Cancels the tools that are being awaited, and those that would be from now on."""
        with self.lock:
            self._cancelled = True
            pending = list(self._pending)
        for call in pending:
            call.cancel()


async def _within(answer: Any, seconds: float) -> Any:
    return await asyncio.wait_for(answer, seconds)
