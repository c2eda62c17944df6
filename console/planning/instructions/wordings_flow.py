"""The wordings of apps, windows, dialogs, waiting, checking, asking and returning."""

from __future__ import annotations

import re
from typing import Any

from .conditions import condition, visible
from .forms import NUMBER, Form, count, form
from .models import (
    AnswerDialog,
    Ask,
    AskToGoOn,
    ChangeWindow,
    Expect,
    GoTo,
    Instruction,
    Open,
    Pause,
    Quit,
    Return,
    SwitchTo,
    WaitUntil,
)
from .quoting import HOLE, Reader

_URL = (
    r"(?P<url>(?:https?|file|ftp|about|data|chrome):\S+|www\.\S+|localhost(?::\d+)?(?:/\S*)?"
    r"|\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?:/\S*)?"
    r"|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|edu|gov|io|dev|de|pl|eu|uk|fr|es|it|ch|at|nl|info|html?)(?::\d+)?(?:[/?]\S*)?)"
)
_URL_WORDS = re.compile(_URL, re.IGNORECASE)
_SECONDS = {"ms": 1, "millisecond": 1, "s": 1000, "sec": 1000, "second": 1000, "min": 60_000, "minute": 60_000}
_TIME = rf"(?:\d+(?:\.\d+)?|{NUMBER})\s*(?:ms|milliseconds?|s|secs?|seconds?|min|mins|minutes?)"
_UP_TO = (
    r"(?:,?\s*(?:for\s+)?(?:up to|at most|no longer than|max(?:imum)?(?: of)?|within|for|but not more than)"
    rf"\s+(?P<limit>{_TIME}))?"
)
_APP = r"(?:app|application|program|programme)"
_LONGEST_MS = 10 * 60_000
_DURATION = re.compile(r"(\d+(?:\.\d+)?|[a-z]+?)\s*(ms|millisecond|sec|second|s|min|minute)s?")
_PLACES = {
    "left half": "left_half", "left": "left_half", "left side": "left_half", "right half": "right_half",
    "right": "right_half",
    "right side": "right_half", "top half": "top_half", "top": "top_half", "upper half": "top_half",
    "bottom half": "bottom_half", "bottom": "bottom_half", "lower half": "bottom_half", "center": "center",
    "centre": "center",
    "middle": "center", "top left": "top_left", "top right": "top_right", "bottom left": "bottom_left",
    "bottom right": "bottom_right", "full screen": "fullscreen", "whole screen": "maximize",
}  # fmt: skip
_PLACE = "|".join(sorted((re.escape(place) for place in _PLACES), key=len, reverse=True))
_OPS = {
    "maximize": "maximize", "maximise": "maximize", "minimize": "minimize", "minimise": "minimize",
    "restore": "restore",
    "unmaximize": "unmaximize", "unmaximise": "unmaximize", "unminimize": "restore", "fullscreen": "fullscreen",
    "raise": "focus",
    "center": "center", "centre": "center",
}  # fmt: skip
_ITS_WINDOW = (
    r"(?:(?:the\s+)?(?:current\s+|active\s+)?window"
    rf"(?:\s+(?:of\s+|called\s+|named\s+)?(?P<a>{HOLE}|(?!(?:to|on|in|at)\b)\S.*?))?"
    rf"|(?:the\s+)?(?P<b>{HOLE}|\S.*?)(?:\s+window)?)"
)
_NAMES = rf"(?:{HOLE}|[\w-]+)(?:\s*(?:,|and)\s*(?:{HOLE}|[\w-]+))*"


def milliseconds(words: str) -> int:
    """“2.5 s”, “a minute”, “300 ms” in milliseconds, at most ten minutes."""
    hit = _DURATION.fullmatch(words.strip().casefold())
    if hit is None:
        return _SECONDS["s"]
    amount = float(hit[1]) if hit[1][0].isdigit() else float(count(hit[1]))
    return min(int(amount * _SECONDS[hit[2]]), _LONGEST_MS)


def _named(kind: type[Instruction], key: str) -> Any:
    def build(hit: re.Match[str], reader: Reader) -> Instruction | None:
        name = next(reader.label(value) for value in hit.groupdict().values() if value)
        return kind.model_validate({key: name})

    return build


def _open(hit: re.Match[str], reader: Reader) -> Instruction | None:
    name = reader.label(hit["app"])
    return GoTo(url=name) if _URL_WORDS.fullmatch(name) else Open(app=name)


def _quit(hit: re.Match[str], reader: Reader) -> Instruction | None:
    name = reader.label(hit["app"])
    # “All windows” and “without saving” ask for more than closing one app.
    more = re.search(r"^(?:all|every|everything)\b|\bwithout\b|^(?:the )?tabs?$", name, re.IGNORECASE)
    return None if more and not reader.quoted(hit["app"]) else Quit(app=name)


