"""The values that can be called: closures of the program, functions of the library, and what is made of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .failure import LispFailure

Call = Callable[..., Any]


class Fn:
    """A function: `call(rt, *args)` checks the number of arguments and calls it."""

    __slots__ = ("call", "name")
    type_name = "function"

    def __init__(self, name: str, call: Call):
        self.name = name
        self.call = call


class Closure(Fn):
    """A function that the program made."""

    __slots__ = ("params",)

    def __init__(self, name: str, call: Call, params: str):
        super().__init__(name, call)
        self.params = params


class Builtin(Fn):
    """A function of the library: its argument lists say how many arguments it takes."""

    __slots__ = ("_counts", "_least", "arglists", "binary", "doc", "raw", "subject")

    def __init__(self, name: str, raw: Call, arglists: str, doc: str, subject: str, binary: Call | None = None):
        super().__init__(name, self._checked)
        self.raw = raw
        self.doc = doc
        self.subject = subject
        self.binary = binary
        self.arglists = tuple(one.strip() for one in arglists.split("|"))
        self._counts: set[int] = set()
        self._least: int | None = None
        for one in self.arglists:
            names = one.split()
            if "&" in names:
                self._least = names.index("&")
            else:
                self._counts.add(len(names))

    def accept(self, count: int) -> None:
        """Lets it be called with so many arguments too."""
        self._counts.add(count)

    def takes(self, count: int) -> bool:
        """Whether it can be called with so many arguments."""
        return count in self._counts or (self._least is not None and count >= self._least)

    def wrong_arity(self, count: int) -> LispFailure:
        """Says which numbers of arguments it takes."""
        if self._least is not None:
            least = min([self._least, *self._counts])
            plural = "" if least == 1 else "s"
            return LispFailure(
                "arity_error", f"{self.name} requires at least {least} argument{plural}, got {count}", op=self.name
            )
        expected = ", ".join(str(n) for n in sorted(self._counts))
        return LispFailure("arity_error", f"{self.name} expects {expected} argument(s), got {count}", op=self.name)

    def _checked(self, rt: Any, *args: Any) -> Any:
        if not self.takes(len(args)):
            raise self.wrong_arity(len(args))
        return self.raw(rt, *args)


class Shelf:
    """The functions of one subject, in the order in which they are written."""

    def __init__(self, subject: str):
        self.subject = subject
        self.rows: dict[str, Builtin] = {}

    def __call__(self, names: str, arglists: str, doc: str, binary: Call | None = None) -> Callable[[Call], Call]:
        """Puts the decorated function on the shelf under each of `names`."""

        def put(raw: Call) -> Call:
            for name in names.split():
                self.rows[name] = Builtin(name, raw, arglists, doc, self.subject, binary)
            return raw

        return put
