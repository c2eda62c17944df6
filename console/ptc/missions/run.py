"""Running missions, one by one and after each other."""

from __future__ import annotations

from typing import Any, TypeVar

from console.contracts.step import Step

from ..typecheck import find_field
from .errors import MissionFailed, Stopped
from .flight import Flight
from .loop import run_loop
from .mission import Mission
from .options import RunOptions
from .single import run_single
from .text import run_text

_S = TypeVar("_S", bound=Step)


async def run(mission: Mission | str, **options: Any) -> Step:
    """Runs a mission, or a prompt as one, and gives its Step; the options are the fields of RunOptions.

    Whatever goes wrong while it runs is the `fail` of the Step; MissionError is raised only for what its author did
    wrong, such as a tool with the name of a value of the context. Cancelling the task ends the program that runs.
    """
    made = mission if isinstance(mission, Mission) else Mission(prompt=mission)
    return await execute(made, RunOptions(**options))


async def execute(mission: Mission, options: RunOptions) -> Step:
    """`run` with options that are put together already."""
    flight = Flight(mission, options, execute)
    try:
        flight.prepare()
        if mission.output == "text":
            return await run_text(flight)
        return await (run_single if mission.single_shot else run_loop)(flight)
    except Stopped as stop:
        return flight.failed(stop)


async def run_or_raise(mission: Mission | str, **options: Any) -> Step:
    """`run`, but MissionFailed is raised where there is no result."""
    return _checked(await run(mission, **options))


async def then(step: Step, mission: Mission, **options: Any) -> Step:
    """Goes on with the result of `step`; a failed one is passed through, and no model is asked."""
    if step.fail is not None:
        return step
    contract = mission.contract
    given = step.return_ if isinstance(step.return_, dict) else {}
    missing = [name for name, _ in (contract.params if contract else ()) if find_field(given, name) not in given]
    if missing:
        told = f"the result before has no {', '.join(missing)}"
        flight = Flight(mission, RunOptions(**options), execute)
        return flight.failed(Stopped("chain_error", told, details={"missing": missing}))
    return await run(mission, **options | {"context": step})


async def then_or_raise(step: Step, mission: Mission, **options: Any) -> Step:
    """`then`, but MissionFailed is raised where there is no result."""
    return _checked(await then(step, mission, **options))


def _checked(step: _S) -> _S:
    if step.fail is not None:
        raise MissionFailed(step)
    return step
