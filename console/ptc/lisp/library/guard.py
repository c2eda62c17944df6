"""What every arithmetic operation asks of its numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..failure import LispFailure, type_failure
from ..limits import INTEGER_BITS
from ..values import type_name

_SMALL = 1 << 256


def is_number(value: Any) -> bool:
    """Booleans are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def numbers(op: str, *values: Any) -> None:
    """Refuses what is no number."""
    for position, value in enumerate(values, 1):
        if not is_number(value):
            type_failure(f"{op}: arg {position} expected number, got {type_name(value)}", op)


def checked(value: Any) -> Any:
    """A number that was just made, unless it is longer than any number may be."""
    if isinstance(value, int) and not -_SMALL < value < _SMALL and value.bit_length() > INTEGER_BITS:
        raise too_long()
    return value


def finite(op: str, work: Callable[[], Any]) -> Any:
    """What `work` gives; a whole number may be too large to meet a float."""
    try:
        return work()
    except OverflowError:
        raise wrong(op, "a whole number is too large for a float") from None


def too_long() -> LispFailure:
    """A whole number has more digits than the memory of a program allows."""
    return LispFailure("memory_exceeded", f"a whole number is longer than {INTEGER_BITS} bits")


def wrong(op: str, message: str) -> LispFailure:
    """The numbers have no result."""
    return LispFailure("arithmetic_error", f"{op}: {message}", op=op)
