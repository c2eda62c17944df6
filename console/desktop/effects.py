"""Finds out what an action changed: an expectation is polled, everything else is compared before and after."""

from __future__ import annotations

from dataclasses import dataclass

from console.contracts import actions as act
from console.contracts.action import quoted
from console.contracts.actions import AnyAction
from console.contracts.effects import (
    AxReread,
    DomChanged,
    EffectExpectation,
    EffectStatus,
    NoEffectKind,
    ObservedEffect,
    SelectorAppears,
    SelectorDisappears,
    SelectorEffect,
)
from console.contracts.geometry import Rect
from console.contracts.scene import Scene, SceneElement, WindowInfo

from .actions.job import Baseline, Hands, Job
from .differences import Cell, cells_within, grown
from .selectors import find, parse_selector, why_not
from .settle import TINY_CELLS, Sample, Settled, is_tooltip

POLL_S = 0.1
TINY_LASTS_S = 0.85
SHORTCUT_MS = 600
LAST_SETTLE_MS = 200
_RING = 3
_NONE = NoEffectKind()
# A step of these that changes nothing at all was not answered by the application.
_ANSWERED = (act.Click, act.AxAction, act.Drag, act.Select, act.Scroll, act.Dialog)
_ABOUT_WINDOWS = (act.ActivateApp, act.LaunchApp, act.QuitApp, act.Window, act.Navigate, act.Dialog)
_CONFIRMING_KEYS = frozenset({"return", "enter", "kp_enter", "space"})
_TAKES_FOCUS = frozenset({"input", "textarea", "combobox", "spinbutton", "terminal", "listitem", "row", "cell", "tab"})


@dataclass(frozen=True)
class Seen:
    """The effect, and the screen as it came to rest."""

    effect: ObservedEffect
    settled: Settled


