"""The catalogue: what ships, what is plugged in, and what is made of settings."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from console.contracts.errors import ConsoleError, PlannerError
from console.contracts.moves import Done
from console.planning import SHIPPED, PlannerParts
from console.planning.entries import plugged_in
from console.planning.kit import PlannerKit
from tests.planning.model_world import view_of

PLUGIN = """
from console.contracts.base import Value
from console.contracts.moves import Done
from console.contracts.planner import AcceptingGrader
from console.planning.entries import PlannerEntry

class Plain(AcceptingGrader):
    async def decide_next(self, goal, history, shared_memory, view, screenshot_png):
        return Done(summary="plugged in")

class Nothing(Value):
    pass

whole = PlannerEntry("whole", "Whole", Nothing, lambda settings, parts: Plain())
no_planner = dict
"""
POINTS = """[operator_console.planners]
plain = some_planners:Plain
whole = some_planners:whole
wrong = some_planners:no_planner
absent = some_planners:not_there
instructions = some_planners:Plain
"""


@pytest.fixture
def plugged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package with planners, as an installer would have left it."""
    (tmp_path / "some_planners.py").write_text(PLUGIN, encoding="utf-8")
    info = tmp_path / "some_planners-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: some-planners\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(POINTS, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("some_planners", None)


@pytest.mark.parametrize("name", ["plain", "whole"])
@pytest.mark.usefixtures("plugged")
async def test_a_planner_of_another_package_is_a_peer(name: str) -> None:
    found = {one.name: one for one in plugged_in([one.name for one in SHIPPED])}
    assert set(found) == {"plain", "whole", "wrong", "absent"}
    assert "some_planners" not in sys.modules
    one = found[name]
    planner = one.make(one.settings(), PlannerParts())
    assert await planner.decide_next("g", (), {}, view_of(), None) == Done(summary="plugged in")
    assert (await planner.verify_done("g", "s", {}, view_of(), None)).verified


@pytest.mark.parametrize(("name", "words"), [("wrong", "is no planner"), ("absent", "could not be loaded")])
@pytest.mark.usefixtures("plugged")
def test_one_that_is_none_says_so(name: str, words: str) -> None:
    one = next(one for one in plugged_in([]) if one.name == name)
    with pytest.raises(PlannerError, match=words):
        one.make(one.settings(), PlannerParts())


def test_a_planner_is_made_from_what_is_set_and_from_options() -> None:
    kit = PlannerKit(PlannerParts(), lambda: {"model": {"model": "m", "tries": "many"}})
    made = kit.make("model", {"provider": "google"})
    assert made.entry.name == "model"
    assert len(made.notices) == 1
    assert made.planner._settings.provider == "google"  # type: ignore[attr-defined]
    assert made.planner._settings.model == "m"  # type: ignore[attr-defined]
    assert kit.service("model", {"provider": "openai_chat"}) == "openai"
    assert kit.service("instructions", {}) is None


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("nobody", {}, "There is no planner “nobody”"),
        ("model", {"colour": "red"}, "has no setting “colour”"),
        ("model", {"tries": "0"}, "tries: "),
        ("model", {"address": "ftp://x"}, "begins with http"),
        ("model", {"fallback": "nobody:m"}, "provider:model"),
    ],
)
def test_what_cannot_be_made_is_said(name: str, options: dict[str, str], words: str) -> None:
    kit = PlannerKit(PlannerParts(), dict)
    with pytest.raises(ConsoleError, match=words):
        kit.make(name, options)


async def test_only_a_planner_with_a_model_can_be_tried_out() -> None:
    kit = PlannerKit(PlannerParts(), dict)
    with pytest.raises(ConsoleError, match="nothing to try out"):
        await kit.test("instructions", {})
    with pytest.raises(PlannerError, match="No model is chosen"):
        await kit.test("model", {})
    with pytest.raises(PlannerError, match="There is no key for Anthropic"):
        await kit.test("model", {"model": "m"})
