"""Doubles that behave like the real parts: a scripted planner and operator, a pretended desktop, a store in memory.

A planner of one's own is tried out in a few lines::

    desktop = FakeDesktop(scene("Files", button("ax:1", "Delete")))
    run = make_run(MyPlanner(), desktop, ScriptedOperator(approvals=["deny"]))
    events = [event async for event in run.events("delete the file")]
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from console.contracts.actions import AnyAction, Custom
from console.contracts.adapter import Adapter
from console.contracts.base import Json
from console.contracts.desktop import ImageMedia, Performed
from console.contracts.effects import ObservedEffect
from console.contracts.errors import PlannerError, StorageError
from console.contracts.events import RUN_EVENT, RunEnded, RunEvent, RunPhase, RunStarted
from console.contracts.moves import AttemptRecord, Batch, Clarify, Done, DoneVerdict, Fail, StepErr, StepOk
from console.contracts.operator import ClarifyAnswer, ClarifyRequest, VerifyDecision, VerifyRequest
from console.contracts.receipt import ExecutionReceipt, NativeInputRoute
from console.contracts.safety import ApprovalDecision, ApprovalRequest, Permit, PermitOffice
from console.contracts.scene import Frame, Scene
from console.contracts.store import RunSummary
from console.contracts.view import PlanningView
from console.core.targets import resolve_target

Move = Batch | Done | Fail | Clarify
Answer = Move | Exception | Callable[[PlanningView], Move]


class ManualClock:
    """Stands still until it is told to go on."""

    def __init__(self, start: float = 1000.0) -> None:
        self.seconds = start

    def now(self) -> float:
        return self.seconds

    def unix_ms(self) -> int:
        return int(self.seconds * 1000)

    def advance(self, seconds: float) -> None:
        self.seconds += seconds


class ScriptedPlanner:
    """Answers with the given moves in order and fails the test's way when it runs out of them.

    `asked` keeps what it was given: (history, memory, view) for each turn; `claims` the summaries it had to verify.
    """

    wants_screenshot = False

    def __init__(self, *moves: Answer, verdicts: Sequence[DoneVerdict | Exception] = ()) -> None:
        self._moves = list(moves)
        self._verdicts = list(verdicts)
        self.asked: list[tuple[Sequence[AttemptRecord], Mapping[str, Json], PlanningView]] = []
        self.claims: list[tuple[str, PlanningView]] = []

    async def decide_next(
        self,
        goal: str,
        history: Sequence[AttemptRecord],
        shared_memory: Mapping[str, Json],
        view: PlanningView,
        screenshot_png: bytes | None,
    ) -> Move:
        self.asked.append((tuple(history), dict(shared_memory), view))
        if not self._moves:
            raise PlannerError("The script has no more moves.")
        move = self._moves.pop(0)
        if isinstance(move, Exception):
            raise move
        return move(view) if callable(move) else move

    async def verify_done(
        self,
        goal: str,
        summary: str,
        shared_memory: Mapping[str, Json],
        view: PlanningView,
        screenshot_png: bytes | None,
    ) -> DoneVerdict:
        self.claims.append((summary, view))
        verdict = self._verdicts.pop(0) if self._verdicts else DoneVerdict(verified=True)
        if isinstance(verdict, Exception):
            raise verdict
        return verdict


class ScriptedOperator:
    """Decides in the given order; without a script left it denies, declines, and leaves unverified.

    A script may hold words ("approve", "deny"), whole decisions, or exceptions.
    """

    def __init__(
        self,
        approvals: Sequence[str | ApprovalDecision | Exception] = (),
        answers: Sequence[str | ClarifyAnswer | Exception] = (),
        judgements: Sequence[str | Exception] = (),
        before: Callable[[], None] | None = None,
    ) -> None:
        self._approvals, self._answers, self._judgements = list(approvals), list(answers), list(judgements)
        self._before = before or (lambda: None)
        self.approvals: list[ApprovalRequest] = []
        self.questions: list[ClarifyRequest] = []
        self.claims: list[VerifyRequest] = []

    async def approve(self, request: ApprovalRequest) -> ApprovalDecision:
        self.approvals.append(request)
        decision = _next(self._approvals, "deny", self._before)
        return (
            decision
            if isinstance(decision, ApprovalDecision)
            else ApprovalDecision.model_validate({"verdict": decision})
        )

    async def answer(self, request: ClarifyRequest) -> ClarifyAnswer:
        self.questions.append(request)
        answer = _next(self._answers, ClarifyAnswer(declined=True), self._before)
        return answer if isinstance(answer, ClarifyAnswer) else ClarifyAnswer(text=str(answer))

    async def judge(self, request: VerifyRequest) -> VerifyDecision:
        self.claims.append(request)
        return VerifyDecision.model_validate({"verdict": _next(self._judgements, "unverified", self._before)})


def _next(script: list[Any], default: Any, before: Callable[[], None]) -> Any:
    before()
    decision = script.pop(0) if script else default
    if isinstance(decision, Exception):
        raise decision
    return decision


class FakeDesktop:
    """Shows scenes and does what it is told, through the same permits as the real one.

    `scenes` are shown one after another; the last stays. `results` are consumed by performed actions: a `StepOk`, a
    `StepErr`, an exception to raise, or a `Performed`; without one an action succeeds. `performed` keeps the actions.
    The tools of `adapters` are called.
    """

    def __init__(
        self,
        *scenes: Scene,
        office: PermitOffice | None = None,
        results: Sequence[Any] = (),
        adapters: Sequence[Adapter] = (),
    ) -> None:
        self._scenes = list(scenes)
        self._results = list(results)
        self._adapters = {adapter.name: adapter for adapter in adapters}
        self.office = office
        self.performed: list[AnyAction] = []
        self.permits: list[Permit] = []
        self.observed = 0
        self.released = 0
        self.delay_s = 0.0
        self.hangs = False

    async def observe(self, goal: str) -> Scene:
        self.observed += 1
        return self._scenes.pop(0) if len(self._scenes) > 1 else self._scenes[0]

    async def screenshot(self, frame: Frame, media: ImageMedia) -> bytes:
        return b"picture of " + frame.id.encode()

    async def perform(self, action: AnyAction, permit: Permit) -> Performed:
        if self.office is not None:
            self.office.redeem(permit, action, resolve_target(action, self._scenes[0]).print)
        if self.hangs:
            await asyncio.Event().wait()
        await asyncio.sleep(self.delay_s)
        adapter = self._adapters.get(action.adapter) if isinstance(action, Custom) else None
        if adapter is not None and isinstance(action, Custom):
            result: Any = await adapter.call(action.action, action.params)
        else:
            result = self._results.pop(0) if self._results else StepOk()
        if isinstance(result, Exception):
            raise result
        self.performed.append(action)
        self.permits.append(permit)
        if isinstance(result, Performed):
            return result
        return performed(action, result)

    async def release_all(self) -> None:
        self.released += 1

    async def close(self) -> None:
        return


def performed(action: AnyAction, result: StepOk | StepErr, **fields: Any) -> Performed:
    """The answer of a desktop that did the action with this result."""
    failed = isinstance(result, StepErr)
    receipt = ExecutionReceipt(
        receipt_id="r1",
        action_kind=action.type,
        route=NativeInputRoute(),
        observed_effect=ObservedEffect(status="not_checked"),
        requested_at_ms=0,
        completed_at_ms=0,
        duration_ms=0,
        status="failed" if failed else "ok",
        error=result.message if isinstance(result, StepErr) else None,
    )
    return Performed(receipt=receipt, result=result, **fields)


class MemoryStore:
    """A store that keeps everything in memory, as JSON, so that what cannot be written down is noticed.

    `failures` is how many appends fail before they work again.
    """

    def __init__(self, failures: int = 0) -> None:
        self.failures = failures
        self._bodies: list[bytes] = []
        self.blobs: dict[str, bytes] = {}

    async def append(self, event: RunEvent) -> None:
        if self.failures:
            self.failures -= 1
            raise StorageError("The disk is full.", "Free some space.")
        self._bodies.append(RUN_EVENT.dump_json(event))

    async def save_blob(self, data: bytes, media: str) -> str:
        name = f"{len(self.blobs)}-{media.partition('/')[2]}"
        self.blobs[name] = data
        return name

    async def blob(self, name: str) -> bytes:
        return self.blobs[name]

    async def events(self, run_id: str) -> Sequence[RunEvent]:
        return tuple(event for event in map(RUN_EVENT.validate_json, self._bodies) if event.run_id == run_id)

    async def runs(self, search: str = "", limit: int = 200) -> Sequence[RunSummary]:
        everything = [RUN_EVENT.validate_json(body) for body in self._bodies]
        ends = {event.run_id: event for event in everything if isinstance(event, RunEnded)}
        found = [
            RunSummary(
                run_id=event.run_id,
                goal=event.goal,
                planner=event.planner,
                started_at_ms=event.at_ms,
                phase=RunPhase.DONE if event.run_id in ends else RunPhase.INTERRUPTED,
            )
            for event in everything
            if isinstance(event, RunStarted) and search.casefold() in event.goal.casefold()
        ]
        return tuple(reversed(found))[:limit]

    async def forget(self, run_id: str) -> None:
        self._bodies = [body for body in self._bodies if RUN_EVENT.validate_json(body).run_id != run_id]

    async def close(self) -> None:
        return
