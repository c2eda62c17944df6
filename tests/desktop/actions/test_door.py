"""The one door: what has to be true before anything reaches the devices, and what happens when it is stopped."""

from __future__ import annotations

import asyncio

import pytest

from console.contracts import actions as act
from console.contracts.errors import PermitVoid
from console.contracts.geometry import Rect
from console.contracts.moves import StepErr, StepOk
from console.desktop.actions.table import HANDLERS

from .fakes import Listed, Stage, element, fine, problem, window

READ_ONLY = {"read_text"}


@pytest.fixture
def stage() -> Stage:
    stage = Stage()
    stage.world.put(element("ax:save", "button", "Save"))
    stage.world.put(element("ax:name", "input", "Name", value="", bounds=Rect(x=32, y=96, width=96, height=24)))
    return stage


def test_every_kind_of_action_has_a_handler() -> None:
    kinds = {kind for kind in act.AnyAction.__args__ if kind is not act.ActionBatch}
    assert set(HANDLERS) == kinds


async def test_nothing_reaches_a_device_before_the_permit_is_redeemed(stage: Stage) -> None:
    for action in (act.Click(target_id="ax:save"), act.TypeText(text="x", target_id="ax:name"), act.Key(key="a")):
        permit = await stage.plan(action)
        stage.book.void_all()
        with pytest.raises(PermitVoid):
            await stage.desktop.perform(action, permit)
    assert set(stage.world.names()) <= READ_ONLY


async def test_a_permit_is_good_once(stage: Stage) -> None:
    stage.world.on["act"] = lambda *_: stage.world.change("ax:save", label="Saved")
    permit = await stage.plan(act.Click(target_id="ax:save"))
    fine(await stage.desktop.perform(act.Click(target_id="ax:save"), permit))
    with pytest.raises(PermitVoid):
        await stage.desktop.perform(act.Click(target_id="ax:save"), permit)
    assert stage.world.names().count("act") == 1


@pytest.mark.parametrize("change", [{"label": "Delete"}, {"element_type": "link"}])
async def test_a_target_that_changed_voids_the_permit(stage: Stage, change: dict[str, str]) -> None:
    permit = await stage.plan(act.Click(target_id="ax:save"))
    stage.world.change("ax:save", **change)
    with pytest.raises(PermitVoid):
        await stage.desktop.perform(act.Click(target_id="ax:save"), permit)
    assert stage.world.log == []


async def test_the_words_of_a_dialog_are_part_of_what_was_approved() -> None:
    stage = Stage()
    stage.world.windows = [Listed(window(1, "Question", "Mousepad", dialog=True, modal=True))]
    stage.world.put(element("ax:yes", "button", "Yes"))
    stage.world.put(element("ax:words", "label", "Keep the file?", bounds=Rect(x=32, y=24, width=64, height=16)))
    permit = await stage.plan(act.Click(target_id="ax:yes"))
    stage.world.change("ax:words", label="Delete all files?")
    with pytest.raises(PermitVoid, match="text of the dialog"):
        await stage.desktop.perform(act.Click(target_id="ax:yes"), permit)


async def test_a_target_that_is_gone_is_a_failed_step(stage: Stage) -> None:
    permit = await stage.plan(act.Click(target_id="ax:save"))
    del stage.world.elements["ax:save"]
    performed = await stage.desktop.perform(act.Click(target_id="ax:save"), permit)
    assert "ax:save" in problem(performed)
    assert performed.receipt.status == "failed"
    assert stage.world.log == []


async def test_a_scene_that_nobody_remembers_voids_the_permit(stage: Stage) -> None:
    permit = await stage.plan(act.Click(target_id="ax:save"))
    for _ in range(20):
        await stage.desktop.observe("")
    with pytest.raises(PermitVoid):
        await stage.desktop.perform(act.Click(target_id="ax:save"), permit)


