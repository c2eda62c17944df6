"""Reads the names of keys and key combinations."""

from __future__ import annotations

import re

_MODIFIERS = {
    "ctrl": "ctrl", "control": "ctrl", "strg": "ctrl", "shift": "shift", "alt": "alt", "option": "alt",
    "super": "super",
    "win": "super", "windows": "super", "meta": "super", "cmd": "super", "command": "super",
}  # fmt: skip
_KEYS = {
    "enter": "Enter", "return": "Enter", "escape": "Escape", "esc": "Escape", "tab": "Tab", "space": "Space",
    "spacebar": "Space", "space bar": "Space", "backspace": "Backspace", "delete": "Delete", "del": "Delete",
    "insert": "Insert", "ins": "Insert", "home": "Home", "end": "End", "page up": "PageUp", "pageup": "PageUp",
    "pgup": "PageUp", "page down": "PageDown", "pagedown": "PageDown", "pgdn": "PageDown", "pgdown": "PageDown",
    "up": "Up", "down": "Down", "left": "Left", "right": "Right", "arrow up": "Up", "arrow down": "Down",
    "arrow left": "Left", "arrow right": "Right", "up arrow": "Up", "down arrow": "Down", "left arrow": "Left",
    "right arrow": "Right", "print screen": "PrintScreen", "printscreen": "PrintScreen", "caps lock": "CapsLock",
    "capslock": "CapsLock", "plus": "+", "minus": "-", "comma": ",", "period": ".", "menu": "Menu",
    **{f"f{number}": f"F{number}" for number in range(1, 25)},
}  # fmt: skip
_SPLIT = re.compile(r"(?<=[^\s+])\s*\+\s*(?=\S)")
_DASHED = re.compile(rf"^(?:(?:{'|'.join(_MODIFIERS)})-)+\S+$", re.IGNORECASE)


def modifier(word: str) -> str | None:
    return _MODIFIERS.get(word.casefold())


def combo(phrase: str) -> tuple[str, ...] | None:
    """“ctrl + Shift+s”, “ctrl-s”, “Enter”, “a” as key names, or None if it names no key."""
    words = phrase.strip()
    if not words:
        return None
    parts = words.split("-") if _DASHED.match(words) else _SPLIT.split(words)
    held = [modifier(part.strip()) for part in parts[:-1]]
    if not all(held):
        return None
    last = parts[-1].strip()
    key = _KEYS.get(last.casefold()) or modifier(last)
    if key is None and len(last) == 1:
        key = last.casefold() if held else last
    return (*[m for m in held if m], key) if key else None


def sequence(phrase: str) -> tuple[tuple[str, ...], ...] | None:
    """Several, parted by commas or “and”."""
    parts = (
        re.split(r"\s*,\s*(?:and\s+|then\s+)?|\s+and\s+(?:then\s+)?", phrase.strip())
        if len(phrase.strip()) > 1
        else [phrase]
    )
    combos = [combo(re.sub(r"^(?:the\s+)?(.*?)(?:\s+key)?$", r"\1", part, flags=re.IGNORECASE)) for part in parts]
    return tuple(c for c in combos if c) if combos and all(combos) else None
