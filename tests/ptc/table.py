"""Running the programs of a table."""

from __future__ import annotations

from typing import Any

from console.ptc.lisp import LispStep, run

from .vectors import literal, plain


def step_of(source: str, **options: Any) -> LispStep:
    """The Step of a program that must not fail."""
    step = run(source, **options)
    assert step.fail is None, f"{source}: {step.text()}"
    return step


def value_of(source: str, **options: Any) -> Any:
    """The value of a program in plain form, in which keywords and strings are the same."""
    return plain(step_of(source, **options).return_)


def same(source: str, expected: str, **options: Any) -> bool:
    """Whether a program gives the literal."""
    actual, wanted = value_of(source, **options), literal(expected)
    assert actual == wanted, f"{source}\n gave {actual}\n not  {wanted}"
    return True


def reason_of(source: str, **options: Any) -> str:
    """Why a program failed."""
    step = run(source, **options)
    assert step.fail is not None, f"{source} gave {step.text()}"
    return step.fail.reason
