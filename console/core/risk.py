"""Says how risky a step is, from its kind, its key, its target's label and role, the window and the dialog's words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import singledispatch

from console.contracts import actions as act
from console.contracts.action import quoted
from console.contracts.actions import AnyAction
from console.contracts.safety import RiskAssessment, RiskLevel, Target
from console.contracts.view import AdapterActionRef

from .risk_words import HARMLESS_BUTTONS, MESSENGERS, TERMINALS, TRASH, UNSAVED_TITLE, WHAT, category_of

_ORDER = list(RiskLevel)
# Things that carry a name of their own, so “Delete” in it is a name and not a promise of what a click does.
_NAMED_THINGS = frozenset(
    {"row", "cell", "listitem", "treeitem", "input", "textarea", "combobox", "select", "tab", "heading"}
)
_TEXT_FIELDS = frozenset({"input", "textarea", "combobox", "cell", "spinbutton"})
_LINE_BREAKS = ("\n", "\r")
HARMLESS = RiskAssessment(level=RiskLevel.HARMLESS)
ORDINARY = RiskAssessment(level=RiskLevel.ORDINARY)


def assess(action: AnyAction, target: Target, tools: Sequence[AdapterActionRef] = ()) -> RiskAssessment:
    """The risk of doing the action to the target; `tools` say which custom actions change nothing."""
    if isinstance(action, act.Custom):
        return _tool(action, tools)
    if isinstance(action, act.ActionBatch):
        return worst([assess(member, target, tools) for member in action.actions])
    return _assess(action, target)


def worst(risks: Sequence[RiskAssessment]) -> RiskAssessment:
    """The highest of several, with the reasons of all that are as high."""
    if not risks:
        return HARMLESS
    top = max(risks, key=lambda risk: _ORDER.index(risk.level))
    reasons = dict.fromkeys(reason for risk in risks if risk.level is top.level for reason in risk.reasons)
    return top.model_copy(update={"reasons": tuple(reasons)})


def destructive(category: str, *reasons: str) -> RiskAssessment:
    return RiskAssessment(level=RiskLevel.DESTRUCTIVE, category=category, reasons=reasons)


def _forbidden(reason: str) -> RiskAssessment:
    return RiskAssessment(level=RiskLevel.FORBIDDEN, category="blocked", reasons=(reason,))


def _tool(action: act.Custom, tools: Sequence[AdapterActionRef]) -> RiskAssessment:
    known = next((t for t in tools if (t.adapter, t.action) == (action.adapter, action.action)), None)
    if known is not None and not known.mutates_state:
        return HARMLESS
    if known is not None and known.destructive:
        return destructive("tool", f"{action.adapter} says that {quoted(action.action)} may destroy something.")
    return destructive("tool", f"{action.adapter} may change something.")


@singledispatch
def _assess(action: AnyAction, target: Target) -> RiskAssessment:
    """Looking, waiting and noting change nothing; any other kind is registered below."""
    return HARMLESS


@_assess.register(act.Click)
@_assess.register(act.AxAction)
def _click(action: act.Click | act.AxAction, target: Target) -> RiskAssessment:
    if isinstance(action, act.Click) and action.button == "right":
        return ORDINARY
    return _pressed(target)


@_assess.register
def _dialog(action: act.Dialog, target: Target) -> RiskAssessment:
    if action.op == "list":
        return HARMLESS
    return _pressed(target) if action.op == "click" else ORDINARY


def _pressed(target: Target) -> RiskAssessment:
    """What pressing the thing does, by its own words and, unless it is a way out, by those of its dialog."""
    label, kind = target.print.label, target.print.element_type
    found = category_of(label)
    if found and (kind not in _NAMED_THINGS or (len(label.split()) <= len(found[1].split()) + 1 and kind == "tab")):
        return destructive(found[0], f"{quoted(label)} {WHAT[found[0]]}.")
    return _answered(target) if kind not in _TEXT_FIELDS else ORDINARY


def _answered(target: Target) -> RiskAssessment:
    """The risk of saying yes to the dialog that the target stands in."""
    words = f"{target.print.window} {target.print.scene_words}" if target.print.scene_words else ""
    found = category_of(words)
    if not found or HARMLESS_BUTTONS.fullmatch(target.print.label.strip()):
        return ORDINARY
    return destructive(found[0], f"The dialog says {quoted(target.print.scene_words)}.")


@_assess.register(act.Key)
@_assess.register(act.KeyCombo)
def _keys(action: act.Key | act.KeyCombo, target: Target) -> RiskAssessment:
    names = action.keys if isinstance(action, act.KeyCombo) else (action.key,)
    combo = frozenset(_plain_key(part) for name in names for part in _split_combo(name))
    for rule in _KEY_RULES:
        risk = rule(combo, target)
        if risk is not None:
            return risk
    return ORDINARY


def _split_combo(name: str) -> list[str]:
    return name.split("+") if len(name) > 1 and not name.endswith("+") else [name]


def _plain_key(name: str) -> str:
    key = name.strip().casefold().replace("_", "").replace("-", "").replace(" ", "")
    for side in ("left", "right", "l", "r"):
        for modifier in ("control", "ctrl", "shift", "alt", "super", "meta"):
            if key in (modifier + side, side + modifier):
                key = modifier
    same = {"control": "ctrl", "return": "enter", "kpenter": "enter", "del": "delete", "kpdelete": "delete",
    "option": "alt",
            "meta": "super", "cmd": "super", "command": "super", "win": "super", "esc": "escape",
            "spacebar": "space"}  # fmt: skip
    return same.get(key, key)


def _session_keys(combo: frozenset[str], target: Target) -> RiskAssessment | None:
    if {"ctrl", "alt"} <= combo and (
        combo & {"backspace", "delete"} or any(k[:1] == "f" and k[1:].isdigit() for k in combo)
    ):
        return _forbidden("This shortcut ends or leaves the session, and Stop with it.")
    if combo & {"sysrq", "power", "poweroff", "xf86poweroff", "sleep", "xf86sleep", "suspend"}:
        return destructive("power", "This key " + WHAT["power"] + ".")
    return None


def _delete_keys(combo: frozenset[str], target: Target) -> RiskAssessment | None:
    if "delete" in combo and target.print.element_type not in _TEXT_FIELDS:
        what = quoted(target.print.label or target.print.window or "what is selected")
        return destructive("delete", f"Delete may remove {what}.")
    return None


def _closing_keys(combo: frozenset[str], target: Target) -> RiskAssessment | None:
    closes = combo in (
        frozenset({"alt", "f4"}),
        frozenset({"ctrl", "q"}),
        frozenset({"ctrl", "w"}),
        frozenset({"super", "q"}),
    )
    return _closing(target) if closes else None


def _confirming_keys(combo: frozenset[str], target: Target) -> RiskAssessment | None:
    if not combo & {"enter", "space"}:
        return None
    if "enter" in combo:
        risk = _entered("", target)
        if risk is not None:
            return risk
    return _pressed(target) if target.print.element_type not in _TEXT_FIELDS else _answered(target)


_KEY_RULES: tuple[Callable[[frozenset[str], Target], RiskAssessment | None], ...] = (
    _session_keys,
    _delete_keys,
    _closing_keys,
    _confirming_keys,
)


def _entered(text: str, target: Target) -> RiskAssessment | None:
    """What Enter does besides breaking a line: it runs a command in a terminal and sends in a messenger."""
    where = f"{target.print.app} {target.print.window}"
    if TERMINALS.search(where):
        return destructive(
            "command", f"Enter runs {quoted(text) if text else 'the command'} in {quoted(target.print.window)}."
        )
    if MESSENGERS.search(where):
        return destructive("send", f"Enter may send the message in {quoted(target.print.window)}.")
    return None


@_assess.register
def _typing(action: act.TypeText, target: Target) -> RiskAssessment:
    if any(mark in action.text for mark in _LINE_BREAKS):
        risk = _entered(action.text, target)
        if risk is not None:
            return risk
        if target.print.scene_words:
            return _answered(target)
    return ORDINARY


@_assess.register
def _set_value(action: act.SetValue, target: Target) -> RiskAssessment:
    found = category_of(target.print.label)
    if found and found[0] == "rights" and target.print.element_type not in _TEXT_FIELDS:
        return destructive("rights", f"{quoted(target.print.label)} {WHAT['rights']}.")
    return ORDINARY


@_assess.register
def _drag(action: act.Drag, target: Target) -> RiskAssessment:
    destination = target.print.label.rpartition(" → ")[2] or target.print.label
    if TRASH.search(destination):
        return destructive("delete", f"Dropping on {quoted(destination)} throws it away.")
    return ORDINARY


def _closing(target: Target) -> RiskAssessment:
    if UNSAVED_TITLE.search(target.print.window):
        return destructive("quit", f"{quoted(target.print.window)} has unsaved work.")
    return ORDINARY


@_assess.register
def _quit_app(action: act.QuitApp, target: Target) -> RiskAssessment:
    return _closing(target)


@_assess.register
def _window(action: act.Window, target: Target) -> RiskAssessment:
    return _closing(target) if (action.preset or action.op) == "close" else ORDINARY


@_assess.register
def _navigate(action: act.Navigate, target: Target) -> RiskAssessment:
    if action.url.strip().casefold().startswith(("javascript:", "data:", "vbscript:")):
        return destructive("code", f"The address {quoted(action.url)} is code.")
    return ORDINARY


@_assess.register
def _cdp_eval(action: act.CdpEval, target: Target) -> RiskAssessment:
    return destructive("code", "The planner wants to run code in the page.")


def _ordinary(action: AnyAction, target: Target) -> RiskAssessment:
    return ORDINARY


for _kind in (act.LaunchApp, act.WriteCells, act.Dock, act.MenuExtra, act.Select, act.Act):
    _assess.register(_kind, _ordinary)
