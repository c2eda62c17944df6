"""What a running program holds: its definitions, its record, and its share of the limits."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from sys import getsizeof
from typing import Any

from .failure import LispFailure, type_failure
from .functions import Fn
from .graphemes import graphemes
from .host import Host
from .lookup import lookup
from .meter import BIG, BigMap, BigSet, BigVector, Meter
from .values import Keyword, LispSet, Var, decode, type_name

# Python allows a thread a thousand frames. Evaluation uses six hundred of them and leaves the rest to the library.
STACK_ROOM = 600
NATIVE_WEIGHT = 10
_PART = 8192


@dataclass(slots=True)
class Record:
    """What a program did, in order; it outlives every failure."""

    prints: list[str] = field(default_factory=list)
    tool_calls: list[Any] = field(default_factory=list)
    pmap_calls: list[Any] = field(default_factory=list)
    catalog_ops: list[Any] = field(default_factory=list)
    child_traces: list[str] = field(default_factory=list)
    child_steps: list[Any] = field(default_factory=list)
    summaries: dict[str, str] = field(default_factory=dict)

    def absorb(self, other: Record) -> None:
        """Takes over what a worker did with the world; what it printed or noted was its own."""
        self.tool_calls += other.tool_calls
        self.pmap_calls += other.pmap_calls
        self.catalog_ops += other.catalog_ops
        self.child_traces += other.child_traces
        self.child_steps += other.child_steps


class Runtime:
    """The state of one thread of evaluation."""

    __slots__ = (
        "cells",
        "defs",
        "depth",
        "fuel",
        "history",
        "host",
        "journal",
        "max_depth",
        "meter",
        "record",
        "room",
        "stops",
        "worker",
    )

    def __init__(self, meter: Meter, host: Host, defs: dict[str, Any], journal: dict[str, Any] | None):
        self.meter = meter
        self.host = host
        self.defs = defs
        self.journal = journal
        self.history: tuple[Any, ...] = ()
        self.record = Record()
        self.worker = False
        self.stops: tuple[threading.Event, ...] = ()
        self.max_depth = meter.limits.max_depth
        self.fuel = self.cells = self.depth = 0
        self.room = STACK_ROOM

    def fork(self, stop: threading.Event) -> Runtime:
        """A worker's state: a snapshot of the definitions and the journal, and a record of its own."""
        child = Runtime(self.meter, self.host, dict(self.defs), None if self.journal is None else dict(self.journal))
        child.history = self.history
        child.worker = True
        child.stops = (*self.stops, stop)
        child.depth = self.depth
        return child

    def keep_journal(self, child: Runtime) -> None:
        """Takes over the tasks that a worker finished, so that they are not done again."""
        if self.journal is not None:
            self.journal.update(child.journal or {})

    # Limits

    def spend(self, steps: int) -> None:
        """Counts evaluation steps; looks at the clock when a slice is used up."""
        self.fuel -= steps
        if self.fuel < 0:
            self.refuel()

    def refuel(self) -> None:
        for stop in self.stops:
            if stop.is_set():
                raise LispFailure("sibling_failed", "another worker failed")
        self.fuel = self.meter.take_steps(-self.fuel)

    def visit(self, items: int) -> None:
        """Counts a step, and the cells of what a walk makes of a collection of so many items."""
        self.spend(1 + items)
        self.charge(4 + items)

    def charge(self, cells: int) -> None:
        """Counts the cells of small values."""
        self.cells -= cells
        if self.cells < 0:
            self.cells = self.meter.take_cells(-self.cells)

    def make_room(self, cells: int) -> None:
        self.meter.make_room(cells)

    def enter(self, weight: int, fn: Callable[..., Any], *args: Any) -> Any:
        """Calls `fn` one level deeper; where this thread's stack is short the call goes on in a new thread."""
        if self.depth >= self.max_depth:
            raise LispFailure("recursion_limit_exceeded", f"calls are nested deeper than {self.max_depth} levels")
        self.depth += 1
        room = self.room
        try:
            if room < weight:
                return self.hop(fn, args)
            self.room = room - weight
            return fn(*args)
        finally:
            self.room = room
            self.depth -= 1

    def hop(self, fn: Callable[..., Any], args: Iterable[Any]) -> Any:
        """Calls `fn` on the fresh stack of a new thread, so that Python's own limit never decides."""
        outcome: list[Any] = []
        failed: list[BaseException] = []

        def run() -> None:
            try:
                outcome.append(fn(*args))
            except BaseException as error:  # noqa: BLE001 - raised again where it belongs
                failed.append(error)

        self.meter.check()
        self.room = STACK_ROOM
        try:
            thread = threading.Thread(target=run, name="lisp-stack", daemon=True)
            thread.start()
        except RuntimeError:
            raise LispFailure("recursion_limit_exceeded", "no stack is left for a deeper call") from None
        thread.join()
        if failed:
            raise failed[0]
        return outcome[0]

    # Values that count

    def vector(self, items: Sequence[Any]) -> tuple[Any, ...]:
        """A vector of `items`, counted."""
        count = len(items)
        if count < BIG:
            self.charge(count + 4)
            return tuple(items)
        self.spend(count >> 4)
        self.meter.grow(count)
        made = BigVector(items)
        made.meter = self.meter
        return made

    def map(self, entries: dict[Any, Any]) -> dict[Any, Any]:
        """A map of `entries`, whose keys are encoded; counted."""
        count = 4 * len(entries)
        if count < BIG:
            self.charge(count + 8)
            return entries
        self.spend(count >> 4)
        self.meter.grow(count)
        made: dict[Any, Any] = BigMap(entries)
        made.meter = self.meter  # type: ignore[attr-defined]
        made.cells = count  # type: ignore[attr-defined]
        return made

    def set(self, keys: Iterable[Any]) -> LispSet:
        """A set of encoded keys, counted."""
        made = LispSet(keys)
        count = 4 * len(made)
        if count < BIG:
            self.charge(count + 8)
            return made
        self.spend(count >> 4)
        self.meter.grow(count)
        big = BigSet()
        big.keys, big.meter, big.cells = made.keys, self.meter, count
        return big

    def text(self, text: str) -> str:
        """A string that was just made, counted."""
        self.charge((getsizeof(text) >> 5) + 1)
        return text

    def room_for_text(self, length: int) -> None:
        """Raises before a string of so many characters is made that no limit would allow."""
        if length > 256:
            self.meter.make_room(length >> 3)
            self.spend(length >> 8)

    # Calling and walking

    def callable(self, value: Any, op: str, position: int = 1) -> Callable[..., Any]:
        """What a higher-order function calls; a map is no function there, a set and a keyword are."""
        if isinstance(value, Fn):
            return value.call
        if isinstance(value, Keyword | LispSet):
            return self.head(value)
        held = self._held(value)
        if held is not value:
            return self.callable(held, op, position)
        return type_failure(f"{op}: arg {position} expected a function, got {type_name(value)}", op)

    def head(self, value: Any) -> Callable[..., Any]:
        """What the first place of a call form calls."""
        if isinstance(value, Fn):
            return value.call
        if isinstance(value, Keyword):
            return lambda rt, *args: _keyword_call(rt, value, args)
        if isinstance(value, dict):
            return lambda rt, *args: _map_call(rt, value, args)
        if isinstance(value, LispSet):
            return lambda rt, *args: _set_call(rt, value, args)
        held = self._held(value)
        if held is not value:
            return self.head(held)
        raise LispFailure("not_callable", f"{type_name(value)} is not callable")

    def _held(self, value: Any) -> Any:
        """What a var stands for; a var that leads to itself stands for nothing that could be called."""
        seen: set[str] = set()
        while isinstance(value, Var) and value.name not in seen:
            seen.add(value.name)
            value = self.defs.get(value.name)
        return value

    def seq(self, value: Any, op: str, position: int = 1) -> Sequence[Any]:
        """The items of anything that can be walked; its length is paid for in steps."""
        if isinstance(value, tuple):
            items: Sequence[Any] = value
        elif value is None:
            return ()
        elif isinstance(value, dict):
            items = [(decode(k), v) for k, v in value.items()]
        elif isinstance(value, str):
            items = graphemes(self, value)
        elif isinstance(value, LispSet):
            items = list(value)
        elif isinstance(value, Fn):
            return type_failure(f"{op}: expected a collection, got a function; the arguments may be swapped", op)
        else:
            return type_failure(f"{op}: arg {position} expected seqable, got {type_name(value)}", op)
        self.fuel -= len(items)
        if self.fuel < 0:
            self.refuel()
        return items

    def walk(self, value: Any, op: str, position: int = 1) -> Iterator[Sequence[Any]]:
        """The items of `seq` in parts. A function of the library costs no steps where a million items are handed to
        it, so the clock is looked at between two parts."""
        return self.parts(self.seq(value, op, position))

    def parts(self, items: Sequence[Any]) -> Iterator[Sequence[Any]]:
        """`items` in parts, with a look at the clock before each but the first."""
        yield items[:_PART]
        for start in range(_PART, len(items), _PART):
            self.refuel()
            yield items[start : start + _PART]


def _keyword_call(rt: Runtime, keyword: Keyword, args: tuple[Any, ...]) -> Any:
    if not 1 <= len(args) <= 2:
        raise LispFailure("invalid_keyword_call", f":{keyword.name} expects a map and perhaps a default")
    return lookup(rt, args[0], keyword, args[1] if len(args) == 2 else None)


def _map_call(rt: Runtime, entries: dict[Any, Any], args: tuple[Any, ...]) -> Any:
    if not 1 <= len(args) <= 2:
        raise LispFailure("invalid_map_call", f"a map expects a key and perhaps a default, got {len(args)} arguments")
    return lookup(rt, entries, args[0], args[1] if len(args) == 2 else None)


def _set_call(rt: Runtime, members: LispSet, args: tuple[Any, ...]) -> Any:
    if len(args) != 1:
        raise LispFailure("arity_error", f"a set expects 1 argument, got {len(args)}")
    return lookup(rt, members, args[0], None)
