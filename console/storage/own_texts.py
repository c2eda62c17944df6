"""The texts that ship with the console, or the operator's own version of them beside the settings."""

from __future__ import annotations

from console.resources import resource

from .folders import config_folder


def text(name: str) -> str:
    """By its name below `resources/`, such as ``prompts/decide.md``. The operator's own file wins, if there is one."""
    own = config_folder() / name
    try:
        return own.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return resource(name).read_text(encoding="utf-8")
