"""The desktop's actions as tools of a program: elements are named by id or by label, and every act is a step."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, get_args, get_origin

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from console.contracts.action import Action, quoted
from console.contracts.actions import ACTION, AnyAction, Custom
from console.contracts.adapter import Acted, ActingAdapter, Adapter, Hands
from console.contracts.view import PlanningElement
from console.resources import resource

from .lisp import Tool, ToolReply
from .lisp.host import Discovery

POLL_S, LONGEST_WAIT_S = 0.25, 300.0
# The kind of action behind each tool, and which of its arguments name an element.
ACTS: dict[str, str] = {
    "click": "click",
    "hover": "hover",
    "type": "type",
    "set-value": "set_value",
    "key": "key",
    "key-combo": "key_combo",
    "scroll": "scroll",
    "drag": "drag",
    "ax-action": "ax_action",
    "launch-app": "launch_app",
    "activate-app": "activate_app",
    "quit-app": "quit_app",
    "window": "window",
    "dialog": "dialog",
    "navigate": "navigate",
    "wait": "wait",
}
LOOKS = ("look", "find", "read", "wait-for")
FINDS = ("label", "role", "in", "contains")
Discoverer = Callable[[Mapping[tuple[str, str], str]], Discovery]
"""Makes the answers to the discovery forms from the names that tools have in a program, by adapter and action."""


class DeskTools:
    """Made for one program."""

    def __init__(self, hands: Hands) -> None:
        self._hands = hands

    @staticmethod
    def names() -> list[str]:
        return [*LOOKS, *ACTS]

    def tools(self) -> dict[str, Tool]:
        looks: dict[str, Callable[[dict[str, Any]], Awaitable[Any]]] = {
            "look": self._look,
            "find": self._find,
            "read": self._read,
            "wait-for": self._wait_for,
        }
        made = {name: Tool(call, name, description=str(call.__doc__)) for name, call in looks.items()}
        told = _reference()
        for name, kind in ACTS.items():
            made[name] = Tool(self._acting(kind), name, description=told.get(kind, kind), mutates=True)
        return made

    @staticmethod
    def foreign(hands: Hands, adapters: Sequence[Adapter]) -> dict[str, Tool]:
        """The tools of the other adapters; each call of one is a step of its own."""
        names = tool_names(adapters)
        made = {}
        for adapter in adapters:
            for ref in adapter.actions():
                name = names.get((adapter.name, ref.action))
                if name is None:  # a server has listed its tools anew just now
                    continue
                call = DeskTools._calling(hands, adapter.name, ref.action)
                # What acts takes steps of its own, one after the other.
                mutates = ref.mutates_state or isinstance(adapter, ActingAdapter)
                lasts = bool(ref.cacheable) and not mutates
                made[name] = Tool(call, name, description=ref.description, cache=lasts, mutates=mutates)
        return made

    @staticmethod
    def _calling(hands: Hands, adapter: str, action: str) -> Callable[[dict[str, Any]], Awaitable[Any]]:
        async def call(arguments: dict[str, Any]) -> Any:
            asked = Custom(adapter=adapter, action=action, params=arguments)
            return reply(await hands.act(asked, asked.describe()))

        return call

    def _acting(self, kind: str) -> Callable[[dict[str, Any]], Awaitable[Any]]:
        async def call(arguments: dict[str, Any]) -> Any:
            given = {name: value for name, value in arguments.items() if name not in (*FINDS, "purpose")}
            label = ""
            if kind not in ("launch_app", "activate_app", "quit_app") and self._names_one(arguments):
                element = await self._element(arguments)
                if element is None:
                    return ToolReply(error=f"There is no {_words(arguments)} on the screen.")
                given["target_id"], label = element.id, element.label or element.element_type
            try:
                action = ACTION.validate_python({**given, "type": kind})
            except ValidationError as error:
                first = error.errors()[0]
                return ToolReply(error=f"{'.'.join(str(part) for part in first['loc'][1:])}: {first['msg']}")
            words = action.describe(lambda name: quoted(label or name))
            record = (await self._hands.act(action, str(arguments.get("purpose") or words))).record
            if not record.succeeded:
                return ToolReply(error=record.error or "It failed.")
            return record.data if record.data is not None else record.effect.status if record.effect else None

        return call

    async def _look(self, _: dict[str, Any]) -> dict[str, Any]:
        """{}: what is on the screen, as :app :window :elements"""
        view = await self._hands.view()
        return {
            "app": view.screen.active_app,
            "window": view.screen.window,
            "elements": [_shown(element) for element in view.elements],
        }

    async def _find(self, arguments: dict[str, Any]) -> dict[str, Any] | None:
        """{[:label] [:role] [:in window] [:contains]}: the first such element; nil if there is none"""
        element = await self._element(arguments)
        return _shown(element) if element is not None else None

    async def _read(self, arguments: dict[str, Any]) -> Any:
        """{an element, as in find}: its value, or its label where it has none"""
        element = await self._element(arguments)
        if element is None:
            return ToolReply(error=f"There is no {_words(arguments)} on the screen.")
        return element.value if element.value is not None else element.label

    async def _wait_for(self, arguments: dict[str, Any]) -> Any:
        """{an element, as in find, [:seconds]}: the element as soon as it is there, within 10 seconds"""
        seconds = arguments.get("seconds", 10)
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or seconds < 0:
            return ToolReply(error=":seconds is a number.")
        end = time.monotonic() + min(float(seconds), LONGEST_WAIT_S)
        while True:
            element = await self._element(arguments)
            if element is not None:
                return _shown(element)
            if time.monotonic() > end:
                return ToolReply(error=f"{_words(arguments)} did not come within {seconds:g} s.")
            await asyncio.sleep(POLL_S)

    @staticmethod
    def _names_one(arguments: Mapping[str, Any]) -> bool:
        return any(arguments.get(name) for name in FINDS)

    async def _element(self, arguments: Mapping[str, Any]) -> PlanningElement | None:
        """By id, or the first in the order of the view that has all that is asked for."""
        view = await self._hands.view()
        if arguments.get("target_id"):
            return view.element(str(arguments["target_id"]))
        return next((element for element in view.elements if _matches(element, arguments)), None)


def reply(acted: Acted) -> ToolReply:
    """The answer of an action to a program; of a program or a mission, with its Step."""
    record, step = acted.record, acted.step
    error = None if record.succeeded else record.error or "it failed"
    if step is None:
        return ToolReply(record.data, error)
    value = None if error else step.return_
    return ToolReply(value, error, child_step=step.pruned(), child_trace_id=step.trace_id)


def plain_name(adapter: str, action: str) -> str:
    """What the action is called in a program, unless something else is called like that."""
    return re.sub(r"[^A-Za-z0-9]+", "-", f"{adapter}-{action}").strip("-")


def tool_names(adapters: Sequence[Adapter]) -> dict[tuple[str, str], str]:
    """What each action of the adapters is called in a program; no two are called alike, and none like a desktop's."""
    taken, names = set(DeskTools.names()), dict[tuple[str, str], str]()
    for adapter in adapters:
        for ref in adapter.actions():
            plain = name = plain_name(adapter.name, ref.action)
            number = 1
            while name in taken:
                number += 1
                name = f"{plain}-{number}"
            taken.add(name)
            names[adapter.name, ref.action] = name
    return names


