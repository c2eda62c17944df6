"""`operator-console act`: single actions from stdin, each through the gate, the journal and the desktop."""

from __future__ import annotations

import asyncio
import secrets
import sys
from argparse import Namespace

from pydantic import ValidationError

from console.contracts.actions import ACTION, AnyAction
from console.contracts.effects import ObservedEffect
from console.contracts.errors import ConsoleError
from console.contracts.events import Attempted, RunEnded, RunStarted
from console.contracts.moves import BatchStep
from console.contracts.outcome import RunLimits
from console.contracts.receipt import ExecutionReceipt, OtherRoute
from console.contracts.store import RunStore
from console.contracts.view import ViewBudget
from console.core.clock import SystemClock
from console.core.control import RunControl
from console.core.ending import Ending, failed, stopped
from console.core.looking import Looking
from console.core.performing import StepPerformer
from console.core.recorder import Recorder
from console.core.state import RunState

from .asking import next_line
from .decisions import ApproveAll
from .exits import Exit
from .interrupts import interrupts
from .output import Output
from .pauses import PauseKeeper
from .wiring import Desk, Wiring

GOAL, PURPOSE, PLANNER = "Actions from the command line", "command line", "act"


async def act(args: Namespace, wiring: Wiring, output: Output) -> int:
    """One receipt a line, for each line in turn; what fails does not keep the next from being tried."""
    store = wiring.open_store(output.problem)
    try:
        desk = await wiring.open_desk(ApproveAll() if args.yes else None, output.problem)
        try:
            hand = _Hand(desk, store, output)
            async with interrupts(hand.control.stop, desk.desktop.release_all, output):
                return await hand.work()
        finally:
            await desk.desktop.close()
    finally:
        await store.close()


class _Hand:
    """Performs actions as a run of its own, so that they are in the history like any other."""

    def __init__(self, desk: Desk, store: RunStore, output: Output) -> None:
        clock = SystemClock()
        self.control = RunControl(clock)
        self._clock = clock
        self._desk = desk
        self._output = output
        self._limits = RunLimits()
        self._state = RunState(goal=GOAL, trace_id=secrets.token_hex(16))
        self._recorder = Recorder(store, self.control, clock, secrets.token_hex(8))
        self._looking = Looking(
            desk.desktop,
            self._recorder,
            clock,
            limits=self._limits,
            budget=ViewBudget(),
            adapters=desk.servers,
            wants_png=False,
        )
        self._performer = StepPerformer(desk.gate, desk.desktop, self._looking, self._recorder, self.control, clock)
        self._keeper = PauseKeeper(self.control, output, None)
        self._exit = Exit.SUCCEEDED
        self._done = 0

    async def work(self) -> int:
        lines = asyncio.ensure_future(self._lines())
        self.control.bind(lines.cancel, self._clock, 0)
        try:
            await lines
            ending = self._ending()
        except asyncio.CancelledError:
            ending, self._exit = stopped(self.control.stop_reason or "It was cancelled."), Exit.STOPPED
            await self._desk.desktop.release_all()
        self._keeper.close()
        await self._write_end(ending)
        return self._exit

    def _ending(self) -> Ending:
        sentence = f"{self._done} of {self._state.steps_used} actions were done."
        if self._exit is Exit.SUCCEEDED:
            return Ending("succeeded", sentence)
        return failed(sentence, step=PURPOSE, reason="not_all_done", denied=self._exit is Exit.REFUSED)

    async def _lines(self) -> None:
        await self._recorder.emit(
            RunStarted, goal=GOAL, planner=PLANNER, limits=self._limits, trace_id=self._state.trace_id
        )
        number = 0
        while line := await next_line(sys.stdin.readline):
            number += 1
            if not line.strip():
                continue
            receipt = await self._receipt(number, line)
            try:
                self._output.json(receipt.model_dump(mode="json"))
            except BrokenPipeError:
                self._output.mute()
                self.control.stop("Nobody reads the output any more.")

    async def _receipt(self, number: int, line: str) -> ExecutionReceipt:
        try:
            action = ACTION.validate_json(line)
        except ValidationError as error:
            self._fails(Exit.WRONG_USE)
            why = f"Line {number} is no action: {error.errors()[0]['msg']}."
            self._output.problem(why)
            return self._not_sent("invalid", None, "failed", why)
        return await self._perform(action)

    async def _perform(self, action: AnyAction) -> ExecutionReceipt:
        state, step = self._state, BatchStep(purpose=PURPOSE, action=action)
        target = next(iter(action.targets()), None)
        try:
            scene = await self._looking.glance(state)
            outcome = await self._performer.perform(step, PURPOSE, scene, state)
        except ConsoleError as error:
            self._fails(Exit.FAILED)
            return self._not_sent(action.type, target, "failed", error.sentence())
        attempted = self._attempted()
        if outcome.record.succeeded:
            self._done += 1
        else:
            self._fails(Exit.REFUSED if outcome.denied else Exit.FAILED)
        if attempted is not None and attempted.receipt is not None:
            receipt = attempted.receipt
            return receipt.model_copy(update={"run_id": self._recorder.run_id, "trace_id": state.trace_id})
        status = "denied" if outcome.denied else "failed"
        return self._not_sent(action.type, target, status, outcome.record.error or "")

    def _attempted(self) -> Attempted | None:
        """The last attempt among the events since the last call."""
        found = None
        while not self._recorder.stream.empty():
            event = self._recorder.stream.get_nowait()
            if isinstance(event, Attempted):
                found = event
        return found

    def _not_sent(self, kind: str, target: str | None, status: str, error: str) -> ExecutionReceipt:
        now = self._clock.unix_ms()
        return ExecutionReceipt.model_validate(
            {
                "receipt_id": secrets.token_hex(8),
                "run_id": self._recorder.run_id,
                "trace_id": self._state.trace_id,
                "action_kind": kind,
                "target": target,
                "route": OtherRoute(detail="nothing was sent"),
                "observed_effect": ObservedEffect(status="not_checked", detail="Nothing was sent."),
                "requested_at_ms": now,
                "completed_at_ms": now,
                "duration_ms": 0,
                "status": status,
                "error": error,
            }
        )

    def _fails(self, code: Exit) -> None:
        """The weightiest failure decides: refused before wrong use before failed."""
        order = (Exit.SUCCEEDED, Exit.FAILED, Exit.WRONG_USE, Exit.REFUSED)
        self._exit = max(self._exit, code, key=order.index)

    async def _write_end(self, ending: Ending) -> None:
        self._recorder.closing = True
        active_ms = self.control.watch.active_ms
        await self._recorder.emit(
            RunEnded,
            end=ending.end,
            outcome=ending.outcome(self._state),
            step=ending.step(self._state, active_ms),
            steps_used=self._state.steps_used,
            active_ms=active_ms,
        )
