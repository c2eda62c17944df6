"""Steps that fail, are denied or arrive in part, as whole runs on a small made-up desktop."""

from __future__ import annotations

from console.contracts.actions import Wait
from console.contracts.effects import ObservedEffect
from console.contracts.moves import AttemptRecord, Done, Fail, NextActionHint

from .world import World, element, form


async def test_a_denied_step_ends_the_run_and_is_not_tried_again() -> None:
    denied = AttemptRecord(
        step_purpose="", action=Wait(ms=0), succeeded=False, error="The operator denied it: not that one",
        next_action_hint=NextActionHint.DIFFERENT_ACTION,
    )  # fmt: skip
    world = World.of(element("d", "Delete"), fails={"click:d": [denied]})
    end = await world.run("press F5; click Delete; press Enter")
    assert isinstance(end, Fail)
    assert "Instruction 2 (Click “Delete”)" in end.reason
    assert "The operator denied it: not that one" in end.reason
    assert world.deeds == ["Press F5"]


async def test_a_failed_click_is_tried_another_way() -> None:
    world = World.of(element("ok", "OK"), fails={"click:ok": ["It is covered."]})
    assert isinstance(await world.run("click OK"), Done)
    assert world.deeds == ["Click ok"]
    assert world.done[0].type == "ax_action"
    world = World.of(element("ok", "OK"), fails={"click:ok": ["no"], "ax_action:ok": ["no"]})
    assert isinstance(await world.run("click OK"), Done)
    assert world.deeds == ["Click point:50,22"]
    world = World.of(
        element("ok", "OK"), fails={key: ["no"] for key in ("click:ok", "ax_action:ok", "click:point:50,22")}
    )
    end = await world.run("click OK")
    assert isinstance(end, Fail)
    assert end.reason == "Instruction 1 (Click “OK”) failed: no"


async def test_an_interrupted_step_is_done_again_the_same_way() -> None:
    interrupted = AttemptRecord(
        step_purpose="", action=Wait(ms=0), succeeded=False, error="Interrupted",
        next_action_hint=NextActionHint.RETRY_LAST_ACTION,
    )  # fmt: skip
    world = World.of(element("ok", "OK"), fails={"click:ok": [interrupted]})
    assert isinstance(await world.run("click OK"), Done)
    assert world.deeds == ["Click ok"]


async def test_a_target_that_is_gone_is_looked_for_again() -> None:
    gone = AttemptRecord(
        step_purpose="",
        action=Wait(ms=0),
        succeeded=False,
        error="gone",
        next_action_hint=NextActionHint.DIFFERENT_TARGET,
    )
    world = World.of(element("ok", "OK"), fails={"click:ok": [gone]})
    assert isinstance(await world.run("click OK"), Done)
    assert world.deeds == ["Click ok"]


async def test_a_field_that_cannot_be_set_is_typed_into() -> None:
    world = form(fails={"set_value:name": ["no"]})
    assert isinstance(await world.run("set Name to Ada"), Done)
    assert world.deeds == ["Click name", "Press ctrl+a", "Type “Ada”"]
    world = form(fails={"set_value:name": ["no"]})
    assert isinstance(await world.run("clear Name"), Done)
    assert world.deeds == ["Click name", "Press ctrl+a", "Press Delete"]


async def test_typing_is_not_repeated_after_some_of_it_may_have_arrived() -> None:
    half = AttemptRecord(
        step_purpose="",
        action=Wait(ms=0),
        succeeded=False,
        error="“é” did not arrive.",
        effect=ObservedEffect(status="not_checked"),
    )
    world = form(fails={"type:name": [half]})
    end = await world.run("type “Adé” into Name")
    assert isinstance(end, Fail)
    assert "“é” did not arrive." in end.reason


async def test_typing_into_a_field_that_does_not_take_it_goes_by_a_click() -> None:
    world = form(fails={"type:name": ["It is covered."]})
    assert isinstance(await world.run("type “Ada” into Name"), Done)
    assert world.deeds == ["Click name", "Type “Ada”"]


async def test_keys_that_have_arrived_are_not_sent_again() -> None:
    world = World.of()
    world.fails["key:Escape"] = ["no"]
    assert isinstance(await world.run("press Tab, Escape"), Done)
    assert world.deeds == ["Press Tab", "Press Escape"]


async def test_keys_and_scrolling_may_show_nothing() -> None:
    nothing = ObservedEffect(status="timed_out", detail="Nothing changed on the screen.")
    world = World.of(effects={"key_combo:ctrl+c": nothing, "scroll:": nothing})
    assert isinstance(await world.run("copy; scroll down"), Done)
    assert world.questions == []


async def test_typing_that_was_never_sent_may_be_tried_another_way() -> None:
    unsent = AttemptRecord(
        step_purpose="", action=Wait(ms=0), succeeded=False, error="Covered.",
        effect=ObservedEffect(status="not_checked", detail="Nothing was sent."),
    )  # fmt: skip
    world = form(fails={"type:name": [unsent]})
    assert isinstance(await world.run("type “Ada” into Name"), Done)
    assert world.deeds == ["Click name", "Type “Ada”"]


async def test_a_value_that_cannot_be_read_fails_the_run() -> None:
    world = World.of(element("t", "Total", "text", value="4"), fails={"extract_with_fallback:total": ["no", "no"]})
    end = await world.run("read Total as total")
    assert isinstance(end, Fail)
