"""`operator-console save`: a run as text that can be run again."""

from __future__ import annotations

from pathlib import Path

import pytest

from console.planning.instructions import parse
from console.ptc.lisp import validate

from .fakes import FakeWiring, say


@pytest.fixture
def kept(wiring: FakeWiring) -> FakeWiring:
    assert say(wiring, "run", "save it", "--planner", "replay").code == 0
    return wiring


def test_it_is_printed_as_instructions_unless_a_program_is_asked_for(kept: FakeWiring) -> None:
    said = say(kept, "save", "last")
    assert said.code == 0
    assert said.out.splitlines()[0] == "# save it"
    assert len(parse(said.out)) > 0
    program = say(kept, "save", "last", "--as", "program").out
    assert program.splitlines()[0] == "; save it"
    assert validate(program) is None
    (line,) = say(kept, "save", "last", "--json").lines
    assert line["as"] == "instructions"
    assert line["text"] == said.out


def test_a_file_is_written_once(kept: FakeWiring, tmp_path: Path) -> None:
    file = tmp_path / "order.txt"
    assert say(kept, "save", "last", "--out", str(file)).out.strip() == str(file)
    assert file.read_text(encoding="utf-8").startswith("# save it\n")
    again = say(kept, "save", "last", "--out", str(file))
    assert again.code == 1
    assert f"{file} is there already. Choose another name." in again.err
    nowhere = say(kept, "save", "last", "--out", str(tmp_path / "no" / "x.txt"))
    assert "could not be written: No such file or directory." in nowhere.err


def test_a_run_that_is_not_there(kept: FakeWiring) -> None:
    assert "There is no run “zzz”." in say(kept, "save", "zzz").err