class EffectWatch:
    """One for each action; made before it and asked after it."""

    def __init__(self, hands: Hands, action: AnyAction, job: Job) -> None:
        self._hands = hands
        self._action = action
        self._job = job
        self._before: str | None = None
        self._tiny_since: float | None = None

    async def prepare(self) -> None:
        """What `dom_changed` is compared with has to be read before the action."""
        if isinstance(getattr(self._action, "expect_after", None), DomChanged):
            self._before = fingerprint(await self._hands.observer.observe(""))

    async def expected(self, expectation: EffectExpectation) -> ObservedEffect:
        """Polled until it is true or its time is up."""
        kind = SelectorEffect(expectation=expectation)
        if not isinstance(expectation, DomChanged) and parse_selector(expectation.selector) is None:
            return ObservedEffect(status="not_checked", kind=kind, detail=why_not(expectation.selector))
        deadline = self._hands.clock.now() + expectation.timeout_ms / 1000
        while True:
            if self._holds(expectation, await self._hands.observer.observe("")):
                return ObservedEffect(status="observed", kind=kind, detail=f"As expected, {expectation.describe()}.")
            if self._hands.clock.now() >= deadline:
                words = f"Not within {expectation.timeout_ms / 1000:g} s: {expectation.describe()}."
                return ObservedEffect(status="timed_out", kind=kind, detail=words)
            await self._hands.sleep(POLL_S)

    async def unasked(self) -> Seen:
        """Compare with the baseline, with patience for actions that an application answers late."""
        ceiling_ms = self._hands.settings.settle_ms
        deadline = self._hands.clock.now() + ceiling_ms / 1000
        patient_until = self._hands.clock.now() + min(self._patience_ms(), ceiling_ms) / 1000
        while True:
            left_ms = max(int((deadline - self._hands.clock.now()) * 1000), LAST_SETTLE_MS)
            settled = await self._hands.settler.settle(left_ms)
            over = self._hands.clock.now() >= deadline
            detail, kind = await self._change(settled, over=over)
            if detail:
                return Seen(ObservedEffect(status="observed", kind=kind, detail=detail), settled)
            if over or self._hands.clock.now() >= patient_until:
                return Seen(await self._nothing(), settled)
            await self._hands.sleep(POLL_S)

    def _holds(self, expectation: EffectExpectation, scene: Scene) -> bool:
        if isinstance(expectation, DomChanged):
            return fingerprint(scene) != self._before
        selector = parse_selector(expectation.selector)
        found = find(selector, scene) if selector else []
        if isinstance(expectation, SelectorAppears):
            return bool(found)
        if isinstance(expectation, SelectorDisappears):
            return not found
        wanted = expectation.substring.casefold()
        return any(wanted in f"{hit.text} {hit.label}".casefold() for hit in found if not hit.protected)

    def _patience_ms(self) -> int:
        """How long an application may take to answer before nothing counts as nothing."""
        if isinstance(self._action, _ANSWERED):
            return self._hands.settings.settle_ms
        if not isinstance(self._action, act.Key | act.KeyCombo):
            return 0
        keys = [self._action.key] if isinstance(self._action, act.Key) else list(self._action.keys)
        words = {word for key in keys for word in key.casefold().split("+")}
        if words & _CONFIRMING_KEYS:
            return self._hands.settings.settle_ms
        return SHORTCUT_MS if len(words) > 1 or any(len(word) > 1 for word in words) else 0

    async def _change(self, settled: Settled, *, over: bool) -> tuple[str, AxReread | NoEffectKind]:
        baseline = self._job.baseline
        if baseline is None:
            return "", _NONE
        words = window_change(baseline.sample, settled.sample)
        if words:
            return words, _NONE
        for was in (baseline.target, baseline.focused):
            words = element_change(was, await self._job.again(was), clicked=was is baseline.target)
            if words:
                return words, AxReread()
        words = await self._pixels(baseline, settled, over=over)
        return (words, _NONE) if words else (await self._already(baseline), AxReread())

    async def _already(self, baseline: Baseline) -> str:
        """A click that chooses what is chosen already, or enters a field that has the focus, is answered at once."""
        action, target = self._action, baseline.target
        single = isinstance(action, act.Click) and (action.count or 1) == 1 and (action.button or "left") == "left"
        if not single or target is None or target.element_type not in _TAKES_FOCUS:
            return ""
        now = await self._job.again(target)
        if now is None or not (now.state.selected or (now.state.focused and now.settable)):
            return ""
        name = quoted(now.label) if now.label else f"The {now.element_type}"
        return f"{name} {'is selected' if now.state.selected else 'has the focus'}, as it was before."

    async def _pixels(self, baseline: Baseline, settled: Settled, *, over: bool) -> str:
        """A change in the picture that is no caret, no highlight and nothing that moves by itself."""
        before, after = baseline.sample.frame, settled.sample.frame
        tooltips = [w.bounds for w in (*baseline.sample.windows, *settled.sample.windows) if is_tooltip(w)]
        ignored = [*(grown(area, _RING) for area in self._highlights(baseline)), *tooltips]
        cells = await self._hands.settler.changes(before, after, ignored) - settled.restless - await self._noise()
        window = self._window()
        if window is not None:
            cells = cells_within(cells, before, window.bounds)
        if not cells:
            self._tiny_since = None
            return ""
        if len(cells) <= TINY_CELLS:
            words = scene_change(self._job.live.planned, await self._hands.observer.observe(""), window)
            if words:
                return words
            now = self._hands.clock.now()
            self._tiny_since = now if self._tiny_since is None else self._tiny_since
            if self._patience_ms() and now - self._tiny_since < TINY_LASTS_S and not over:
                return ""
        return f"The picture of {quoted(window.title)} changed." if window else "The picture changed."

    async def _noise(self) -> frozenset[Cell]:
        """What moved between the look that was planned on and the action moves by itself."""
        planned, baseline = self._job.live.planned.frame, self._job.baseline
        if baseline is None or not planned.pixels:
            return frozenset()
        moved = await self._hands.settler.changes(planned, baseline.sample.frame)
        return moved if len(moved) <= 8 * TINY_CELLS else frozenset()

    def _highlights(self, baseline: Baseline) -> list[Rect]:
        """Where a focus ring or a pressed look comes and goes: buttons, and what had the focus before."""
        aim, areas = self._job.aimed, []
        if isinstance(self._action, act.Click | act.AxAction | act.Dialog):
            if baseline.target is not None and baseline.target.element_type not in _TAKES_FOCUS:
                areas.append(baseline.target.bounds)
            if baseline.focused is not None:
                areas.append(baseline.focused.bounds)
        if isinstance(self._action, act.Hover) and aim is not None and aim.element is not None:
            areas.append(aim.element.bounds)
        return areas

    def _window(self) -> WindowInfo | None:
        aim = self._job.aimed
        if aim is not None:
            return aim.window if aim.window is None or not aim.window.menu else None
        return self._job.scene.active_window

    async def _nothing(self) -> ObservedEffect:
        """Nothing was seen to change."""
        baseline = self._job.baseline
        if baseline is None or not isinstance(self._action, (*_ANSWERED, act.TypeText)):
            return _effect("not_checked", "Nothing on the screen tells whether it had an effect.")
        target = baseline.target
        if isinstance(self._action, act.Click) and target is not None and target.element_type in ("checkbox", "switch"):
            state = "ticked" if target.state.checked else "not ticked"
            return ObservedEffect(status="contradicted", kind=AxReread(), detail=f"It is still {state}.")
        return _effect("timed_out", "Nothing changed on the screen.")


