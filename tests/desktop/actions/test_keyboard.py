"""Typing arrives complete in the intended window, or the step fails and says why."""

from __future__ import annotations

import pytest

from console.contracts import actions as act
from console.contracts.errors import PermitVoid
from console.contracts.geometry import Rect
from console.contracts.moves import StepOk

from .fakes import Listed, Stage, element, fine, problem, window

FIELD = Rect(x=32, y=96, width=96, height=24)


@pytest.fixture
def stage() -> Stage:
    stage = Stage()
    stage.world.put(element("ax:name", "input", "Name", value="", bounds=FIELD))
    stage.world.put(element("ax:note", "textarea", "Note", value="", bounds=Rect(x=32, y=128, width=96, height=24)))
    stage.world.put(element("ax:pin", "input", "PIN", protected=True, bounds=Rect(x=32, y=24, width=96, height=24)))
    return stage


async def test_text_is_typed_into_the_field_and_read_back(stage: Stage) -> None:
    performed = await stage.do(act.TypeText(target_id="ax:name", text="Zażółć 🙂"))
    assert stage.world.elements["ax:name"].value == "Zażółć 🙂"
    effect = performed.receipt.observed_effect
    assert (effect.status, effect.kind.kind) == ("observed", "ax_reread")
    assert performed.receipt.route.route == "native_input"


async def test_what_did_not_arrive_is_named(stage: Stage) -> None:
    stage.input.loses = "ż<"
    performed = await stage.do(act.TypeText(target_id="ax:name", text="Zażółć <a>"))
    assert "missing: “ż”, “<”" in problem(performed)
    assert performed.receipt.observed_effect.status == "contradicted"


async def test_typing_goes_after_what_stands_there(stage: Stage) -> None:
    stage.world.change("ax:name", value="old")
    await stage.do(act.TypeText(target_id="ax:name", text=" new"))
    assert ("keys", "end") in stage.world.log
    assert stage.world.elements["ax:name"].value == "old new"


async def test_a_field_with_the_focus_keeps_its_caret(stage: Stage) -> None:
    stage.world.focus("ax:name")
    await stage.do(act.TypeText(target_id="ax:name", text="x"))
    assert "keys" not in stage.world.names()
    assert "focus" not in stage.world.names()


async def test_a_password_is_typed_but_never_read(stage: Stage) -> None:
    fine(await stage.do(act.TypeText(target_id="ax:pin", text="hunter2!")))
    assert ("type", "hunter2!") in stage.world.log
    assert "read_text" not in stage.world.names()


@pytest.mark.parametrize(
    ("given", "sent"), [("line1\nline2", "line1\nline2"), ("a\r\nb", "a\nb"), ("a\\nb", "a\\nb"), ("a\rb", "a\nb")]
)
async def test_line_breaks_are_one_kind(stage: Stage, given: str, sent: str) -> None:
    fine(await stage.do(act.TypeText(target_id="ax:note", text=given)))
    assert ("type", sent) in stage.world.log


async def test_a_line_break_in_a_field_of_one_line_is_not_compared(stage: Stage) -> None:
    fine(await stage.do(act.TypeText(target_id="ax:name", text="a\n")))
    assert "read_text" not in stage.world.names()


async def test_a_field_that_takes_no_focus_is_clicked_and_then_refused(stage: Stage) -> None:
    stage.elements.takes_focus = False
    stage.world.change("ax:name", bounds=FIELD)
    fine(await stage.do(act.TypeText(target_id="ax:name", text="x")))
    assert "click" in stage.world.names()
    stage.world.put(element("ax:odd", "terminal", "Odd", bounds=Rect(x=136, y=96, width=32, height=24)))
    assert "did not take the keyboard focus" in problem(await stage.do(act.TypeText(target_id="ax:odd", text="x")))


async def test_a_point_is_clicked_into(stage: Stage) -> None:
    fine(await stage.do(act.TypeText(target_id="point:200,100", text="x")))
    assert stage.world.names()[:2] == ["click", "type"]


