"""The published vectors of the language and of its signatures."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from console.ptc.signature import SignatureError, parse
from console.ptc.typecheck import CoercionError, check, coerce, validate, validate_input

from .vectors import agrees, exceptions, given, literal, load, plain, run_vector, type_of

ROWS = load()
EXCEPTIONS = exceptions()
pytestmark = pytest.mark.skipif(not ROWS, reason="the vectors are not here")
REQUIRED = {"spec-strict", "test", None}
SIGNATURE_KINDS = {"sig-parse", "sig-parse-error", "sig-validate", "sig-validate-input", "type-validate", "type-coerce"}


def _program_problem(row: dict[str, Any]) -> str | None:
    step = run_vector(row)
    kind = row["kind"]
    if kind == "error":
        if step.fail is None:
            return f"gave {step.text()} and should fail"
        wanted = row.get("fail_reason")
        return None if wanted in (None, step.fail.reason) else f"failed for {step.fail.reason}, not {wanted}"
    expected = literal(row["expect"])
    if kind in {"eval", "signal"}:
        if step.fail is not None:
            return f"failed: {step.text()}"
        if step.signal != (row["signal"] if kind == "signal" else None):
            return f"ended by {step.signal}"
    held: Any = {
        "memory": step.memory,
        "prints": step.prints,
        "journal": step.journal,
        "summaries": step.summaries,
    }.get(kind, step.return_)
    actual = plain(held)
    return None if agrees(expected, actual, row.get("match")) else f"gave {actual}, not {expected}"


def _signature_problem(row: dict[str, Any]) -> str | None:
    kind = row["kind"]
    if kind == "sig-parse-error":
        try:
            parse(row["signature"])
        except SignatureError:
            return None
        return "was parsed"
    if kind == "sig-parse":
        found = parse(row["signature"])
        params = tuple((name, type_of(ast)) for name, ast in row["params"])
        return None if (found.params, found.returns) == (params, type_of(row["returns"])) else f"gave {found}"
    data = given(row["data"])
    if kind == "type-coerce":
        return _coercion_problem(row, data)
    if kind == "type-validate":
        problems = check(type_of(row["type"]), data)
    else:
        problems = (validate if kind == "sig-validate" else validate_input)(parse(row["signature"]), data)
    if (not problems) != row["ok"]:
        return f"gave {[str(one) for one in problems]}"
    for wanted, got in zip(row.get("errors", ()), problems, strict=False):
        if list(got.path) != wanted["path"]:
            return f"found {got.path}"
        if "message" in wanted and got.message != wanted["message"]:
            return f"said {got.message}"
        if not got.message.startswith(wanted.get("message_prefix", "")):
            return f"said {got.message}"
    return None


def _coercion_problem(row: dict[str, Any], data: Any) -> str | None:
    try:
        made = coerce(type_of(row["type"]), data)
    except CoercionError as error:
        if row["ok"]:
            return f"failed: {error}"
        return None if row.get("error") in (None, str(error)) else f"said {error}"
    if not row["ok"]:
        return f"gave {made.value}"
    if plain(made.value) != plain(given(row["value"])):
        return f"gave {made.value}"
    return None if row.get("warnings") in (None, made.warnings) else f"warned {made.warnings}"


def problem_of(row: dict[str, Any]) -> str | None:
    """What is wrong with the answer to one vector."""
    return _signature_problem(row) if row["kind"] in SIGNATURE_KINDS else _program_problem(row)


def _problems(rows: list[dict[str, Any]]) -> list[str]:
    found = []
    for row in rows:
        problem = problem_of(row)
        if problem and row.get("expr") not in EXCEPTIONS:
            shown = row.get("expr") or row.get("signature") or json.dumps(row.get("type"))
            found.append(f"{row['id']} {row['kind']} {shown}\n    {problem}")
    return found


@pytest.mark.parametrize("kind", sorted({row["kind"] for row in ROWS if row.get("source") in REQUIRED}) or ["none"])
def test_every_vector_of_specification_and_tests_is_followed(kind: str) -> None:
    rows = [row for row in ROWS if row["kind"] == kind and row.get("source") in REQUIRED]

    assert _problems(rows) == []


@pytest.mark.parametrize("source", ["oracle-sci", "spec-bullet", "spec-table", "spec-loose", "spec-negative"])
def test_the_vectors_of_less_authority_are_followed_but_for_the_listed_exceptions(source: str) -> None:
    assert _problems([row for row in ROWS if row.get("source") == source]) == []


def test_the_exceptions_are_few_and_none_is_for_nothing() -> None:
    by_expr = {row["expr"]: row for row in ROWS if "expr" in row}
    listed = [by_expr[expr] for expr in EXCEPTIONS if expr in by_expr]
    counts = Counter(row.get("source") for row in listed)
    oracle = sum(row.get("source") == "oracle-sci" for row in ROWS)

    assert len(EXCEPTIONS) <= 25
    assert [row["expr"] for row in listed if problem_of(row) is None] == []
    assert not REQUIRED & set(counts)
    assert counts["oracle-sci"] <= 0.02 * oracle
