"""The planners and the servers of the settings, as the window meets them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field, SecretStr

from console.contracts.base import Value
from console.contracts.errors import ConsoleError, PlannerError, StorageError
from console.contracts.tool_servers import ToolLine, ToolServer
from console.ui.backstage import PlannerPage


class ModelSample(Value):
    """Some settings of a planner that calls a model."""

    provider: Literal["north", "south"] = Field(default="north", title="Provider", description="Where it is.")
    address: str = Field(default="", title="Address")
    model: str = Field(default="", max_length=8, title="Model", description="Its name.")
    tries: int = Field(default=3, ge=1, le=9, title="Tries")


class Nothing(Value):
    """Nothing to set."""


class SetUp:
    """Keeps keys by provider; `answer` is what a trial says, or raises."""

    def __init__(self) -> None:
        self.keys: dict[str, str] = {}
        self.answer: str | ConsoleError = "north:m answered in 0.1 s."
        self.tried: list[Mapping[str, Any]] = []
        self.loaded: list[str] = []
        self.go = asyncio.Event()
        self.go.set()

    def pages(self) -> Sequence[PlannerPage]:
        return [
            PlannerPage("plain", "Without a model", Nothing()),
            PlannerPage("model", "A model decides", ModelSample(), needs_model=True),
        ]

    async def key_place(self, name: str, values: Mapping[str, Any]) -> str | None:
        return "keyring" if values["provider"] in self.keys else None

    async def save_key(self, name: str, values: Mapping[str, Any], key: SecretStr) -> None:
        if key.get_secret_value() == "bad":
            raise PlannerError("The keyring refused.", "Unlock it.")
        self.keys[values["provider"]] = key.get_secret_value()

    async def load(self, name: str) -> None:
        self.loaded.append(name)

    async def test(self, name: str, values: Mapping[str, Any]) -> str:
        self.tried.append(values)
        await self.go.wait()
        if isinstance(self.answer, ConsoleError):
            raise self.answer
        return self.answer


class Servers:
    """Keeps servers; `answer` is what a trial lists, or raises."""

    def __init__(self, *servers: ToolServer) -> None:
        self.servers: Sequence[ToolServer] = servers
        self.problems: Sequence[str] = ()
        self.saved: list[Sequence[ToolServer]] = []
        self.tried: list[ToolServer] = []
        self.full = False
        self.go = asyncio.Event()
        self.go.set()
        self.answer: Sequence[ToolLine] | ConsoleError = (
            ToolLine(name="list_notes", about="All notes by their title.", effect="reads"),
            ToolLine(name="delete_note", about="Deletes a note for ever.", effect="destroys"),
        )

    def load(self) -> tuple[Sequence[ToolServer], Sequence[str]]:
        return self.servers, self.problems

    def save(self, servers: Sequence[ToolServer]) -> None:
        if self.full:
            raise StorageError("The servers could not be saved: No space left on device.", "Free some space.")
        self.saved.append(servers)

    async def test(self, server: ToolServer) -> Sequence[ToolLine]:
        self.tried.append(server)
        await self.go.wait()
        if isinstance(self.answer, ConsoleError):
            raise self.answer
        return self.answer
