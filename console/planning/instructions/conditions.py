"""Reads the wording of a condition: visible, gone, is, contains, open, ticked, enabled."""

from __future__ import annotations

import re
from collections.abc import Callable

from .models import Condition, Thing
from .quoting import HOLE, Reader, Unreadable
from .things import thing

Builder = Callable[[re.Match[str], Reader], Condition]
_BE = r"(?:is|are|was|be|becomes?|gets?|has become)"
_WINDOW = (
    rf"(?:(?:a |an |the )?(?:window|dialog|dialogue)\s+(?:called |named |titled )?(?P<w1>{HOLE}|\S+?)"
    rf"|(?:the )?(?P<w2>{HOLE}|\S.*?)\s+(?:window|dialog|dialogue))"
)
_ACTIVE = r"(?:(?:the )?(?:active |current |front(?:most)? )?window(?:'s|’s)?(?: title)?|the title)"


def _window(kind: str, negated: bool) -> Builder:
    def build(hit: re.Match[str], reader: Reader) -> Condition:
        name = reader.label(hit["w1"] or hit["w2"])
        return Condition.model_validate({"kind": kind, "text": name, "negated": negated})

    return build


def _of_thing(kind: str, negated: bool = False) -> Builder:
    def build(hit: re.Match[str], reader: Reader) -> Condition:
        groups = hit.groupdict()
        is_not = negated != bool(groups.get("no"))
        text = reader.text(groups["text"]) if groups.get("text") else ""
        return Condition.model_validate(
            {"kind": kind, "thing": thing(hit["thing"], reader), "text": text, "negated": is_not}
        )

    return build


def _title(hit: re.Match[str], reader: Reader) -> Condition:
    return Condition(kind="window_active", text=reader.label(hit["text"]), negated=bool(hit["no"]))


_FORMS: tuple[tuple[str, Builder], ...] = (
    (rf"{_ACTIVE} (?:{_BE}|contains|says|reads) (?P<no>not )?(?:called |named |titled )?(?P<text>{HOLE})", _title),
    (
        rf"{_WINDOW} (?:{_BE} (?:not |no longer )(?:open|visible|shown|there)|{_BE} (?:closed|gone)|closes|"
        r"disappears|(?:has )?(?:closed|disappeared)|to (?:close|disappear|be (?:closed|gone)))",
        _window("window_open", True),
    ),
    (
        rf"{_WINDOW} (?:{_BE} (?:open|opened|visible|shown|there|present)|opens|appears|shows up|exists|"
        r"to (?:open|appear|be (?:open|visible)))",
        _window("window_open", False),
    ),
    (rf"{_WINDOW} {_BE} (?:active|focused|in front|in the foreground)", _window("window_active", False)),
    (
        rf"(?P<thing>.+?) (?:{_BE} (?:not|no longer) (?:visible|shown|displayed|there|present|"
        rf"on (?:the )?screen)|{_BE} (?:gone|hidden|closed|away|invisible)|(?:has |have )?(?:disappear(?:s|"
        r"ed)?|vanish(?:es|ed)?|gone away)|goes away|closes|does not exist|doesn't exist|to (?:disappear|"
        r"vanish|go away|close|be (?:gone|closed|hidden)))",
        _of_thing("visible", negated=True),
    ),
    (
        rf"(?P<thing>.+?) (?:{_BE} (?:visible|shown|displayed|there|present|open|on (?:the )?screen|available|"
        r"in view)|(?:has |have )?(?:appear(?:s|ed)?|shown? up|shows up|exists?|comes? into view|come up|"
        r"comes up|opens?)|can be seen|to (?:appear|show up|come up|open|be (?:visible|shown|there|open)))",
        _of_thing("visible"),
    ),
    (
        r"(?:I (?:can(?:no|')t|do not|don't) see|there (?:is|are) no|there should be no) (?P<thing>.+)",
        _of_thing("visible", negated=True),
    ),
    (
        r"(?:I (?:can )?see|you (?:can )?see|there (?:is|are|should be)|it (?:says|shows)|the screen (?:shows|"
        r"says)) (?P<thing>.+)",
        _of_thing("visible"),
    ),
    (
        rf"(?P<thing>.+?) {_BE} (?P<no>not )?(?:ticked|checked|switched on|turned on|on|selected|set)",
        _of_thing("ticked"),
    ),
    (
        rf"(?P<thing>.+?) {_BE} (?:unticked|unchecked|switched off|turned off|off|unselected)",
        _of_thing("ticked", negated=True),
    ),
    (rf"(?P<thing>.+?) {_BE} (?P<no>not )?(?:enabled|active|clickable)", _of_thing("enabled")),
    (rf"(?P<thing>.+?) {_BE} (?:disabled|inactive|gr[ea]yed out)", _of_thing("enabled", negated=True)),
    (rf"(?P<thing>.+?) {_BE} (?P<no>not )?empty", _of_thing("equals")),
    (
        r"(?P<thing>.+?) (?P<no>does not |doesn't )?(?:contains?|includes?|has the text|mentions?) (?P<text>.+)",
        _of_thing("contains"),
    ),
    (
        rf"(?P<thing>.+?) {_BE} (?P<no>not )?(?:equal to |exactly |now |set to )?(?P<text>{HOLE}|\S.*)",
        _of_thing("equals"),
    ),
    (
        r"(?P<thing>.+?) (?:equals|reads|says|shows|displays|has the value|==?|to be) (?P<text>.+)",
        _of_thing("equals"),
    ),
    (
        r"(?P<thing>.+?) (?P<no>does not |doesn't )(?:equal|read|say|show|have the value) (?P<text>.+)",
        _of_thing("equals"),
    ),
)
_COMPILED = tuple((re.compile(form, re.IGNORECASE), build) for form, build in _FORMS)


def condition(phrase: str, reader: Reader) -> Condition | None:
    """The condition that the masked phrase states, or None."""
    phrase = phrase.strip().rstrip("?")
    for form, build in _COMPILED:
        hit = form.fullmatch(phrase)
        if hit:
            try:
                return build(hit, reader)
            except Unreadable:
                continue
    return None


def visible(phrase: str, reader: Reader, *, negated: bool = False) -> Condition:
    """The phrase alone as the thing that is to be seen; “window X” and “dialog X” mean the window."""
    found = thing(phrase, reader)
    if found.kind in ("window", "dialog") and found.label:
        return Condition(kind="window_open", text=found.label, negated=negated)
    return Condition(kind="visible", thing=found or Thing(), negated=negated)