async def test_being_cancelled_stops_and_releases(stage: Stage) -> None:
    permit = await stage.plan(act.Wait(ms=60_000))
    gate = asyncio.Event()

    async def sleep(seconds: float) -> None:
        gate.set()
        await asyncio.Event().wait()

    object.__setattr__(stage.desktop._carrier._hands, "sleep", sleep)
    task = asyncio.create_task(stage.desktop.perform(act.Wait(ms=60_000), permit))
    await gate.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert stage.world.names() == ["stop_now", "release_all"]
    assert stage.input.stopped


async def test_the_input_works_again_for_the_next_action(stage: Stage) -> None:
    stage.input.stopped = True
    await stage.do(act.Key(key="a"))
    assert not stage.input.stopped


async def test_a_bug_in_a_handler_is_a_failed_step_and_is_logged(stage: Stage, expected_log) -> None:  # type: ignore[no-untyped-def]
    expected_log("handler of click")
    stage.world.on["act"] = lambda *_: 1 / 0
    assert "ZeroDivisionError" in problem(await stage.do(act.Click(target_id="ax:save")))


async def test_the_receipt_is_complete(stage: Stage) -> None:
    stage.world.on["act"] = lambda *_: stage.world.change("ax:save", label="Saved")
    performed = await stage.do(act.Click(target_id="ax:save"))
    receipt = performed.receipt
    assert (receipt.action_kind, receipt.target, receipt.route.route) == ("click", "ax:save", "accessibility")
    assert (receipt.status, receipt.error, receipt.observed_effect.status) == ("ok", None, "observed")
    assert receipt.duration_ms == receipt.completed_at_ms - receipt.requested_at_ms >= 0
    assert performed.before is not None
    assert performed.after is not None


async def test_release_all_never_fails(stage: Stage, expected_log) -> None:  # type: ignore[no-untyped-def]
    expected_log("may still be held")
    stage.world.on["release_all"] = lambda: 1 / 0
    await stage.desktop.release_all()


class TestBatch:
    async def test_one_permit_for_all_in_order(self, stage: Stage) -> None:
        stage.world.on["act"] = lambda *_: stage.world.change("ax:save", label="Saved")
        batch = act.ActionBatch(
            actions=(act.TypeText(text="x", target_id="ax:name"), act.ActionBatch(actions=(act.Wait(ms=1),)))
        )
        performed = await stage.do(batch)
        assert isinstance(performed.result, StepOk)
        assert performed.receipt.observed_effect.status == "observed"
        assert stage.world.elements["ax:name"].value == "x"

    async def test_a_member_whose_target_changed_is_not_done(self, stage: Stage) -> None:
        stage.world.on["act"] = lambda *_: stage.world.change("ax:name", label="Password")
        batch = act.ActionBatch(
            actions=(act.Click(target_id="ax:save"), act.TypeText(text="x", target_id="ax:name"), act.Key(key="a"))
        )
        performed = await stage.do(batch)
        assert "Part 2 of 3 was not done" in problem(performed)
        assert "type" not in stage.world.names()

    async def test_a_window_that_comes_to_the_front_ends_it(self, stage: Stage) -> None:
        def pop_up(*_: object) -> None:
            stage.world.windows.append(Listed(window(9, "Really?", "Mousepad", pid=1, dialog=True)))
            stage.world.activate(9)

        stage.world.on["act"] = pop_up
        batch = act.ActionBatch(actions=(act.Click(target_id="ax:save"), act.Click(target_id="point:64,60")))
        performed = await stage.do(batch)
        assert "“Really?” came to the front" in problem(performed)
        assert "click" not in stage.world.names()

    async def test_it_stops_at_the_first_failure(self, stage: Stage) -> None:
        batch = act.ActionBatch(actions=(act.Key(key="foo"), act.Key(key="a")))
        performed = await stage.do(batch)
        assert "no key “foo”" in problem(performed)
        assert ("keys", "a") not in stage.world.log

    async def test_an_empty_one_is_fine(self, stage: Stage) -> None:
        assert not isinstance((await stage.do(act.ActionBatch(actions=()))).result, StepErr)
