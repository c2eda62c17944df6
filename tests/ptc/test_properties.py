"""What holds for every value and every program."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from console.ptc.lisp import Keyword, Limits, LispSet, run, validate
from console.ptc.lisp.analyser.forms import special_forms
from console.ptc.lisp.functions import Builtin
from console.ptc.lisp.host import Host
from console.ptc.lisp.library.catalogue import LIBRARY
from console.ptc.lisp.meter import Meter
from console.ptc.lisp.render import readable
from console.ptc.lisp.runtime import Runtime
from console.ptc.lisp.values import encode

from .vectors import plain

_QUIET = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
_NAMES = st.from_regex(r"[a-z][a-z0-9*!?_-]{0,8}", fullmatch=True)
_ATOMS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(codec="utf-8"), max_size=12)
    | _NAMES.map(Keyword)
)


def _runtime() -> Runtime:
    return Runtime(Meter(Limits(), timeout_ms=10_000), Host(), {}, None)


def _map_of(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    return {encode(_runtime(), key): value for key, value in pairs}


def _set_of(items: list[Any]) -> LispSet:
    return LispSet([encode(_runtime(), item) for item in items])


VALUES = st.recursive(
    _ATOMS,
    lambda inner: (
        st.lists(inner, max_size=4).map(tuple)
        | st.lists(st.tuples(inner, inner), max_size=4).map(_map_of)
        | st.lists(inner, max_size=4).map(_set_of)
    ),
    max_leaves=12,
)


@_QUIET
@given(VALUES)
def test_what_is_written_reads_back_as_the_same_value(value: Any) -> None:
    text = readable(_runtime(), value)
    step = run(text)

    assert step.fail is None, text
    assert plain(step.return_) == plain(value)


@_QUIET
@given(VALUES, VALUES, VALUES)
def test_the_order_is_total(a: Any, b: Any, c: Any) -> None:
    context = {"a": a, "b": b, "c": c}
    source = "[(compare data/a data/b) (compare data/b data/a) (compare data/b data/c) (compare data/a data/c)]"
    ab, ba, bc, ac = run(source, context=context).return_

    assert ab == -ba
    assert not (ab <= 0 and bc <= 0 and ac > 0)


@_QUIET
@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    failure = validate(text)

    assert failure is None or failure.reason in {
        "parse_error",
        "invalid_form",
        "unbound_var",
        "runtime_error",
        "invalid_placeholder",
        "invalid_keyword_call",
        "symbol_limit_exceeded",
    }


LITERALS = [
    "nil", "true", "false", "0", "1", "-1", "2.5", "##Inf", "##NaN", '""', '"abc"', '"é👍"', ":a", ":b", "[]",
    "[1 2 3]", "[[1 2] [3 4]]", "{}", "{:a 1 :b 2}", "#{1 :a}", "inc", "+", "(fn [x] x)", "#(vector %1 %2)", "x",
    "(range 20)", "99999999999999999999", "[nil nil]", "data/q", "[{:a 1} {:a 2}]", "y", "*1",
]  # fmt: skip
_HEADS = sorted(name for name, value in LIBRARY.items() if isinstance(value, Builtin))
_FORMS = sorted(special_forms())


def random_form(rng: random.Random, depth: int) -> str:
    """A form that is mostly well made."""
    if depth <= 0 or rng.random() < 0.3:
        return rng.choice(LITERALS)
    kind = rng.random()
    if kind < 0.75:
        name = rng.choice(_HEADS)
        counts = [count for count in range(6) if LIBRARY[name].takes(count)]
        return f"({name} {_forms(rng, depth, rng.choice(counts))})"
    if kind < 0.92:
        name = rng.choice(_FORMS)
        if name == "#()":
            return f"#({rng.choice(_HEADS)} % {random_form(rng, depth - 1)})"
        if name in {"let", "loop", "for", "doseq", "if-let", "when-let", "when-some", "if-some", "when-first"}:
            return f"({name} [x {random_form(rng, depth - 1)}] {_forms(rng, depth, rng.choice([1, 2]))})"
        if name in {"fn", "defn"}:
            return f"({name} y [x] {random_form(rng, depth - 1)})"
        return f"({name} {'y ' if name.startswith('def') else ''}{_forms(rng, depth, rng.randint(1, 4))})"
    return f"({_forms(rng, depth, 2)})"


def _forms(rng: random.Random, depth: int, count: int) -> str:
    return " ".join(random_form(rng, depth - 1) for _ in range(count))


@settings(_QUIET, max_examples=300)
@given(st.integers(min_value=0))
def test_a_random_program_ends_with_a_value_or_a_typed_failure(seed: int) -> None:
    rng = random.Random(seed)
    source = f"(let [x {rng.choice(LITERALS[:20])}] {random_form(rng, 4)})"
    step = run(source, limits=Limits(timeout=300), journal={}, context={"q": [1, "two"]})

    assert step.fail is None or step.fail.reason != "execution_error", f"{source}\n{step.text()}"
    step.to_step()


_GROWTH = [
    "[a a]", "{:k a :l a}", "(concat [1] a [a])", "(str a a)", "(conj [a] a)", "#{a [a]}", "[a]", "(list a [a] a)",
    "(fn [] a)", "(comp identity (constantly a))", "(interleave [a a] [a a])", "(mapcat (fn [_] [a a]) [1 2])",
    "(zipmap [:a :b] [a a])", "(into [a] [a a])", "(partial vector a)", "(pr-str a)", "(repeatedly a)",
]  # fmt: skip
_SINKS = [
    "v", "(count (str v))", "(= v v)", "(pr-str v)", "(println v)", "(flatten [v])", "(postwalk identity v)",
    "(sort [v v])", "{v 1}", "(json/generate-string v)", "(frequencies [v v])", "(tree-seq coll? seq v)",
    "(prewalk (fn [x] x) v)", "(distinct [v [v]])", "(pmap identity [v v])", "(return v)", "(def kept v)",
    "(step-done 1 v)", '(task "t" v)', "(reduce conj #{} [v v])", "(compare v [v])", "(tool/keep {:v v})",
]  # fmt: skip
_BURNERS = [
    "(loop [i 0] (recur (inc i)))", "(defn f [n] (f (inc n))) (f 0)", "(defn f [n] (+ (f n) (f n))) (f 0)",
    "(reduce * (range 2 N))", "(map (fn [i] (map (fn [j] (range j)) (range i))) (range N))",
    "(reduce (fn [s i] (str s i s)) \"x\" (range N))", "(sort-by (fn [x] (reduce + (range x))) (range N))",
    "(apply str (map (fn [_] (apply str (range N))) (range N)))", "(combinations (range N) 7)",
    '(re-seq #"(a|b|ab)*c" (apply str (map (fn [_] "ab") (range N))))', "(pow N N)", "(reduce + (range N N999999))",
    "(for [a (range N) b (range N) c (range N)] [a b c])", "(partition 3 1 (range N00000))",
    "(pcalls (fn [] (loop [] (recur))) (fn [] (range N)))", "(bit-shift-left N N00000)", "(subs (str (range N)) 1)",
    "(get-in {} (range N000))", "(update-in {} (range N) inc)", "(group-by (fn [x] (mod x N)) (range N000))",
]  # fmt: skip


def hostile_program(rng: random.Random) -> str:
    """A program that wants too much in one of many ways; some of them end well after all."""
    if rng.random() < 0.4:
        return rng.choice(_BURNERS).replace("N", str(rng.choice([7, 60, 900, 5000])))
    growth, sink = rng.choice(_GROWTH), rng.choice(_SINKS)
    times = rng.choice([20, 90, 1000, 50_000])
    start = rng.choice(["[]", "{}", "[1 2 3]", '"abc"', "nil", "#{1}"])
    return f"(let [v (reduce (fn [a i] {growth}) {start} (range {times}))] {sink})"


def _holds_its_limits(seeds: range) -> None:
    limits = Limits(timeout=30, pmap_timeout=30)
    for seed in seeds:
        source = hostile_program(random.Random(seed))
        started = time.monotonic()
        step = run(source, limits=limits, journal={}, tools={"keep": lambda args: None})
        took = time.monotonic() - started
        assert step.fail is None or step.fail.reason != "execution_error", f"{source}\n{step.text()}"
        assert took < 2 * limits.timeout / 1000 + 0.5, f"{source} took {took:.2f} s"


def test_hostile_programs_hold_their_limits() -> None:
    _holds_its_limits(range(100))


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_thousand_hostile_programs_hold_their_limits() -> None:
    _holds_its_limits(range(1000, 2000))
