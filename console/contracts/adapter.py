"""Tools of any kind that a planner reaches by the `custom` action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from .base import Json
from .moves import StepErr, StepOk
from .view import AdapterActionRef, AdapterFactRef


class Adapter(Protocol):
    """A named tool box. Calls pass the same gate as every other action."""

    @property
    def name(self) -> str: ...

    async def facts(self, goal: str) -> Sequence[AdapterFactRef]: ...

    def actions(self) -> Sequence[AdapterActionRef]: ...

    async def call(self, action: str, params: Json) -> StepOk | StepErr: ...
