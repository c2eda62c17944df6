"""Arithmetic and comparison."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from ..equality import compare, equal
from ..functions import Shelf
from ..limits import INTEGER_BITS
from ..runtime import Runtime
from .guard import checked, finite, is_number, numbers, too_long, wrong

NUMBERS = Shelf("numbers")
_FAST = 1 << 62


def _sum_of_two(rt: Runtime, a: Any, b: Any) -> Any:
    if type(a) is int and type(b) is int:
        made = a + b
        return made if -_FAST < made < _FAST else checked(made)
    numbers("+", a, b)
    return finite("+", lambda: a + b)


def _difference_of_two(rt: Runtime, a: Any, b: Any) -> Any:
    if type(a) is int and type(b) is int:
        made = a - b
        return made if -_FAST < made < _FAST else checked(made)
    numbers("-", a, b)
    return finite("-", lambda: a - b)


def _product_of_two(rt: Runtime, a: Any, b: Any) -> Any:
    if type(a) is int and type(b) is int:
        if -_FAST < a < _FAST and -_FAST < b < _FAST:
            return a * b
        bits = a.bit_length() + b.bit_length()
        if bits > INTEGER_BITS:
            raise too_long()
        rt.spend(1 + (bits >> 10))
        rt.charge(bits >> 6)
        return a * b
    numbers("*", a, b)
    return finite("*", lambda: a * b)


@NUMBERS("+ +'", "& numbers", "The sum.", _sum_of_two)
def _add(rt: Runtime, *values: Any) -> Any:
    if values == (None,):
        return None  # alone it is passed on, as in Clojure
    total: Any = 0
    numbers("+", *values)
    for value in values:
        rt.spend(1)
        total = _sum_of_two(rt, total, value)
    return total


@NUMBERS("- -'", "number & numbers", "The first number less the others, or its negative.", _difference_of_two)
def _subtract(rt: Runtime, *values: Any) -> Any:
    numbers("-", *values)
    if len(values) == 1:
        return -values[0]
    total = values[0]
    for value in values[1:]:
        total = _difference_of_two(rt, total, value)
    return total


@NUMBERS("* *'", "& numbers", "The product.", _product_of_two)
def _multiply(rt: Runtime, *values: Any) -> Any:
    if values == (None,):
        return None
    numbers("*", *values)
    total: Any = 1
    for value in values:
        rt.spend(1)
        total = _product_of_two(rt, total, value)
    return total


@NUMBERS("/", "number & numbers", "The quotient, always a float; the whole number zero cannot divide.")
def _divide(rt: Runtime, *values: Any) -> Any:
    numbers("/", *values)
    if len(values) == 1:
        values = (1, *values)
    total = values[0]
    for value in values[1:]:
        total = _quotient(total, value)
    return total


def _quotient(a: Any, b: Any) -> float:
    if b == 0:
        if isinstance(b, int):
            raise wrong("/", "division by zero")
        if a > 0:
            return math.copysign(math.inf, b)
        return math.copysign(math.inf, -b) if a < 0 else math.nan
    return float(finite("/", lambda: a / b))


def _divisible(rt: Runtime, op: str, a: Any, b: Any) -> None:
    numbers(op, a, b)
    if isinstance(a, int) and isinstance(b, int):
        rt.spend(a.bit_length() * b.bit_length() >> 18)
    if b == 0:
        raise wrong(op, "division by zero")


def _endless(*numbers: Any) -> bool:
    return any(isinstance(number, float) and not math.isfinite(number) for number in numbers)


@NUMBERS("quot", "a b", "The quotient without its fraction.")
def _quot(rt: Runtime, a: Any, b: Any) -> Any:
    _divisible(rt, "quot", a, b)
    if _endless(a, b):
        raise wrong("quot", "the numbers must be finite")
    if isinstance(a, int) and isinstance(b, int):
        return -(-a // b) if (a < 0) != (b < 0) else a // b
    quotient = _quotient(a, b)
    return float(math.trunc(quotient)) if math.isfinite(quotient) else quotient


@NUMBERS("rem", "a b", "The remainder, with the sign of a.")
def _rem(rt: Runtime, a: Any, b: Any) -> Any:
    _divisible(rt, "rem", a, b)
    if _endless(a, b):
        return math.nan
    return (
        a - b * _quot(rt, a, b) if isinstance(a, int) and isinstance(b, int) else finite("rem", lambda: math.fmod(a, b))
    )


@NUMBERS("mod", "a b", "The remainder, with the sign of b.")
def _mod(rt: Runtime, a: Any, b: Any) -> Any:
    _divisible(rt, "mod", a, b)
    if _endless(a, b):
        return math.nan
    return finite("mod", lambda: a % b)


@NUMBERS("inc", "n", "One more.")
def _inc(rt: Runtime, n: Any) -> Any:
    return _sum_of_two(rt, n, 1)


@NUMBERS("dec", "n", "One less.")
def _dec(rt: Runtime, n: Any) -> Any:
    return _difference_of_two(rt, n, 1)


@NUMBERS("abs", "n", "The number without its sign.")
def _abs(rt: Runtime, n: Any) -> Any:
    numbers("abs", n)
    return abs(n)


@NUMBERS("max", "number & numbers", "The greatest number.")
def _max(rt: Runtime, *values: Any) -> Any:
    numbers("max", *values)
    return math.nan if any(isinstance(value, float) and math.isnan(value) for value in values) else max(values)


@NUMBERS("min", "number & numbers", "The least number.")
def _min(rt: Runtime, *values: Any) -> Any:
    numbers("min", *values)
    return math.nan if any(isinstance(value, float) and math.isnan(value) for value in values) else min(values)


def _whole(op: str, n: Any, make: Callable[[Any], int]) -> int | float:
    """What is infinite or NaN stays what it is, as in all arithmetic but `int`."""
    numbers(op, n)
    return n if isinstance(n, float) and not math.isfinite(n) else make(n)


@NUMBERS("floor", "n", "The whole number not above n.")
def _floor(rt: Runtime, n: Any) -> Any:
    return _whole("floor", n, math.floor)


@NUMBERS("ceil", "n", "The whole number not below n.")
def _ceil(rt: Runtime, n: Any) -> Any:
    return _whole("ceil", n, math.ceil)


def _half_away(n: Any) -> int:
    return n if isinstance(n, int) else int(math.copysign(math.floor(abs(n) + 0.5), n))


@NUMBERS("round", "n", "The nearest whole number; a half goes away from zero.")
def _round(rt: Runtime, n: Any) -> Any:
    return _whole("round", n, _half_away)


@NUMBERS("trunc", "n", "The number without its fraction.")
def _trunc(rt: Runtime, n: Any) -> Any:
    return _whole("trunc", n, math.trunc)


@NUMBERS("int long", "n", "The number without its fraction, as a whole number.")
def _int(rt: Runtime, n: Any) -> Any:
    made = _whole("int", n, math.trunc)
    if isinstance(made, float):
        raise wrong("int", "Infinity and NaN are no whole numbers")
    return made


@NUMBERS("float double", "n", "The number as a float.")
def _float(rt: Runtime, n: Any) -> Any:
    numbers("double", n)
    return finite("double", lambda: float(n))


@NUMBERS("sqrt", "n", "The square root; NaN of a negative number.")
def _sqrt(rt: Runtime, n: Any) -> Any:
    numbers("sqrt", n)
    return math.nan if n < 0 else finite("sqrt", lambda: math.sqrt(n))


@NUMBERS("pow", "base exponent", "The power, a float.")
def _pow(rt: Runtime, base: Any, exponent: Any) -> Any:
    numbers("pow", base, exponent)
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return math.inf
    except ValueError:  # zero to a negative power, or the root of a negative number
        return math.inf if base == 0 else math.nan


def _equal_two(rt: Runtime, a: Any, b: Any) -> bool:
    return equal(rt, a, b)


@NUMBERS("=", "a & more", "Whether all are the same; 1 and 1.0 are.", _equal_two)
def _equal(rt: Runtime, first: Any, *more: Any) -> Any:
    return all(equal(rt, first, other) for other in more)


@NUMBERS("not=", "a & more", "Whether some differ.")
def _not_equal(rt: Runtime, first: Any, *more: Any) -> Any:
    return not _equal(rt, first, *more)


@NUMBERS("==", "number & numbers", "Whether all numbers are the same.")
def _same_numbers(rt: Runtime, *values: Any) -> Any:
    numbers("==", *values)
    return all(value == values[0] for value in values)


def _ordered(names: str, doc: str, holds: Callable[[int], bool], fast: Callable[[Any, Any], bool]) -> None:
    def two(rt: Runtime, a: Any, b: Any) -> bool:
        if type(a) is int and type(b) is int:
            return fast(a, b)
        if is_number(a) and is_number(b):
            return fast(a, b)  # false with NaN, as IEEE 754 has it
        return holds(compare(rt, a, b))

    @NUMBERS(names, "a & more", doc, two)
    def chain(rt: Runtime, *values: Any) -> bool:
        return all(two(rt, a, b) for a, b in pairwise(values))


_ordered("<", "Whether each is less than the next.", lambda order: order < 0, lambda a, b: a < b)
_ordered(">", "Whether each is greater than the next.", lambda order: order > 0, lambda a, b: a > b)
_ordered("<=", "Whether none is greater than the next.", lambda order: order <= 0, lambda a, b: a <= b)
_ordered(">=", "Whether none is less than the next.", lambda order: order >= 0, lambda a, b: a >= b)
