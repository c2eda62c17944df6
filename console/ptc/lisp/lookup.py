"""Finding a value under a key: exactly, then as keyword or string, then with `_` for `-`."""

from __future__ import annotations

from typing import Any

from .values import PLAIN, Keyword, LispSet, Ticker, decode, encode

MISSING = object()


def find_key(rt: Ticker, entries: dict[Any, Any], key: Any) -> Any:
    """The encoded key under which `key` is found, or MISSING."""
    encoded = encode(rt, key)
    if encoded in entries:
        return encoded
    if isinstance(key, Keyword):
        name: str = key.name
        other: str | Keyword = name
    elif isinstance(key, str):
        name, other = key, Keyword(key)
    else:
        return MISSING
    if other in entries:
        return other
    if "-" in name:
        plain = name.replace("-", "_")
        for candidate in (plain, Keyword(plain)):
            if candidate in entries:
                return candidate
    return MISSING


def lookup(rt: Ticker, holder: Any, key: Any, default: Any) -> Any:
    """`(get holder key default)`: what holds nothing gives the default."""
    if isinstance(holder, dict):
        if type(key) in PLAIN and key in holder:
            return holder[key]
        found = find_key(rt, holder, key)
        return default if found is MISSING else holder[found]
    if isinstance(holder, LispSet):
        encoded = encode(rt, key)
        return decode(encoded) if encoded in holder.keys else default
    if isinstance(holder, tuple | str) and isinstance(key, int) and not isinstance(key, bool):
        return holder[key] if 0 <= key < len(holder) else default
    return default
