"""Values are set by the most reliable way and read back."""

from __future__ import annotations

import pytest

from console.contracts import actions as act
from console.contracts.geometry import Rect

from .fakes import Stage, element, fine, problem


@pytest.fixture
def stage() -> Stage:
    stage = Stage()
    world = stage.world
    world.put(element("ax:name", "input", "Name", value="old", bounds=Rect(x=32, y=96, width=96, height=24)))
    world.put(element("ax:tick", "checkbox", "Agree", checked=False, bounds=Rect(x=32, y=128, width=96, height=24)))
    world.put(
        element("ax:slide", "slider", "Volume", value="1", settable=True, bounds=Rect(x=136, y=96, width=32, height=24))
    )
    world.put(
        element("ax:colour", "combobox", "Colour", value="Red", select_options=("r|Red", "g|Green"), settable=True,
                bounds=Rect(x=136, y=128, width=32, height=24))
    )  # fmt: skip
    world.put(element("ax:pin", "input", "PIN", protected=True, bounds=Rect(x=136, y=24, width=32, height=24)))
    return stage


async def test_text_is_set_by_accessibility(stage: Stage) -> None:
    performed = await stage.do(act.SetValue(target_id="ax:name", value="new"))
    assert performed.receipt.route.route == "accessibility"
    assert performed.receipt.observed_effect.status == "observed"
    assert "type" not in stage.world.names()


async def test_text_that_cannot_be_set_is_typed_over(stage: Stage) -> None:
    stage.elements.refuses_text = True
    performed = await stage.do(act.SetValue(target_id="ax:name", value="new"))
    assert stage.world.elements["ax:name"].value == "new"
    assert performed.receipt.route.route == "native_input"


async def test_emptying_a_field_by_keys(stage: Stage) -> None:
    stage.elements.refuses_text = True
    fine(await stage.do(act.SetValue(target_id="ax:name", value="")))
    assert ("keys", "delete") in stage.world.log


async def test_another_value_than_asked_is_a_failure(stage: Stage) -> None:
    stage.world.on["set_text"] = lambda *_: None
    stage.elements.refuses_text = True
    stage.input.loses = "ew"
    performed = await stage.do(act.SetValue(target_id="ax:name", value="new"))
    assert "shows “n”, not “new”" in problem(performed)
    assert performed.receipt.observed_effect.status == "contradicted"


async def test_a_password_is_set_and_not_read(stage: Stage) -> None:
    fine(await stage.do(act.SetValue(target_id="ax:pin", value="hunter2!")))
    assert "read_text" not in stage.world.names()


@pytest.mark.parametrize("value", ["true", "on", "Yes"])
async def test_ticking(stage: Stage, value: str) -> None:
    stage.world.on["act"] = lambda *_: stage.world.change("ax:tick", checked=True)
    performed = await stage.do(act.SetValue(target_id="ax:tick", value=value))
    assert performed.receipt.observed_effect.detail == "It is ticked now."


async def test_what_is_ticked_is_left_alone(stage: Stage) -> None:
    performed = await stage.do(act.SetValue(target_id="ax:tick", value="false"))
    assert performed.receipt.observed_effect.status == "observed"
    assert stage.world.log == []


async def test_a_box_that_stays_unticked_contradicts(stage: Stage) -> None:
    performed = await stage.do(act.SetValue(target_id="ax:tick", value="true"))
    assert "still not ticked" in problem(performed)
    assert performed.receipt.observed_effect.status == "contradicted"


async def test_a_box_without_an_action_is_clicked(stage: Stage) -> None:
    stage.world.change("ax:tick", actions=())
    stage.world.on["click"] = lambda *_: stage.world.change("ax:tick", checked=True)
    performed = await stage.do(act.SetValue(target_id="ax:tick", value="true"))
    assert performed.receipt.route.route == "native_input"


async def test_neither_on_nor_off(stage: Stage) -> None:
    assert "neither on nor off" in problem(await stage.do(act.SetValue(target_id="ax:tick", value="maybe")))


async def test_numbers(stage: Stage) -> None:
    fine(await stage.do(act.SetValue(target_id="ax:slide", value="42")))
    assert ("set_number", "ax:slide", 42.0) in stage.world.log
    assert "is not a number" in problem(await stage.do(act.SetValue(target_id="ax:slide", value="loud")))


@pytest.mark.parametrize("value", ["Green", "g"])
async def test_choices_by_label_or_value(stage: Stage, value: str) -> None:
    stage.world.change("ax:colour", select_options=("r|Red", "g|Green", "Green"))
    fine(await stage.do(act.SetValue(target_id="ax:colour", value=value)))
    assert ("select_option", "ax:colour", "Green") in stage.world.log


async def test_a_choice_that_accessibility_refuses_is_made_by_the_arrows(stage: Stage) -> None:
    stage.world.on["keys"] = lambda key: stage.world.change("ax:colour", value="Green") if key == "down" else None
    performed = await stage.do(act.SetValue(target_id="ax:colour", value="Green"))
    assert performed.receipt.route.route == "native_input"
    assert stage.world.elements["ax:colour"].value == "Green"


async def test_a_choice_that_is_not_there(stage: Stage) -> None:
    assert "no choice “Blue”" in problem(await stage.do(act.SetValue(target_id="ax:colour", value="Blue")))


async def test_a_point_is_typed_over(stage: Stage) -> None:
    fine(await stage.do(act.SetValue(target_id="point:200,160", value="x")))
    assert stage.world.names() == ["click", "keys", "type"]


class TestAxAction:
    async def test_by_id(self, stage: Stage) -> None:
        await stage.do(act.AxAction(target_id="ax:slide", action="increment"))
        assert ("act", "ax:slide", "increment") in stage.world.log

    async def test_by_label_and_role(self, stage: Stage) -> None:
        await stage.do(act.AxAction(action="click", label="agree", role_hint="checkbox"))
        assert ("act", "ax:tick", "click") in stage.world.log

    async def test_only_on_accessible_elements(self, stage: Stage) -> None:
        stage.world.put(element("ocr:1", "text", "Words", source="ocr"))
        assert "no accessible element" in problem(await stage.do(act.AxAction(target_id="ocr:1", action="click")))
