"""Finds the files that ship with the console, in a checkout and in an installed wheel alike."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_PLACES = (_PACKAGE / "_resources", _PACKAGE.parent / "resources")


def resource(name: str) -> Path:
    """The path of a shipped file or folder, by its name below `resources/`, such as ``practice/goal.txt``."""
    for place in _PLACES:
        if (place / name).exists():
            return place / name
    raise FileNotFoundError(f"{name} is missing from the resources of this installation: install the console again.")
