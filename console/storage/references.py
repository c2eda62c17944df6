"""Values for the references of a server, from the environment and the keyring, so that no file holds a secret."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Set
from typing import Protocol

from pydantic import SecretStr

from console.contracts.errors import ConsoleError
from console.contracts.tool_servers import ToolServer

_REFERENCE = re.compile(r"\$\{(?:(env|key):)?([^{}]+)\}")
_SECRET_NAME = re.compile(r"token|key|secret|passw|auth|credential|cookie", re.IGNORECASE)
# These say where things are. To blot them out of every text would make paths and names unreadable.
_HARMLESS = frozenset(
    {"HOME", "USER", "LOGNAME", "SHELL", "PATH", "PWD", "TERM", "LANG", "DISPLAY", "TMPDIR", "HOSTNAME"}
)
SHORTEST = 6
HINT = "Set it, then start the console again, or change mcp.json."


class KeyRing(Protocol):
    """Where keys are, and every value that has to be kept out of sight."""

    known: set[str]

    async def key(self, service: str) -> SecretStr | None: ...


class References:
    """Implements `Resolver`. Whatever it puts in is known from then on, and blotted out of logs and events."""

    def __init__(self, keys: KeyRing, environment: Mapping[str, str] = os.environ) -> None:
        self._keys, self._environment = keys, environment

    @property
    def secrets(self) -> Set[str]:
        return self._keys.known

    async def resolved(self, server: ToolServer) -> ToolServer:
        """Raises `ConsoleError` if a value is missing."""
        name = server.name
        for place in (server.env, server.headers):
            for title, value in place.items():
                self._hide_literal(title, value)
        return server.model_copy(
            update={
                "command": await self._text(server.command, name),
                "args": tuple([await self._text(one, name) for one in server.args]),
                "env": {key: await self._text(value, name) for key, value in server.env.items()},
                "cwd": await self._text(server.cwd, name),
                "url": await self._text(server.url, name),
                "headers": {key: await self._text(value, name) for key, value in server.headers.items()},
            }
        )

    async def _text(self, text: str, server: str) -> str:
        parts: list[str] = []
        end = 0
        for hit in _REFERENCE.finditer(text):
            parts += [text[end : hit.start()], await self._value(hit[1] or "env", hit[2].strip(), server)]
            end = hit.end()
        return "".join([*parts, text[end:]])

    async def _value(self, kind: str, name: str, server: str) -> str:
        if kind == "key":
            key = await self._keys.key(name)
            if key is None:
                hint = f"Put it there with “keyring set operator-console {name}”, or change mcp.json."
                raise ConsoleError(f"The server “{server}” needs the key “{name}”, which is not in the keyring.", hint)
            value = key.get_secret_value()
        else:
            found = self._environment.get(name)
            if found is None:
                raise ConsoleError(f"The server “{server}” needs the variable {name}, which is not set.", HINT)
            value = found
        if name not in _HARMLESS and not name.startswith("XDG_"):
            self._hide(value)
        return value

    def _hide_literal(self, title: str, value: str) -> None:
        """A secret that stands in the file itself is recognised by its name."""
        if _SECRET_NAME.search(title) and not _REFERENCE.search(value):
            self._hide(value.split(" ", 1)[-1])

    def _hide(self, value: str) -> None:
        if len(value.strip()) >= SHORTEST:
            self._keys.known.add(value.strip())