def _window(how: str) -> Any:
    def build(hit: re.Match[str], reader: Reader) -> Instruction:
        groups = hit.groupdict()
        name = groups.get("a") or groups.get("b")
        return ChangeWindow(how=how or _OPS[groups["op"].casefold()], name=_window_name(name, reader))

    return build


def _window_name(phrase: str | None, reader: Reader) -> str:
    return "" if not phrase or phrase.strip().casefold() in ("it", "this") else reader.label(phrase)


def _active(hit: re.Match[str], reader: Reader) -> Instruction:
    return ChangeWindow(how=_OPS[hit["op"].casefold()])


def _place(hit: re.Match[str], reader: Reader) -> Instruction:
    return ChangeWindow(how=_PLACES[hit["place"].casefold()], name=_window_name(hit["a"] or hit["b"], reader))


def _numbers(how: str) -> Any:
    def build(hit: re.Match[str], reader: Reader) -> Instruction:
        return ChangeWindow(
            how=how, name=_window_name(hit["a"] or hit["b"], reader), numbers=(int(hit["x"]), int(hit["y"]))
        )

    return build


def _dialog(accept: bool) -> Any:
    def build(hit: re.Match[str], reader: Reader) -> Instruction:
        return AnswerDialog(accept=accept)

    return build


def _pause(hit: re.Match[str], reader: Reader) -> Instruction:
    groups = hit.groupdict()
    return Pause(ms=milliseconds(groups.get("time") or f"{groups.get('seconds') or 1} s"))


def _wait(hit: re.Match[str], reader: Reader) -> Instruction | None:
    limit = hit["limit"] or hit["before"]
    limit_ms = milliseconds(limit) if limit else None
    found = condition(hit["what"], reader)
    if found is None and hit["until"].casefold() == "for":
        found = visible(hit["what"], reader)
    return WaitUntil(condition=found, limit_ms=limit_ms) if found else None


def _expect(hit: re.Match[str], reader: Reader) -> Instruction | None:
    found = condition(hit["what"], reader)
    if found is None and not hit.groupdict().get("loose"):
        return Expect(condition=visible(hit["what"], reader)) if reader.quoted(hit["what"]) else None
    return Expect(condition=found) if found else None


def _ask(hit: re.Match[str], reader: Reader) -> Instruction:
    groups = hit.groupdict()
    question = reader.label(hit["what"])
    if not reader.quoted(hit["what"]):
        question = question[:1].upper() + question[1:]
        question = question if question.endswith("?") else f"{question}?"
    return Ask(question=question, name=reader.label(groups["name"]) if groups.get("name") else "")


def _ask_to_go_on(hit: re.Match[str], reader: Reader) -> Instruction:
    return AskToGoOn()


def _return(hit: re.Match[str], reader: Reader) -> Instruction:
    return Return(
        names=tuple(reader.label(name) for name in re.findall(rf"{HOLE}|[\w-]+", re.sub(r"\band\b", ",", hit["names"])))
    )


