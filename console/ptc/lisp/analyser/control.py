"""What chooses and what names: `let`, `if` and its kin, `cond`, `case`, `and`, `or`."""

from __future__ import annotations

from typing import Any

from ..reader import Form, Symbol
from ..values import encode
from .binding import Bind, literal, pattern
from .core import Analyser, Handler, Target, expect
from .names import plain_symbol
from .scope import Frame, Node, Scope


def _let(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    bindings = form.items[1] if len(form.items) > 1 else None
    expect(
        isinstance(bindings, Form) and bindings.kind == "vector", form, "(let [name value ...] body)", "invalid_form"
    )
    assert isinstance(bindings, Form)
    expect(len(bindings.items) % 2 == 0, form, "names and values in pairs", "invalid_form")
    expect(len(form.items) >= 3, form, "a body")
    inner = scope
    steps: list[tuple[Node, Bind | None, int]] = []
    for left, right in zip(bindings.items[::2], bindings.items[1::2], strict=True):
        value = analyser.compile(right, inner)
        inner = inner.inner()
        name = plain_symbol(left)
        if name is None:
            steps.append((value, pattern(analyser, left, inner), 0))
        else:
            steps.append((value, None, inner.declare(name)))
    body = analyser.body(form.items[2:], inner, target)

    def run(f: Frame) -> Any:
        for value, bind, slot in steps:
            if bind is None:
                f[slot] = value(f)
            else:
                bind(f, value(f))
        return body(f)

    return run


def branch(test: Node, then: Node, otherwise: Node) -> Node:
    """Only nil and false are no."""

    def run(f: Frame) -> Any:
        value = test(f)
        return otherwise(f) if value is None or value is False else then(f)

    return run


def _nothing(f: Frame) -> Any:
    return None


def _if(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    expect(3 <= len(form.items) <= 4, form, "(if cond then else?)")
    return branch(*_branches(analyser, form, scope, target))


def _if_not(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    expect(3 <= len(form.items) <= 4, form, "(if-not cond then else?)")
    test, then, otherwise = _branches(analyser, form, scope, target)
    return branch(test, otherwise, then)


def _branches(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> tuple[Node, Node, Node]:
    items = form.items
    otherwise = analyser.compile(items[3], scope, target) if len(items) == 4 else _nothing
    return analyser.compile(items[1], scope), analyser.compile(items[2], scope, target), otherwise


def _when(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    expect(len(form.items) >= 3, form, "(when cond body ...)")
    test = analyser.compile(form.items[1], scope)
    return branch(test, analyser.body(form.items[2:], scope, target), _nothing)


def _when_not(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    expect(len(form.items) >= 3, form, "(when-not cond body ...)")
    test = analyser.compile(form.items[1], scope)
    return branch(test, _nothing, analyser.body(form.items[2:], scope, target))


def _bound(analyser: Analyser, form: Form, scope: Scope) -> tuple[Node, Scope, int]:
    """The value, the scope and the slot of `[name value]`."""
    bindings = form.items[1] if len(form.items) > 1 else None
    expect(isinstance(bindings, Form) and bindings.kind == "vector", form, "[name value]", "invalid_form")
    assert isinstance(bindings, Form)
    expect(len(bindings.items) == 2, form, "exactly one name and its value", "invalid_form")
    name = plain_symbol(bindings.items[0])
    expect(name is not None, form, "a plain name", "invalid_form")
    value = analyser.compile(bindings.items[1], scope)
    inner = scope.inner()
    return value, inner, inner.declare(str(name))


def _if_bound(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    some = _head(form) == "if-some"
    least = 4 if some else 3
    expect(least <= len(form.items) <= 4, form, "[name value] then else")
    value, inner, slot = _bound(analyser, form, scope)
    then = analyser.compile(form.items[2], inner, target)
    otherwise = analyser.compile(form.items[3], scope, target) if len(form.items) == 4 else _nothing
    return _choice(value, slot, then, otherwise, some=some)


def _when_bound(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    expect(len(form.items) >= 3, form, "[name value] body")
    value, inner, slot = _bound(analyser, form, scope)
    then = analyser.body(form.items[2:], inner, target)
    return _choice(value, slot, then, _nothing, some=_head(form) == "when-some")


def _choice(value: Node, slot: int, then: Node, otherwise: Node, *, some: bool) -> Node:
    def run(f: Frame) -> Any:
        made = value(f)
        if made is None or (made is False and not some):
            return otherwise(f)
        f[slot] = made
        return then(f)

    return run


def _when_first(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    expect(len(form.items) >= 3, form, "[name collection] body")
    value, inner, slot = _bound(analyser, form, scope)
    then = analyser.body(form.items[2:], inner, target)

    def run(f: Frame) -> Any:
        items = f[0].seq(value(f), "when-first")
        if not items:
            return None
        f[slot] = items[0]
        return then(f)

    return run


def _head(form: Form) -> str:
    return str(form.items[0].name)


def _cond(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    clauses = form.items[1:]
    expect(clauses and len(clauses) % 2 == 0, form, "tests and values in pairs", "invalid_cond_form")
    tests = [analyser.compile(test, scope) for test in clauses[::2]]
    values = [analyser.compile(value, scope, target) for value in clauses[1::2]]
    pairs = list(zip(tests, values, strict=True))

    def run(f: Frame) -> Any:
        for test, value in pairs:
            found = test(f)
            if found is not None and found is not False:
                return value(f)
        return None

    return run


def _case(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    expect(len(form.items) >= 2, form, "(case value constant result ... default?)")
    clauses = form.items[2:]
    default: Node = _nothing
    if len(clauses) % 2:
        default = analyser.compile(clauses[-1], scope, target)
        clauses = clauses[:-1]
    table: dict[Any, Node] = {}
    for constant, result in zip(clauses[::2], clauses[1::2], strict=True):
        grouped = isinstance(constant, Form) and constant.kind == "list"
        node = analyser.compile(result, scope, target)
        for one in constant.items if grouped else (constant,):
            expect(not isinstance(one, Symbol), form, "constants, and no names, to compare with", "invalid_form")
            table.setdefault(encode(analyser, literal(analyser, one)), node)
    value = analyser.compile(form.items[1], scope)
    return lambda f: table.get(encode(f[0], value(f)), default)(f)


def _condp(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    expect(len(form.items) >= 4, form, "(condp pred value test result ... default?)")
    clauses = form.items[3:]
    default: Node | None = None
    if len(clauses) % 2:
        default = analyser.compile(clauses[-1], scope, target)
        clauses = clauses[:-1]
    predicate, value = analyser.compile(form.items[1], scope), analyser.compile(form.items[2], scope)
    tests = [analyser.compile(test, scope) for test in clauses[::2]]
    results = [analyser.compile(result, scope, target) for result in clauses[1::2]]
    pairs = list(zip(tests, results, strict=True))

    def run(f: Frame) -> Any:
        rt = f[0]
        call = rt.callable(predicate(f), "condp")
        wanted = value(f)
        for test, result in pairs:
            found = call(rt, test(f), wanted)
            if found is not None and found is not False:
                return result(f)
        return None if default is None else default(f)

    return run


def _do(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    return analyser.body(form.items[1:], scope, target)


def _and(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    if len(form.items) == 1:
        return lambda f: True
    *before, last = form.items[1:]
    nodes = [analyser.compile(item, scope) for item in before]
    final = analyser.compile(last, scope, target)

    def run(f: Frame) -> Any:
        for node in nodes:
            value = node(f)
            if value is None or value is False:
                return value
        return final(f)

    return run


def _or(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    if len(form.items) == 1:
        return _nothing
    *before, last = form.items[1:]
    nodes = [_or_node(analyser, item, scope, None) for item in before]
    final = _or_node(analyser, last, scope, target)

    def run(f: Frame) -> Any:
        for node in nodes:
            value = node(f)
            if value is not None and value is not False:
                return value
        return final(f)

    return run


def _or_node(analyser: Analyser, form: Any, scope: Scope, target: Target | None) -> Node:
    """A name that nothing is bound to counts as nil: `(or counter 0)` is how a program starts counting."""
    name = plain_symbol(form)
    if name is None or scope.find(name) is not None or name[0] in "%*":
        return analyser.compile(form, scope, target)
    if name in analyser.defined or name not in analyser.library:
        fallback = analyser.library.get(name)
        return lambda f: f[0].defs.get(name, fallback)
    return analyser.compile(form, scope, target)


def _comment(analyser: Analyser, form: Form, scope: Scope, target: Target | None) -> Node:
    return _nothing


FORMS: dict[str, Handler] = {
    "let": _let,
    "if": _if,
    "if-not": _if_not,
    "when": _when,
    "when-not": _when_not,
    "if-let": _if_bound,
    "if-some": _if_bound,
    "when-let": _when_bound,
    "when-some": _when_bound,
    "when-first": _when_first,
    "cond": _cond,
    "case": _case,
    "condp": _condp,
    "do": _do,
    "and": _and,
    "or": _or,
    "comment": _comment,
}
