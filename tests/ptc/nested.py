"""Values of the language for Hypothesis: atoms, and what is built of them."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from console.ptc.lisp import Keyword, Limits, LispSet
from console.ptc.lisp.host import Host
from console.ptc.lisp.meter import Meter
from console.ptc.lisp.runtime import Runtime
from console.ptc.lisp.values import encode

QUIET = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
NAMES = st.from_regex(r"[a-z][a-z0-9*!?_-]{0,8}", fullmatch=True)
ATOMS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(codec="utf-8"), max_size=12)
    | NAMES.map(Keyword)
)


def runtime() -> Runtime:
    """What limits a walk through a value outside of a program."""
    return Runtime(Meter(Limits(), timeout_ms=10_000), Host(), {}, None)


def _map_of(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    return {encode(runtime(), key): value for key, value in pairs}


def _set_of(items: list[Any]) -> LispSet:
    return LispSet([encode(runtime(), item) for item in items])


def nested(more: st.SearchStrategy[Any] | None = None) -> st.SearchStrategy[Any]:
    """Atoms, some of another kind too, in vectors, maps and sets."""
    return st.recursive(
        ATOMS if more is None else ATOMS | more,
        lambda inner: (
            st.lists(inner, max_size=4).map(tuple)
            | st.lists(st.tuples(inner, inner), max_size=4).map(_map_of)
            | st.lists(inner, max_size=4).map(_set_of)
        ),
        max_leaves=12,
    )
