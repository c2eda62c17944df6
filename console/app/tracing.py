"""A journal whose events are sent to a collector as well, where one is named."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from console.cli.wiring import Tell
from console.contracts.events import RunEvent
from console.contracts.store import RunStore, RunSummary
from console.storage.tracing.otlp import SpanSender, endpoint_set


class TracedStore:
    """Implements `RunStore`. An event is kept first."""

    def __init__(self, store: RunStore, sender: SpanSender) -> None:
        self._store, self._sender = store, sender

    async def append(self, event: RunEvent) -> None:
        await self._store.append(event)
        self._sender.see(event)

    async def save_blob(self, data: bytes, media: str) -> str:
        return await self._store.save_blob(data, media)

    async def blob(self, name: str) -> bytes:
        return await self._store.blob(name)

    async def events(self, run_id: str) -> Sequence[RunEvent]:
        return await self._store.events(run_id)

    async def runs(self, search: str = "", limit: int = 200) -> Sequence[RunSummary]:
        return await self._store.runs(search, limit)

    async def close(self) -> None:
        await self._store.close()


def traced(store: RunStore, tell: Tell) -> RunStore:
    """For one run; the store itself where no collector is named. Call it in the loop in which `tell` may be called."""
    if not endpoint_set():
        return store
    loop = asyncio.get_running_loop()

    def told(text: str) -> None:
        with suppress(RuntimeError):  # the loop is gone, and with it who would read the sentence
            loop.call_soon_threadsafe(tell, text)

    return TracedStore(store, SpanSender(told))
