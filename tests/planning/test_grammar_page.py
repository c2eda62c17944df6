"""Every example of the grammar page is understood, and every kind of instruction has one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from console.planning.instructions import models, parse

PAGE = (Path(__file__).parents[2] / "resources" / "grammar.md").read_text(encoding="utf-8")
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith(("| ---", "| To"))]
EXAMPLES = [example for row in ROWS for example in re.findall(r"`([^`]+)`", row)]
BLOCKS = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("example", [*EXAMPLES, *BLOCKS])
def test_example(example: str) -> None:
    (found,) = parse(example)
    assert not isinstance(found, models.Unknown)


def test_every_kind_has_an_example() -> None:
    kinds = {type(found) for example in EXAMPLES for found in parse(example)}
    every = {one for one in vars(models).values() if isinstance(one, type) and issubclass(one, models.Instruction)}
    assert every - kinds == {models.Instruction, models.Unknown}


def test_blocks_keep_their_lines() -> None:
    texts = [found.text for block in BLOCKS for found in parse(block) if isinstance(found, models.TypeWords)]
    assert texts == ['Dear Ada,\n  1. "then" and; # are just text here.', "one\ntwo"]


def test_the_practice_goal_is_understood() -> None:
    goal = (Path(__file__).parents[2] / "resources" / "practice" / "goal.txt").read_text(encoding="utf-8")
    assert not [found for found in parse(goal) if isinstance(found, models.Unknown)]
