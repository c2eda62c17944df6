"""The wordings of typing, fields, options, ticks, keys and of reading values."""

from __future__ import annotations

import re
from typing import Any

from . import keys
from .forms import NUMBER, Form, count, form
from .models import Choose, ClickOn, Instruction, Press, ReadAs, Remember, SetField, Thing, Tick, TypeWords
from .quoting import HOLE, Reader
from .things import thing

_TYPE = r"(?:type|enter|write|input|key in|insert|paste)"
_NAME = rf"(?P<name>{HOLE}|[\w-]+)"
_AS = r"(?:as|into|to|in|and call it|and remember it as|and store it as|and keep it as|under the name)"
_CLICKED = re.compile(r"\b(?:button|link|checkbox|check box|tab|icon|item|option)$", re.IGNORECASE)
_SHORTCUTS = {
    "select all": "ctrl+a", "select everything": "ctrl+a", "copy": "ctrl+c", "copy it": "ctrl+c", "cut": "ctrl+x",
    "paste": "ctrl+v",
    "undo": "ctrl+z", "redo": "ctrl+shift+z", "save": "ctrl+s", "save it": "ctrl+s", "save the file": "ctrl+s",
    "save the document": "ctrl+s", "close the tab": "ctrl+w",
    "close tab": "ctrl+w", "go back": "alt+left",
}  # fmt: skip


def _type(hit: re.Match[str], reader: Reader) -> Instruction:
    groups = hit.groupdict()
    place = groups.get("thing")
    return TypeWords(text=reader.text(hit["text"]), thing=thing(place, reader) if place else None)


def _set(hit: re.Match[str], reader: Reader) -> Instruction:
    return SetField(thing=thing(hit["thing"], reader), text=reader.text(hit["text"]))


def _clear(hit: re.Match[str], reader: Reader) -> Instruction:
    return SetField(thing=thing(hit["thing"], reader), text="")


def _choose(hit: re.Match[str], reader: Reader) -> Instruction:
    phrase = re.sub(r"^the\s+(?:option|entry|value|item)\s+", "", hit["option"], flags=re.IGNORECASE)
    place = hit.groupdict().get("thing")
    if place is None:
        found = thing(phrase, reader)
        if found.kind or found.relation or found.ordinal or found.window:
            return ClickOn(thing=found)
    literal = "" if "\x00" in hit[0] else hit[0].split(None, 1)[1]
    return Choose(option=reader.label(phrase), thing=thing(place, reader) if place else None, literal=literal)


def _tick(on: bool) -> Any:
    def build(hit: re.Match[str], reader: Reader) -> Instruction:
        return Tick(thing=thing(hit["thing"], reader), on=on)

    return build


def _press(hit: re.Match[str], reader: Reader) -> Instruction | None:
    phrase, named = hit["keys"], bool(hit["named"] or hit["after"])
    times = count(hit["times"])
    if reader.quoted(phrase):
        words = reader.label(phrase)
        # A single quoted character is a label (“5” on a calculator) unless it is called a key.
        if len(words.strip()) == 1 and not named:
            return ClickOn(thing=Thing(label=words))
    else:
        words = reader.source(phrase)
    combos = keys.sequence(words)
    if combos is not None:
        return Press(keys=combos, times=times)
    return None


def _press_thing(hit: re.Match[str], reader: Reader) -> Instruction:
    return ClickOn(thing=thing(hit["thing"], reader))


def _shortcut(hit: re.Match[str], reader: Reader) -> Instruction | None:
    combos = keys.sequence(_SHORTCUTS[" ".join(hit[0].casefold().split())])
    return Press(keys=combos) if combos else None


def _bare_key(hit: re.Match[str], reader: Reader) -> Instruction | None:
    """A key or combination alone in its line. A single character would be too little to go by."""
    words = hit["keys"].strip()
    combos = keys.sequence(words) if len(words) > 1 else None
    return Press(keys=combos) if combos else None


def _read(hit: re.Match[str], reader: Reader) -> Instruction:
    groups = hit.groupdict()
    place = thing(hit["thing"], reader)
    name = reader.label(groups["name"]) if groups.get("name") else (place.label or place.kind or "value")
    return ReadAs(thing=place, name=name)


def _remember(hit: re.Match[str], reader: Reader) -> Instruction:
    return Remember(text=reader.text(hit["text"]), name=reader.label(hit["name"]))


