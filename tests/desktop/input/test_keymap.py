"""Which key makes a character: by group and level of the layout, or by a key that is lent."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from console.desktop.input.keymap import Keymap, SpareKeys, Stroke

LESS, GREATER, ALPHA, CYRILLIC_A = ord("<"), ord(">"), ord("a"), 0x6C1
# keycode 10 ...: us "a", us ",<", us ".>", the 102nd key as a bare server has it, us/ru pair, and two without meaning
ROWS = [
    [ALPHA, ord("A"), 0, 0],
    [ord(","), LESS, 0, 0],
    [ord("."), GREATER, 0, 0],
    [LESS, GREATER, 0, 0],
    [ord("f"), ord("F"), CYRILLIC_A, 0x6E1],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
]


def test_the_level_is_found_together_with_the_key():
    keymap = Keymap(10, ROWS)
    assert keymap.stroke(ALPHA) == Stroke(10)
    assert keymap.stroke(ord("A")) == Stroke(10, shift=True)
    assert keymap.stroke(LESS) == Stroke(13)
    assert keymap.stroke(GREATER) == Stroke(12, shift=True)


def test_only_the_active_group_types():
    latin, russian = Keymap(10, ROWS, 0), Keymap(10, ROWS, 1)
    assert latin.stroke(CYRILLIC_A) is None
    assert russian.stroke(CYRILLIC_A) == Stroke(14)
    assert russian.stroke(ord("f")) is None


def test_a_shortcut_takes_its_key_from_any_group():
    russian = Keymap(10, ROWS, 1)
    assert russian.stroke(ord("f"), any_group=True) == Stroke(14)
    assert Keymap(10, ROWS, 0).stroke(CYRILLIC_A, any_group=True) == Stroke(14)


def test_a_key_without_a_second_group_has_its_first_in_all():
    assert Keymap(10, ROWS, 1).stroke(ALPHA) == Stroke(10)


def test_a_third_group_is_not_in_the_core_mapping_and_nothing_is_guessed():
    assert Keymap(10, ROWS, 2).stroke(ALPHA) is None
    assert Keymap(10, ROWS, 3).stroke(ALPHA, any_group=True) == Stroke(10)


def test_short_rows_are_no_error():
    assert Keymap(8, [[], [ALPHA]], 1).stroke(ALPHA) == Stroke(9)


def test_the_spare_keys_are_those_without_meaning_highest_first():
    assert Keymap(10, ROWS).spare() == [16, 15]


class Server:
    """Remembers what each keycode was told to mean."""

    def __init__(self) -> None:
        self.meaning: dict[int, int] = {}
        self.told: list[tuple[int, int]] = []

    def lend(self, keycode: int, symbol: int) -> None:
        self.meaning[keycode] = symbol
        self.told.append((keycode, symbol))


def test_a_lent_key_keeps_its_character():
    server = Server()
    spare = SpareKeys(server.lend)
    assert spare.prepare([0x1000100, 0x1000100], Keymap(10, ROWS))
    assert spare.stroke(0x1000100) == Stroke(16)
    assert spare.prepare([0x1000100, 0x1000200], Keymap(10, ROWS))
    assert spare.stroke(0x1000200) == Stroke(15)
    assert server.told == [(16, 0x1000100), (15, 0x1000200)]
    assert spare.lent == (16, 15)


def test_too_many_characters_change_nothing():
    server = Server()
    spare = SpareKeys(server.lend)
    assert not spare.prepare([1, 2, 3], Keymap(10, ROWS))
    assert server.told == []
    assert spare.stroke(1) is None


@given(st.lists(st.lists(st.integers(1, 30), max_size=6), max_size=12))
def test_two_characters_never_share_a_key_and_all_are_given_back(requests):
    server = Server()
    spare = SpareKeys(server.lend)
    keymap = Keymap(10, [[0] * 4] * 12)
    for symbols in requests:
        if spare.prepare(symbols, keymap):
            assert all(server.meaning[spare.stroke(s).keycode] == s for s in symbols)  # type: ignore[union-attr]
        assert len(set(spare.lent)) == len(spare.lent)
    spare.give_back()
    assert set(server.meaning.values()) <= {0}
    assert spare.lent == ()
