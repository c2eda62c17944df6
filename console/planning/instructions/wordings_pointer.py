"""The wordings of clicking, pointing, dragging, scrolling and menus."""

from __future__ import annotations

import re
from typing import Any, cast

from . import keys
from .forms import NUMBER, Form, count, form
from .models import ChooseMenu, ClickOn, Direction, DragTo, Instruction, PointAt, ScrollBy, ScrollUntil
from .quoting import HOLE, Reader
from .things import thing

_MODIFIER = r"(?:ctrl|control|shift|alt|super)"
_ARROW = re.compile(r"\s*(?:->|>|→|▸|➜|›|⇒)\s*")
_CLICK = r"(?:click|tap)(?:\s+on)?"
_TOWARDS = r"(?P<way>down|up|left|right)(?:wards?)?"
_BIG = 50
_PAGE = re.compile(r"(?:the )?(?:page|document|view|screen|window)", re.IGNORECASE)


def _click(**fields: Any) -> Any:
    def build(hit: re.Match[str], reader: Reader) -> Instruction | None:
        groups = hit.groupdict()
        held = tuple(
            m for word in re.findall(_MODIFIER, groups.get("mods") or "", re.IGNORECASE) if (m := keys.modifier(word))
        )
        values = {"thing": thing(hit["thing"], reader), "modifiers": held, **fields}
        if groups.get("button"):
            values["button"] = groups["button"].casefold()
        if groups.get("times"):
            values["count"] = min(count(groups["times"]), 3)
        return ClickOn.model_validate(values)

    return build


def _menu(hit: re.Match[str], reader: Reader) -> Instruction | None:
    groups = hit.groupdict()
    # A quoted whole like “File > Save As…” is a path as well.
    text = reader.label(hit["path"]) if reader.quoted(hit["path"]) else hit["path"]
    parts = [reader.label(part) for part in _ARROW.split(text)]
    if len(parts) < 2 or not all(parts):
        return None
    window = reader.label(groups["window"]) if groups.get("window") else ""
    return ChooseMenu(path=tuple(parts), window=window)


def _menu_of_two(hit: re.Match[str], reader: Reader) -> Instruction:
    return ChooseMenu(path=(reader.label(hit["menu"]), reader.label(hit["item"])))


def _open_menu(hit: re.Match[str], reader: Reader) -> Instruction:
    phrase = hit["thing"]
    return ClickOn(thing=thing(phrase if phrase.casefold().startswith("the ") else f"the {phrase}", reader))


def _scroll(hit: re.Match[str], reader: Reader) -> Instruction:
    groups = hit.groupdict()
    place = _place(groups.get("thing"))
    return ScrollBy(
        direction=_way(groups.get("way")),
        notches=count(groups.get("n"), 5),
        thing=thing(place, reader) if place else None,
    )


def _place(phrase: str | None) -> str | None:
    """“The page” is wherever the focus is."""
    return None if phrase is None or _PAGE.fullmatch(phrase.strip()) else phrase


def _scroll_to_end(hit: re.Match[str], reader: Reader) -> Instruction:
    way: Direction = "up" if hit["end"].casefold() in ("top", "start", "beginning") else "down"
    place = _place(hit["thing"])
    return ScrollBy(direction=way, notches=_BIG, thing=thing(place, reader) if place else None)


def _scroll_until(hit: re.Match[str], reader: Reader) -> Instruction:
    groups = hit.groupdict()
    inside = thing(groups["inside"], reader) if groups.get("inside") else None
    return ScrollUntil(thing=thing(hit["thing"], reader), direction=_way(groups.get("way")), inside=inside)


def _way(word: str | None) -> Direction:
    return cast(Direction, (word or "down").casefold())


def _drag(hit: re.Match[str], reader: Reader) -> Instruction:
    return DragTo(thing=thing(hit["from"], reader), onto=thing(hit["onto"], reader))


def _point(hit: re.Match[str], reader: Reader) -> Instruction:
    return PointAt(thing=thing(hit["thing"], reader))


