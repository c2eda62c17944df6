"""Writes a finished run down as instructions that do the same again, with the names of things instead of their ids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from console.contracts import actions as act
from console.contracts.events import Attempted, Observed, RunEvent, RunStarted
from console.contracts.safety import TargetPrint
from console.contracts.view import PlanningView

from . import models as m
from .keys import combo
from .kinds import NOUNS, TYPES
from .matching import Suits, anything, clickable, match, readable, settable
from .sight import Sight
from .writing import written

PLANNER = "instructions"
MASK = "••••••"
_TICKS, _LISTS = frozenset({"checkbox", "radio", "switch"}), frozenset({"combobox", "select"})
_CLICKS = frozenset({"click", "press", "activate"})
_ON, _OFF = frozenset({"true", "on", "1"}), frozenset({"false", "off", "0"})
MOST_ALIKE = 9
_SUITS: dict[type[act.AnyAction], Suits] = {
    act.Click: clickable,
    act.AxAction: clickable,
    act.TypeText: settable,
    act.SetValue: settable,
    act.ExtractWithFallback: readable,
}


def instructions_of(events: Iterable[RunEvent]) -> str:
    """The steps that went well, in their order, those inside programs and missions as well; what no instruction can say
    stands as a comment. A run of instructions is what it was told."""
    lines: list[str] = []
    writer = _Writer()
    for event in events:
        if isinstance(event, RunStarted):
            if event.planner == PLANNER:
                return event.goal.strip() + "\n"
            lines = [f"# {line.strip()}" for line in _goal_lines(event)]
        elif isinstance(event, Observed):
            writer.view = event.view
        elif isinstance(event, Attempted) and event.record.succeeded and event.step is None:
            lines += writer.lines(event)
    return "\n".join(lines) + "\n"


def _goal_lines(event: RunStarted) -> list[str]:
    """A goal that is a program says nothing to a reader of instructions."""
    return [] if event.planner == "program" else [line for line in event.goal.splitlines() if line.strip()]


class _Writer:
    """`view` is what was seen last: what tells things of one name apart."""

    def __init__(self) -> None:
        self.view: PlanningView | None = None
        self._secrets = 0

    def lines(self, event: Attempted) -> Iterator[str]:
        action = event.record.action
        if isinstance(action, act.Custom) and (action.adapter, action.action) in (("ptc", "run"), ("mission", "run")):
            return  # its own steps stand before it
        aim = event.target.print if event.target is not None else TargetPrint()
        said = list(self._said(action, aim))
        texts = [written(one) for one in said]
        if said and all(texts):
            yield from (text for text in texts if text)
        elif not isinstance(action, act.Extract | act.NotebookWrite):
            yield f"# not taken over: {' '.join(event.sentence.split())}"

    def _said(self, action: act.AnyAction, aim: TargetPrint) -> Iterator[m.Instruction]:
        if isinstance(action, act.ActionBatch):
            for one in action.actions:
                yield from self._said(one, self._seen(next(iter(one.targets()), "")))
        elif isinstance(action, act.Scroll):
            yield from self._scrolls(action, aim)
        else:
            yield from _anywhere(action)
            yield from self._at_a_thing(action, aim)

    def _at_a_thing(self, action: act.AnyAction, aim: TargetPrint) -> Iterator[m.Instruction]:
        thing = self._thing(aim, _SUITS.get(type(action), anything))
        match action:
            case act.TypeText() if thing is not None or action.target_id is None:
                into = thing if action.target_id else None
                yield from self._asked(action.text, aim)
                yield m.TypeWords(text=self._text(action.text), thing=into)
            case act.Drag():
                onto = self._thing(self._seen(action.to_target_id))
                if thing is not None and onto is not None:
                    yield m.DragTo(thing=thing, onto=onto)
            case act.SetValue() if thing is not None:
                yield from self._asked(action.value, aim)
                yield self._set(action.value, thing, aim.element_type)
            case act.ExtractWithFallback() if thing is not None and re.fullmatch(r"\w+", action.name):
                yield m.ReadAs(thing=thing, name=action.name)
            case act.Hover() if thing is not None:
                yield m.PointAt(thing=thing)
            case act.AxAction() if thing is not None and action.action in _CLICKS:
                yield m.ClickOn(thing=thing)
            case act.Click() if thing is not None:
                held = action.modifiers or ()
                yield m.ClickOn(thing=thing, button=action.button or "left", count=action.count or 1, modifiers=held)

    def _scrolls(self, action: act.Scroll, aim: TargetPrint) -> Iterator[m.Instruction]:
        thing = self._thing(aim) if action.target_id else None
        for notches, forth, back in ((action.dy, "down", "up"), (action.dx, "right", "left")):
            if notches:
                yield m.ScrollBy.model_validate(
                    {"direction": forth if notches > 0 else back, "notches": abs(notches), "thing": thing}
                )

    def _set(self, value: str, thing: m.Thing, kind: str) -> m.Instruction:
        if kind in _TICKS and value.casefold() in _ON | _OFF:
            return m.Tick(thing=thing, on=value.casefold() in _ON)
        if kind in _LISTS:
            return m.Choose(option=value, thing=thing)
        return m.SetField(thing=thing, text=self._text(value))

    def _asked(self, text: str, aim: TargetPrint) -> Iterator[m.Instruction]:
        """A secret is in no journal, so it is asked for again."""
        if text == MASK:
            self._secrets += 1
            yield m.Ask(question=f"What is to be typed into {aim.label or 'the field'}?", name=f"secret{self._secrets}")

    def _text(self, text: str) -> str:
        return f"{{secret{self._secrets}}}" if text == MASK else text

    def _seen(self, target: str) -> TargetPrint:
        element = self.view.element(target) if self.view is not None else None
        if element is None:
            return TargetPrint()
        return TargetPrint(
            element_id=element.id,
            element_type=element.element_type,
            label=element.label or "",
            window=element.window or "",
        )

    def _thing(self, aim: TargetPrint, suits: Suits = anything) -> m.Thing | None:
        """The shortest name that means just this element, as far as can be told from what was seen last."""
        kind = next((noun for noun in NOUNS.values() if aim.element_type == TYPES[noun][0]), "")
        if self.view is None or self.view.element(aim.element_id) is None:
            return m.Thing(label=aim.label) if aim.label else None
        sight = Sight(self.view)
        for thing in _names(aim, kind):
            if [element.id for element in match(thing, sight, suits).found] == [aim.element_id]:
                return thing
        return None


def _anywhere(action: act.AnyAction) -> Iterator[m.Instruction]:
    """What is done to no element."""
    match action:
        case act.LaunchApp():
            yield m.Open(app=action.app_name)
        case act.ActivateApp():
            yield m.SwitchTo(name=action.app_name)
        case act.QuitApp():
            yield m.Quit(app=action.app_name)
        case act.Window():
            yield m.ChangeWindow(how=action.preset or action.op, name=action.app or "", numbers=_numbers(action))
        case act.Navigate():
            yield m.GoTo(url=action.url)
        case act.Wait():
            yield m.Pause(ms=action.ms)
        case act.Key():
            yield from _combo((action.key,))
        case act.KeyCombo():
            yield from _combo(action.keys)
        case act.Dialog(op="dismiss"):
            yield m.AnswerDialog(accept=False)
        case act.Dialog(op="click"):
            yield m.ClickOn(thing=m.Thing(label=action.button or "", window="dialog"))


def _names(aim: TargetPrint, kind: str) -> Iterator[m.Thing]:
    for ordinal in (None, *range(1, MOST_ALIKE + 1)):
        for noun in ("", kind) if aim.label else (kind,):
            for window in ("", aim.window):
                if aim.label or noun:
                    yield m.Thing(label=aim.label, kind=noun, window=window, ordinal=ordinal)


def _combo(names: tuple[str, ...]) -> Iterator[m.Instruction]:
    """The keys by the names that instructions have for them."""
    found = combo("+".join(names))
    if found is not None:
        yield m.Press(keys=(found,))


def _numbers(action: act.Window) -> tuple[int, int] | None:
    """Those of its place, or of its size."""
    first, second = (action.x, action.y) if action.op == "move" else (action.width, action.height)
    return None if first is None or second is None else (first, second)
