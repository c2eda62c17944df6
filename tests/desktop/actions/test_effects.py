"""An effect is observed, timed out, contradicted or not checked, and never assumed."""

from __future__ import annotations

import pytest

from console.contracts import actions as act
from console.contracts.effects import DomChanged, SelectorAppears, SelectorDisappears, SelectorTextContains
from console.contracts.geometry import Rect

from .fakes import WINDOW, Listed, Stage, element, fine, problem, window

CLICK = act.Click(target_id="ax:save")
FAR = Rect(x=150, y=110, width=64, height=48)


@pytest.fixture
def stage() -> Stage:
    stage = Stage()
    stage.world.put(element("ax:save", "button", "Save"))
    stage.world.put(
        element("ax:tick", "checkbox", "Agree", checked=False, bounds=Rect(x=32, y=128, width=64, height=16))
    )
    return stage


async def verdict(stage: Stage, action: act.AnyAction = CLICK) -> tuple[str, str]:
    effect = (await stage.do(action)).receipt.observed_effect
    return effect.status, effect.detail or ""


async def test_a_button_that_does_nothing(stage: Stage) -> None:
    began = stage.world.now
    performed = await stage.do(CLICK)
    fine(performed)
    assert performed.receipt.status == "ok"
    assert performed.receipt.observed_effect.status == "timed_out"
    assert performed.receipt.observed_effect.detail == "Nothing changed on the screen."
    assert 1.4 < stage.world.now - began < 2.2


async def test_a_pressed_look_is_not_an_effect(stage: Stage) -> None:
    stage.world.on["act"] = lambda *_: stage.world.paint(Rect(x=30, y=46, width=68, height=28))
    assert (await verdict(stage))[0] == "timed_out"


async def test_a_change_elsewhere_in_the_window_is(stage: Stage) -> None:
    stage.world.on["act"] = lambda *_: stage.world.paint(FAR)
    assert await verdict(stage) == ("observed", "The picture of “Notes” changed.")


@pytest.mark.parametrize("delay", [0, 0.6, 1.2])
async def test_a_late_change_is_waited_for(stage: Stage, delay: float) -> None:
    stage.world.on["act"] = lambda *_: stage.world.after(delay, lambda: stage.world.paint(FAR))
    assert (await verdict(stage))[0] == "observed"


async def test_a_change_that_comes_too_late_is_not_seen(stage: Stage) -> None:
    stage.world.on["act"] = lambda *_: stage.world.after(9, lambda: stage.world.paint(FAR))
    assert (await verdict(stage))[0] == "timed_out"


async def test_a_change_in_another_window_is_none_of_ours(stage: Stage) -> None:
    stage.world.windows.append(Listed(window(2, "Clock", "Clock", bounds=Rect(x=240, y=0, width=80, height=192))))
    stage.world.on["act"] = lambda *_: stage.world.paint(Rect(x=250, y=20, width=60, height=60))
    assert (await verdict(stage))[0] == "timed_out"


async def test_what_moves_by_itself_is_no_effect(stage: Stage) -> None:
    tick = Rect(x=150, y=110, width=16, height=16)
    permit = await stage.plan(CLICK)
    stage.world.paint(tick, 50)
    stage.world.on["act"] = lambda *_: stage.world.paint(tick, 99)
    performed = await stage.desktop.perform(CLICK, permit)
    assert performed.receipt.observed_effect.status == "timed_out"


async def test_a_small_change_is_believed_once_an_element_tells_of_it(stage: Stage) -> None:
    stage.world.put(element("ax:count", "label", "Count: 0", bounds=Rect(x=150, y=110, width=16, height=16)))

    def counted(*_: object) -> None:
        stage.world.change("ax:count", label="Count: 1")
        stage.world.paint(Rect(x=151, y=111, width=3, height=8))

    stage.world.on["act"] = counted
    assert await verdict(stage) == ("observed", "“Count: 0” is called “Count: 1” now.")


async def test_a_small_change_that_stays_is_believed(stage: Stage) -> None:
    stage.world.on["act"] = lambda *_: stage.world.paint(Rect(x=151, y=111, width=3, height=8))
    assert (await verdict(stage))[0] == "observed"


async def test_a_window_that_opens(stage: Stage) -> None:
    stage.world.on["act"] = lambda *_: stage.world.windows.append(Listed(window(7, "Saved", "Mousepad", active=False)))
    assert await verdict(stage) == ("observed", "“Saved” opened.")


async def test_a_tooltip_does_not_count(stage: Stage) -> None:
    tip = window(8, "", "Mousepad", menu=True, active=False, bounds=Rect(x=100, y=150, width=90, height=20))
    stage.world.on["act"] = lambda *_: stage.world.windows.append(Listed(tip))
    assert (await verdict(stage))[0] == "timed_out"


async def test_a_title_that_changes(stage: Stage) -> None:
    def renamed(*_: object) -> None:
        stage.world.windows[0].info = window(1, "*Notes", "Mousepad")

    stage.world.on["act"] = renamed
    assert await verdict(stage) == ("observed", "The title of “Notes” is now “*Notes”.")


