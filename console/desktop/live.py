"""The live desktop: the one door through which anything reaches the screen."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence

from console.contracts.actions import AnyAction
from console.contracts.adapter import Adapter
from console.contracts.desktop import ImageMedia, Performed
from console.contracts.effects import ObservedEffect
from console.contracts.errors import ConsoleError, PermitVoid
from console.contracts.moves import StepErr
from console.contracts.receipt import ExecutionReceipt, OtherRoute, ReceiptStatus
from console.contracts.safety import Permit, PermitOffice
from console.contracts.scene import Frame, Scene
from console.contracts.settings import DesktopSettings
from console.core.clock import Clock, SystemClock

from .actions.job import Hands, OwnWindows
from .apps import AppCatalogue, AppStarter
from .carry import Carried, Carrier
from .devices import AccessibilityDevice, CaptureDevice, InputDevice, ObserverDevice, WindowDevice
from .resolve import LiveResolver
from .settle import Settler

log = logging.getLogger(__name__)
Closer = Callable[[], Awaitable[None]]


class LiveDesktop:
    """Looks, resolves, redeems the permit, acts and says what came of it. One action at a time."""

    def __init__(
        self,
        *,
        observer: ObserverDevice,
        capture: CaptureDevice,
        windows: WindowDevice,
        accessibility: AccessibilityDevice,
        input: InputDevice,
        office: PermitOffice,
        adapters: Sequence[Adapter] = (),
        settings: DesktopSettings | None = None,
        clock: Clock | None = None,
        apps: AppCatalogue | None = None,
        starter: AppStarter | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        closers: Sequence[Closer] = (),
        own: OwnWindows | None = None,
    ) -> None:
        self._observer = observer
        self._capture = capture
        self._input = input
        self._office = office
        self._clock = clock or SystemClock()
        self._resolver = LiveResolver(observer, capture, windows, accessibility)
        self._settler = Settler(capture, windows, self._clock, sleep=sleep)
        self._apps = apps or AppCatalogue()
        self._starter = starter or AppStarter()
        self._closers = closers
        hands = Hands(
            observer=observer,
            windows=windows,
            elements=accessibility,
            input=input,
            settler=self._settler,
            apps=self._apps,
            starter=self._starter,
            adapters={adapter.name: adapter for adapter in adapters},
            settings=settings or DesktopSettings(),
            clock=self._clock,
            sleep=sleep,
            own=own or OwnWindows(),
        )
        self._carrier = Carrier(hands, self._resolver)
        self._one_at_a_time = asyncio.Lock()

    async def observe(self, goal: str) -> Scene:
        scene = await self._observer.observe(goal)
        self._resolver.remember(scene)
        return scene

    async def screenshot(self, frame: Frame, media: ImageMedia) -> bytes:
        return await self._capture.encode(frame, media)

    async def perform(self, action: AnyAction, permit: Permit) -> Performed:
        async with self._one_at_a_time:
            requested_at_ms = self._clock.unix_ms()
            try:
                live = await self._resolver.resolve(action, permit)
            except PermitVoid:
                raise
            except ConsoleError as error:
                return self._told(action, requested_at_ms, _not_sent(error))
            except Exception as error:
                log.exception("The target of %s could not be looked up", action.type)
                return self._told(action, requested_at_ms, _not_sent(_bug(error)))
            self._office.redeem(permit, action, live.target.print)
            self._input.reset()
            try:
                carried = await self._carrier.carry_out(action, live)
            except asyncio.CancelledError:
                await self._let_go()
                raise
            except ConsoleError as error:
                await self._let_go()
                carried = _not_sent(error)
            return self._told(action, requested_at_ms, carried)

    async def release_all(self) -> None:
        try:
            await self._input.release_all()
        except Exception:
            log.exception("Keys or buttons may still be held down")

    async def close(self) -> None:
        """Let go of everything and close the devices that were handed over for it."""
        await self._let_go()
        self._settler.close()
        self._apps.close()
        self._starter.close()
        for close in self._closers:
            await close()

    async def _let_go(self) -> None:
        """Nothing more is sent, and what is held down is released, even if the task is cancelled once more."""
        self._input.stop_now()
        await asyncio.shield(asyncio.ensure_future(self.release_all()))

    def _told(self, action: AnyAction, requested_at_ms: int, carried: Carried) -> Performed:
        completed_at_ms = self._clock.unix_ms()
        error = carried.result.message if isinstance(carried.result, StepErr) else None
        status: ReceiptStatus = "timed_out" if carried.missed else "failed" if error else "ok"
        receipt = ExecutionReceipt(
            receipt_id=secrets.token_hex(8),
            action_kind=action.type,
            target=next(iter(action.targets()), None),
            route=carried.route,
            observed_effect=carried.effect,
            requested_at_ms=requested_at_ms,
            completed_at_ms=completed_at_ms,
            duration_ms=completed_at_ms - requested_at_ms,
            status=status,
            error=error,
        )
        return Performed(
            receipt=receipt,
            result=carried.result,
            before=carried.before,
            after=carried.after,
            focus_moved=carried.focus_moved,
            settled=carried.settled,
        )


def _bug(error: Exception) -> ConsoleError:
    return ConsoleError(f"Something went wrong inside the console: {type(error).__name__}.", "Look again.")


def _not_sent(error: ConsoleError) -> Carried:
    effect = ObservedEffect(status="not_checked", detail="Nothing was sent.")
    return Carried(StepErr(message=error.sentence()), effect, OtherRoute(detail="nothing was sent"))
