"""What a run remembers."""

from __future__ import annotations

from console.contracts.base import Json
from console.contracts.events import MemoryChanged

from .recorder import Recorder
from .state import RunState


async def remember(state: RunState, recorder: Recorder, key: str, value: Json) -> None:
    """Put a value into the shared memory and the journal."""
    state.shared_memory[key] = value
    await recorder.emit(MemoryChanged, key=key, value=value)
