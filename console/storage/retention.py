"""Lets go of old runs and of pictures that no run names, so that the journal does not grow for ever."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from console.contracts.errors import StorageError
from console.contracts.settings import StorageSettings

from .blobs import BlobFolder

log = logging.getLogger(__name__)
DAY_MS, GB = 86_400_000, 1_000_000_000
FRESH_S = 3600.0  # a picture is on the disk before the event that names it


class Shelf(Protocol):
    """What is tidied: the runs of a journal."""

    async def ended_runs(self) -> Sequence[tuple[str, int]]:
        """Runs that came to an end, and when (Unix, ms); the oldest first."""
        ...

    async def drop(self, run_id: str) -> Sequence[str]:
        """Delete a run that has ended; the names of the pictures that were its own."""
        ...

    async def named_pictures(self) -> Collection[str]: ...


async def tidy(
    shelf: Shelf, blobs: BlobFolder, keep: StorageSettings, now: Callable[[], float] = time.time
) -> list[str]:
    """The runs that were deleted. What fails is left for the next time."""
    gone: list[str] = []
    try:
        await _drop_old(shelf, keep, now() * 1000, gone)
        await _drop_large(shelf, blobs, keep, gone)
        named = await shelf.named_pictures()
        await asyncio.to_thread(blobs.sweep, named, now() - FRESH_S)
    except (StorageError, OSError):
        log.info("The journal could not be tidied", exc_info=True)
    return gone


async def _drop_old(shelf: Shelf, keep: StorageSettings, now_ms: float, gone: list[str]) -> None:
    if keep.keep_days:
        for run_id, ended_at_ms in await shelf.ended_runs():
            if ended_at_ms < now_ms - keep.keep_days * DAY_MS:
                await shelf.drop(run_id)
                gone.append(run_id)


async def _drop_large(shelf: Shelf, blobs: BlobFolder, keep: StorageSettings, gone: list[str]) -> None:
    """The oldest go until the pictures of the others fit."""
    sizes = await asyncio.to_thread(blobs.sizes)
    total = sum(sizes.get(name, 0) for name in await shelf.named_pictures())
    if not keep.pictures_gb or total <= keep.pictures_gb * GB:
        return
    for run_id, _ in await shelf.ended_runs():
        if total <= keep.pictures_gb * GB:
            return
        total -= sum(sizes.get(name, 0) for name in await shelf.drop(run_id))
        gone.append(run_id)