TEXT: tuple[Form, ...] = (
    form("|".join(_SHORTCUTS), _shortcut, "select all"),
    form(
        rf"{_TYPE}\s+(?:in\s+)?(?:the\s+)?(?:text\s+|words?\s+|following\s+)*(?P<text>{HOLE})\s+(?:into|in|to|"
        r"at|on)\s+(?P<thing>.+)",
        _type,
        "type “Ada” into “Name”",
    ),
    form(
        rf"{_TYPE}\s+(?:in\s+)?(?:the\s+)?(?:text|words?|following(?: text)?)?:?\s*(?P<text>{HOLE})",
        _type,
        "type “hello”",
    ),
    form(
        rf"{_TYPE}\s+(?:in)?to\s+(?P<thing>.+?)[:,]?\s+(?:the text\s+)?(?P<text>{HOLE})",
        _type,
        "type into “Name”: “Ada”",
    ),
    form(rf"{_TYPE}\s+(?P<text>\S.*)\s+into\s+(?P<thing>.+)", _type, "type Ada into Name"),
    form(r"(?:put|place)\s+(?P<text>\S.*?)\s+(?:in|into)\s+(?P<thing>.+)", _set, "put “Ada” into “Name”"),
    form(
        r"(?:fill|complete)(?:\s+(?:in|out|up))?\s+(?P<thing>.+?)\s+with\s+(?P<text>.+)",
        _set,
        "fill in “Name” with “Ada”",
    ),
    form(rf"fill\s+(?:in\s+)?(?P<text>{HOLE})\s+(?:in|into|for|as)\s+(?P<thing>.+)", _set, "fill in “Ada” for “Name”"),
    form(
        rf"(?:set|change|update)\s+(?:the\s+value\s+of\s+)?(?P<thing>{HOLE}.*?|\S.*?)\s+(?:to|=|as)\s+(?:the\s+"
        rf"value\s+(?={HOLE}))?(?P<text>.+)",
        _set,
        "set “Name” to “Ada”",
    ),
    form(
        r"replace\s+(?:the\s+(?:text|value|contents?)\s+(?:of|in)\s+)?(?P<thing>.+?)\s+(?:with|by)\s+(?P<text>.+)",
        _set,
        "replace the text in “Name” with “Ada”",
    ),
    form(
        r"(?:clear|empty|erase|delete the (?:text|contents?|value) (?:in|of|from))\s+(?:the\s+)?(?:text\s+"
        r"(?:in|of)\s+|contents?\s+of\s+)?(?P<thing>.+)",
        _clear,
        "clear “Name”",
    ),
    form(rf"{_TYPE}\s+(?P<text>\S.*)", _type, "type hello"),
)
CHOICES: tuple[Form, ...] = (
    form(
        rf"(?:choose|select|pick|set)\s+(?P<option>{HOLE}|\S.*?)\s+(?:in|from|for|under|out of)\s+(?P<thing>.+)",
        _choose,
        "choose “Poland” in “Country”",
    ),
    form(r"(?:choose|select|pick)\s+(?P<option>\S.*)", _choose, "choose “Poland”"),
    form(
        r"(?:untick|uncheck|un-tick|un-check|deselect|disable|turn off|switch off)\s+(?P<thing>.+)",
        _tick(False),
        "untick “Remember me”",
    ),
    form(r"(?:tick|check|enable|turn on|switch on)(?:\s+off)?\s+(?P<thing>.+)", _tick(True), "tick “Remember me”"),
    form(r"(?:turn|switch)\s+(?P<thing>.+?)\s+off", _tick(False), "turn “Sound” off"),
    form(r"(?:turn|switch)\s+(?P<thing>.+?)\s+on", _tick(True), "turn “Sound” on"),
    form(
        r"(?:press|hit|use|strike|send)\s+(?:the\s+)?(?P<named>(?:keys?|key combination|keyboard shortcut|"
        rf"shortcut|hotkey)\s+)?(?P<keys>{HOLE}|\S.*?)(?P<after>\s+keys?)?(?:\s+(?P<times>once|twice|thrice|"
        rf"{NUMBER}(?=\s+times?))(?:\s+times?)?)?",
        _press,
        "press ctrl+s",
    ),
    form(r"(?:press|push|hit)(?:\s+(?:on|down))?\s+(?P<thing>.+)", _press_thing, "press the button “OK”"),
)
KEYS_ALONE: tuple[Form, ...] = (form(r"(?P<keys>[\w+ -]{2,24})", _bare_key, "ctrl+s"),)
READING: tuple[Form, ...] = (
    form(
        r"(?:read|get|grab|extract|capture|note|copy|take|store|save|remember)\s+(?:down\s+"
        r")?(?P<thing>(?:the\s+)?(?:value|text|contents?)\s+(?:of|in|from)\s+.+?|(?:the\s+)?(?:field|text|"
        rf"display|label|cell|row)\b.*?)\s+{_AS}\s+{_NAME}",
        _read,
        "read the value of “Total” as total",
    ),
    form(
        rf"(?:remember|store|keep|save|note)\s+(?P<text>{HOLE})\s+{_AS}\s+{_NAME}",
        _remember,
        "remember “draft” as kind",
    ),
    form(
        rf"(?:read|get|grab|extract|capture|note|copy|remember|store)\s+(?P<thing>.+?)\s+{_AS}\s+{_NAME}",
        _read,
        "read “Total” as total",
    ),
    form(
        rf"(?:read|get|grab|extract|capture)\s+{_NAME}\s+(?:from|off|out of)\s+(?P<thing>.+)",
        _read,
        "read total from “Total”",
    ),
    form(r"(?:read|get|extract)\s+(?P<thing>.+)", _read, "read “Total”"),
)
