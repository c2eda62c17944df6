"""What holds for every value and every program."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.ptc.lisp import Limits, run, validate
from console.ptc.lisp.analyser.forms import special_forms
from console.ptc.lisp.functions import Builtin
from console.ptc.lisp.library.catalogue import LIBRARY
from console.ptc.lisp.render import readable

from .hostile import hostile_program
from .nested import QUIET, nested, runtime
from .vectors import plain

VALUES = nested()


@QUIET
@given(VALUES)
def test_what_is_written_reads_back_as_the_same_value(value: Any) -> None:
    text = readable(runtime(), value)
    step = run(text)

    assert step.fail is None, text
    assert plain(step.return_) == plain(value)


@QUIET
@given(VALUES, VALUES, VALUES)
def test_the_order_is_total(a: Any, b: Any, c: Any) -> None:
    context = {"a": a, "b": b, "c": c}
    source = "[(compare data/a data/b) (compare data/b data/a) (compare data/b data/c) (compare data/a data/c)]"
    ab, ba, bc, ac = run(source, context=context).return_

    assert ab == -ba
    assert not (ab <= 0 and bc <= 0 and ac > 0)


@QUIET
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


@settings(QUIET, max_examples=300)
@given(st.integers(min_value=0))
def test_a_random_program_ends_with_a_value_or_a_typed_failure(seed: int) -> None:
    rng = random.Random(seed)
    source = f"(let [x {rng.choice(LITERALS[:20])}] {random_form(rng, 4)})"
    step = run(source, limits=Limits(timeout=300), journal={}, context={"q": [1, "two"]})

    assert step.fail is None or step.fail.reason != "execution_error", f"{source}\n{step.text()}"
    step.to_step()


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
