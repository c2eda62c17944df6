"""Reads, answers and dismisses the dialog that is open."""

from __future__ import annotations

from console.contracts.action import quoted
from console.contracts.actions import Click, Dialog, SetValue
from console.contracts.base import Json
from console.contracts.errors import TargetError
from console.contracts.moves import StepOk
from console.contracts.scene import SceneElement, WindowInfo
from console.core.targets import dialog_words

from .job import ACCESSIBILITY, NATIVE, Job, Outcome
from .pointer import click
from .values import set_value

# Ways out that keep everything as it is, the best first.
_WAYS_OUT = ("cancel", "close", "dismiss", "not now", "later")
_BUTTONS = frozenset({"button", "link"})


async def dialog(action: Dialog, job: Job) -> Outcome:
    window = next((w for w in job.scene.windows if (w.dialog or w.modal) and not w.minimized), None)
    if window is None:
        raise TargetError("There is no dialog on the screen.", "Look again.")
    inside = [element for element in job.scene.elements if element.window_id == window.id]
    if action.op == "list":
        job.via(ACCESSIBILITY)
        return Outcome(StepOk(data=_content(window, inside, dialog_words(job.scene, window))))
    if action.op == "click":
        return await click(Click(target_id=_button(action.button or "", inside).id), job)
    if action.op == "set_field":
        return await set_value(SetValue(target_id=_field(action, inside).id, value=action.value or ""), job)
    return await _dismiss(window, inside, job)


async def _dismiss(window: WindowInfo, inside: list[SceneElement], job: Job) -> Outcome:
    buttons = {_plain(e.label): e for e in inside if e.element_type in _BUTTONS and e.state.enabled}
    way = next((buttons[name] for name in _WAYS_OUT if name in buttons), None)
    if way is not None:
        return await click(Click(target_id=way.id), job)
    await job.to_front(window)
    await job.ready()
    await job.guard_keys(window.id)
    job.via(NATIVE)
    await job.hands.input.keys(["escape"])
    return Outcome()


def _button(name: str, inside: list[SceneElement]) -> SceneElement:
    buttons = [e for e in inside if e.clickable and e.label]
    hits = [e for e in buttons if _plain(e.label) == _plain(name)]
    if len(hits) == 1:
        return hits[0]
    listed = ", ".join(quoted(e.label) for e in buttons if e.element_type in _BUTTONS) or "none that can be read"
    problem = f"{len(hits)} buttons are called" if hits else "The dialog has no button"
    raise TargetError(f"{problem} {quoted(name)}.", f"It has: {listed}.")


def _field(action: Dialog, inside: list[SceneElement]) -> SceneElement:
    fields = sorted((e for e in inside if e.settable), key=lambda e: (e.bounds.y, e.bounds.x))
    if not 0 <= action.field_index < len(fields):
        raise TargetError(
            f"The dialog has {len(fields)} fields, counted from 0.", f"{action.field_index} is not one of them."
        )
    return fields[action.field_index]


def _content(window: WindowInfo, inside: list[SceneElement], words: str) -> dict[str, Json]:
    fields = sorted((e for e in inside if e.settable), key=lambda e: (e.bounds.y, e.bounds.x))
    return {
        "title": window.title,
        "text": words,
        "buttons": [e.label for e in inside if e.element_type in _BUTTONS and e.label],
        "fields": [{"label": e.label, "value": None if e.protected else e.value} for e in fields],
    }


def _plain(label: str) -> str:
    return label.replace("_", "").replace("…", "").strip().casefold()
