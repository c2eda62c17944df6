"""Keys as models name them. The desktop knows the names; here they are only taken apart."""

from __future__ import annotations

from collections.abc import Sequence

from console.contracts.action import Modifier
from console.contracts.actions import AnyAction, Key, KeyCombo

from ..models.reading import Unreadable

_MODIFIERS: dict[str, Modifier] = {
    "ctrl": "ctrl",
    "control": "ctrl",
    "shift": "shift",
    "alt": "alt",
    "option": "alt",
    "super": "super",
    "meta": "super",
    "cmd": "super",
    "command": "super",
    "win": "super",
}


def combination(words: str) -> AnyAction:
    """`ctrl+s`, `ctrl s` or `Return`. A plus at the end is the key itself."""
    text = words.strip()
    parts = [part for part in text.replace("++", "+plus").replace("+", " ").split() if part]
    if not parts:
        raise Unreadable("No key is named.")
    return keys_of(["+" if part == "plus" else part for part in parts])


def keys_of(names: Sequence[str]) -> AnyAction:
    """One key, or several pressed together."""
    if not names or not all(name.strip() for name in names):
        raise Unreadable("No key is named.")
    return Key(key=names[0]) if len(names) == 1 else KeyCombo(keys=tuple(names))


def modifiers_of(names: Sequence[str]) -> tuple[Modifier, ...]:
    """Raises `Unreadable` for a key that cannot be held during a click."""
    found: list[Modifier] = []
    for name in names:
        modifier = _MODIFIERS.get(name.strip().casefold())
        if modifier is None:
            raise Unreadable(f"“{name}” cannot be held; ctrl, shift, alt and super can.")
        if modifier not in found:
            found.append(modifier)
    return tuple(found)
