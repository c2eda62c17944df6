"""`operator-console run`: a goal without a window."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from console.contracts.errors import ConsoleError, StorageError
from console.contracts.events import RunEnded, RunEvent
from console.contracts.operator import Operator
from console.contracts.store import RunStore
from console.core.control import RunControl
from console.core.state import RunState, fold

from .asking import TerminalOperator
from .decisions import DecisionsOperator, read_decisions
from .exits import WrongUse, exit_of
from .history import find_run
from .interrupts import interrupts
from .output import Output
from .pauses import PauseKeeper
from .timeline import timeline
from .wiring import RunOrder, RunParts, Wiring


async def run(args: Namespace, wiring: Wiring, output: Output) -> int:
    """Carry out the goal and print what happens; the last line holds the outcome and the `Step`."""
    if args.planner is not None and args.planner not in (names := [entry.name for entry in wiring.planners()]):
        raise WrongUse(f"There is no planner “{args.planner}”. Choose one of: {', '.join(names)}.")
    operator = _operator(args, output)
    store = wiring.open_store(output.problem)
    try:
        order = await _order(args, store)
        desk = await wiring.open_desk(operator, output.problem)
        try:
            ended, run_id = await _carry_out(args, wiring, output, order, RunParts(desk, operator, store, RunControl()))
        finally:
            await desk.desktop.close()
        await _write_report(args, store, run_id, output)
    finally:
        await store.close()
    if ended is None:
        raise ConsoleError("The run gave no end.", "Look it up with “operator-console runs”.")
    return exit_of(ended)


async def _carry_out(
    args: Namespace, wiring: Wiring, output: Output, order: RunOrder, parts: RunParts
) -> tuple[RunEnded | None, str]:
    """The end of the run and its name."""
    the_run = wiring.make_run(order, parts)
    ended: RunEnded | None = None
    watcher = _Watcher(output, parts.control, as_json=args.json)
    keeper = PauseKeeper(parts.control, output, sys.stdin.readline if sys.stdin.isatty() else None)
    async with interrupts(parts.control.stop, parts.desk.desktop.release_all, output):
        async for event in the_run.events(order.goal):
            keeper.saw(event)
            watcher.show(event)
            if isinstance(event, RunEnded):
                ended = event
    keeper.close()
    return ended, the_run.run_id


class _Watcher:
    """Prints the events. A run that nobody watches any more is stopped."""

    def __init__(self, output: Output, control: RunControl, *, as_json: bool) -> None:
        self._output = output
        self._control = control
        self._as_json = as_json
        self._read = True

    def show(self, event: RunEvent) -> None:
        if not self._read:
            return
        try:
            self._print(event)
        except BrokenPipeError:
            self._read = False
            self._output.mute()
            self._control.stop("Nobody reads the output any more.")

    def _print(self, event: RunEvent) -> None:
        if self._as_json:
            fields = event.model_dump(mode="json")
            if isinstance(event, RunEnded):
                fields["step"] = event.step.to_json()
            self._output.json(fields)
            return
        line = timeline(event)
        if line is not None:
            self._output.line(line)
        if isinstance(event, RunEnded):
            self._output.json({"outcome": event.outcome.model_dump(mode="json"), "step": event.step.to_json()})


def _operator(args: Namespace, output: Output) -> Operator:
    if args.ask and not sys.stdin.isatty():
        raise WrongUse("--ask needs a terminal to ask on. Use --decisions instead.")
    person = TerminalOperator(output, sys.stdin.readline) if args.ask else None
    return DecisionsOperator(read_decisions(args.decisions) if args.decisions else (), person)


async def _order(args: Namespace, store: RunStore) -> RunOrder:
    state: RunState | None = None
    run_id = None
    if args.resume is not None:
        run_id = await find_run(store, args.resume)
        state = fold(await store.events(run_id))
    return RunOrder(
        goal=state.goal if state else _goal(args),
        planner=args.planner or (state.planner if state else None) or None,
        max_steps=args.max_steps,
        timeout_ms=None if args.timeout is None else int(args.timeout * 1000),
        max_cost_usd=args.max_cost,
        max_tokens=args.max_tokens,
        options=dict(args.set or ()),
        run_id=run_id,
        resume=state,
    )


def _goal(args: Namespace) -> str:
    goal = args.goal
    if args.goal_file is not None:
        goal = _read_goal(args.goal_file)
    if goal is None or not goal.strip():
        raise WrongUse("There is no goal. Give it as GOAL, or in a file with --goal-file.")
    return str(goal)


def _read_goal(name: str) -> str:
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise WrongUse(f"The goal in {name} cannot be read: {error.strerror}. Check the name.") from error
    except UnicodeDecodeError as error:
        raise WrongUse(f"The goal in {name} is not UTF-8 text. Save it as UTF-8.") from error


async def _write_report(args: Namespace, store: RunStore, run_id: str, output: Output) -> None:
    """That the report fails does not change how the run ended."""
    if args.report is None:
        return
    from console.storage.export import export_run

    try:
        path = await export_run(store, run_id, Path(args.report))
    except StorageError as error:
        output.problem(error.sentence())
    else:
        output.problem(f"The report is in {path}.")
