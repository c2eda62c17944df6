"""What a program can find out about what there is to call."""

from __future__ import annotations

from typing import Any

import pytest

from console.ptc.lisp import Found, run

from .table import reason_of, step_of


class Catalogue:
    """A host that knows one server."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def __call__(self, operation: str, args: dict[str, Any]) -> Found:
        self.asked.append((operation, args))
        if operation == "meta":
            return Found("world_fault", "offline")
        if operation == "dir" and args["server"] == "bad":
            return Found("programmer_fault", "no such server")
        if operation == "dir" and args["server"] == "crash":
            raise OSError("gone")
        return Found("ok", {"servers": ["files"], "apropos": ["files/read - Reads"], "doc": "Reads"}.get(operation, []))


def test_the_host_is_asked_and_the_questions_are_kept() -> None:
    host = Catalogue()
    step = step_of(
        '[(mcp/servers) (dir \'files {:limit 5}) (doc \'files/read) (meta "files/read") (apropos "read" {:limit 1})]',
        discovery=host,
    )

    assert step.return_ == (("files",), (), "Reads", None, ("files/read - Reads",))
    assert [(op.operation, op.outcome, op.reason) for op in step.catalog_ops] == [
        ("servers", "ok", None),
        ("dir", "ok", None),
        ("doc", "ok", None),
        ("meta", "nil_world_fault", "offline"),
        ("apropos", "ok", None),
    ]
    assert host.asked[1] == ("dir", {"server": "files", "opts": {"limit": 5}})


@pytest.mark.parametrize("server", ["bad", "crash"])
def test_a_fault_of_the_program_ends_it_and_is_kept(server: str) -> None:
    step = run(f"(mcp/servers) (dir '{server})", discovery=Catalogue())

    assert step.fail is not None
    assert step.fail.reason == "runtime_error"
    assert [op.outcome for op in step.catalog_ops] == ["ok", "error"]


def test_the_functions_of_the_language_are_found_without_a_host() -> None:
    found = step_of('(apropos "sort" {:limit 2})').return_
    assert [line.split(" - ")[0] for line in found] == ["sort", "sort-by"]
    assert "comparator" in step_of("(doc 'sort)").return_
    assert step_of("(defn twice [n] (* 2 n)) (doc 'twice)").return_ == "twice\n(twice n)"
    assert step_of("(defn twice [n] (* 2 n)) (:arglists (meta 'twice))").return_ == ("[n]",)
    assert step_of("(:name (meta clojure.set/union))").return_ == "union"
    assert "union" in step_of("(dir 'clojure.set)").return_
    assert step_of("(dir :walk {:limit 1 :offset 1})").return_ == ("prewalk",)
    assert "join" in step_of('(ns-publics "clojure.string")').return_


@pytest.mark.parametrize(
    "source",
    ["(mcp/servers)", "(doc 'nowhere)", "(dir 'nowhere)", "(ns-publics 'nowhere)", '(meta "a/b")'],
)
def test_without_a_host_there_is_nothing_else_to_find(source: str) -> None:
    assert reason_of(source) == "runtime_error"


@pytest.mark.parametrize(
    "source", ["(doc 5)", '(apropos "a" {:limit 0})', '(apropos "a" 5)', "(dir 'walk {:offset -1})"]
)
def test_a_question_must_be_well_formed(source: str) -> None:
    assert reason_of(source) == "type_error"
