"""Functions made of functions."""

from __future__ import annotations

from typing import Any

from ..failure import type_failure
from ..functions import Call, Fn, Shelf
from ..runtime import NATIVE_WEIGHT, Runtime
from ..values import LispSet, type_name
from .sequences import yes

COMBINATORS = Shelf("combinators")


def _made(rt: Runtime, name: str, work: Call) -> Fn:
    """A function that goes one level deeper, for what is made of functions can be nested without any call form."""
    rt.charge(16)
    return Fn(name, lambda inner, *args: inner.enter(NATIVE_WEIGHT, work, inner, *args))


@COMBINATORS("identity", "value", "The value.")
def _identity(rt: Runtime, value: Any) -> Any:
    return value


@COMBINATORS("constantly", "value", "A function that always gives the value.")
def _constantly(rt: Runtime, value: Any) -> Any:
    return _made(rt, "constantly", lambda rt, *args: value)


@COMBINATORS("comp", "& fs", "A function that calls the last function, and the others with what comes of it.")
def _comp(rt: Runtime, *fs: Any) -> Any:
    if not fs:
        return COMBINATORS.rows["identity"]
    *outer, first = [rt.callable(f, "comp", index + 1) for index, f in enumerate(fs)]
    outer.reverse()

    def work(rt: Runtime, *args: Any) -> Any:
        value = first(rt, *args)
        for call in outer:
            value = call(rt, value)
        return value

    return _made(rt, "comp", work)


@COMBINATORS("partial", "f & args", "A function that calls f with these arguments before its own.")
def _partial(rt: Runtime, f: Any, *args: Any) -> Any:
    call = rt.head(f)
    return _made(rt, "partial", lambda rt, *more: call(rt, *args, *more))


@COMBINATORS("complement", "f", "A function that says no where f says yes.")
def _complement(rt: Runtime, f: Any) -> Any:
    call = rt.callable(f, "complement")
    return _made(rt, "complement", lambda rt, *args: not yes(call(rt, *args)))


@COMBINATORS("every-pred", "f & fs", "A function that says whether all functions say yes to all its arguments.")
def _every_pred(rt: Runtime, *fs: Any) -> Any:
    calls = [rt.callable(f, "every-pred", index + 1) for index, f in enumerate(fs)]
    return _made(rt, "every-pred", lambda rt, *args: all(yes(call(rt, arg)) for arg in args for call in calls))


@COMBINATORS("some-fn", "f & fs", "A function that gives the first yes of any function to any of its arguments.")
def _some_fn(rt: Runtime, *fs: Any) -> Any:
    calls = [rt.callable(f, "some-fn", index + 1) for index, f in enumerate(fs)]

    def work(rt: Runtime, *args: Any) -> Any:
        found: Any = None
        for arg in args:
            for call in calls:
                found = call(rt, arg)
                if yes(found):
                    return found
        return found

    return _made(rt, "some-fn", work)


@COMBINATORS("fnil", "f default & defaults", "A function that calls f with defaults where its arguments are nil.")
def _fnil(rt: Runtime, f: Any, *defaults: Any) -> Any:
    call = rt.callable(f, "fnil")

    def work(rt: Runtime, *args: Any) -> Any:
        filled = [defaults[i] if arg is None and i < len(defaults) else arg for i, arg in enumerate(args)]
        return call(rt, *filled)

    return _made(rt, "fnil", work)


@COMBINATORS("juxt", "f & fs", "A function that gives a vector of what each function gives.")
def _juxt(rt: Runtime, *fs: Any) -> Any:
    calls = [rt.callable(f, "juxt", index + 1) for index, f in enumerate(fs)]
    return _made(
        rt, "juxt", lambda rt, *args: rt.vector([call(rt, *args) for part in rt.parts(calls) for call in part])
    )


@COMBINATORS("apply", "f & args", "Calls f with the arguments, the last of which is a collection of arguments.")
def _apply(rt: Runtime, f: Any, *args: Any) -> Any:
    if not args or not isinstance(args[-1], tuple | dict | LispSet):
        got = type_name(args[-1]) if args else "nothing"
        type_failure(f"apply: the last argument must be a list, set or map, got {got}", "apply")
    return rt.head(f)(rt, *args[:-1], *rt.seq(args[-1], "apply", len(args) + 1))
