"""Plans typing, fields, options, ticks, keys and the reading of values."""

from __future__ import annotations

import re
from typing import Literal

from console.contracts.actions import (
    ActionBatch,
    AnyAction,
    Click,
    ExtractWithFallback,
    Key,
    KeyCombo,
    SetValue,
    TypeText,
)
from console.contracts.view import PlanningElement

from .checking import read_target, text_of
from .context import Context
from .matching import clickable, described, settable
from .models import Choose, Press, ReadAs, SetField, Thing, Tick, TypeWords
from .names import Fit, fit, near_texts
from .outcomes import Act, Finished, Halt, Lacking, Outcome, Query
from .questions import missing, which

ParseAs = Literal["text", "float", "int"]
_SINGLE_STEPS = 3
_LISTS = frozenset({"combobox", "select", "list", "listbox", "tree", "table", "treetable"})
_ON = frozenset({"on", "true", "yes", "ticked", "checked", "1", "enabled"})
_OFF = frozenset({"off", "false", "no", "unticked", "unchecked", "0", "disabled"})
_TICKABLE = frozenset({"checkbox", "radio", "switch"})


def type_words(instruction: TypeWords, context: Context) -> Outcome:
    over = context.settled(again_is_safe=False)
    if over is not None:
        return over
    text = context.fill(instruction.text)
    if instruction.thing is None:
        return context.act(lambda: [("", TypeText(text=text))], quiet=True, again_is_safe=False)
    target = context.one(instruction.thing, settable)
    return context.act(
        lambda: [("", TypeText(target_id=target.id, text=text))],
        lambda: [
            (f"Click {instruction.thing.words() if instruction.thing else ''}", Click(target_id=target.id)),
            ("", TypeText(text=text)),
        ],
        quiet=True,
        again_is_safe=False,
    )


def set_field(instruction: SetField, context: Context) -> Outcome:
    """Setting is repeatable, so a second way may be taken: into the field, all selected, typed over."""
    over = context.settled()
    if over is not None:
        return over
    text = context.fill(instruction.text)
    target = context.one(instruction.thing, settable)
    words = instruction.thing.words()
    if target.element_type in _TICKABLE and text.casefold() in _ON | _OFF:
        return _tick(target, text.casefold() in _ON, context)
    if target.element_type in _LISTS or target.select_options:
        return _choose_in(target, text, context)
    typed: AnyAction = TypeText(text=text) if text else Key(key="Delete")
    return context.act(
        lambda: [("", SetValue(target_id=target.id, value=text))],
        lambda: [
            (f"Click {words}", Click(target_id=target.id)),
            ("Select all in it", KeyCombo(keys=("ctrl", "a"))),
            ("", typed),
        ],
        quiet=True,
    )


def choose(instruction: Choose, context: Context) -> Outcome:
    """In a field with options, by setting it; otherwise by clicking the option itself."""
    over = context.settled()
    if over is not None:
        return over
    option = context.fill(instruction.option)
    if instruction.thing is not None:
        fields = [e for e in context.look(instruction.thing, settable).found if e.settable or e.element_type in _LISTS]
        if len(fields) > 1:
            words = context.filled(instruction.thing).words()
            raise Halt(Query(which(context.entry.key, context.words, words, described(fields, context.sight))))
        if fields:
            return _choose_in(context.one(instruction.thing, settable), option, context)
    literal = Thing(label=option, literal=instruction.literal)
    found = context.look(literal, clickable)
    if not found.found and instruction.thing is None:
        holders = [e for e in context.sight.elements if e.settable and _option(option, e) is not None]
        if len(holders) == 1:
            return _choose_in(holders[0], option, context)
    return _click(context.one(literal, clickable), context)


def _choose_in(target: PlanningElement, option: str, context: Context) -> Outcome:
    """By value; if that fails, open the list and click the option in it."""
    if target.select_options:
        value = _option(option, target)
        if value is None:
            near = near_texts(option, _labels(target)) or _labels(target)[:12]
            picked = next((a.picked for a in reversed(context.entry.answers) if a.picked in _labels(target)), None)
            if picked is None:
                raise Halt(Query(missing(context.entry.key, context.words, f"option “{option}”", tuple(near))))
            value = _option(picked, target) or picked
        option = value
    if context.entry.switches == 0 and target.settable:
        return context.act(lambda: [("", SetValue(target_id=target.id, value=option))], quiet=True)
    opened = context.entry.parts > 0 or not target.clickable
    if not opened:
        return Act((context.step(Click(target_id=target.id), ".1", "Open the list"),))
    item = context.one(Thing(label=option, kind="item"), clickable)
    return Act((context.step(Click(target_id=item.id)),))


