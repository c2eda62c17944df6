"""Names of keys: every way to write one means the same key, and an unknown one is an error, never silence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.contracts.errors import InputError
from console.desktop.input.keys import keysym, keysym_of, plain, split, why_blocked

SAME_KEY = [
    ("enter", 0xFF0D, ["Return", "return", "enter", "Enter", "ENTER", "Linefeed"]),
    ("pagedown", 0xFF56, ["Page_Down", "PageDown", "pagedown", "pgdn", "Next", "page down", "page-down"]),
    ("pageup", 0xFF55, ["Page_Up", "PageUp", "pgup", "Prior"]),
    ("ctrl", 0xFFE3, ["control", "Control", "ctrl", "Ctrl", "Control_L", "ctrlleft", "ControlLeft"]),
    ("super", 0xFFEB, ["super", "Super_L", "win", "winleft", "cmd", "command", "Meta", "MetaLeft", "windows"]),
    ("alt", 0xFFE9, ["alt", "Alt_L", "option", "AltLeft"]),
    ("altgr", 0xFE03, ["AltGr", "altright", "ISO_Level3_Shift", "AltRight"]),
    ("escape", 0xFF1B, ["esc", "Escape", "ESC"]),
    ("delete", 0xFFFF, ["del", "Delete"]),
    ("backspace", 0xFF08, ["BackSpace", "backspace", "Back_Space"]),
    ("left", 0xFF51, ["ArrowLeft", "left", "left arrow"]),
    ("f5", 0xFFC2, ["F5", "f5"]),
    ("f24", 0xFFD5, ["F24"]),
    ("space", 0x20, ["space", "spacebar", " "]),
    ("print", 0xFF61, ["PrintScreen", "prtsc", "Print", "prntscrn"]),
    ("kp7", 0xFFB7, ["KP_7", "num7", "Numpad7"]),
    ("kpenter", 0xFF8D, ["KP_Enter", "NumpadEnter"]),
    ("volumeup", 0x1008FF13, ["AudioVolumeUp", "XF86AudioRaiseVolume", "volumeup"]),
    ("a", 0x61, ["a", "KeyA"]),
    ("7", 0x37, ["7", "Digit7"]),
    ("/", 0x2F, ["slash", "/"]),
]


@pytest.mark.parametrize(
    ("name", "symbol", "spelling"), [(n, s, spelling) for n, s, spellings in SAME_KEY for spelling in spellings]
)
def test_every_spelling_is_the_same_key(name, symbol, spelling):
    assert plain(spelling) == name
    assert keysym(plain(spelling)) == symbol


@pytest.mark.parametrize(
    ("combo", "names"),
    [
        (["ctrl+s"], ["ctrl", "s"]),
        (["ctrl", "s"], ["ctrl", "s"]),
        (["Control+Shift+Page_Down"], ["ctrl", "shift", "pagedown"]),
        ([" ctrl + s "], ["ctrl", "s"]),
        (["ctrl++"], ["ctrl", "+"]),
        (["+"], ["+"]),
        (["++"], ["+"]),
        (["ctrl", "+"], ["ctrl", "+"]),
        (["ctrl+plus"], ["ctrl", "+"]),
        (["ctrl+minus"], ["ctrl", "-"]),
        ([" "], ["space"]),
        (["S"], ["S"]),
    ],
)
def test_a_combination_is_split_into_its_keys(combo, names):
    assert split(combo) == names


@pytest.mark.parametrize(
    ("combo", "hint"),
    [
        (["foo"], "Use a name"),
        (["ctrl+foo"], "Use a name"),
        (["pagdown"], "Did you mean pagedown"),
        (["entr"], "Did you mean enter"),
        (["f25"], "Did you mean f2"),
        ([], "Name one"),
        ([""], "Name one"),
        (["  "], "Name one"),
        (["ctrl", ""], ""),
        (["???"], ""),
    ],
)
def test_an_unknown_key_is_an_error_that_says_what_to_do(combo, hint):
    with pytest.raises(InputError) as raised:
        split(combo)
    assert hint in raised.value.hint


@given(st.text(max_size=12))
def test_a_name_is_a_key_or_an_error_and_nothing_else(name):
    hint, names = "", []
    try:
        names = split([name])
    except InputError as error:
        hint = error.hint
    assert bool(names) != bool(hint)
    assert all(keysym(part) > 0 for part in names)


@given(st.characters(exclude_categories=("Cc", "Cs")))
def test_a_character_is_its_own_key(character):
    expected = ord(character) if ord(character) < 0x100 else 0x1000000 | ord(character)
    assert keysym_of(character) == expected


def test_line_breaks_and_tabs_are_keys():
    assert [keysym_of(character) for character in "\n\r\t"] == [0xFF0D, 0xFF0D, 0xFF09]


@pytest.mark.parametrize(
    "combo",
    [
        "ctrl+alt+backspace",
        "Control_L+Alt_L+BackSpace",
        "ctrlright+alt+backspace",
        "ctrl+alt+delete",
        "alt+sysrq",
        "alt+PrintScreen",
        "ctrl+alt+F1",
        "ctrl+alt+F12",
        "shift+ctrl+alt+del",
    ],
)
def test_what_ends_the_session_is_never_sent(combo):
    assert why_blocked(split([combo]))


@pytest.mark.parametrize("combo", ["ctrl+c", "alt+F4", "ctrl+alt+t", "print", "ctrl+alt+right", "ctrl+alt+f", "f1"])
def test_other_shortcuts_are(combo):
    assert why_blocked(split([combo])) is None
