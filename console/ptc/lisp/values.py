"""The values of the language, and how they become keys that Python's dict and set can tell apart.

nil, booleans, numbers and strings are Python's own; a vector is a tuple, a map a dict, a set a `LispSet`. In Python
True == 1 == 1.0, and a tuple of them is equal too; in the language they are different keys. So a dict of the language
never has a boolean, a float or a collection for a key: such a key is `Boxed`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from .failure import LispFailure
from .limits import BIG_INTEGER, VALUE_DEPTH


class Ticker(Protocol):
    """What a walk through a value reports to, so that a small value with exponentially many paths ends in time."""

    def spend(self, steps: int) -> None: ...

    def visit(self, items: int) -> None: ...


class Keyword:
    """`:name`; equal by name."""

    __slots__ = ("_hash", "name")

    def __init__(self, name: str):
        self.name = name
        self._hash = hash((name, ":"))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Keyword) and other.name == self.name)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f":{self.name}"


class Boxed:
    """A key that Python would confuse with another, or could not hash."""

    __slots__ = ("_hash", "key", "value")

    def __init__(self, key: Any, value: Any):
        self.key = key
        self.value = value
        self._hash = hash(key)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Boxed) and self._hash == other._hash and self.key == other.key)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Boxed({self.value!r})"


class LispSet:
    """A set that keeps the order in which its members came. A dict that is given becomes its own."""

    __slots__ = ("keys",)

    def __init__(self, keys: Iterable[Any] = ()):
        self.keys: dict[Any, None] = keys if type(keys) is dict else dict.fromkeys(keys)

    def __len__(self) -> int:
        return len(self.keys)

    def __iter__(self) -> Iterator[Any]:
        return map(decode, self.keys)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LispSet) and self.keys == other.keys

    def __hash__(self) -> int:
        return hash(frozenset(self.keys))

    def __repr__(self) -> str:
        return f"LispSet({list(self)!r})"


class Var:
    """What `def` gives back: the name of what it defined."""

    __slots__ = ("name",)

    def __init__(self, name: str):
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Var) and other.name == self.name

    def __hash__(self) -> int:
        return hash(("#'", self.name))


class SymbolRef:
    """A quoted symbol, which only the discovery forms read."""

    __slots__ = ("name",)

    def __init__(self, name: str):
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SymbolRef) and other.name == self.name

    def __hash__(self) -> int:
        return hash(("'", self.name))


PLAIN = frozenset({str, int, Keyword, type(None)})
_TRUE = Boxed(("b", True), True)
_FALSE = Boxed(("b", False), False)


def encode(rt: Ticker, value: Any, depth: int = 0) -> Any:
    """`value` as a key of a dict of the language."""
    if type(value) is int and not -BIG_INTEGER < value < BIG_INTEGER:
        # Python's hash of large numbers is easy to guess, and a million of them could be made to collide.
        return Boxed(("i", value.to_bytes((value.bit_length() >> 3) + 1, "big", signed=True)), value)
    if type(value) in PLAIN or isinstance(value, Boxed):
        return value
    if isinstance(value, bool):
        return _TRUE if value else _FALSE
    if isinstance(value, float):
        return Boxed(("f", value), value)
    if not isinstance(value, tuple | dict | LispSet):
        return value
    if depth > VALUE_DEPTH:
        raise too_deep()
    rt.visit(len(value))
    if isinstance(value, tuple):
        return Boxed(("v", *[encode(rt, item, depth + 1) for item in value]), value)
    if isinstance(value, dict):
        return Boxed(("m", frozenset([(k, encode(rt, v, depth + 1)) for k, v in value.items()])), value)
    return Boxed(("s", frozenset(value.keys)), value)


def decode(key: Any) -> Any:
    """The value that `encode` made the key of."""
    return key.value if type(key) is Boxed else key


def too_deep() -> LispFailure:
    """A value is nested deeper than any walk through it may go."""
    return LispFailure("recursion_limit_exceeded", f"a value is nested deeper than {VALUE_DEPTH} levels")


def type_name(value: Any) -> str:
    """The name of a value's type as messages say it."""
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    if isinstance(value, Keyword):
        return "keyword"
    if isinstance(value, tuple):
        return "list"
    if isinstance(value, dict):
        return "map"
    if isinstance(value, LispSet):
        return "set"
    if isinstance(value, Var):
        return "var"
    if isinstance(value, SymbolRef):
        return "symbol"
    return str(getattr(value, "type_name", "value"))