def _effect(status: EffectStatus, detail: str) -> ObservedEffect:
    return ObservedEffect(status=status, detail=detail)


def fingerprint(scene: Scene) -> str:
    """What a person would notice: windows, labels, values and states; not the focus."""
    windows = [f"{w.id} {w.title} {w.minimized}" for w in scene.windows]
    elements = [
        f"{e.id} {e.label} {e.value} {e.state.enabled} {e.state.checked} {e.state.selected} {e.state.expanded}"
        for e in scene.elements
        if not e.protected
    ]
    return "\n".join([*sorted(windows), *elements])


def scene_change(was: Scene, now: Scene, window: WindowInfo | None) -> str:
    """The first element of the window that shows something else than before, in a sentence."""
    before = {e.id: e for e in was.elements if window is None or e.window_id == window.id}
    changes = (element_change(before.get(e.id), e, clicked=False) for e in now.elements if not e.protected)
    return next((words for words in changes if words), "")


def window_change(before: Sample, after: Sample) -> str:
    """What happened to the windows, in a sentence; empty if nothing did."""
    was, now = before.titles, after.titles
    opened = [id_ for id_ in now if id_ not in was]
    closed = [id_ for id_ in was if id_ not in now]
    renamed = [id_ for id_ in now if id_ in was and was[id_] != now[id_]]
    if closed and all(_is_menu(after, id_) for id_ in opened):
        return f"{quoted(was[closed[0]]) if was[closed[0]] else 'A window'} closed."
    if opened:
        first = min(opened, key=lambda id_: _is_menu(after, id_))
        return f"{quoted(now[first]) if now[first] else 'A window'} opened."
    if renamed:
        return f"The title of {quoted(was[renamed[0]])} is now {quoted(now[renamed[0]])}."
    if before.active != after.active and after.active in now:
        return f"{quoted(now[after.active])} is active now."
    return ""


def _is_menu(sample: Sample, window_id: int) -> bool:
    window = sample.window(window_id)
    return window is not None and window.menu


def unexpected_focus(action: AnyAction, before: Sample, after: Sample) -> str | None:
    """The title of the window that has the focus although the action was not about windows."""
    if isinstance(action, _ABOUT_WINDOWS) or before.active == after.active:
        return None
    now = after.window(after.active)
    if now is None:
        return None
    was = before.window(before.active)
    closed = was is not None and after.window(was.id) is None
    if was is not None and closed and was.pid == now.pid:
        # A dialog that closes gives the focus back to its application, as it should.
        return None
    return now.title or now.app or "another window"


def element_change(was: SceneElement | None, now: SceneElement | None, *, clicked: bool) -> str:
    """What happened to the element, in a sentence; the focus counts only where a click is meant to give it."""
    if was is None:
        return ""
    name = quoted(was.label) if was.label else f"The {was.element_type}"
    if now is None:
        return f"{name} is gone."
    if now.value != was.value:
        return f"{name} shows {quoted(now.value or '')} now."
    if now.label != was.label:
        return f"{name} is called {quoted(now.label)} now."
    for word in ("checked", "selected", "expanded", "enabled"):
        if getattr(now.state, word) != getattr(was.state, word):
            return f"{name} is {'now' if getattr(now.state, word) else 'no longer'} {word}."
    if clicked and was.element_type in _TAKES_FOCUS and now.state.focused and not was.state.focused:
        return f"{name} has the focus now."
    return ""
