"""What an instruction can say, as frozen values that know their own words."""

from __future__ import annotations

from typing import Literal

from console.contracts.action import Modifier, MouseButton, quoted
from console.contracts.base import Value

Relation = Literal["row", "near", "below", "above", "left", "right"]
Direction = Literal["down", "up", "left", "right"]
_RELATION_WORDS: dict[str, str] = {
    "row": "next to", "near": "near", "below": "below", "above": "above", "left": "left of", "right": "right of",
}  # fmt: skip
_ORDINALS = {1: "first", 2: "second", 3: "third", -1: "last"}


class Thing(Value):
    """Something on the screen by label, kind, window, place in a row of equals, or neighbour.

    `literal` is the unquoted phrase as it stood: a label that reads exactly so wins over its taking apart.
    """

    label: str = ""
    kind: str = ""
    window: str = ""
    ordinal: int | None = None
    relation: Relation | None = None
    anchor: str = ""
    literal: str = ""

    def words(self) -> str:
        kind = f"the {self.kind}" if self.kind and not self.label else self.kind
        parts = [_ORDINALS.get(self.ordinal, f"{self.ordinal}th") if self.ordinal else ""]
        parts += [quoted(self.label) if self.label else "", kind]
        parts += [f"{_RELATION_WORDS[self.relation]} {quoted(self.anchor)}"] if self.relation else []
        parts += [f"in {quoted(self.window)}"] if self.window else []
        return " ".join(part for part in parts if part) or "something"


class Condition(Value):
    """Something that holds or does not hold on the screen."""

    kind: Literal["visible", "equals", "contains", "window_open", "window_active", "ticked", "enabled"]
    thing: Thing = Thing()
    text: str = ""
    negated: bool = False

    def words(self) -> str:
        no = "not " if self.negated else ""
        return {
            "visible": f"{self.thing.words()} is {'gone' if self.negated else 'visible'}",
            "equals": f"{self.thing.words()} is {no}{quoted(self.text)}",
            "contains": f"{self.thing.words()} {'lacks' if self.negated else 'contains'} {quoted(self.text)}",
            "window_open": f"the window {quoted(self.text)} is {'closed' if self.negated else 'open'}",
            "window_active": f"the window {quoted(self.text)} is {no}in front",
            "ticked": f"{self.thing.words()} is {no}ticked",
            "enabled": f"{self.thing.words()} is {'disabled' if self.negated else 'enabled'}",
        }[self.kind]


class Instruction(Value):
    """One thing to do. `source` is its wording in the goal; `words` never holds text that is to be typed."""

    source: str = ""

    def words(self) -> str:
        return self.source


class Open(Instruction):
    app: str

    def words(self) -> str:
        return f"Open {self.app}"


class SwitchTo(Instruction):
    name: str

    def words(self) -> str:
        return f"Switch to {quoted(self.name)}"


class Quit(Instruction):
    app: str

    def words(self) -> str:
        return f"Close {self.app}"


class ChangeWindow(Instruction):
    """`how` is an op or a preset of the window action; `name` is a window's title or app, empty for the active one."""

    how: str
    name: str = ""
    numbers: tuple[int, int] | None = None

    def words(self) -> str:
        return f"{self.how.replace('_', ' ').capitalize()}: {quoted(self.name) if self.name else 'the active window'}"


class ClickOn(Instruction):
    thing: Thing
    button: MouseButton = "left"
    count: int = 1
    modifiers: tuple[Modifier, ...] = ()

    def words(self) -> str:
        verb = {2: "Double-click", 3: "Triple-click"}.get(self.count, "Click")
        verb = f"{self.button.capitalize()}-click" if self.button != "left" else verb
        return f"{''.join(f'{m.capitalize()}+' for m in self.modifiers)}{verb} {self.thing.words()}"


class PointAt(Instruction):
    thing: Thing

    def words(self) -> str:
        return f"Point at {self.thing.words()}"


class ChooseMenu(Instruction):
    path: tuple[str, ...]
    window: str = ""

    def words(self) -> str:
        return f"Choose {' › '.join(self.path)}"


class TypeWords(Instruction):
    """Text into a thing, or to where the focus is."""

    text: str
    thing: Thing | None = None

    def words(self) -> str:
        return f"Type into {self.thing.words()}" if self.thing else "Type"


class SetField(Instruction):
    thing: Thing
    text: str

    def words(self) -> str:
        return f"Set {self.thing.words()}" if self.text else f"Clear {self.thing.words()}"


class Choose(Instruction):
    option: str
    thing: Thing | None = None
    literal: str = ""

    def words(self) -> str:
        return f"Choose {quoted(self.option)}" + (f" in {self.thing.words()}" if self.thing else "")


class Tick(Instruction):
    thing: Thing
    on: bool = True

    def words(self) -> str:
        return f"{'Tick' if self.on else 'Untick'} {self.thing.words()}"


class Press(Instruction):
    """A sequence of keys or key combinations, the whole of it `times` times."""

    keys: tuple[tuple[str, ...], ...]
    times: int = 1

    def words(self) -> str:
        text = ", ".join("+".join(combo) for combo in self.keys)
        return f"Press {text}" + (f" {self.times} times" if self.times > 1 else "")


class ScrollBy(Instruction):
    direction: Direction = "down"
    notches: int = 5
    thing: Thing | None = None

    def words(self) -> str:
        return f"Scroll {self.direction}" + (f" in {self.thing.words()}" if self.thing else "")


class ScrollUntil(Instruction):
    thing: Thing
    direction: Direction = "down"
    inside: Thing | None = None

    def words(self) -> str:
        return f"Scroll {self.direction} until {self.thing.words()} is visible"


class DragTo(Instruction):
    thing: Thing
    onto: Thing

    def words(self) -> str:
        return f"Drag {self.thing.words()} to {self.onto.words()}"


class Pause(Instruction):
    ms: int

    def words(self) -> str:
        return f"Wait {self.ms / 1000:g} s"


class WaitUntil(Instruction):
    condition: Condition
    limit_ms: int | None = None

    def words(self) -> str:
        return f"Wait until {self.condition.words()}"


class Expect(Instruction):
    condition: Condition

    def words(self) -> str:
        return f"Check that {self.condition.words()}"


class ReadAs(Instruction):
    thing: Thing
    name: str

    def words(self) -> str:
        return f"Read {self.thing.words()} as {quoted(self.name)}"


class Remember(Instruction):
    text: str
    name: str

    def words(self) -> str:
        return f"Remember {quoted(self.name)}"


class Ask(Instruction):
    """A question to the operator; the answer becomes the value `name`."""

    question: str
    name: str = ""

    def words(self) -> str:
        return f"Ask: {self.question}"


class AskToGoOn(Instruction):
    def words(self) -> str:
        return "Ask before going on"


class GoTo(Instruction):
    url: str

    def words(self) -> str:
        return f"Go to {self.url}"


class Return(Instruction):
    names: tuple[str, ...]

    def words(self) -> str:
        return f"Return {', '.join(self.names)}"


class AnswerDialog(Instruction):
    accept: bool = True

    def words(self) -> str:
        return "Confirm the dialog" if self.accept else "Dismiss the dialog"


class When(Instruction):
    """The instruction only if the condition holds at that moment."""

    condition: Condition
    then: Instruction

    def words(self) -> str:
        return f"If {self.condition.words()}: {self.then.words()}"


class Unknown(Instruction):
    """Wording that was not understood, and the nearest form that would have been."""

    nearest: str = ""
