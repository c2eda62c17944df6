"""Writes an instruction down in words that are read back as exactly that instruction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from . import models as m
from .parse import parse

_ORDINALS = {1: "first", 2: "second", 3: "third", -1: "last"}


def written(instruction: m.Instruction) -> str | None:
    """One line; None if there are no words that say just this."""
    words = _WORDS.get(type(instruction))
    if words is None:
        return None
    wanted = _bare(instruction)
    for line in words(instruction):
        found = parse(line)
        if len(found) == 1 and _bare(found[0]) == wanted:
            return line
    return None


def _bare(value: m.Instruction | m.Thing) -> list[Any]:
    """What it says, whatever its wording was."""
    said = (getattr(value, name) for name in type(value).model_fields if name not in ("source", "literal"))
    return [type(value), *(_bare(one) if isinstance(one, m.Thing) else one for one in said)]


def _quotes(text: str) -> Iterator[str]:
    """The text in every kind of quotes that might hold it."""
    if "\n" not in text:
        yield f"“{text}”"
        yield f"`{text}`"
        yield f"'{text}'"
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    yield f'"{escaped}"'
    yield f"«{text}»"


def _thing(thing: m.Thing) -> Iterator[str]:
    ordinal = _ORDINALS.get(thing.ordinal or 0, f"{thing.ordinal}th") if thing.ordinal else ""
    for label in _quotes(thing.label) if thing.label else ("",):
        for window in _quotes(thing.window) if thing.window else ("",):
            place = f" in the window {window}" if window else ""
            if not (ordinal or thing.kind):
                yield label + place
            yield " ".join(part for part in ("the", ordinal, label, thing.kind) if part) + place


def _in_quotes(verb: str, value: Callable[[Any], str]) -> Callable[[Any], Iterator[str]]:
    return lambda said: (f"{verb} {text}" for text in _quotes(value(said)))


def _click(said: m.ClickOn) -> Iterator[str]:
    verb = {2: "double-click", 3: "triple-click"}.get(said.count, "click")
    verb = f"{said.button}-click" if said.button != "left" else verb
    held = "".join(f"{name}-" for name in said.modifiers)
    for thing in _thing(said.thing):
        yield f"{held}{verb} {thing}"


def _type(said: m.TypeWords) -> Iterator[str]:
    for where in ("",) if said.thing is None else (f" into {thing}" for thing in _thing(said.thing)):
        for text in _quotes(said.text):
            yield f"type {text}{where}"


def _set(said: m.SetField) -> Iterator[str]:
    for thing in _thing(said.thing):
        if not said.text:
            yield f"clear {thing}"
        for text in _quotes(said.text):
            yield f"set {thing} to {text}"


def _choose(said: m.Choose) -> Iterator[str]:
    for where in ("",) if said.thing is None else (f" in {thing}" for thing in _thing(said.thing)):
        for option in _quotes(said.option):
            yield f"choose {option}{where}"


def _press(said: m.Press) -> Iterator[str]:
    names = {" ": "Space", "+": "plus", ",": "comma", "-": "minus", ".": "period"}
    combos = ["+".join(names.get(key, key) for key in combo) for combo in said.keys]
    times = "" if said.times == 1 else f" {said.times} times"
    yield f"press {', '.join(combos)}{times}"
    yield f"press the {combos[0]} key{times}"


def _scroll(said: m.ScrollBy) -> Iterator[str]:
    for where in ("",) if said.thing is None else (f" in {thing}" for thing in _thing(said.thing)):
        yield f"scroll {said.direction} {said.notches}{where}"


def _drag(said: m.DragTo) -> Iterator[str]:
    for start in _thing(said.thing):
        for end in _thing(said.onto):
            yield f"drag {start} onto {end}"


def _of_thing(verb: str) -> Callable[[Any], Iterator[str]]:
    return lambda said: (f"{verb} {thing}" for thing in _thing(said.thing))


def _window(said: m.ChangeWindow) -> Iterator[str]:
    names = [f" the window {name}" for name in _quotes(said.name)] if said.name else [" the window"]
    for name in names:
        if said.numbers is not None and said.how in ("resize", "move"):
            joint = " x " if said.how == "resize" else ", "
            yield f"{said.how}{name} to {said.numbers[0]}{joint}{said.numbers[1]}"
        else:
            yield f"{said.how.replace('_', ' ')}{name}"
            yield f"move{name} to the {said.how.replace('_', ' ')}"


def _read(said: m.ReadAs) -> Iterator[str]:
    for thing in _thing(said.thing):
        yield f"read {thing} as {said.name}"


def _ask(said: m.Ask) -> Iterator[str]:
    for question in _quotes(said.question):
        yield f"ask me {question} as {said.name}" if said.name else f"ask me {question}"


_WORDS: dict[type[m.Instruction], Callable[[Any], Iterator[str]]] = {
    m.Open: _in_quotes("open", lambda said: said.app),
    m.SwitchTo: _in_quotes("switch to", lambda said: said.name),
    m.Quit: _in_quotes("quit", lambda said: said.app),
    m.ChangeWindow: _window,
    m.ClickOn: _click,
    m.PointAt: _of_thing("hover over"),
    m.TypeWords: _type,
    m.SetField: _set,
    m.Choose: _choose,
    m.Tick: lambda said: _of_thing("tick" if said.on else "untick")(said),
    m.Press: _press,
    m.ScrollBy: _scroll,
    m.DragTo: _drag,
    m.Pause: lambda said: iter([f"wait {said.ms / 1000:g} seconds"]),
    m.ReadAs: _read,
    m.Ask: _ask,
    m.GoTo: lambda said: iter([f"go to {said.url}", *(f"navigate to {url}" for url in _quotes(said.url))]),
    m.AnswerDialog: lambda said: iter(["confirm the dialog" if said.accept else "dismiss the dialog"]),
}
