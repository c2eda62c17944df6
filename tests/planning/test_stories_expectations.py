"""Expectations, and clicks without effect, as whole runs on a small made-up desktop."""

from __future__ import annotations

import pytest

from console.contracts.actions import Click, Wait
from console.contracts.effects import ObservedEffect, SelectorAppears, SelectorDisappears, SelectorEffect
from console.contracts.moves import AttemptRecord, Clarify, Done, Fail

from .world import NOTHING, World, element, form


async def test_a_click_without_any_effect_is_no_success() -> None:
    world = World.of(element("n", "Nothing"), effects={"click:n": NOTHING})
    end = await world.run("click Nothing")
    assert isinstance(end, Clarify)
    assert "it was done, but: The screen stayed the same." in end.question
    assert end.candidates == ("It is fine, go on", "Try again", "Give up")
    world = World.of(element("n", "Nothing"), effects={"click:n": NOTHING}, answers=["Try again", "fine"])
    assert isinstance(await world.run("click Nothing"), Done)
    assert world.deeds == ["Click n", "Click n"]


async def test_an_expectation_decides_about_a_click_without_effect() -> None:
    world = World.of(element("n", "Nothing"), effects={"click:n": NOTHING}, wait_s=1)
    end = await world.run("click Nothing; expect “Done” is visible")
    assert isinstance(end, Fail)
    assert "“Done” is visible" in end.reason


async def test_an_expectation_is_folded_into_the_click_before_it() -> None:
    world = World.of(element("s", "Save"), on={"click:s": lambda: world.add(element("t", "File saved", "statusbar"))})
    assert isinstance(await world.run("click Save; expect that “saved” is visible"), Done)
    (click,) = world.done
    assert isinstance(click, Click)
    assert click.expect_after == SelectorAppears(selector="text=saved", timeout_ms=3000)
    world = World.of(element("s", "Save"), element("t", "Busy", "text"), on={"click:s": lambda: world.drop("t")})
    assert isinstance(await world.run("click Save; wait until Busy is gone"), Done)
    assert isinstance(world.done[0], Click)
    assert isinstance(world.done[0].expect_after, SelectorDisappears)


async def test_a_folded_expectation_that_is_late_does_not_click_again() -> None:
    late = AttemptRecord(
        step_purpose="",
        action=Wait(ms=0),
        succeeded=False,
        error="“Done” did not appear.",
        effect=ObservedEffect(
            status="timed_out", kind=SelectorEffect(expectation=SelectorAppears(selector="text=Done"))
        ),
    )
    world = World.of(element("s", "Save"), fails={"click:s": [late]})
    world.later.append((1000, lambda: world.add(element("d", "Done", "text"))))
    assert isinstance(await world.run("click Save; expect “Done”; wait 1 s"), Done)
    assert world.deeds == []


async def test_expectations_of_every_kind() -> None:
    world = form()
    world.change("name", value="Ada Lovelace")
    world.elements["tick"] = element("tick", "Remember me", "checkbox", checked=True)
    world.elements["ok"] = element("ok", "OK", enabled=False)
    end = await world.run(
        "expect Name is “Ada Lovelace”; check that Name contains “love”; check that Name is not “Bob”\n"
        "check that “Remember me” is ticked; check that OK is disabled; expect that the window “Notes” is open\n"
        "expect that the active window is “Notes”; expect that the window “Other” is closed\n"
        "make sure “Error” is gone\n"
        "expect that “Lovelace” is visible; check that e-mail is empty; expect “Notes” is visible"
    )
    assert isinstance(end, Done)
    assert world.done == []
    assert world.verdicts[-1].verified


@pytest.mark.parametrize(
    ("goal", "says"),
    [
        ("expect Name is “Bob”", "it is “Ada”"),
        ("expect that “Remember me” is ticked", "it is not ticked"),
        ("expect that OK is disabled", "it is so"),
        ("expect that the window “X” is open", "the open windows are: “Notes”"),
        ("expect that the active window is “X”", "“Notes” is in front"),
        ("expect that Colour is “red”", "it is not on the screen"),
        ("check that Colour is not “red”", "it is not on the screen"),
        ("check that “Nope” is enabled", "it is not on the screen"),
        ("make sure “OK” is gone", "it is so"),
    ],
)
async def test_an_expectation_that_does_not_hold_fails_with_what_is_there(goal: str, says: str) -> None:
    world = form(wait_s=1)
    world.change("name", value="Ada")
    end = await world.run(goal)
    assert isinstance(end, Fail)
    assert says in end.reason


async def test_a_read_value_can_be_expected() -> None:
    world = World.of(element("t", "Total", "text", value="42"))
    assert isinstance(await world.run("read Total as total; expect that total is “42.0”"), Done)


@pytest.mark.parametrize(
    "expectation",
    ["expect the button “A” is visible", "expect that “a{b}” is visible", "expect that A is enabled", "wait 1"],
)
async def test_only_plain_text_is_folded_into_the_action(expectation: str) -> None:
    world = World.of(element("s", "A"), wait_s=1)
    await world.run(f"click A; {expectation}")
    assert isinstance(world.done[0], Click)
    assert world.done[0].expect_after is None
