"""The one door to the live desktop."""

from __future__ import annotations

from typing import Literal, Protocol

from .actions import AnyAction
from .base import Value
from .moves import StepErr, StepOk
from .receipt import ExecutionReceipt
from .safety import Permit
from .scene import Frame, Scene
from .step import Step

ImageMedia = Literal["image/png", "image/jpeg"]


class Performed(Value):
    """What came of an action. `before` and `after` are the frames around it; `focus_moved` says that another window
    has the focus than before although the action was not meant to do that; `settled` is false if the screen
    was still changing when the time was up; `step` is what a program or a mission answered with."""

    receipt: ExecutionReceipt
    result: StepOk | StepErr
    before: Frame | None = None
    after: Frame | None = None
    focus_moved: str | None = None
    settled: bool = True
    step: Step | None = None


class Desktop(Protocol):
    """Observes and acts. Only `perform` sends input, and only with a permit."""

    async def observe(self, goal: str) -> Scene:
        """Look now. Raises `CaptureError` or `DesktopUnavailable`; a partial look is a scene with anomalies."""
        ...

    async def screenshot(self, frame: Frame, media: ImageMedia) -> bytes:
        """The frame as an encoded image, made in a worker."""
        ...

    async def perform(self, action: AnyAction, permit: Permit) -> Performed:
        """Do it. Raises `PermitVoid` if what is there now is not what the permit covers; all other failures
        are in the result. When cancelled, no further input is sent and everything pressed is released."""
        ...

    async def release_all(self) -> None:
        """Let go of every key and button that the console holds down. Never fails, never waits for anything else."""
        ...

    async def close(self) -> None: ...
