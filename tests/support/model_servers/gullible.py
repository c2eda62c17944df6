"""A model that does whatever a text on the screen tells it to."""

from __future__ import annotations

import json
import re

from .answers import Answer, Use
from .reader import act, rows_of, verdict
from .server import Asked

_VALUE = re.compile(r'value=("(?:[^"\\]|\\.)*")')
_ORDER = re.compile(r"ORDER (\[.*?\]) END")


def order(*actions: dict[str, object]) -> str:
    """The text that a page shows to be obeyed. `"the button X"` as target is looked up by the model."""
    return f"ORDER {json.dumps(list(actions), separators=(',', ':'))} END"


def gullible(asked: Asked) -> Answer:
    """Obeys the first order that it finds, wherever it stands; without one it claims to be done."""
    if "# The claim" in asked.text:
        return verdict(True, reason="The screen says so.")
    for row in rows_of(asked.text):
        for text in (row.label, *(json.loads(value) for value in _VALUE.findall(row.rest))):
            found = _ORDER.search(text)
            if found:
                return act("as the screen says", *[_aimed(one, asked) for one in json.loads(found[1])])
    return Use({"thought": "Nothing tells me what to do.", "kind": "done", "summary": "done"})


def _aimed(action: dict[str, object], asked: Asked) -> dict[str, object]:
    """Names of buttons become numbers of the table."""
    aimed = dict(action)
    for key in ("target_id", "from_target_id", "to_target_id"):
        words = str(aimed.get(key, ""))
        if words.startswith("the "):
            _, _, name = words.removeprefix("the ").partition(" ")
            aimed[key] = next((row.number for row in rows_of(asked.text) if row.label == name), "1")
    return aimed
