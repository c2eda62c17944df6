"""Keys of services: from the environment, else from the system's keyring, and never in a file of the console."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Any, Literal

from pydantic import SecretStr

from console.contracts.errors import StorageError
from console.contracts.keys import ENVIRONMENT

RING = "operator-console"
PATIENCE_S = 60.0  # a keyring may ask its owner for a password first
Place = Literal["environment", "keyring", "session"]


class Keys:
    """`known` holds every key that was ever handed out, so that it can be blotted out of whatever is written."""

    def __init__(self) -> None:
        self.known: set[str] = set()
        self._session: dict[str, str] = {}

    async def key(self, service: str) -> SecretStr | None:
        """The environment comes first. Raises `StorageError` if the keyring is there and does not answer."""
        value = self._from_environment(service) or self._session.get(service)
        if value is None:
            value = await _ring(lambda ring: ring.get_password(RING, service))
        if not value:
            return None
        self.known.add(value)
        return SecretStr(value)

    async def where(self, service: str) -> Place | None:
        """Where the key of the service is."""
        if self._from_environment(service):
            return "environment"
        if service in self._session:
            return "session"
        return "keyring" if await self.key(service) else None

    async def save(self, service: str, key: SecretStr) -> Place:
        """Into the keyring; where there is none the key is kept until the console is closed."""
        value = key.get_secret_value().strip()
        self.known.add(value)
        if await _ring(lambda ring: ring.set_password(RING, service, value) or True):
            self._session.pop(service, None)
            return "keyring"
        self._session[service] = value
        return "session"

    async def forget(self, service: str) -> None:
        """Out of the keyring, if it is there."""
        self._session.pop(service, None)
        if await _ring(lambda ring: ring.get_password(RING, service)):
            await _ring(lambda ring: ring.delete_password(RING, service))

    @staticmethod
    def _from_environment(service: str) -> str | None:
        values = (os.environ.get(name, "").strip() for name in ENVIRONMENT.get(service, ()))
        return next((value for value in values if value), None)


async def _ring(use: Callable[[Any], Any]) -> Any:
    """Use the keyring in a thread, since it may have to wait for its owner; None where there is no keyring."""
    try:
        return await asyncio.wait_for(asyncio.to_thread(_use, use), PATIENCE_S)
    except TimeoutError as error:
        raise StorageError("The keyring does not answer.", "Unlock it, then try again.") from error


def _use(use: Callable[[Any], Any]) -> Any:
    import keyring  # costs a tenth of a second, and is needed only where there is no key in the environment
    from keyring.errors import KeyringError, NoKeyringError

    try:
        return use(keyring)
    except NoKeyringError:
        return None
    except KeyringError as error:
        raise StorageError(f"The keyring refused: {error}.", "Unlock it, or use the environment.") from error
