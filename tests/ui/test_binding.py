"""The binding itself: what the window stands on."""

from __future__ import annotations

import sys

from PySide6.QtCore import QObject, Signal

TIMES = 50


class _Bell(QObject):
    rung = Signal(int)


def test_saying_something_costs_no_reference() -> None:
    """PySide6 6.12.0 drops a reference to True with each signal: on Python 3.11 some ten thousand end the process."""
    bell = _Bell()
    before = sys.getrefcount(True)
    for number in range(TIMES):
        bell.rung.emit(number)
    assert sys.getrefcount(True) > before - TIMES // 2, "use PySide6-Essentials 6.11.1, or Python 3.12 and later"
