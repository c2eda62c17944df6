"""Types text and presses keys, into the intended window or not at all."""

from __future__ import annotations

from collections.abc import Sequence

from console.contracts.action import quoted
from console.contracts.actions import Key, KeyCombo, TypeText
from console.contracts.effects import AxReread, EffectStatus, ObservedEffect
from console.contracts.errors import InputError, TargetError
from console.contracts.moves import StepErr
from console.contracts.safety import RiskLevel
from console.contracts.scene import SceneElement, WindowInfo
from console.core.risk import assess

from ..typed import arrived, missing, named, one_kind_of_line
from .job import NATIVE, Aim, Job, Outcome

FIELDS = frozenset({"input", "textarea", "spinbutton", "combobox"})
READ_BACK_TRIES, READ_BACK_PAUSE_S = 16, 0.1
FOCUS_TRIES, FOCUS_PAUSE_S = 8, 0.05


async def type_text(action: TypeText, job: Job) -> Outcome:
    """Into the target, after what stands there, or into what has the focus, at its caret."""
    text = one_kind_of_line(action.text)
    if action.target_id:
        aim = await job.aim(action.target_id)
        await focus_field(job, aim)
        element, window, protected = aim.element, aim.window, aim.target.protected
    else:
        window = await restore_focus(job)
        element, protected = job.scene.element(job.live.target.print.element_id), job.live.target.protected
    before = None if protected else await readable(job, element, text)
    await send_text(job, text, window)
    return Outcome() if before is None or element is None else await compare(job, element, text, before)


async def key(action: Key, job: Job) -> Outcome:
    return await _press(action, [action.key], job)


async def key_combo(action: KeyCombo, job: Job) -> Outcome:
    return await _press(action, action.keys, job)


async def _press(action: Key | KeyCombo, keys: Sequence[str], job: Job) -> Outcome:
    risk = assess(action, job.live.target, ())
    if risk.level is RiskLevel.FORBIDDEN:
        raise InputError(" ".join(risk.reasons), "Reach the goal another way.")
    window = await restore_focus(job)
    await job.ready()
    await job.guard_keys(window.id if window else None)
    job.via(NATIVE)
    await job.hands.input.keys(keys)
    return Outcome()


async def send_text(job: Job, text: str, window: WindowInfo | None) -> None:
    await job.ready()
    await job.guard_keys(window.id if window else None)
    job.via(NATIVE)
    await job.hands.input.type_text(text)


async def restore_focus(job: Job) -> WindowInfo:
    """Give the focus back to the window it was planned for, for instance after the operator clicked Approve."""
    window = job.scene.active_window
    if window is None:
        raise InputError("No window has the focus, so nothing was typed.", "Activate the application first.")
    if job.live.own_active:
        await job.to_front(window)
        element = job.scene.element(job.live.target.print.element_id)
        if element is not None and element.source == "accessibility" and not await has_focus(job, element):
            await job.hands.elements.focus(element.id)
    return window


async def focus_field(job: Job, aim: Aim) -> None:
    """Put the caret at the end of the field. Raises `InputError` if it does not take the focus."""
    element = aim.element
    if element is not None and element.source == "accessibility" and element.id == aim.target.print.element_id:
        if await has_focus(job, element, tries=1):
            return
        if not await _grab(job, element) and not await has_focus(job, element, tries=3):
            await _click_into(job, aim)
            if not await has_focus(job, element):
                raise InputError(f"{_words(element)} did not take the keyboard focus.", "Click into it first.")
        await _to_the_end(job, element, aim.window)
        return
    await _click_into(job, aim)


async def has_focus(job: Job, element: SceneElement, tries: int = FOCUS_TRIES) -> bool:
    for attempt in range(tries):
        now = await job.again(element)
        if now is not None and now.state.focused:
            return True
        if attempt + 1 < tries:
            await job.hands.sleep(FOCUS_PAUSE_S)
    return False


async def readable(job: Job, element: SceneElement | None, text: str) -> str | None:
    """What stands in the field now, or None where comparing would prove nothing."""
    if element is None or element.source != "accessibility" or element.protected or element.element_type not in FIELDS:
        return None
    if "\n" in text and element.element_type != "textarea":
        return None
    try:
        return await job.hands.elements.read_text(element.id)
    except TargetError:
        return None


async def compare(job: Job, element: SceneElement, text: str, before: str) -> Outcome:
    """Read the field until the text is there or the time is up; name what is missing."""
    after = before
    for _ in range(READ_BACK_TRIES):
        try:
            after = await job.hands.elements.read_text(element.id)
        except TargetError:
            return Outcome()
        if arrived(text, before, after):
            return Outcome(effect=_seen("observed", f"{_words(element)} shows the text."))
        await job.hands.sleep(READ_BACK_PAUSE_S)
    lost = missing(text, before, after)
    shows = f"{_words(element)} shows {quoted(after)}."
    if lost:
        message = f"Not all of the text arrived; missing: {named(lost)}. {shows} Clear the field and try again."
        return Outcome(StepErr(message=message), _seen("contradicted", shows))
    return Outcome(effect=_seen("contradicted", f"The text was changed on the way in: {shows}"))


async def _grab(job: Job, element: SceneElement) -> bool:
    try:
        return await job.hands.elements.focus(element.id)
    except TargetError:
        return False


async def _click_into(job: Job, aim: Aim) -> None:
    job.via(NATIVE)
    await job.hands.input.click(aim.point)


async def _to_the_end(job: Job, element: SceneElement, window: WindowInfo | None) -> None:
    """A field that is entered by the keyboard selects its text, and typing would replace it."""
    if element.element_type not in ("input", "textarea"):
        return
    await job.guard_keys(window.id if window else None)
    job.via(NATIVE)
    await job.hands.input.keys(["ctrl", "end"] if element.element_type == "textarea" else ["end"])


def _words(element: SceneElement) -> str:
    return quoted(element.label) if element.label else "The field"


def _seen(status: EffectStatus, detail: str) -> ObservedEffect:
    return ObservedEffect(status=status, kind=AxReread(), detail=detail)
