"""One server as an adapter: its tools are actions, and each call of one has passed the gate."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from console.contracts.base import Json
from console.contracts.moves import StepErr, StepOk
from console.contracts.view import AdapterActionRef, AdapterFactRef
from console.core.secret_answers import without

from .link import Link
from .results import step_of

NAMED = 12


class ServerAdapter:
    """`wait` is awaited before a look: it gives servers a moment to be there."""

    def __init__(self, name: str, link: Link, wait: Callable[[], Awaitable[None]]) -> None:
        self._name, self.link, self._wait = name, link, wait

    @property
    def name(self) -> str:
        return self._name

    async def facts(self, goal: str) -> Sequence[AdapterFactRef]:
        """Nothing while it works; the planner is told why tools are missing."""
        await self._wait()
        if self.link.connected or not self.link.problem:
            return ()
        return (
            AdapterFactRef(adapter=self._name, kind="unavailable", payload=self.link.problem, id=f"mcp:{self._name}"),
        )

    def actions(self) -> Sequence[AdapterActionRef]:
        return [tool.ref for tool in self.link.tools]

    async def call(self, action: str, params: Json) -> StepOk | StepErr:
        """The parameters are checked by the server. Raises `ConsoleError` if it gives no answer."""
        if not self.link.tools:  # nobody has looked yet
            await self._wait()
        tool = next((one for one in self.link.tools if one.ref.action == action), None)
        if tool is None:
            names = ", ".join(one.ref.action for one in self.link.tools[:NAMED]) or "none now"
            return StepErr(message=f"{self._name} has no tool “{action}”. It has: {names}.")
        if params is not None and not isinstance(params, dict):
            return StepErr(message=f"{self._name}.{action}: “params” is an object with the names of the parameters.")
        result = await self.link.call(tool.name, tool.arguments(params or {}))
        answer = await asyncio.to_thread(step_of, self._name, result)  # some answers are large
        return without(answer, self.link.secrets)
