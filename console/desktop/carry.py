"""Carries one redeemed action to the devices and finds out what came of it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace

from console.contracts.action import Action
from console.contracts.actions import ActionBatch, AnyAction, Key, KeyCombo, Scroll, TypeText
from console.contracts.base import Json
from console.contracts.effects import EffectExpectation, EffectStatus, ObservedEffect
from console.contracts.errors import ConsoleError
from console.contracts.moves import StepErr, StepOk
from console.contracts.receipt import OtherRoute, Route
from console.contracts.safety import TargetPrint
from console.contracts.scene import Frame
from console.core.targets import resolve_target

from .actions.job import Hands, Job, Outcome
from .actions.table import HANDLERS, Handler
from .effects import EffectWatch, unexpected_focus
from .resolve import Live, LiveResolver
from .settle import Settled

log = logging.getLogger(__name__)
_WORST_FIRST: tuple[EffectStatus, ...] = ("contradicted", "timed_out", "observed", "not_checked")


@dataclass(frozen=True)
class Carried:
    """What came of it, for the receipt."""

    result: StepOk | StepErr
    effect: ObservedEffect
    route: Route
    before: Frame | None = None
    after: Frame | None = None
    focus_moved: str | None = None
    settled: bool = True
    missed: bool = False


class Carrier:
    """Calls the handler of the action, lets the screen settle and watches for the effect. A batch goes one by one."""

    def __init__(
        self, hands: Hands, resolver: LiveResolver, handlers: Mapping[type[Action], Handler] = HANDLERS
    ) -> None:
        self._hands = hands
        self._resolver = resolver
        self._handlers = handlers

    async def carry_out(self, action: AnyAction, live: Live) -> Carried:
        if isinstance(action, ActionBatch):
            return await self._batch(flat(action), live)
        job = Job(self._hands, live)
        watch = EffectWatch(self._hands, action, job)
        outcome = await self._handled(action, job, watch)
        return await self._aftermath(action, job, watch, outcome)

    async def _handled(self, action: AnyAction, job: Job, watch: EffectWatch) -> Outcome:
        """Whatever a handler meets becomes the result of the step; only being cancelled passes through."""
        handler = self._handlers.get(type(action))
        try:
            if handler is None:
                return _failed(f"There is no way here to do “{action.type}”. Choose another action.")
            await watch.prepare()
            return await handler(action, job)
        except ConsoleError as error:
            return _failed(error.sentence())
        except Exception as error:
            log.exception("The handler of %s failed", action.type)
            return _failed(f"Something went wrong inside the console: {type(error).__name__}. Try it another way.")

    async def _aftermath(self, action: AnyAction, job: Job, watch: EffectWatch, outcome: Outcome) -> Carried:
        if job.baseline is None:
            unseen = outcome.effect or ObservedEffect(status="not_checked", detail="Nothing was sent.")
            return Carried(outcome.result, unseen, job.route)
        self._hands.own.settling()
        expectation: EffectExpectation | None = getattr(action, "expect_after", None)
        failed = isinstance(outcome.result, StepErr)
        settled: Settled | None = None
        missed = False
        result: StepOk | StepErr = outcome.result
        effect: ObservedEffect | None = outcome.effect
        if expectation is not None and not failed:
            effect = await watch.expected(expectation)
            missed = effect.status == "timed_out"
            if missed:
                result = StepErr(message=f"It was done, but its effect was not seen. {effect.detail} Look again first.")
        elif effect is None and not failed:
            seen = await watch.unasked()
            effect, settled = seen.effect, seen.settled
        if settled is None:
            settled = await self._hands.settler.settle(self._hands.settings.settle_ms)
        before = job.baseline.sample
        return Carried(
            result,
            effect or ObservedEffect(status="not_checked", detail="The step failed before it could have an effect."),
            job.route,
            before.frame,
            settled.sample.frame,
            unexpected_focus(action, before, settled.sample),
            settled.settled,
            missed,
        )

    async def _batch(self, members: list[AnyAction], live: Live) -> Carried:
        """One permit covers all; each member has to find the target that it was planned for."""
        done: list[Carried] = []
        for position, member in enumerate(members):
            left = len(members) - position
            prefix = f"Part {position + 1} of {len(members)}"
            try:
                now = await self._resolver.again(member, live.planned)
                planned = resolve_target(member, live.planned).print
            except ConsoleError as error:
                return _joined(done, StepErr(message=f"{prefix} was not done: {error.sentence()}"))
            if not _same_target(member, planned, now.target.print):
                return _joined(done, StepErr(message=f"{prefix} was not done: its target has changed. Look again."))
            carried = await self.carry_out(member, now)
            done.append(carried)
            if isinstance(carried.result, StepErr):
                return _joined(done, StepErr(message=f"{prefix} failed: {carried.result.message}"))
            if carried.focus_moved and left > 1:
                words = f"“{carried.focus_moved}” came to the front, so {left - 1} more were not done. Look again."
                return _joined(done, StepErr(message=f"After part {position + 1}, {words}"))
        data: list[Json] = [c.result.data for c in done if isinstance(c.result, StepOk) and c.result.data is not None]
        return _joined(done, StepOk(data=data) if data else StepOk())


def flat(batch: ActionBatch) -> list[AnyAction]:
    """The members in order, those of inner batches in their place."""
    found: list[AnyAction] = []
    for member in batch.actions:
        found.extend(flat(member) if isinstance(member, ActionBatch) else [member])
    return found


def _same_target(action: AnyAction, planned: TargetPrint, now: TargetPrint) -> bool:
    """Members before it may have changed the title of the window, and the element that has the focus."""
    if isinstance(action, Key | KeyCombo | TypeText | Scroll) and not action.targets():
        return (planned.window_id, planned.scene_words) == (now.window_id, now.scene_words)
    return planned.model_copy(update={"window": ""}) == now.model_copy(update={"window": ""})


def _joined(done: list[Carried], result: StepOk | StepErr) -> Carried:
    if not done:
        return Carried(result, ObservedEffect(status="not_checked"), OtherRoute(detail="nothing was sent"))
    last = done[-1]
    effect = min((c.effect for c in done), key=lambda e: _WORST_FIRST.index(e.status))
    first = next((c.before for c in done if c.before), None)
    after = next((c.after for c in reversed(done) if c.after), None)
    missed = any(c.missed for c in done)
    settled = all(c.settled for c in done)
    return replace(last, result=result, effect=effect, before=first, after=after, missed=missed, settled=settled)


def _failed(message: str) -> Outcome:
    return Outcome(StepErr(message=message))
