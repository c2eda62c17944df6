"""Whole numbers as rows of bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..failure import type_failure
from ..functions import Shelf
from ..limits import INTEGER_BITS
from ..runtime import Runtime
from ..values import type_name
from .guard import is_number, too_long

BITS = Shelf("numbers")


def _integer(op: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        shown = f"number {value}" if is_number(value) else type_name(value)
        return type_failure(f"{op}: expected an integer, got {shown}", op)
    return value


def _bits(name: str, doc: str, work: Callable[[int, int], int]) -> None:
    @BITS(name, "a b & more", doc)
    def fold(rt: Runtime, *values: Any) -> int:
        made = _integer(name, values[0])
        for value in values[1:]:
            made = work(made, _integer(name, value))
        return made

    # One argument alone is tolerated, so that its type is what the message is about.
    BITS.rows[name].accept(1)


_bits("bit-and", "Bits that are set in all numbers.", lambda a, b: a & b)
_bits("bit-or", "Bits that are set in any number.", lambda a, b: a | b)
_bits("bit-xor", "Bits that are set in one of two numbers.", lambda a, b: a ^ b)
_bits("bit-and-not", "Bits of the first that are not set in the others.", lambda a, b: a & ~b)


@BITS("bit-not", "n", "All bits turned over.")
def _bit_not(rt: Runtime, n: Any) -> Any:
    return ~_integer("bit-not", n)


def _place(op: str, n: Any) -> int:
    place = _integer(op, n)
    if place < 0:
        type_failure(f"{op}: expected a non-negative integer, got {place}", op)
    return place


def _shiftable(op: str, a: Any, n: Any) -> tuple[int, int]:
    number, place = _integer(op, a), _place(op, n)
    if number.bit_length() + place > INTEGER_BITS:
        raise too_long()
    return number, place


@BITS("bit-shift-left", "a n", "The bits moved n places up.")
def _shift_left(rt: Runtime, a: Any, n: Any) -> Any:
    number, place = _shiftable("bit-shift-left", a, n)
    rt.charge(place >> 6)
    return number << place


@BITS("bit-shift-right", "a n", "The bits moved n places down.")
def _shift_right(rt: Runtime, a: Any, n: Any) -> Any:
    return _integer("bit-shift-right", a) >> min(_place("bit-shift-right", n), INTEGER_BITS)


@BITS("bit-set", "a n", "The number with bit n set.")
def _bit_set(rt: Runtime, a: Any, n: Any) -> Any:
    number, place = _shiftable("bit-set", a, n)
    return number | (1 << place)


@BITS("bit-clear", "a n", "The number with bit n not set.")
def _bit_clear(rt: Runtime, a: Any, n: Any) -> Any:
    number, place = _shiftable("bit-clear", a, n)
    return number & ~(1 << place)


@BITS("bit-flip", "a n", "The number with bit n turned over.")
def _bit_flip(rt: Runtime, a: Any, n: Any) -> Any:
    number, place = _shiftable("bit-flip", a, n)
    return number ^ (1 << place)


@BITS("bit-test", "a n", "Whether bit n is set.")
def _bit_test(rt: Runtime, a: Any, n: Any) -> Any:
    return bool(_integer("bit-test", a) >> min(_place("bit-test", n), INTEGER_BITS) & 1)
