"""`operator-console lisp`: a program by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from .fakes import FakeWiring, Said, say


def lisp(tmp_path: Path, source: str, *arguments: str) -> Said:
    path = tmp_path / "program.clj"
    path.write_text(source, encoding="utf-8")
    return say(FakeWiring(tmp_path), "lisp", str(path), *arguments)


def test_a_program_prints_and_gives_its_value(tmp_path: Path) -> None:
    told = lisp(tmp_path, '(println "hi") (* data/n 2)', "--data", '{"n": 21}')
    assert (told.code, told.out.splitlines()) == (0, ["hi", "42"])


def test_the_whole_step_is_printed_as_json(tmp_path: Path) -> None:
    (step,) = lisp(tmp_path, '(task "a" 1) {:total 3}', "--signature", "() -> {total :int}", "--json").lines
    assert step["return"] == {"total": 3}
    assert step["journal"] == {"a": 1}
    assert step["fail"] is None


@pytest.mark.parametrize(
    ("source", "arguments", "code", "words"),
    [
        ("(+ 1", (), 1, "parse_error"),
        ("(fail {:reason :no})", (), 1, "no"),
        ('"text"', ("--signature", "() -> :int"), 1, "validation_error"),
        ("(doseq [i (range 9000)] (reduce + (range 5000)))", ("--timeout", "0.2"), 1, "timeout"),
        ("1", ("--data", "x"), 2, "no JSON"),
        ("1", ("--data", "[1]"), 2, "a JSON object"),
    ],
)
def test_what_fails_says_why(tmp_path: Path, source: str, arguments: tuple[str, ...], code: int, words: str) -> None:
    told = lisp(tmp_path, source, *arguments)
    assert told.code == code
    assert words in told.err


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    told = say(FakeWiring(tmp_path), "lisp", str(tmp_path / "none.clj"))
    assert (told.code, "cannot be read" in told.err) == (2, True)
    (tmp_path / "odd.clj").write_bytes(b"\xff\xfe")
    told = say(FakeWiring(tmp_path), "lisp", str(tmp_path / "odd.clj"))
    assert (told.code, "not UTF-8" in told.err) == (2, True)
