"""The analyser: from a form to a Python closure that evaluates it in a frame.

A program is analysed once; what runs is a tree of closures without any look at the forms. The closures run in a thread
of their own, so that a window in the main thread stays alive: every call and every jump counts a step, and a slice of
steps looks at the clock and at the flag of cancellation. A tool is marshalled to the loop of the host.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..failure import LispFailure
from ..functions import Builtin
from ..patterns import Regex
from ..reader import Form, Pattern, Quoted, Symbol, VarQuoted
from ..values import Keyword, SymbolRef, encode
from . import calls, names
from .scope import FnContext, Frame, Node, Scope

Handler = Callable[["Analyser", Form, Scope, "Target | None"], Node]
NEVER_SHADOWED = frozenset({"if", "def", "recur", "do"})


class Target:
    """Where `recur` jumps to: how many values it takes, and how they are bound."""

    __slots__ = ("arity", "bind", "used")

    def __init__(self, arity: int, bind: Callable[[Frame, list[Any]], None]):
        self.arity = arity
        self.bind = bind
        self.used = False


class Analyser:
    """Analyses the forms of one program."""

    def __init__(
        self,
        forms: Mapping[str, Handler],
        library: Mapping[str, Any],
        defined: set[str],
        tools: frozenset[str],
        check: Callable[[], None],
    ):
        self.forms = forms
        self.library = library
        self.defined = defined
        self.tools = tools
        self.data_names: set[str] = set()
        self.in_short_fn = False
        self._check = check
        self._count = 0

    def program(self, forms: list[Any]) -> tuple[Node, FnContext]:
        """The node of a whole program and the context of its frame."""
        self.defined |= _definitions(forms)
        fn = FnContext()
        return self.body(forms, Scope(fn), None), fn

    def spend(self, steps: int) -> None:
        """Constants are encoded here; their size is bounded by the text."""

    visit = spend

    def compile(self, form: Any, scope: Scope, target: Target | None = None) -> Node:
        """The node of `form`; `target` is set where the form is in tail position."""
        self._count += 1
        if self._count % 64 == 0:
            self._check()
        fn = scope.fn
        fn.go_deeper(1)
        try:
            if isinstance(form, Symbol):
                return names.symbol(self, form.name, scope)
            if isinstance(form, Form):
                return self._form(form, scope, target)
            return self._constant(form, scope)
        finally:
            fn.level -= 1

    def body(self, forms: list[Any] | tuple[Any, ...], scope: Scope, target: Target | None) -> Node:
        """The forms one after the other; the value is that of the last one."""
        if not forms:
            return lambda f: None
        *before, last = forms
        first = [self.compile(form, scope) for form in before]
        final = self.compile(last, scope, target)
        if not first:
            return final

        def run(f: Frame) -> Any:
            for node in first:
                node(f)
            return final(f)

        return run

    def _constant(self, form: Any, scope: Scope) -> Node:
        if isinstance(form, Pattern):
            self._check()
            regex = Regex(form.text)
            return lambda f: regex
        if isinstance(form, Quoted):
            ref = SymbolRef(form.name)
            return lambda f: ref
        if isinstance(form, VarQuoted):
            return names.symbol(self, form.name, scope)
        return lambda f: form

    def _form(self, form: Form, scope: Scope, target: Target | None) -> Node:
        if form.kind == "list":
            return self._list(form, scope, target)
        if form.kind == "fn":
            return self.forms["#()"](self, form, scope, target)
        items = [self.compile(item, scope) for item in form.items]
        if form.kind == "vector":
            return lambda f: f[0].vector([node(f) for node in items])
        if form.kind == "set":

            def make_set(f: Frame) -> Any:
                rt = f[0]
                return rt.set([encode(rt, node(f)) for node in items])

            return make_set
        pairs = list(zip(items[::2], items[1::2], strict=True))

        def make_map(f: Frame) -> Any:
            rt = f[0]
            made = {}
            for key, value in pairs:
                made[encode(rt, key(f))] = value(f)
            return rt.map(made)

        return make_map

    def _list(self, form: Form, scope: Scope, target: Target | None) -> Node:
        if not form.items:
            raise LispFailure("invalid_form", "() is no form; an empty vector is []")
        head = form.items[0]
        if isinstance(head, Symbol):
            name = head.name
            local = None if name in NEVER_SHADOWED else scope.find(name)
            if local is not None:
                return calls.dynamic(self, local, form.items[1:], scope)
            handler = self.forms.get(name)
            if handler is not None:
                return handler(self, form, scope, target)
            return names.call(self, name, form.items[1:], scope)
        if isinstance(head, Keyword):
            return calls.keyword(self, head, form.items[1:], scope)
        return calls.dynamic(self, self.compile(head, scope), form.items[1:], scope)

    def builtin(self, name: str) -> Builtin | None:
        """The function of the library that `name` means here, unless the program may define that name."""
        found = self.library.get(name)
        return found if isinstance(found, Builtin) and name not in self.defined else None


def _definitions(forms: list[Any]) -> set[str]:
    found: set[str] = set()
    stack = list(forms)
    while stack:
        form = stack.pop()
        if not isinstance(form, Form):
            continue
        stack.extend(form.items)
        if form.kind == "list" and len(form.items) > 1:
            head, name = form.items[0], form.items[1]
            if isinstance(head, Symbol) and head.name in {"def", "defn", "defonce"} and isinstance(name, Symbol):
                found.add(name.name)
    return found


def expect(condition: object, form: Form, usage: str, reason: str = "invalid_arity") -> None:
    """Refuses a special form that is not written as it must be."""
    if not condition:
        name = form.items[0].name if form.items and isinstance(form.items[0], Symbol) else "form"
        raise LispFailure(reason, f"{name}: expected {usage}", op=name)
