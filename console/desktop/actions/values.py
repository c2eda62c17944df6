"""Sets the values of fields, choices, numbers and ticks, and calls the elements' own actions."""

from __future__ import annotations

from console.contracts.action import quoted
from console.contracts.actions import AxAction, SetValue
from console.contracts.effects import AxReread, EffectStatus, ObservedEffect
from console.contracts.errors import TargetError
from console.contracts.moves import StepErr
from console.contracts.scene import SceneElement

from .job import ACCESSIBILITY, NATIVE, Aim, Job, Outcome
from .keyboard import focus_field, send_text
from .pointer import acts_by_itself, press

CHECKABLE = frozenset({"checkbox", "radio", "switch"})
_TRUE = frozenset({"true", "on", "yes", "1", "checked", "ticked", "selected"})
_FALSE = frozenset({"false", "off", "no", "0", "unchecked", "unticked", ""})
_NUMBERS = frozenset({"slider", "spinbutton", "scrollbar"})
_CHOICES = frozenset({"combobox", "list"})
TRIES, PAUSE_S = 16, 0.1


async def set_value(action: SetValue, job: Job) -> Outcome:
    aim = await job.aim(action.target_id)
    element = aim.element
    if element is not None and element.id == action.target_id and element.source == "accessibility":
        if element.state.checked is not None and (element.element_type in CHECKABLE or not element.settable):
            return await _tick(action, job, aim, element)
        if element.element_type in _NUMBERS:
            return await _number(action, job, aim, element)
        if element.select_options or element.element_type in _CHOICES:
            return await _choose(action, job, aim, element)
        return await _text(action, job, aim, element)
    await _type_over(action.value, job, aim)
    return Outcome()


async def ax_action(action: AxAction, job: Job) -> Outcome:
    """By id, or by the label and role that the live scene resolved to one element."""
    target_id = action.target_id or job.live.target.print.element_id
    aim = await job.aim(target_id)
    if aim.element is None or aim.element.source != "accessibility":
        raise TargetError("There is no accessible element to act on.", "Click it instead.")
    job.via(ACCESSIBILITY)
    await job.ready()
    await job.hands.elements.act(aim.element.id, action.action)
    return Outcome()


async def _tick(action: SetValue, job: Job, aim: Aim, element: SceneElement) -> Outcome:
    wanted = action.value.strip().casefold()
    if wanted not in _TRUE | _FALSE:
        raise TargetError(f"{quoted(action.value)} is neither on nor off.", "Use true or false.")
    on = wanted in _TRUE
    if element.state.checked is on:
        return Outcome(effect=_seen("observed", f"It was {_ticked(on)} already."))
    if acts_by_itself(job, element, action.target_id):
        await press(job, aim)
    else:
        await _click(job, aim)
    for _ in range(TRIES):
        now = await job.again(element)
        if now is not None and now.state.checked is on:
            return Outcome(effect=_seen("observed", f"It is {_ticked(on)} now."))
        await job.hands.sleep(PAUSE_S)
    return _differs(element, f"It is still {_ticked(not on)}.")


async def _number(action: SetValue, job: Job, aim: Aim, element: SceneElement) -> Outcome:
    try:
        number = float(action.value.strip().replace(",", "."))
    except ValueError:
        raise TargetError(f"{quoted(action.value)} is not a number.", "Give a number.") from None
    job.via(ACCESSIBILITY)
    await job.ready()
    try:
        await job.hands.elements.set_number(element.id, number)
    except TargetError:
        await _type_over(action.value, job, aim)
    return await _verified(action.value, job, element)


