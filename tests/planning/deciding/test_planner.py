"""The model as a planner: its targets, its checks, and the pictures that it is sent."""

from __future__ import annotations

import io
from typing import Any

import numpy
import pytest
from PIL import Image

from console.contracts.actions import Click, Drag
from console.contracts.errors import PlannerError
from console.contracts.moves import Batch, DoneVerdict, NextActionHint
from console.planning import PlannerParts, entry
from console.planning.deciding.grading import the_verdict
from console.planning.models.reading import Unreadable
from console.planning.models.trial import try_model
from tests.planning.model_world import OneKey, made, picture, view_of
from tests.support.model_servers import Answer, Asked, ModelServer, Say, Status, Use
from tests.support.model_servers.reader import act, done, verdict


async def decide(answer: Answer, png: bytes | None = None, **settings: Any) -> Any:
    with ModelServer(lambda _: answer) as server:
        planner = made(server, **settings)
        try:
            return await planner.decide_next("save it", (), {}, view_of(), png)
        finally:
            await planner.close()


async def test_numbers_become_ids_and_points_are_scaled_back_once() -> None:
    drag = {"type": "drag", "from_target_id": 2, "to_target_id": "point:392,245"}
    move = await decide(act("go", {"type": "click", "target_id": "[1]"}, drag), picture(3136, 1960))
    assert isinstance(move, Batch)
    click, dragged = (step.action for step in move.steps)
    assert click == Click(target_id="ax:save")
    assert isinstance(dragged, Drag)
    assert dragged.from_target_id == "ax:name"
    x, y = (int(part) for part in dragged.to_target_id.removeprefix("point:").split(","))
    assert (x, y) == pytest.approx((906, 566), abs=3)  # the picture is sent at 1356×847


@pytest.mark.parametrize("target", ["9", "point:99999,5", "point:here"])
async def test_a_target_that_was_not_shown_is_repaired_and_then_given_up(target: str) -> None:
    with pytest.raises(PlannerError, match="also after 2 repairs"):
        await decide(act("go", {"type": "click", "target_id": target}), picture())


async def test_without_the_picture_none_is_sent() -> None:
    with ModelServer(lambda _: done("x")) as server:
        planner = made(server, screenshot=False)
        assert planner.wants_screenshot is False
        await planner.decide_next("g", (), {}, view_of(), picture())
        await planner.close()
    assert server.asked[0].images == []


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
async def test_a_screen_of_noise_is_taken_by_a_server_that_refuses_large_pictures(provider: str) -> None:
    noise = numpy.random.default_rng(7).integers(0, 255, (2160, 3840, 3), dtype=numpy.uint8)
    written = io.BytesIO()
    Image.fromarray(noise).save(written, "PNG", compress_level=0)

    def brain(asked: Asked) -> Answer:
        too_large = any(size > 5_242_880 for size in asked.image_sizes)
        return Status(400, "image exceeds 5 MB maximum") if too_large else done("seen")

    with ModelServer(brain) as server:
        planner = made(server, provider)
        assert (await planner.decide_next("g", (), {}, view_of(), written.getvalue())).summary == "seen"
        await planner.close()
    assert len(server.asked) == 1
    with Image.open(io.BytesIO(server.asked[0].images[0])) as sent:
        assert max(sent.size) > 1000


async def test_a_check_goes_to_the_model_for_checking_with_the_rules_for_it() -> None:
    with ModelServer(lambda _: verdict(True)) as server:
        planner = made(server, grader="small")
        assert await planner.verify_done("g", "s", {}, view_of(), picture()) == DoneVerdict(
            verified=True, reason="I see it."
        )
        await planner.close()
    (asked,) = server.asked
    assert asked.body["model"] == "small"
    assert "Be strict" in asked.text
    assert planner.heard.calls[0].purpose == "verify"


@pytest.mark.parametrize(
    ("answer", "has_picture", "verified", "reason"),
    [
        ({"verified": True, "reason": "r", "evidence": ["1", "ax:name"]}, False, True, "r"),
        ({"verified": True, "reason": "r", "in_picture": True}, True, True, "r"),
        ({"verified": True, "reason": "r", "in_picture": True}, False, False, "named no evidence"),
        ({"verified": True, "reason": "r", "evidence": ["77"]}, True, False, "It named 77"),
        ({"verified": True, "reason": "r", "evidence": ["1", "made-up"], "in_picture": True}, True, False, "made-up"),
        ({"verified": True, "evidence": "1"}, False, False, "named no evidence"),
        ({"verified": False, "reason": ""}, True, False, "gave no reason"),
    ],
)
def test_a_yes_needs_evidence_that_is_there(answer: Any, has_picture: bool, verified: bool, reason: str) -> None:
    found = the_verdict(answer, view_of(), has_picture)
    assert found.verified is verified
    assert reason in found.reason


def test_a_hint_is_taken_if_it_is_one() -> None:
    hinted = the_verdict({"verified": False, "next_action_hint": "give_up"}, view_of(), True)
    assert hinted.next_action_hint is NextActionHint.GIVE_UP
    assert the_verdict({"verified": False, "next_action_hint": "pray"}, view_of(), True).next_action_hint is None
    with pytest.raises(Unreadable):
        the_verdict({"verified": "yes"}, view_of(), True)


async def test_a_trial_says_that_it_works_or_why_not() -> None:
    one = entry("model")
    assert one is not None
    assert one.service is not None
    answers: list[Answer] = [Say("ready"), Status(401)]
    with ModelServer(lambda _: answers.pop(0)) as server:
        settings = one.settings.model_validate({"model": "m", "address": server.address("anthropic")})
        assert one.service(settings) == "anthropic"
        words = await try_model(settings, PlannerParts(keys=OneKey()))  # type: ignore[arg-type]
        assert words.startswith("anthropic:m answered in ")
        with pytest.raises(PlannerError, match="does not accept the key"):
            await try_model(settings, PlannerParts(keys=OneKey()))  # type: ignore[arg-type]
    assert not server.asked[0].stream


async def test_the_operators_own_rules_are_used() -> None:
    parts = PlannerParts(keys=OneKey(), text=lambda name: f"own {name}\nclick {{target_id}}: press")
    one = entry("model")
    assert one is not None
    with ModelServer(lambda _: done("x")) as server:
        settings = one.settings.model_validate({"model": "m", "address": server.address("anthropic")})
        planner: Any = one.make(settings, parts)
        await planner.decide_next("g", (), {}, view_of(), None)
        await planner.close()
    assert "own prompts/decide.md" in server.asked[0].text


async def test_two_different_answers_are_none() -> None:
    twice = Use(
        {"thought": "t", "kind": "done", "summary": "a"}, more=(("next_move", {"kind": "fail", "reason": "b"}),)
    )
    with pytest.raises(PlannerError, match="give exactly one"):
        await decide(twice)
    with pytest.raises(PlannerError, match="There is no tool “other”"):
        await decide(Use({"kind": "done"}, tool="other"))