async def test_the_element_itself_tells(stage: Stage) -> None:
    stage.world.on["act"] = lambda *_: stage.world.change("ax:tick", checked=True)
    assert await verdict(stage, act.Click(target_id="ax:tick")) == ("observed", "“Agree” is now checked.")


async def test_a_box_that_stays_as_it_was_contradicts(stage: Stage) -> None:
    assert await verdict(stage, act.Click(target_id="ax:tick")) == ("contradicted", "It is still not ticked.")


async def test_choosing_what_is_chosen(stage: Stage) -> None:
    stage.world.put(element("ax:row", "row", "Row", selected=True, bounds=Rect(x=32, y=96, width=64, height=16)))
    status, detail = await verdict(stage, act.Click(target_id="ax:row"))
    assert (status, detail) == ("observed", "“Row” is selected, as it was before.")


async def test_a_shortcut_that_shows_nothing_is_not_checked(stage: Stage) -> None:
    began = stage.world.now
    assert (await verdict(stage, act.KeyCombo(keys=("ctrl", "c"))))[0] == "not_checked"
    assert stage.world.now - began < 1.0


async def test_the_screen_that_does_not_come_to_rest(stage: Stage) -> None:
    colours = iter(range(1, 250))

    def flicker() -> None:
        stage.world.paint(WINDOW, next(colours))
        stage.world.after(0.01, flicker)

    stage.world.on["act"] = lambda *_: flicker()
    performed = await stage.do(CLICK)
    assert not performed.settled


class TestFocus:
    async def test_another_window_in_front_is_reported(self, stage: Stage) -> None:
        def pop_up(*_: object) -> None:
            stage.world.windows.append(Listed(window(9, "Really?", "Mousepad", pid=1, dialog=True)))
            stage.world.activate(9)

        stage.world.on["act"] = pop_up
        assert (await stage.do(CLICK)).focus_moved == "Really?"

    async def test_a_dialog_that_closes_gives_it_back(self, stage: Stage) -> None:
        stage.world.windows.append(
            Listed(window(2, "Main", "Mousepad", pid=1, active=False, bounds=Rect(x=0, y=0, width=9, height=9)))
        )

        def closed(*_: object) -> None:
            stage.world.windows = [entry for entry in stage.world.windows if entry.info.id == 2]
            stage.world.activate(2)

        stage.world.on["act"] = closed
        performed = await stage.do(CLICK)
        assert performed.focus_moved is None
        assert performed.receipt.observed_effect.detail == "“Notes” closed."

    async def test_a_title_that_changes_is_the_same_window(self, stage: Stage) -> None:
        def renamed(*_: object) -> None:
            stage.world.windows[0].info = window(1, "*Notes", "Mousepad")

        stage.world.on["act"] = renamed
        assert (await stage.do(CLICK)).focus_moved is None


class TestExpectations:
    def click(self, expectation: object) -> act.Click:
        return act.Click.model_validate({"target_id": "ax:save", "expect_after": expectation})

    async def test_something_appears_late(self, stage: Stage) -> None:
        new = element("ax:banner", "label", "Saved", bounds=Rect(x=150, y=110, width=16, height=16))
        stage.world.on["act"] = lambda *_: stage.world.after(0.5, lambda: stage.world.put(new))
        performed = await stage.do(self.click(SelectorAppears(selector='text="Saved"')))
        fine(performed)
        assert performed.receipt.observed_effect.status == "observed"
        assert performed.receipt.observed_effect.kind.kind == "selector_effect"

    async def test_a_miss_is_a_failed_step(self, stage: Stage) -> None:
        performed = await stage.do(self.click(SelectorAppears(selector='text="Saved"', timeout_ms=500)))
        assert 'text="Saved" appears' in problem(performed)
        assert performed.receipt.status == "timed_out"
        assert performed.receipt.observed_effect.status == "timed_out"

    async def test_something_disappears(self, stage: Stage) -> None:
        stage.world.on["act"] = lambda *_: stage.world.elements.pop("ax:tick")
        fine(await stage.do(self.click(SelectorDisappears(selector='checkbox[name="Agree"]'))))

    async def test_text_contains(self, stage: Stage) -> None:
        stage.world.on["act"] = lambda *_: stage.world.change("ax:tick", value="Agreed at noon")
        expectation = SelectorTextContains(selector='checkbox[name="Agree"]', substring="NOON")
        fine(await stage.do(self.click(expectation)))

    async def test_something_changes(self, stage: Stage) -> None:
        stage.world.on["act"] = lambda *_: stage.world.change("ax:tick", checked=True)
        fine(await stage.do(self.click(DomChanged())))
        stage.world.on.clear()
        assert "something changes" in problem(await stage.do(self.click(DomChanged(timeout_ms=300))))

    async def test_css_cannot_be_looked_up_and_says_so(self, stage: Stage) -> None:
        performed = await stage.do(self.click(SelectorAppears(selector="#saved .ok")))
        fine(performed)
        assert performed.receipt.observed_effect.status == "not_checked"
        assert "browser connection" in (performed.receipt.observed_effect.detail or "")
