"""A server of tools (Model Context Protocol), as the operator names it in `mcp.json`."""

from __future__ import annotations

import shlex
from collections.abc import Set
from typing import Literal, Protocol

from pydantic import Field

from .base import Value

USUAL_TIMEOUT_S = 60.0


class ToolServer(Value):
    """Started as a program (`command`) or reached at an address (`url`); one of the two is set.

    Values may hold references such as `${NAME}`, `${env:NAME}` and `${key:NAME}`, which are resolved only when the
    server is used. `timeout_s` is for its start and for each call. `cache` names those of its tools that give the same
    answer to the same parameters for as long as a run lasts; it counts only for tools that read.
    """

    name: str = Field(min_length=1, max_length=80)
    enabled: bool = True
    command: str = ""
    args: tuple[str, ...] = ()
    env: dict[str, str] = Field(default_factory=dict)
    cwd: str = ""
    url: str = ""
    headers: dict[str, str] = Field(default_factory=dict)
    timeout_s: float = Field(default=USUAL_TIMEOUT_S, gt=0, le=3600)
    cache: tuple[str, ...] = ()

    def place(self) -> str:
        """Its command line or its address, without what may follow the address."""
        return self.url.partition("?")[0] if self.url else shlex.join((self.command, *self.args))


class ToolLine(Value):
    """One tool of a server: its name, one sentence, and what it does to the world."""

    name: str
    about: str = ""
    effect: Literal["reads", "changes", "destroys", "unknown"] = "unknown"


class Resolver(Protocol):
    """Puts values in the place of references."""

    @property
    def secrets(self) -> Set[str]:
        """The values that were put in and have to stay out of sight; it may grow."""
        ...

    async def resolved(self, server: ToolServer) -> ToolServer:
        """Raises `ConsoleError` if a value is missing or cannot be read."""
        ...