def _click(target: PlanningElement, context: Context) -> Outcome:
    return context.act(lambda: [("", Click(target_id=target.id))])


def _pairs(target: PlanningElement) -> list[tuple[str, str]]:
    """Value and label of each option; a comma within a label is told from one between options by the bar."""
    parts = re.split(r", (?=[^|]*\|)", target.select_options or "")
    return [(value, label or value) for value, _, label in (part.partition("|") for part in parts if part)]


def _labels(target: PlanningElement) -> tuple[str, ...]:
    return tuple(label for _, label in _pairs(target))


def _option(wanted: str, target: PlanningElement) -> str | None:
    """The value of the option whose label fits best, if only one does."""
    fits = [(min(fit(wanted, label), fit(wanted, value)), value) for value, label in _pairs(target)]
    best = min((found for found, _ in fits), default=Fit.NONE)
    hits = list(dict.fromkeys(value for found, value in fits if found == best))
    return hits[0] if best <= Fit.WITHIN and len(hits) == 1 else None


def tick(instruction: Tick, context: Context) -> Outcome:
    target = context.one(instruction.thing, lambda e: e.state.checked is not None or e.element_type in _TICKABLE)
    return _tick(target, instruction.on, context)


def _tick(target: PlanningElement, on: bool, context: Context) -> Outcome:
    if target.state.checked is on or (on and target.state.selected):
        return Finished()
    over = context.settled()
    if over is not None and not (isinstance(over, Finished) and target.state.checked is not None):
        return over
    done = [t for t in context.entry.counted if not t.what and t.record.succeeded]
    if len(done) > 1:
        return Lacking(f"{context.words}: the mark", ask=False, limit_ms=2000, otherwise="it does not change")
    # A success that left the mark as it was speaks against the way just as a failure does.
    by_value = context.entry.switches + len(done) == 0 and target.element_type != "radio"
    action: AnyAction = (
        SetValue(target_id=target.id, value="true" if on else "false") if by_value else Click(target_id=target.id)
    )
    if context.entry.switches > 1:
        return context.failed()
    return Act((context.step(action),), quiet=True)


def press(instruction: Press, context: Context) -> Outcome:
    """Keys are never sent again after they may have arrived; what has arrived is not sent twice."""
    over = context.settled(again_is_safe=False)
    if over is not None:
        return over
    actions: list[AnyAction] = [_key(combo) for combo in instruction.keys * instruction.times]
    if len(actions) > _SINGLE_STEPS:
        return context.act(lambda: [("", ActionBatch(actions=tuple(actions)))], again_is_safe=False)
    done = min(context.entry.parts, len(actions) - 1)
    steps = [context.step(action, f".{place}") for place, action in enumerate(actions[:-1], 1)]
    return Act((*steps[done:], context.step(actions[-1])))


def _key(combo: tuple[str, ...]) -> AnyAction:
    return Key(key=combo[0]) if len(combo) == 1 else KeyCombo(keys=combo)


def read(instruction: ReadAs, context: Context) -> Outcome:
    """The desktop reads it afresh, by id and, should that be gone, by role and name."""
    over = context.settled()
    if over is not None:
        return over
    thing = context.filled(instruction.thing)
    found = read_target(thing, context.sight)
    target = found[0] if len(found) == 1 else context.one(instruction.thing, lambda e: e in found)
    selectors = [f'id="{target.id}"']
    if target.label and '"' not in target.label:
        selectors.append(f'{target.element_type}[name="{target.label}"]')
    action = ExtractWithFallback(
        name=instruction.name, selectors=tuple(selectors), parse_as=_number_kind(text_of(target))
    )
    return context.act(lambda: [("", action)], lambda: [("", action.model_copy(update={"parse_as": "text"}))])


def _number_kind(text: str) -> ParseAs:
    """A number only if nothing is lost by taking it for one: “007” and “1.50” stay text."""
    text = text.strip()
    if re.fullmatch(r"-?(?:0|[1-9]\d{0,15})", text) and text != "-0":
        return "int"
    return "float" if re.fullmatch(r"-?\d+\.\d+", text) and str(float(text)) == text else "text"
