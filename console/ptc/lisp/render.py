"""Values as text: for `str`, for `pr-str` and for `println`."""

from __future__ import annotations

import math
from datetime import date, datetime, timedelta
from typing import Any, Protocol

from .equality import sort_values
from .failure import LispFailure
from .functions import Fn
from .limits import INTEGER_BITS, VALUE_DEPTH
from .patterns import Regex
from .values import Keyword, LispSet, SymbolRef, Var, decode, encode, too_deep

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"})
_DIGITS = 3900
_BITS = 13_000  # Python refuses to write much longer numbers in one go


class TextMaker(Protocol):
    """What limits the text that is made."""

    def spend(self, steps: int) -> None: ...

    def visit(self, items: int) -> None: ...

    def room_for_text(self, length: int) -> None: ...


class _Writer:
    """Writes one value; `shown` is the notation of println: map keys sorted, floats short."""

    def __init__(self, rt: TextMaker, *, shown: bool):
        self._rt = rt
        self._shown = shown
        self._parts: list[str] = []
        self._length = 0

    def text(self) -> str:
        return "".join(self._parts)

    def put(self, text: str) -> None:
        self._length += len(text)
        self._parts.append(text)
        if self._length > 4096 and len(self._parts) % 256 == 0:
            self._rt.room_for_text(self._length)

    def write(self, value: Any, depth: int = 0) -> None:
        if not isinstance(value, tuple | dict | LispSet):
            pay(self._rt, value)
            self.put(_quoted(value) if isinstance(value, str) else atom_text(value, shown=self._shown))
            return
        if depth > VALUE_DEPTH:
            raise too_deep()
        self._rt.visit(len(value))
        if isinstance(value, dict):
            self._map(value, depth)
            return
        opener, closer = ("[", "]") if isinstance(value, tuple) else ("#{", "}")
        self.put(opener)
        for index, item in enumerate(value):
            if index:
                self.put(" ")
            self.write(item, depth + 1)
        self.put(closer)

    def _map(self, value: dict[Any, Any], depth: int) -> None:
        self.put("{")
        keys = list(map(decode, value))
        if self._shown:
            keys = sort_values(self._rt, keys)
        for index, key in enumerate(keys):
            if index:
                self.put(" ")
            self.write(key, depth + 1)
            self.put(" ")
            self.write(value[encode(self._rt, key)], depth + 1)
        self.put("}")


def _quoted(text: str) -> str:
    return '"' + text.translate(_ESCAPES) + '"'


def float_text(value: float) -> str:
    """The shortest digits that read back as the same number."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    text = repr(value)
    if "e" not in text:
        return text
    mantissa, exponent = text.split("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}e{int(exponent)}"


def integer_text(value: int) -> str:
    """The decimal digits of a number of any length that a program may make."""
    if value.bit_length() > INTEGER_BITS:
        raise LispFailure("memory_exceeded", "a whole number has too many digits")
    if value.bit_length() < _BITS:
        return str(value)
    if value < 0:
        return "-" + integer_text(-value)
    digits = _DIGITS
    while 10 ** (2 * digits) <= value:
        digits *= 2
    high, low = divmod(value, 10**digits)
    return integer_text(high) + integer_text(low).rjust(digits, "0")


def atom_text(value: Any, *, shown: bool = False) -> str:
    """A value that holds no others, in the notation of the language."""
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return integer_text(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            return "##" + float_text(value).replace("Infinity", "Inf")
        return float_text(round(value, 10) if shown and abs(value) < 1e15 else value)
    if isinstance(value, Keyword):
        return f":{value.name}"
    if isinstance(value, Var):
        return f"#'{value.name}"
    if isinstance(value, SymbolRef):
        return value.name
    if isinstance(value, Regex):
        return f'#"{value.source}"'
    if isinstance(value, Fn):
        return f"#fn[{value.name}]"
    return moment_text(value)


def moment_text(value: Any) -> str:
    """A date, a moment or a span in ISO 8601."""
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return f"PT{value.total_seconds():g}S"
    return f"#<{type(value).__name__}>"


def pay(rt: TextMaker, value: Any) -> None:
    """Writing a long number takes time that grows with the square of its length."""
    if isinstance(value, int) and value.bit_length() > 4096:
        rt.spend(value.bit_length() >> 4)


def readable(rt: TextMaker, value: Any) -> str:
    """`(pr-str value)`."""
    writer = _Writer(rt, shown=False)
    writer.write(value)
    return writer.text()


def plain(rt: TextMaker, value: Any) -> str:
    """`(str value)`: nil is nothing, a string is itself, a collection reads as in a program."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return float_text(value)
    return readable(rt, value)


def shown(rt: TextMaker, value: Any) -> str:
    """`value` as println shows it."""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple) and value and all(isinstance(c, str) and len(c) == 1 for c in value):
        return "".join(value)
    writer = _Writer(rt, shown=True)
    writer.write(value)
    return writer.text()
