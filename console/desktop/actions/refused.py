"""Says why an action is not done on this desktop."""

from __future__ import annotations

from console.contracts.actions import Act, CdpEval, Dock, DoneAction, FailAction, MenuExtra
from console.contracts.errors import TargetError

from .job import Job, Outcome


async def dock(action: Dock, job: Job) -> Outcome:
    raise TargetError("This desktop has no dock that can be driven.", "Use launch_app or activate_app.")


async def menu_extra(action: MenuExtra, job: Job) -> Outcome:
    raise TargetError("This desktop has no menu bar extras.", "Open the application itself.")


async def cdp_eval(action: CdpEval, job: Job) -> Outcome:
    raise TargetError("There is no connection into a browser, so no script was run.", "Act on what is shown.")


async def instruct(action: Act, job: Job) -> Outcome:
    raise TargetError("An instruction needs a model to carry it out.", "Give single actions.")


async def ending(action: DoneAction | FailAction, job: Job) -> Outcome:
    raise TargetError("Ending is for the run, not for the desktop.", "Answer Done or Fail as a move.")