MENUS: tuple[Form, ...] = (
    form(
        r"(?:choose|select|pick|open|click(?: on)?|use|go to|press|invoke)\s+(?:the\s+)?(?:menu\s+"
        r")?(?P<path>.+?>.+?|.+?(?:→|▸|➜|›|⇒).+?)(?:\s+(?:from|in) (?:the )?menu(?: bar)?)?(?:\s+"
        rf"in (?:the )?(?:window\s+)?(?P<window>{HOLE})(?: window)?)?",
        _menu,
        "choose File > Save As…",
    ),
    form(
        rf"(?:choose|select|pick|click(?: on)?|open)\s+(?:the\s+)?(?:menu\s+)?(?P<path>{HOLE})(?:\s+(?:from|"
        r"in) (?:the )?menu(?: bar)?)?",
        _menu,
        "choose “File > Save As…”",
    ),
    form(
        rf"(?:choose|select|pick|click(?: on)?)\s+(?P<item>{HOLE}|\S.*?)\s+(?:from|in)\s+the\s+"
        rf"(?:(?P<menu>{HOLE}|\S+)\s+menu)",
        _menu_of_two,
        "choose “Save” from the “File” menu",
    ),
    form(
        rf"(?:choose|select|pick|click(?: on)?)\s+(?P<item>{HOLE}|\S.*?)\s+(?:from|in)\s+the\s+menu\s+"
        rf"(?P<menu>{HOLE}|\S+)",
        _menu_of_two,
        "choose “Save” from the menu “File”",
    ),
    form(
        r"(?:open|show)\s+the\s+context menu\s+(?:of|for|on)\s+(?P<thing>.+)",
        _click(button="right"),
        "open the context menu of “report.txt”",
    ),
    form(
        r"open\s+(?P<thing>the\s+(?:context )?(?:menu|tab|link|item|row|folder|file|list|combo box|"
        rf"dropdown)\s+(?:{HOLE}|\S.*)|(?:the\s+)?(?:{HOLE}|\S.*)\s+(?:menu|tab|link|folder|file|list|"
        r"combo box|dropdown))",
        _open_menu,
        "open the “File” menu",
    ),
    form(
        r"(?:switch|go|change) to\s+(?P<thing>(?:the\s+)?(?:tab|page tab)\s+\S.*|(?:the\s+)?\S.*\s+tab)",
        _open_menu,
        "switch to the tab “Details”",
    ),
    form(
        r"(?:focus(?: on)?|put the (?:cursor|caret|focus) (?:in|into|on))\s+(?P<thing>(?:the\s+)?(?:field|"
        r"text field|box|entry|text area|editor)\b.*|.*\b(?:field|box|entry|area|editor|button|checkbox|link))",
        _open_menu,
        "focus the field “Name”",
    ),
)
POINTER: tuple[Form, ...] = (
    form(rf"double[- ]?{_CLICK}\s+(?P<thing>.+)", _click(count=2), "double-click “report.txt”"),
    form(rf"triple[- ]?{_CLICK}\s+(?P<thing>.+)", _click(count=3), "triple-click “Address”"),
    form(rf"(?P<button>right|middle|left)[- ]?{_CLICK}\s+(?P<thing>.+)", _click(), "right-click “report.txt”"),
    form(rf"(?P<mods>(?:{_MODIFIER}\s*[-+ ]\s*)+){_CLICK}\s+(?P<thing>.+)", _click(), "ctrl-click “Row 2”"),
    form(
        rf"{_CLICK}\s+(?P<thing>.+?)\s+(?:with|while holding|holding)\s+(?P<mods>{_MODIFIER}(?:\s*(?:\+|"
        rf"and)\s*{_MODIFIER})*)(?: (?:key )?(?:held|pressed)(?: down)?)?",
        _click(),
        "click “Row 2” while holding ctrl",
    ),
    form(
        rf"{_CLICK}\s+(?P<thing>.+?)\s+with the (?P<button>right|middle|left) (?:mouse )?button",
        _click(),
        "click “Row 2” with the right button",
    ),
    form(
        rf"hold (?:down )?(?P<mods>{_MODIFIER}(?:\s*(?:\+|and)\s*{_MODIFIER})*) and {_CLICK}\s+(?P<thing>.+)",
        _click(),
        "hold shift and click “Row 2”",
    ),
    form(
        r"click with the (?P<button>right|middle|left) (?:mouse )?button on\s+(?P<thing>.+)",
        _click(),
        "click with the right button on “Row 2”",
    ),
    form(
        r"click\s+(?P<times>twice|two times|three times|thrice)(?:\s+on)?\s+(?P<thing>.+)",
        _click(),
        "click twice on “Row 2”",
    ),
    form(r"click(?:\s+on)?\s+(?P<thing>.+?)\s+(?P<times>twice|thrice)", _click(), "click “Row 2” twice"),
    form(rf"{_CLICK}\s+(?P<thing>.+)", _click(), "click “Save”"),
    form(
        r"(?:hover(?:\s+(?:over|on|above))?|point(?:\s+(?:at|to))?|mouse over|move the (?:mouse|pointer|"
        r"cursor)(?: pointer)? (?:to|over|onto|on))\s+(?P<thing>.+)",
        _point,
        "hover over “Help”",
    ),
    form(
        r"drag(?:\s+and\s+drop)?\s+(?P<from>.+?)\s+(?:and drop (?:it )?)?(?:onto|on to|into|over|to|on)\s+(?P<onto>.+)",
        _drag,
        "drag “report.txt” onto “Archive”",
    ),
    form(
        rf"scroll(?:\s+(?:the )?(?:page|view|list|window))?(?:\s+{_TOWARDS})?(?:\s+in\s+(?P<inside>.+?))?\s+"
        r"(?:until|till)\s+(?:you see |I see )?(?P<thing>.+?)(?:\s+(?:is|are|becomes?|comes?|appears?|"
        r"can be)\s*(?:visible|shown|seen|into view|in view|on (?:the )?screen|there)?)?",
        _scroll_until,
        "scroll down until “Terms” is visible",
    ),
    form(
        r"scroll(?:\s+(?:the )?(?:page|view|list|window))?\s+to\s+the\s+(?P<end>bottom|top|end|start|"
        r"beginning)(?:\s+(?:of|in)\s+(?P<thing>.+))?",
        _scroll_to_end,
        "scroll to the bottom",
    ),
    form(rf"scroll\s+(?:{_TOWARDS}\s+)?to\s+(?P<thing>.+)", _scroll_until, "scroll to “Terms”"),
    form(r"(?:scroll|bring)\s+(?P<thing>.+?)\s+into view", _scroll_until, "scroll “Terms” into view"),
    form(
        rf"scroll(?:\s+(?:the )?(?:page|view|list|window))?\s+{_TOWARDS}(?:\s+by)?"
        rf"(?:\s+a (?:bit|little)|\s+(?P<n>{NUMBER}))?(?:\s+"
        r"(?:notch(?:es)?|times?|steps?|lines?|clicks?|pages?))?(?:\s+(?:in|on|within|inside)\s+"
        r"(?P<thing>.+))?",
        _scroll,
        "scroll down 3",
    ),
    form(
        rf"scroll(?:\s+in)\s+(?P<thing>.+?)\s+{_TOWARDS}(?:\s+by)?(?:\s+(?P<n>{NUMBER}))?(?:\s+(?:notch(?:es)?|"
        r"times?|steps?|lines?))?",
        _scroll,
        "scroll in the list down 3",
    ),
)
