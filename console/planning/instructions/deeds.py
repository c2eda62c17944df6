"""Which planning belongs to which kind of instruction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import deeds_flow as flow
from . import deeds_pointer as pointer
from . import deeds_text as text
from . import deeds_windows as windows
from . import models as m
from .context import Context
from .outcomes import Finished, Halt, Outcome

_DEEDS: dict[type[m.Instruction], Callable[[Any, Context], Outcome]] = {
    m.Open: windows.open_app,
    m.SwitchTo: windows.switch_to,
    m.Quit: windows.quit_app,
    m.ChangeWindow: windows.change_window,
    m.AnswerDialog: windows.answer_dialog,
    m.GoTo: windows.go_to,
    m.ClickOn: pointer.click,
    m.PointAt: pointer.point_at,
    m.ChooseMenu: pointer.choose_menu,
    m.DragTo: pointer.drag,
    m.ScrollBy: pointer.scroll,
    m.ScrollUntil: pointer.scroll_until,
    m.TypeWords: text.type_words,
    m.SetField: text.set_field,
    m.Choose: text.choose,
    m.Tick: text.tick,
    m.Press: text.press,
    m.ReadAs: text.read,
    m.Pause: flow.pause,
    m.WaitUntil: flow.wait_until,
    m.Expect: flow.expect,
    m.Ask: flow.ask,
    m.AskToGoOn: flow.ask_to_go_on,
    m.Remember: flow.nothing,
    m.Return: flow.nothing,
}


def plan(context: Context) -> Outcome:
    """What the instruction of the context needs now."""
    entry = context.entry
    if entry.skipped:
        return Finished()
    instruction = entry.instruction
    try:
        if isinstance(instruction, m.When):
            # What has been begun is finished, even if the condition has passed by then.
            if not entry.counted and not flow.seen(instruction.condition, context).holds:
                return Finished()
            instruction = instruction.then
        return _DEEDS[type(instruction)](instruction, context)
    except Halt as halt:
        return halt.outcome


def acts(instruction: m.Instruction) -> bool:
    """Whether it changes something on the screen, rather than looks, waits or asks."""
    quiet = (m.Pause, m.WaitUntil, m.Expect, m.Ask, m.AskToGoOn, m.Remember, m.Return, m.ReadAs, m.When)
    return not isinstance(instruction, quiet)
