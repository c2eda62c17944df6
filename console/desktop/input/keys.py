"""The names of keys as X11, PyAutoGUI, Playwright and macOS write them, and the shortcuts that are never sent."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz import process

from console.contracts.errors import InputError

MODIFIERS = ("ctrl", "alt", "shift", "super")
# The X11 keysyms (keysymdef.h, XF86keysym.h) of keys that are not characters, by a plain name.
_NAMED: dict[str, int] = {
    "backspace": 0xFF08, "tab": 0xFF09, "enter": 0xFF0D, "pause": 0xFF13, "scrolllock": 0xFF14, "sysrq": 0xFF15,
    "escape": 0xFF1B, "home": 0xFF50, "left": 0xFF51, "up": 0xFF52, "right": 0xFF53, "down": 0xFF54, "pageup": 0xFF55,
    "pagedown": 0xFF56, "end": 0xFF57, "print": 0xFF61, "insert": 0xFF63, "menu": 0xFF67, "numlock": 0xFF7F,
    "capslock": 0xFFE5, "delete": 0xFFFF, "space": 0x20, "shift": 0xFFE1, "ctrl": 0xFFE3, "alt": 0xFFE9,
    "super": 0xFFEB,
    "altgr": 0xFE03, "kpenter": 0xFF8D, "kpadd": 0xFFAB, "kpsubtract": 0xFFAD, "kpmultiply": 0xFFAA, "kpdivide": 0xFFAF,
    "kpdecimal": 0xFFAE, "volumedown": 0x1008FF11, "volumemute": 0x1008FF12, "volumeup": 0x1008FF13,
    "playpause": 0x1008FF14,
    "mediastop": 0x1008FF15, "prevtrack": 0x1008FF16, "nexttrack": 0x1008FF17, "browserback": 0x1008FF26,
    "browserforward": 0x1008FF27, "browserrefresh": 0x1008FF29, "browsersearch": 0x1008FF1B, "browserhome": 0x1008FF18,
    "shiftright": 0xFFE2, "ctrlright": 0xFFE4, "superright": 0xFFEC,
    **{f"f{n}": 0xFFBE + n - 1 for n in range(1, 25)},
    **{f"kp{n}": 0xFFB0 + n for n in range(10)},
}  # fmt: skip
_ALIASES: dict[str, str] = {
    "return": "enter", "control": "ctrl", "controll": "ctrl", "ctrll": "ctrl", "ctrlleft": "ctrl",
    "controlleft": "ctrl",
    "controlr": "ctrlright", "ctrlr": "ctrlright", "controlright": "ctrlright", "shiftl": "shift", "shiftleft": "shift",
    "shiftr": "shiftright", "altl": "alt", "altleft": "alt", "option": "alt", "optionleft": "alt", "altr": "altgr",
    "altright": "altgr", "optionright": "altgr", "isolevel3shift": "altgr", "win": "super", "winleft": "super",
    "winright": "superright", "windows": "super", "cmd": "super", "command": "super", "meta": "super",
    "metaleft": "super",
    "superl": "super", "superr": "superright", "metaright": "superright", "esc": "escape", "del": "delete",
    "ins": "insert",
    "pgup": "pageup", "prior": "pageup", "pgdn": "pagedown", "next": "pagedown", "arrowleft": "left",
    "arrowright": "right",
    "arrowup": "up", "arrowdown": "down", "leftarrow": "left", "rightarrow": "right", "uparrow": "up",
    "downarrow": "down",
    "spacebar": "space", "caps": "capslock", "printscreen": "print", "prtsc": "print", "prtscr": "print",
    "prntscrn": "print",
    "apps": "menu", "contextmenu": "menu", "backtab": "tab", "linefeed": "enter", "numpadenter": "kpenter",
    "numenter": "kpenter",
    "add": "kpadd", "subtract": "kpsubtract", "multiply": "kpmultiply", "divide": "kpdivide", "decimal": "kpdecimal",
    "numpadadd": "kpadd", "numpadsubtract": "kpsubtract", "numpadmultiply": "kpmultiply", "numpaddivide": "kpdivide",
    "plus": "+", "minus": "-", "comma": ",", "period": ".", "dot": ".", "slash": "/", "backslash": "\\",
    "semicolon": ";",
    "equal": "=", "equals": "=", "grave": "`", "backquote": "`", "apostrophe": "'", "quote": "'", "bracketleft": "[",
    "bracketright": "]", "underscore": "_", "asterisk": "*", "hash": "#", "at": "@", "less": "<", "greater": ">",
    "audiovolumeup": "volumeup", "audiovolumedown": "volumedown", "audiovolumemute": "volumemute",
    "xf86audioraisevolume": "volumeup", "xf86audiolowervolume": "volumedown", "xf86audiomute": "volumemute",
    "mediaplaypause": "playpause", "xf86audioplay": "playpause", "medianexttrack": "nexttrack",
    "mediaprevioustrack": "prevtrack",
    **{f"num{n}": f"kp{n}" for n in range(10)}, **{f"numpad{n}": f"kp{n}" for n in range(10)},
    **{f"digit{n}": str(n) for n in range(10)}, **{f"key{c}": c for c in "abcdefghijklmnopqrstuvwxyz"},
}  # fmt: skip
_BLOCKED = (
    (frozenset({"ctrl", "alt", "backspace"}), "It ends the session."),
    (frozenset({"ctrl", "alt", "delete"}), "It may end the session."),
    (frozenset({"alt", "sysrq"}), "It can stop the machine."),
    (frozenset({"alt", "print"}), "It can stop the machine."),
)


def split(combo: Sequence[str]) -> list[str]:
    """The plain names of the keys of a combination, in order. Raises `InputError` for an unknown or empty name."""
    if not combo or not any(part.strip() or part == " " for part in combo):
        raise InputError("No key was named.", "Name one, such as Enter or ctrl+s.")
    return [plain(part) for entry in combo for part in _parts(entry)]


def plain(name: str) -> str:
    """One key: a plain name of the table, or a single character."""
    if len(name) == 1:
        return name if name != " " else "space"
    stripped = name.strip()
    if len(stripped) == 1:
        return stripped
    key = stripped.casefold().replace("_", "").replace("-", "").replace(" ", "")
    key = _ALIASES.get(key, key)
    if key in _NAMED or len(key) == 1:
        return key
    near = process.extractOne(key, [*_NAMED, *_ALIASES], score_cutoff=70) if key else None
    hint = f"Did you mean {near[0]}?" if near else "Use a name such as Enter, PageDown, F5 or ctrl+s."
    raise InputError(f"There is no key “{name}”.", hint)


def keysym(key: str) -> int:
    """The X11 keysym of a plain name or character."""
    return _NAMED[key] if key in _NAMED else keysym_of(key)


def keysym_of(character: str) -> int:
    """Latin-1 characters are their own keysyms; all others are their code point plus 0x1000000."""
    code = ord(character)
    if character in "\n\r":
        return _NAMED["enter"]
    if character == "\t":
        return _NAMED["tab"]
    return code if 0x20 <= code <= 0x7E or 0xA0 <= code <= 0xFF else 0x1000000 | code


def why_blocked(keys: Sequence[str]) -> str | None:
    """Why a combination is never sent, or None."""
    held = frozenset(key.removesuffix("right") if key != "right" else key for key in keys)
    for blocked, reason in _BLOCKED:
        if blocked <= held:
            return reason
    if {"ctrl", "alt"} <= held and any(key[:1] == "f" and key[1:].isdigit() for key in held):
        return "It leaves the desktop."
    return None


def _parts(entry: str) -> list[str]:
    """“ctrl+shift+s” in parts; a plus that is a key itself stays one."""
    text = entry if entry in (" ", "+") else entry.strip()
    if len(text) <= 1 or "+" not in text:
        return [text]
    if text.endswith("++"):
        return [*_parts(text[:-2]), "+"] if text != "++" else ["+"]
    return [part for part in text.split("+") if part.strip()] or ["+"]
