"""Finds the one JSON object in what a model wrote: with prose, fences and trailing commas, but never by guessing."""

from __future__ import annotations

import json
import re
from typing import Any

SNIPPET = 160
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")


class Unreadable(ValueError):
    """A reply that is no move; the message goes back to the model."""


def snippet(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= SNIPPET else flat[: SNIPPET - 1] + "…"


def the_object(text: str) -> dict[str, Any]:
    """The only object in the text. Raises `Unreadable` where there is none, or more than one that differ."""
    found: list[dict[str, Any]] = []
    problem = ""
    for piece in _pieces(text):
        try:
            value = _loads(piece)
        except (ValueError, RecursionError) as error:
            problem = str(error)
            continue
        if isinstance(value, dict) and value not in found:
            found.append(value)
    filled = [value for value in found if value] or found
    if len(filled) == 1:
        return filled[0]
    if filled:
        raise Unreadable(f"There are {len(filled)} JSON objects; answer with exactly one.")
    if problem:
        raise Unreadable(f"The JSON cannot be read ({problem}): {snippet(text)}")
    raise Unreadable(f"There is no JSON object in the answer: {snippet(text) or '(nothing)'}")


def _loads(piece: str) -> Any:
    try:
        return json.loads(piece)
    except ValueError:
        return json.loads(_without_trailing_commas(piece))


def _pieces(text: str) -> list[str]:
    """Each outermost {…}; an object that never ends is given as it is, so that its error is told."""
    pieces: list[str] = []
    depth, start, in_string, escaped = 0, 0, False, False
    for place, character in enumerate(text):
        if depth and in_string:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                in_string = False
        elif depth and character == '"':
            in_string = True
        elif character == "{":
            start = place if depth == 0 else start
            depth += 1
        elif character == "}" and depth:
            depth -= 1
            if depth == 0:
                pieces.append(text[start : place + 1])
    if depth:
        pieces.append(text[start:])
    return pieces


def _without_trailing_commas(piece: str) -> str:
    """Outside of strings only."""
    parts = re.split(r'("(?:[^"\\]|\\.)*")', piece)
    return "".join(part if place % 2 else _TRAILING_COMMA.sub(r"\1", part) for place, part in enumerate(parts))
