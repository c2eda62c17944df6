"""Dialogs, reading, adapters, addresses, and what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from console.contracts import actions as act
from console.contracts.base import Json
from console.contracts.errors import TargetError
from console.contracts.geometry import Rect
from console.contracts.moves import StepErr, StepOk
from console.contracts.view import AdapterActionRef, AdapterFactRef
from console.desktop.actions import web

from .fakes import Listed, Stage, element, fine, problem, window


class TestDialog:
    @pytest.fixture
    def stage(self) -> Stage:
        stage = Stage()
        stage.world.windows = [Listed(window(1, "Save?", "Mousepad", dialog=True, modal=True))]
        stage.world.put(element("ax:t", "label", "Keep it?", bounds=Rect(x=32, y=20, width=64, height=16)))
        stage.world.put(element("ax:yes", "button", "_Save"))
        stage.world.put(element("ax:no", "button", "Cancel", bounds=Rect(x=110, y=48, width=64, height=24)))
        stage.world.put(element("ax:n", "input", "Name", value="a", bounds=Rect(x=32, y=80, width=64, height=24)))
        stage.world.put(element("ax:p", "input", "PIN", protected=True, bounds=Rect(x=32, y=110, width=64, height=24)))
        return stage

    async def test_list(self, stage: Stage) -> None:
        assert fine(await stage.do(act.Dialog(op="list"))).data == {
            "title": "Save?",
            "text": "Keep it?",
            "buttons": ["_Save", "Cancel"],
            "fields": [{"label": "Name", "value": "a"}, {"label": "PIN", "value": None}],
        }

    async def test_click(self, stage: Stage) -> None:
        performed = await stage.do(act.Dialog(op="click", button="_Save"))
        assert ("act", "ax:yes", "click") in stage.world.log
        assert performed.receipt.action_kind == "dialog"

    async def test_click_what_is_not_there(self, stage: Stage) -> None:
        assert "no button “Maybe”. It has: “_Save”, “Cancel”" in problem(
            await stage.do(act.Dialog(op="click", button="Maybe"))
        )

    async def test_fields(self, stage: Stage) -> None:
        fine(await stage.do(act.Dialog(op="set_field", value="b")))
        assert stage.world.elements["ax:n"].value == "b"
        assert "has 2 fields" in problem(await stage.do(act.Dialog(op="set_field", value="b", field_index=2)))

    async def test_dismissing_takes_the_way_that_keeps_everything(self, stage: Stage) -> None:
        await stage.do(act.Dialog(op="dismiss"))
        assert ("act", "ax:no", "click") in stage.world.log

    async def test_dismissing_by_key_where_there_is_no_such_button(self, stage: Stage) -> None:
        del stage.world.elements["ax:no"]
        await stage.do(act.Dialog(op="dismiss"))
        assert ("keys", "escape") in stage.world.log

    async def test_no_dialog(self) -> None:
        stage = Stage()
        permit = await stage.plan(act.Wait(ms=0))
        performed = await stage.desktop.perform(act.Dialog(op="list"), permit)
        assert "no dialog" in problem(performed)


class TestReading:
    @pytest.fixture
    def stage(self) -> Stage:
        stage = Stage()
        stage.world.put(element("ax:total", "input", "Total", value="1.234,50 €"))
        stage.world.put(element("ax:pin", "input", "PIN", protected=True))
        stage.world.put(element("ocr:1", "text", "Result: 42", source="ocr"))
        return stage

    @pytest.mark.parametrize(
        ("selectors", "kind", "value"),
        [
            (('input[name="Total"]',), "text", "1.234,50 €"),
            (('input[name="Total"]',), "float", 1234.5),
            (("#gone", "text=Result"), "int", 42),
            (('id="ocr:1"',), "text", "Result: 42"),
        ],
    )
    async def test_the_first_that_fits(self, stage: Stage, selectors: Any, kind: Any, value: Json) -> None:
        action = act.ExtractWithFallback(name="x", selectors=selectors, parse_as=kind)
        assert fine(await stage.do(action)).data == value

    @pytest.mark.parametrize(
        ("selectors", "kind", "words"),
        [
            (("#gone",), "text", "browser connection"),
            (('text="nowhere"',), "text", "not on the screen"),
            (('input[name="Total"]',), "int", "shows no number"),
            (('input[name="PIN"]',), "text", "not on the screen"),
            ((), "text", "Give a selector"),
            (("text=Result",), "html", "needs a browser connection"),
        ],
    )
    async def test_failures_say_why(self, stage: Stage, selectors: Any, kind: Any, words: str) -> None:
        action = act.ExtractWithFallback(name="x", selectors=selectors, parse_as=kind)
        assert words in problem(await stage.do(action))

    @pytest.mark.parametrize(
        ("text", "number"),
        [("1,234.5", 1234.5), ("1 234,5", 1234.5), ("-3", -3), ("−3", -3), ("1,234", 1234), ("0,123", 0.123),
         ("1.234.567", 1234567), ("12,5", 12.5), ("= 42.", 42), ("1e3", 1000)],
    )  # fmt: skip
    async def test_numbers_as_people_write_them(self, stage: Stage, text: str, number: float) -> None:
        stage.world.change("ax:total", value=text)
        action = act.ExtractWithFallback(name="x", selectors=('input[name="Total"]',), parse_as="float")
        assert fine(await stage.do(action)).data == number

    async def test_what_the_planner_gives_is_kept(self, stage: Stage) -> None:
        assert fine(await stage.do(act.Extract(goal="total", data="42"))).data == "42"
        assert fine(await stage.do(act.NotebookWrite(key="a", value="b"))).data is None
        assert stage.world.log == []


class Tools:
    name = "tools"

    async def facts(self, goal: str) -> Sequence[AdapterFactRef]:
        return ()

    def actions(self) -> Sequence[AdapterActionRef]:
        return (AdapterActionRef(adapter="tools", action="read_cells"),)

    async def call(self, action: str, params: Json) -> StepOk | StepErr:
        if action == "break":
            raise ZeroDivisionError("by nothing")
        if action == "refuse":
            raise TargetError("No.", "Ask otherwise.")
        return StepOk(data=[action, params]) if action != "quiet" else StepOk()


class TestAdapters:
    @pytest.fixture
    def stage(self) -> Stage:
        return Stage(adapters=[Tools()])

    async def test_a_call(self, stage: Stage) -> None:
        performed = await stage.do(act.Custom(adapter="tools", action="echo", params={"a": 1}))
        assert fine(performed).data == ["echo", {"a": 1}]
        assert performed.receipt.route.model_dump() == {"route": "adapter", "name": "tools", "op": "echo"}
        assert performed.receipt.observed_effect.status == "observed"

    async def test_one_that_reads_nothing_back(self, stage: Stage) -> None:
        performed = await stage.do(act.Custom(adapter="tools", action="quiet"))
        assert performed.receipt.observed_effect.status == "not_checked"

    @pytest.mark.parametrize(("action", "words"), [("break", "by nothing"), ("refuse", "No. Ask otherwise.")])
    async def test_failures(self, stage: Stage, action: str, words: str) -> None:
        assert words in problem(await stage.do(act.Custom(adapter="tools", action=action)))

    async def test_an_unknown_adapter(self, stage: Stage) -> None:
        assert "There are: tools." in problem(await stage.do(act.Custom(adapter="x", action="y")))

    async def test_cells(self, stage: Stage) -> None:
        data = fine(await stage.do(act.ReadCells(app="Calc", cell_refs=("A1",)))).data
        assert isinstance(data, list)
        assert data[0] == "read_cells"
        write = act.WriteCells(app="Calc", writes=(act.CellWrite(cell_ref="A1", value="1"),))
        assert "No spreadsheet adapter" in problem(await stage.do(write))


class TestAddresses:
    @pytest.mark.parametrize(
        ("given", "used"),
        [
            ("example.org", "https://example.org"),
            (" https://example.org/a?b ", "https://example.org/a?b"),
            ("localhost:8000/x", "https://localhost:8000/x"),
            ("file:///tmp/a.html", "file:///tmp/a.html"),
        ],
    )
    def test_used(self, given: str, used: str) -> None:
        assert web.checked(given) == used

    @pytest.mark.parametrize(
        "given", ["", "a b", "javascript:alert(1)", "data:text/html,x", "chrome://settings", "x\n"]
    )
    def test_refused(self, given: str) -> None:
        if given == "x\n":
            assert web.checked(given) == "https://x"
            return
        with pytest.raises(TargetError):
            web.checked(given)

    async def test_by_the_address_bar(self) -> None:
        stage = Stage()
        stage.world.windows = [Listed(window(1, "Old - Chromium", "Chromium"))]

        def go(*keys: str) -> None:
            if keys == ("return",):
                stage.world.windows[0].info = window(1, "New - Chromium", "Chromium")

        stage.world.on["keys"] = go
        performed = await stage.do(act.Navigate(url="example.org"))
        assert [entry[1:] for entry in stage.world.log if entry[0] in ("keys", "type")] == [
            ("ctrl", "l"), ("ctrl", "a"), ("https://example.org",), ("delete",), ("return",),
        ]  # fmt: skip
        assert performed.receipt.observed_effect.detail == "The page is “New - Chromium” now."

    async def test_a_page_without_another_title(self) -> None:
        stage = Stage()
        stage.world.windows = [Listed(window(1, "Old - Chromium", "Chromium"))]
        stage.world.on["type"] = lambda *_: stage.world.paint(Rect(x=0, y=20, width=200, height=120))
        performed = await stage.do(act.Navigate(url="example.org"))
        assert "its title did not" in (performed.receipt.observed_effect.detail or "")

    async def test_nothing_comes(self) -> None:
        stage = Stage()
        stage.world.windows = [Listed(window(1, "Old - Chromium", "Chromium"))]
        performed = await stage.do(act.Navigate(url="example.org", timeout_ms=2000))
        assert performed.receipt.observed_effect.status == "timed_out"

    async def test_without_a_browser_in_front_one_is_started(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(web.shutil, "which", lambda name: f"/bin/{name}" if name == "chromium" else None)
        stage = Stage()
        stage.world.on["start"] = lambda *_: stage.world.windows.append(
            Listed(window(5, "New", "Chromium", active=False))
        )
        performed = await stage.do(act.Navigate(url="example.org"))
        assert ("start", ("/bin/chromium",), "https://example.org") in stage.world.log
        assert performed.receipt.route.model_dump() == {"route": "other", "detail": "started chromium"}
        monkeypatch.setattr(web.shutil, "which", lambda name: None)
        assert "No browser is installed" in problem(await Stage().do(act.Navigate(url="example.org")))


@pytest.mark.parametrize(
    "action",
    [
        act.Dock(op="list"),
        act.MenuExtra(op="list"),
        act.CdpEval(expression="1"),
        act.Act(instruction="do it"),
        act.DoneAction(summary="x"),
        act.FailAction(reason="x"),
    ],
)
async def test_what_is_refused_says_what_to_do(action: act.AnyAction) -> None:
    stage = Stage()
    performed = await stage.do(action)
    assert problem(performed).count(".") >= 2
    assert stage.world.log == []