async def _choose(action: SetValue, job: Job, aim: Aim, element: SceneElement) -> Outcome:
    """Through accessibility, and where the application does not take that, by the arrow keys."""
    job.via(ACCESSIBILITY)
    await job.ready()
    options = {option.partition("|")[0]: option.rpartition("|")[2] for option in element.select_options}
    option = options.get(action.value, action.value)
    try:
        await job.hands.elements.select_option(element.id, option)
    except TargetError:
        labels = [label.casefold() for label in options.values()]
        if option.casefold() in labels:
            await _by_arrows(labels, option.casefold(), job, aim, element)
        elif element.settable and not labels:
            return await _text(action, job, aim, element)
        else:
            raise
    return await _verified(option, job, element, by_label=True)


async def _by_arrows(labels: list[str], wanted: str, job: Job, aim: Aim, element: SceneElement) -> None:
    """A closed list box goes from choice to choice with the arrows."""
    await focus_field(job, aim)
    job.via(NATIVE)
    now = await job.again(element)
    shown = (now.value or "").casefold() if now is not None else ""
    steps = labels.index(wanted) - (labels.index(shown) if shown in labels else 0)
    if shown not in labels:
        await _key("home", job, aim)
    for _ in range(abs(steps)):
        await _key("down" if steps > 0 else "up", job, aim)
    now = await job.again(element)
    if now is not None and now.state.expanded:
        await _key("return", job, aim)


async def _key(name: str, job: Job, aim: Aim) -> None:
    await job.guard_keys(aim.window.id if aim.window else None)
    await job.hands.input.keys([name])


async def _text(action: SetValue, job: Job, aim: Aim, element: SceneElement) -> Outcome:
    """Through accessibility, and where the application does not take that, by keys over what stands there."""
    job.via(ACCESSIBILITY)
    await job.ready()
    try:
        shown = await job.hands.elements.set_text(element.id, action.value)
    except TargetError:
        shown = None
        await _type_over(action.value, job, aim)
    if element.protected:
        return Outcome()
    if shown is not None and not _same(shown, action.value):
        await _type_over(action.value, job, aim)
    return await _verified(action.value, job, element)


async def _type_over(text: str, job: Job, aim: Aim) -> None:
    await focus_field(job, aim)
    await job.guard_keys(aim.window.id if aim.window else None)
    job.via(NATIVE)
    await job.hands.input.keys(["ctrl", "a"])
    if text:
        await send_text(job, text, aim.window)
    else:
        await job.hands.input.keys(["delete"])


async def _click(job: Job, aim: Aim) -> None:
    job.via(NATIVE)
    await job.hands.input.move(aim.point)
    await job.ready()
    await job.hands.input.click(aim.point)


async def _verified(wanted: str, job: Job, element: SceneElement, *, by_label: bool = False) -> Outcome:
    shown = ""
    for _ in range(TRIES):
        try:
            shown = await job.hands.elements.read_text(element.id)
        except TargetError:
            return Outcome()
        now = await job.again(element) if by_label else None
        if _same(shown, wanted) or (now is not None and wanted in (now.value, now.label)):
            return Outcome(effect=_seen("observed", f"It shows {quoted(wanted)} now."))
        await job.hands.sleep(PAUSE_S)
    return _differs(element, f"It shows {quoted(shown)}, not {quoted(wanted)}.")


def _same(shown: str, wanted: str) -> bool:
    if shown == wanted or shown.replace("\r\n", "\n").rstrip("\n") == wanted.replace("\r\n", "\n").rstrip("\n"):
        return True
    try:
        return float(shown.replace(",", ".")) == float(wanted.replace(",", "."))
    except ValueError:
        return False


def _differs(element: SceneElement, what: str) -> Outcome:
    name = quoted(element.label) if element.label else f"the {element.element_type}"
    message = f"{name} did not take the value. {what} Try it another way."
    return Outcome(StepErr(message=message[0].upper() + message[1:]), _seen("contradicted", what))


def _ticked(on: bool) -> str:
    return "ticked" if on else "not ticked"


def _seen(status: EffectStatus, detail: str) -> ObservedEffect:
    return ObservedEffect(status=status, kind=AxReread(), detail=detail)
