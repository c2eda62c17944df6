"""Where names live: each function has one frame, and a nested function copies what it uses from outside.

A frame is a list: the runtime, the captured values, the function itself, its arguments, its local values. Nothing in
the language changes a local value from inside another function, so a copy is as good as the original.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from ..failure import LispFailure

Frame = list[Any]
Node = Callable[[Frame], Any]

FIRST_SLOT = 3
DEEPEST = 200


class FnContext:
    """What is known of a function while its body is analysed."""

    def __init__(self, outer: Scope | None = None):
        self.outer = outer
        self.size = FIRST_SLOT
        self.getters: list[Node] = []
        self.deepest = 0
        self.level = 0
        self._captured: dict[str, int] = {}

    def slot(self) -> int:
        """A new place in the frame."""
        self.size += 1
        return self.size - 1

    def go_deeper(self, levels: int) -> None:
        """The analysis goes down so many levels; whoever calls this comes up again."""
        self.level += levels
        self.deepest = max(self.deepest, self.level)
        if self.deepest > DEEPEST:
            raise LispFailure("parse_error", "one form is nested too deeply")

    @property
    def weight(self) -> int:
        """At most so many of Python's frames are on the stack while the body is evaluated, calls not counted."""
        return 2 * self.deepest + 8

    def capture(self, name: str) -> Node | None:
        """A node that reads `name` from outside of this function, if it is there."""
        if self.outer is None:
            return None
        index = self._captured.get(name)
        if index is None:
            getter = self.outer.find(name)
            if getter is None:
                return None
            index = len(self.getters)
            self._captured[name] = index
            self.getters.append(getter)
        return lambda f: f[1][index]


class Scope:
    """The names that can be seen at one place of the text."""

    __slots__ = ("fn", "names", "parent")

    def __init__(self, fn: FnContext, parent: Scope | None = None):
        self.fn = fn
        self.parent = parent
        self.names: dict[str, int] = {}

    def inner(self) -> Scope:
        """A scope inside this one."""
        return Scope(self.fn, self)

    def declare(self, name: str) -> int:
        """The slot of a new local name."""
        slot = self.fn.slot()
        self.names[name] = slot
        return slot

    def find(self, name: str) -> Node | None:
        """A node that reads the local `name`, or None where there is no such local."""
        scope: Scope | None = self
        while scope is not None:
            slot = scope.names.get(name)
            if slot is not None:
                return itemgetter(slot)
            scope = scope.parent
        return self.fn.capture(name)
