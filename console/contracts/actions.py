"""Every kind of action a planner may ask for, under the contract's own tags, and how a person would say it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AliasChoices, BeforeValidator, ConfigDict, Field, TypeAdapter

from .action import Action, CellWrite, Modifier, MouseButton, Naming, ParseAs, named, quoted, tool_words
from .base import Json, LenientText, WholeNumber
from .effects import EffectExpectation
from .geometry import Point


class Click(Action):
    type: Literal["click"] = "click"
    target_id: str
    button: MouseButton | None = None
    count: int | None = Field(default=None, ge=1, le=3)
    modifiers: tuple[Modifier, ...] | None = None
    hold_ms: int | None = Field(default=None, ge=0, le=10_000)
    expect_after: EffectExpectation | None = None

    def describe(self, name: Naming = quoted) -> str:
        verb = {2: "Double-click", 3: "Triple-click"}.get(self.count or 1, "Click")
        if self.button and self.button != "left":
            verb = f"{self.button.capitalize()}-click"
        held = "".join(f"{key.capitalize()}+" for key in self.modifiers or ())
        return f"{held}{verb} {name(self.target_id)}"


class Hover(Action):
    type: Literal["hover"] = "hover"
    target_id: str

    def describe(self, name: Naming = quoted) -> str:
        return f"Point at {name(self.target_id)}"


class TypeText(Action):
    type: Literal["type"] = "type"
    target_id: str | None = None
    text: str
    expect_after: EffectExpectation | None = None

    def describe(self, name: Naming = quoted) -> str:
        return f"Type {quoted(self.text)}" + (f" into {name(self.target_id)}" if self.target_id else "")


class Key(Action):
    type: Literal["key"] = "key"
    key: str

    def describe(self, name: Naming = quoted) -> str:
        return f"Press {self.key}"


class KeyCombo(Action):
    type: Literal["key_combo"] = "key_combo"
    keys: tuple[str, ...]

    def describe(self, name: Naming = quoted) -> str:
        return f"Press {'+'.join(self.keys)}"


class Scroll(Action):
    """`dx` and `dy` are notches: positive `dy` scrolls down, positive `dx` right."""

    type: Literal["scroll"] = "scroll"
    dx: WholeNumber = 0
    dy: WholeNumber = 0
    target_id: str | None = None
    modifiers: tuple[Modifier, ...] | None = None

    def describe(self, name: Naming = quoted) -> str:
        ways = [f"{'down' if self.dy > 0 else 'up'} {abs(self.dy)}"] if self.dy else []
        ways += [f"{'right' if self.dx > 0 else 'left'} {abs(self.dx)}"] if self.dx else []
        return f"Scroll {' and '.join(ways) or 'nowhere'}" + (f" in {name(self.target_id)}" if self.target_id else "")


class Drag(Action):
    type: Literal["drag"] = "drag"
    from_target_id: str
    to_target_id: str
    via: tuple[Point, ...] | None = None
    modifiers: tuple[Modifier, ...] | None = None

    def targets(self) -> tuple[str, ...]:
        return (self.from_target_id, self.to_target_id)

    def describe(self, name: Naming = quoted) -> str:
        return f"Drag {name(self.from_target_id)} to {name(self.to_target_id)}"


class Select(Action):
    type: Literal["select"] = "select"
    from_x: WholeNumber
    from_y: WholeNumber
    to_x: WholeNumber
    to_y: WholeNumber

    def describe(self, name: Naming = quoted) -> str:
        return f"Select from ({self.from_x}, {self.from_y}) to ({self.to_x}, {self.to_y})"


class Wait(Action):
    type: Literal["wait"] = "wait"
    ms: int = Field(ge=0)

    def describe(self, name: Naming = quoted) -> str:
        return f"Wait {self.ms / 1000:g} s"


class SetValue(Action):
    type: Literal["set_value"] = "set_value"
    target_id: str
    value: str
    expect_after: EffectExpectation | None = None

    def describe(self, name: Naming = quoted) -> str:
        return f"Set {name(self.target_id)} to {quoted(self.value)}"


class AxAction(Action):
    """An accessibility action; without an id the target is found by `label` and `role_hint`."""

    type: Literal["ax_action"] = "ax_action"
    target_id: LenientText = ""
    action: str
    label: str | None = None
    role_hint: str | None = None
    expect_after: EffectExpectation | None = None

    def describe(self, name: Naming = quoted) -> str:
        on = name(self.target_id) if self.target_id else quoted(self.label or "something")
        return f"{self.action.replace('_', ' ').capitalize()} {on}"


class ActivateApp(Action):
    type: Literal["activate_app"] = "activate_app"
    app_name: str

    def describe(self, name: Naming = quoted) -> str:
        return f"Switch to {self.app_name}"


class LaunchApp(Action):
    type: Literal["launch_app"] = "launch_app"
    app_name: str
    background: bool = False

    def describe(self, name: Naming = quoted) -> str:
        return f"Open {self.app_name}"


class QuitApp(Action):
    type: Literal["quit_app"] = "quit_app"
    app_name: str

    def describe(self, name: Naming = quoted) -> str:
        return f"Close {self.app_name}"


class Window(Action):
    """`preset` wins over `op`; coordinates are physical pixels."""

    type: Literal["window"] = "window"
    op: str
    app: str | None = None
    window_index: int = 0
    x: WholeNumber | None = None
    y: WholeNumber | None = None
    width: WholeNumber | None = None
    height: WholeNumber | None = None
    preset: str | None = None
    display: int | None = None

    def describe(self, name: Naming = quoted) -> str:
        return f"{(self.preset or self.op).replace('_', ' ').capitalize()} the window of {self.app or 'the active app'}"


class Dialog(Action):
    type: Literal["dialog"] = "dialog"
    op: Literal["list", "click", "set_field", "dismiss"]
    button: str | None = None
    value: str | None = None
    field_index: int = 0

    def describe(self, name: Naming = quoted) -> str:
        return {
            "list": "Read the dialog",
            "click": f"Click {quoted(self.button or '')} in the dialog",
            "set_field": f"Set field {self.field_index + 1} of the dialog to {quoted(self.value or '')}",
            "dismiss": "Dismiss the dialog",
        }[self.op]


class Dock(Action):
    type: Literal["dock"] = "dock"
    op: Literal["list", "launch", "right_click", "hide", "show"]
    name: str | None = None


class MenuExtra(Action):
    type: Literal["menu_extra"] = "menu_extra"
    op: Literal["list", "click"]
    name: str | None = None


class Navigate(Action):
    type: Literal["navigate"] = "navigate"
    url: str = named("url", "href", "to")
    wait_until: str | None = None
    timeout_ms: int | None = None
    dismiss_overlays: bool | None = None

    def describe(self, name: Naming = quoted) -> str:
        return f"Go to {self.url}"


class CdpEval(Action):
    type: Literal["cdp_eval"] = "cdp_eval"
    expression: str

    def describe(self, name: Naming = quoted) -> str:
        return f"Run {quoted(self.expression)} in the page"


class Extract(Action):
    type: Literal["extract"] = "extract"
    goal: LenientText = ""
    data: LenientText = ""

    def describe(self, name: Naming = quoted) -> str:
        return f"Note {quoted(self.goal)}: {quoted(self.data)}" if self.goal else f"Note {quoted(self.data)}"


class ExtractWithFallback(Action):
    type: Literal["extract_with_fallback"] = "extract_with_fallback"
    name: str
    selectors: tuple[str, ...]
    parse_as: ParseAs = Field(default="text", validation_alias=AliasChoices("parse_as", "parse", "as"))

    def describe(self, name: Naming = quoted) -> str:
        return f"Read {quoted(self.name)}"


class WriteCells(Action):
    type: Literal["write_cells"] = "write_cells"
    app: str = "Numbers"
    sheet: str | None = None
    table: str | None = None
    writes: tuple[CellWrite, ...]
    verify: bool = True

    def describe(self, name: Naming = quoted) -> str:
        return f"Write {', '.join(write.cell_ref for write in self.writes)} in {self.app}"


class ReadCells(Action):
    type: Literal["read_cells"] = "read_cells"
    app: str = "Numbers"
    sheet: str | None = None
    table: str | None = None
    cell_refs: tuple[str, ...] = named("cell_refs", "refs", "cells", "addresses")

    def describe(self, name: Naming = quoted) -> str:
        return f"Read {', '.join(self.cell_refs)} in {self.app}"


class Custom(Action):
    type: Literal["custom"] = "custom"
    adapter: str
    action: str
    params: Json = None

    def describe(self, name: Naming = quoted) -> str:
        return tool_words(self.adapter, self.action, self.params)


class ActionBatch(Action):
    type: Literal["batch"] = "batch"
    actions: tuple[PlannedAction, ...]

    def targets(self) -> tuple[str, ...]:
        return tuple(target for action in self.actions for target in action.targets())

    def describe(self, name: Naming = quoted) -> str:
        return ", then ".join(action.describe(name) for action in self.actions) or "Do nothing"


class Act(Action):
    type: Literal["act"] = "act"
    instruction: str

    def describe(self, name: Naming = quoted) -> str:
        return quoted(self.instruction)


class NotebookWrite(Action):
    """Accepted and ignored: it absorbs a habit of models."""

    type: Literal["notebook_writes"] = "notebook_writes"
    key: LenientText = ""
    value: LenientText = ""
    category: LenientText = ""


class DoneAction(Action):
    type: Literal["done"] = "done"
    summary: LenientText = ""
    evidence_ids: tuple[str, ...] = ()

    def describe(self, name: Naming = quoted) -> str:
        return f"Done: {self.summary}"


class FailAction(Action):
    type: Literal["fail"] = "fail"
    reason: LenientText = ""

    def describe(self, name: Naming = quoted) -> str:
        return f"Give up: {self.reason}"


AnyAction = (
    Click | Hover | TypeText | Key | KeyCombo | Scroll | Drag | Select | Wait | SetValue | AxAction | ActivateApp
    | LaunchApp | QuitApp | Window | Dialog | Dock | MenuExtra | Navigate | CdpEval | Extract | ExtractWithFallback
    | WriteCells | ReadCells | Custom | ActionBatch | Act | NotebookWrite | DoneAction | FailAction
)  # fmt: skip
_TAG_ALIASES = {
    "extract_with_fallbacks": "extract_with_fallback",
    "extract_declarative": "extract_with_fallback",
    "write_cell": "write_cells",
    "read_cell": "read_cells",
    "notebook_write": "notebook_writes",
}


def _published_tag(value: object) -> object:
    if isinstance(value, dict) and value.get("type") in _TAG_ALIASES:
        return {**value, "type": _TAG_ALIASES[value["type"]]}
    return value


PlannedAction = Annotated[Annotated[AnyAction, Field(discriminator="type")], BeforeValidator(_published_tag)]
ActionBatch.model_rebuild()
ACTION: TypeAdapter[AnyAction] = TypeAdapter(PlannedAction, config=ConfigDict(defer_build=True))