WAITING: tuple[Form, ...] = (
    form(
        r"(?:(?:stop and )?ask me|ask the operator|ask|wait for my (?:confirmation|approval|ok|"
        r"go-ahead))(?:\s+(?:before|to|if|whether)\s+(?:you |I should |we should )?(?:continu(?:e|ing)|"
        r"go(?:ing)? on|proceed(?:ing)?|go(?:ing)? ahead|carry(?:ing)? on))?|"
        r"(?:stop and )?ask (?:me )?before (?:you )?(?:continu(?:e|ing)|go(?:ing)? on|proceed(?:ing)?)|"
        r"ask (?:me )?for (?:my )?(?:confirmation|approval|permission)",
        _ask_to_go_on,
        "ask me before continuing",
    ),
    form(
        rf"ask(?:\s+(?:me|the operator|the user))?(?:\s+for|\s*:)?\s+(?P<what>{HOLE}|\S.*?)(?:\s+(?:as|into|"
        rf"and (?:call|remember|store|keep) (?:it|the answer)(?: as)?)\s+(?P<name>{HOLE}|[\w-]+))?",
        _ask,
        "ask me “Which file?” as file",
    ),
    form(rf"(?:wait|pause|sleep)(?:\s+for)?\s+(?P<time>{_TIME})", _pause, "wait 2 seconds"),
    form(r"(?:wait|sleep)\s+(?P<seconds>\d+(?:\.\d+)?)", _pause, "wait 2"),
    form(r"(?:wait|pause)(?:\s+(?:a (?:moment|bit|little|while)))?", _pause, "wait a moment"),
    form(
        rf"wait(?:\s+(?:up to|at most)\s+(?P<before>{_TIME}))?\s+(?P<until>until|till|for)\s+(?P<what>.+?){_UP_TO}",
        _wait,
        "wait until “Ready” appears",
    ),
    form(
        r"(?:expect|verify|check|make sure|ensure|assert|confirm)\s+(?:that|whether|if|to see)\s+(?P<what>.+)",
        _expect,
        "expect that “Saved” is visible",
    ),
    form(r"(?:expect|verify|make sure|ensure|assert)\s+(?P<what>.+)", _expect, "expect “Saved” is visible"),
    form(
        r"(?P<loose>check|confirm)\s+(?P<what>.+\s(?:is|are|contains|equals|reads|says|shows)\s.+)",
        _expect,
        "check that “Saved” is visible",
    ),
    form(
        r"(?:return|report|answer with|give (?:me )?(?:back )?)\s*(?:the\s+)?(?:values?\s+(?:of\s+"
        rf")?)?(?P<names>{_NAMES})(?:\s+as (?:the )?result)?",
        _return,
        "return total",
    ),
)
DIALOGS: tuple[Form, ...] = (
    form(
        r"(?:confirm|accept|ok|okay|agree to|approve)\s+(?:the|this)\s+(?:dialog|dialogue|message|question|"
        r"pop-?up|prompt)(?:\s+box)?",
        _dialog(True),
        "confirm the dialog",
    ),
    form(
        r"(?:dismiss|cancel|close|reject|decline)\s+(?:the|this)\s+(?:dialog|dialogue|message|question|"
        r"pop-?up|prompt)(?:\s+box)?",
        _dialog(False),
        "dismiss the dialog",
    ),
)
APPS: tuple[Form, ...] = (
    form(
        r"(?:go to|navigate to|visit|browse to|load|open)\s+(?:the\s+)?(?:(?:page|url|address|site|website|"
        rf"web page)\s+)?{_URL}",
        _named(GoTo, "url"),
        "go to https://example.org",
    ),
    form(
        r"(?:navigate to|visit|browse to|(?:go to|open|load) the (?:page|url|address|site|website|"
        rf"web page))\s+(?P<url>{HOLE}|\S+)",
        _named(GoTo, "url"),
        "navigate to “localhost:8000”",
    ),
    form(rf"(?P<op>{'|'.join(_OPS)})", _active, "maximize"),
    form(rf"(?P<op>{'|'.join(_OPS)})\s+{_ITS_WINDOW}", _window(""), "maximize the window"),
    form(rf"make\s+{_ITS_WINDOW}\s+(?P<op>fullscreen)", _window(""), "make the window fullscreen"),
    form(
        rf"(?:move|put|place|snap|tile|dock)\s+{_ITS_WINDOW}\s+(?:to|on|in|into|at)\s+(?:the\s+"
        rf")?(?P<place>{_PLACE})(?:\s+(?:half|side))?(?:\s+of the (?:screen|display|monitor))?",
        _place,
        "move the window to the left half",
    ),
    form(
        rf"move\s+{_ITS_WINDOW}\s+to\s+\(?(?P<x>-?\d+)\s*[,;x ]\s*(?P<y>-?\d+)\)?",
        _numbers("move"),
        "move the window to 100, 50",
    ),
    form(
        rf"resize\s+{_ITS_WINDOW}\s+to\s+(?P<x>\d+)\s*(?:[x×,]|by)\s*(?P<y>\d+)",
        _numbers("resize"),
        "resize the window to 800 x 600",
    ),
    form(
        r"close\s+(?:the\s+)?(?:(?:current|active)\s+)?(?:window(?:\s+(?:called\s+|named\s+)?(?P<a>\S.*))?|"
        rf"(?P<b>{HOLE}|\S.*?)\s+window)",
        _window("close"),
        "close the window",
    ),
    form(
        rf"(?:open|launch|start|run)(?:\s+up)?\s+(?:the\s+)?(?:{_APP}\s+)?(?P<app>{HOLE}|\S.*?)(?:\s+{_APP})?",
        _open,
        "open Mousepad",
    ),
    form(
        rf"(?:switch|go|change|return|move)\s+(?:back\s+)?(?:over\s+)?to\s+(?:the\s+)?(?:window\s+|{_APP}\s+"
        rf")?(?P<name>{HOLE}|\S.*?)(?:\s+(?:window|{_APP}))?",
        _named(SwitchTo, "name"),
        "switch to Mousepad",
    ),
    form(
        rf"(?:activate|focus(?:\s+on)?|show)\s+(?:the\s+)?(?:window\s+|{_APP}\s+)?(?P<name>{HOLE}|\S.*?)(?:\s+"
        rf"(?:window|{_APP}))?",
        _named(SwitchTo, "name"),
        "activate the window “Notes”",
    ),
    form(
        rf"bring\s+(?:the\s+)?(?:window\s+)?(?P<name>{HOLE}|\S.*?)(?:\s+window)?\s+to\s+(?:the\s+)?(?:front|"
        r"foreground|top)",
        _named(SwitchTo, "name"),
        "bring “Notes” to the front",
    ),
    form(
        rf"(?:close|quit|exit|terminate|leave)\s+(?:the\s+)?(?:{_APP}\s+)?(?P<app>{HOLE}|\S.*?)(?:\s+{_APP})?",
        _quit,
        "quit Mousepad",
    ),
)