class TestAfterApproval:
    """The operator clicked Approve, so the console has the focus now."""

    @pytest.fixture
    def approved(self, stage: Stage) -> Stage:
        stage.world.focus("ax:name")
        return stage

    def to_the_console(self, stage: Stage) -> None:
        stage.world.windows.append(
            Listed(window(99, "Console", "Console", bounds=Rect(x=250, y=0, width=60, height=60)), own=True)
        )
        stage.world.activate(99)
        stage.world.change("ax:name", focused=False)
        stage.world.on["activate"] = lambda *_: stage.world.focus("ax:name")

    async def test_the_focus_goes_back_before_typing(self, approved: Stage) -> None:
        permit = await approved.plan(act.TypeText(text="hello"))
        self.to_the_console(approved)
        fine(await approved.desktop.perform(act.TypeText(text="hello"), permit))
        assert approved.world.log[0] == ("activate", 1)
        assert approved.world.elements["ax:name"].value == "hello"

    async def test_no_key_is_sent_while_the_console_keeps_the_focus(self, approved: Stage) -> None:
        for action in (act.KeyCombo(keys=("alt", "f4")), act.Key(key="ctrl+c"), act.TypeText(text="x")):
            permit = await approved.plan(action)
            self.to_the_console(approved)
            approved.windows.stubborn = True
            assert "did not come to the front" in problem(await approved.desktop.perform(action, permit))
            approved.world.windows.pop(0)
            approved.world.activate(1)
            approved.world.focus("ax:name")
        assert not {"keys", "type"} & set(approved.world.names())

    async def test_with_nothing_but_the_console_there_is_nowhere_to_type(self, stage: Stage) -> None:
        stage.world.windows = [Listed(window(99, "Console", "Console", active=True), own=True)]
        assert "No window has the focus" in problem(await stage.do(act.Key(key="a")))

    async def test_a_window_that_went_away_is_not_typed_into(self, approved: Stage) -> None:
        permit = await approved.plan(act.TypeText(text="hello"))
        self.to_the_console(approved)
        approved.world.windows = [entry for entry in approved.world.windows if entry.own]
        assert "“Notes” is not there any more" in problem(
            await approved.desktop.perform(act.TypeText(text="hello"), permit)
        )

    async def test_another_window_with_the_focus_voids_the_permit(self, approved: Stage) -> None:
        permit = await approved.plan(act.TypeText(text="hello"))
        approved.world.windows.append(Listed(window(5, "Chat", "Chat")))
        approved.world.activate(5)
        approved.world.change("ax:name", focused=False)
        with pytest.raises(PermitVoid):
            await approved.desktop.perform(act.TypeText(text="hello"), permit)
        assert "type" not in approved.world.names()

    async def test_another_field_with_the_focus_voids_the_permit(self, approved: Stage) -> None:
        permit = await approved.plan(act.TypeText(text="hello"))
        approved.world.focus("ax:note")
        with pytest.raises(PermitVoid):
            await approved.desktop.perform(act.TypeText(text="hello"), permit)


async def test_the_focus_that_is_lost_on_the_way_stops_the_keys(stage: Stage) -> None:
    def stolen(*_: object) -> None:
        stage.world.windows.append(Listed(window(5, "Chat", "Chat")))
        stage.world.activate(5)

    stage.world.on["focus"] = stolen
    assert "went to “Chat”" in problem(await stage.do(act.TypeText(target_id="ax:note", text="x")))
    assert "type" not in stage.world.names()


async def test_an_unknown_key_is_an_error(stage: Stage) -> None:
    assert "no key “foo”" in problem(await stage.do(act.Key(key="foo")))


@pytest.mark.parametrize("keys", [("ctrl", "alt", "backspace"), ("ctrl+alt+delete",), ("ctrl", "alt", "f2")])
async def test_keys_of_the_session_are_never_sent(stage: Stage, keys: tuple[str, ...]) -> None:
    assert isinstance(problem(await stage.do(act.KeyCombo(keys=keys))), str)
    assert "keys" not in stage.world.names()


async def test_a_combination_is_pressed_together(stage: Stage) -> None:
    assert isinstance((await stage.do(act.KeyCombo(keys=("ctrl", "s")))).result, StepOk)
    assert ("keys", "ctrl", "s") in stage.world.log