@cache
def _reference() -> dict[str, str]:
    """What each action takes, and what it does in the words that planners get."""
    lines = resource("prompts/actions.md").read_text(encoding="utf-8").splitlines()
    does = {line.partition(" ")[0]: line.partition("}: ")[2] for line in lines}
    kinds: dict[str, type[Action]] = {kind.model_fields["type"].default: kind for kind in get_args(AnyAction)}
    return {kind: f"{{{_takes(kinds[kind])}}}: {does.get(kind) or kind}" for kind in ACTS.values()}


def _takes(kind: type[Action]) -> str:
    """Its arguments as keywords; those that may be left out stand in brackets."""
    parts = []
    for name, field in kind.model_fields.items():
        if name in ("type", "expect_after"):
            continue
        word = "an element, as in find" if name == "target_id" else f":{name.replace('_', '-')}{_choices(field)}"
        parts.append(word if field.is_required() else f"[{word}]")
    return ", ".join(parts)


def _choices(field: FieldInfo) -> str:
    for kind in (field.annotation, *get_args(field.annotation)):
        if get_origin(kind) is Literal:
            return " " + "|".join(map(str, get_args(kind)))
    return ""


def _matches(element: PlanningElement, wanted: Mapping[str, Any]) -> bool:
    label, role, window, part = (str(wanted.get(name) or "") for name in FINDS)
    text = f"{element.label or ''} {element.value or ''}"
    return (
        (not label or (element.label or "").casefold() == label.casefold())
        and (not role or element.element_type == role)
        and (not window or window.casefold() in (element.window or "").casefold())
        and (not part or part.casefold() in text.casefold())
        and bool(label or role or part)
    )


def _words(arguments: Mapping[str, Any]) -> str:
    said = [str(arguments[name]) for name in ("role", "label", "contains") if arguments.get(name)]
    where = f" in “{arguments['in']}”" if arguments.get("in") else ""
    return (" ".join(said) or str(arguments.get("target_id") or "such element")) + where


def _shown(element: PlanningElement) -> dict[str, Any]:
    found = {
        "id": element.id,
        "type": element.element_type,
        "label": element.label,
        "value": element.value,
        "window": element.window,
        "enabled": element.state.enabled,
        "checked": element.state.checked,
    }
    return {name: value for name, value in found.items() if value is not None}
