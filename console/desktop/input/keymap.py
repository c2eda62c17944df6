"""Which key, with which level, makes a character on the keyboard as it is set right now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

SHIFT_LEVEL = 1


@dataclass(frozen=True)
class Stroke:
    """A key to press, with Shift or without."""

    keycode: int
    shift: bool = False


class Keymap:
    """A copy of the core keyboard mapping.

    `rows` holds the keysyms of each keycode from `first` on: two levels of the first group, then two of the second.
    """

    def __init__(self, first: int, rows: Sequence[Sequence[int]], group: int = 0) -> None:
        self.first = first
        self.rows = [tuple(row) for row in rows]
        self.group = group

    def stroke(self, keysym: int, *, any_group: bool = False) -> Stroke | None:
        """The key for the keysym in the active group; with `any_group` also from another one, as shortcuts need it."""
        groups = [self.group, *((0, 1) if any_group else ())]
        for group in groups:
            if group > 1:
                continue
            for level in (0, SHIFT_LEVEL):
                for offset, row in enumerate(self.rows):
                    if _at(row, group, level) == keysym:
                        return Stroke(self.first + offset, shift=level == SHIFT_LEVEL)
        return None

    def spare(self) -> list[int]:
        """The keycodes without any meaning, highest first: those that a layout is least likely to want."""
        return [self.first + offset for offset, row in reversed(list(enumerate(self.rows))) if not any(row)]


def _at(row: Sequence[int], group: int, level: int) -> int:
    """A key without a second group has its first in all."""
    column = 2 * group + level
    if group and not any(row[2:4]):
        column = level
    return row[column] if column < len(row) else 0


class SpareKeys:
    """Lends keycodes without meaning to characters that the layout has not.

    A key that has been lent keeps its character as long as possible: an application that is slow to read its
    events must still find the character that was meant. `lend(keycode, keysym)` tells the server.
    """

    def __init__(self, lend: Callable[[int, int], None]) -> None:
        self._lend = lend
        self._lent: dict[int, int] = {}

    @property
    def lent(self) -> tuple[int, ...]:
        return tuple(self._lent.values())

    def prepare(self, keysyms: Sequence[int], keymap: Keymap) -> bool:
        """Have a key for each of the keysyms; false if there are not enough, and then nothing has changed."""
        free = [keycode for keycode in keymap.spare() if keycode not in self.lent]
        missing = [keysym for keysym in dict.fromkeys(keysyms) if keysym not in self._lent]
        if len(missing) > len(free):
            return False
        for keysym, keycode in zip(missing, free, strict=False):
            self._lend(keycode, keysym)
            self._lent[keysym] = keycode
        return True

    def check(self, first: int, rows: Sequence[Sequence[int]]) -> None:
        """Forget what the server does not know any more: a switch of the layout takes all lent meanings away."""
        self._lent = {keysym: key for keysym, key in self._lent.items() if tuple(rows[key - first][:1]) == (keysym,)}

    def stroke(self, keysym: int) -> Stroke | None:
        keycode = self._lent.get(keysym)
        return None if keycode is None else Stroke(keycode)

    def give_back(self) -> None:
        """Take the meaning from all lent keys."""
        for keycode in self._lent.values():
            self._lend(keycode, 0)
        self._lent.clear()
