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
Place = Literal["environment", "keyring"]


class Keys:
    """`known` holds every key that was ever handed out, so that it can be blotted out of whatever is written."""

    def __init__(self) -> None:
        self.known: set[str] = set()

    async def key(self, service: str) -> SecretStr | None:
        """The environment comes first. Raises `StorageError` if the keyring is there and does not answer."""
        value = self._from_environment(service)
        if value is None:
            value = await self._ring(lambda ring: ring.get_password(RING, service), absent=None)
        if not value:
            return None
        self.known.add(value)
        return SecretStr(value)

    async def where(self, service: str) -> Place | None:
        """Where the key of the service is, without reading more than that it is there."""
        if self._from_environment(service):
            return "environment"
        return "keyring" if await self.key(service) else None

    async def save(self, service: str, key: SecretStr) -> None:
        """Into the keyring. Raises `StorageError` where there is none."""
        value = key.get_secret_value().strip()
        self.known.add(value)
        await self._ring(lambda ring: ring.set_password(RING, service, value), absent=_no_ring(service))

    async def forget(self, service: str) -> None:
        """Out of the keyring, if it is there."""
        if await self._ring(lambda ring: ring.get_password(RING, service), absent=None):
            await self._ring(lambda ring: ring.delete_password(RING, service), absent=None)

    @staticmethod
    def _from_environment(service: str) -> str | None:
        values = (os.environ.get(name, "").strip() for name in ENVIRONMENT.get(service, ()))
        return next((value for value in values if value), None)

    @staticmethod
    async def _ring(use: Callable[[Any], Any], absent: StorageError | None) -> Any:
        """Use the keyring in a thread: it may have to wait for its owner. `absent` is raised where there is none."""
        try:
            return await asyncio.wait_for(asyncio.to_thread(_use, use, absent), PATIENCE_S)
        except TimeoutError as error:
            raise StorageError("The keyring does not answer.", "Unlock it, then try again.") from error


def _use(use: Callable[[Any], Any], absent: StorageError | None) -> Any:
    import keyring  # costs a tenth of a second, and is needed only where there is no key in the environment
    from keyring.errors import KeyringError, NoKeyringError

    try:
        return use(keyring)
    except NoKeyringError as error:
        if absent is not None:
            raise absent from error
        return None
    except KeyringError as error:
        raise StorageError(
            f"The keyring refused: {error}.", "Unlock it, or put the key into the environment."
        ) from error


def _no_ring(service: str) -> StorageError:
    variable = ENVIRONMENT.get(service, ("its variable",))[0]
    return StorageError(
        "This desktop has no keyring, so the key was not kept.", f"Set {variable} before you start the console."
    )
