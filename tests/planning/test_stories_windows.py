"""Apps, windows, pages and dialogs, as whole runs on a small made-up desktop."""

from __future__ import annotations

from console.contracts.actions import Wait
from console.contracts.effects import ObservedEffect
from console.contracts.moves import AttemptRecord, Batch, Clarify, Done, Fail

from .world import OBSERVED, World, element, form


async def test_an_app_is_opened_and_waited_for_before_anything_is_typed() -> None:
    world = World.of(windows=[{"title": "Desktop", "app": "xfdesktop", "active": True}])
    world.later.append((1000, lambda: world.window("Untitled 1 - Mousepad", "mousepad")))
    end = await world.run("open Mousepad and type “hello” and press ctrl+s")
    assert isinstance(end, Done)
    assert world.deeds == ["Open Mousepad", "Type “hello”", "Press ctrl+s"]
    kinds = [step.action.type for move in world.moves if isinstance(move, Batch) for step in move.steps]
    assert kinds == ["launch_app", "wait", "wait", "wait", "type", "key_combo"]


async def test_an_opened_app_is_brought_to_the_front() -> None:
    world = World.of(windows=[{"title": "A", "app": "other", "active": True}, {"title": "Calc", "app": "galculator"}])

    def front() -> None:
        world.windows[0]["active"], world.windows[1]["active"] = False, True

    world.on["activate_app:galculator"] = front
    assert isinstance(await world.run("start galculator; press 5"), Done)
    assert world.deeds == ["Open galculator", "Switch to galculator", "Press 5"]


async def test_an_app_that_calls_its_window_otherwise_is_known_by_its_effect() -> None:
    world = World.of(effects={"launch_app:Text Writer": OBSERVED})
    assert isinstance(await world.run("open Text Writer; type “x”"), Done)


async def test_a_list_that_cannot_be_set_is_opened() -> None:
    world = form(fails={"set_value:list": ["no"]})
    world.on["click:list"] = lambda: world.add(element("o", "de", "menuitem", window=None))
    assert isinstance(await world.run("choose Germany in Country"), Done)
    assert world.deeds == ["Click list", "Click o"]


async def test_windows_are_switched_placed_and_closed() -> None:
    world = World.of(
        windows=[
            {"title": "A - Editor", "app": "editor", "active": True},
            {"title": "B - Editor", "app": "editor"},
            {"title": "Calculator", "app": "galculator"},
        ]
    )

    def front(title: str) -> None:
        for window in world.windows:
            window["active"] = window["title"] == title

    world.on["activate_app:galculator"] = lambda: front("Calculator")
    world.on["activate_app:B - Editor"] = lambda: front("B - Editor")
    end = await world.run(
        "switch to galculator; switch to the window “B - Editor”; maximize the window\n"
        "move “A - Editor” to the left half\n"
        "resize the window to 800x600; move the window to 5, 6; close the window “B - Editor”; quit galculator"
    )
    assert isinstance(end, Done)
    made = [action.model_dump(exclude_defaults=True, exclude={"type"}) for action in world.done]
    assert made == [
        {"app_name": "galculator"},
        {"app_name": "B - Editor"},
        {"op": "maximize", "app": "editor", "window_index": 1},
        {"op": "place", "app": "editor", "preset": "left_half"},
        {"op": "resize", "app": "editor", "window_index": 1, "width": 800, "height": 600},
        {"op": "move", "app": "editor", "window_index": 1, "x": 5, "y": 6},
        {"op": "close", "app": "editor", "window_index": 1},
        {"app_name": "galculator"},
    ]


async def test_a_window_that_is_not_there_or_does_not_come() -> None:
    world = World.of(wait_s=1)
    end = await world.run("switch to Gimp")
    assert isinstance(end, Fail)
    assert "the open windows are: “Notes”" in end.reason
    world = World.of(wait_s=1, windows=[{"title": "A", "app": "a", "active": True}, {"title": "Bee", "app": "bee"}])
    assert isinstance(await world.run("switch to Bee"), Fail)
    world = World.of(wait_s=1, windows=[])
    assert isinstance(await world.run("maximize the window"), Fail)


async def test_pages_are_opened_by_the_browser_or_its_address_bar() -> None:
    world = World.of()
    assert isinstance(await world.run("go to https://example.org"), Done)
    assert world.deeds == ["Go to https://example.org"]
    world = World.of(windows=[{"title": "x", "app": "chromium", "active": True}])
    world.fails["navigate:https://example.org"] = ["There is no browser connection."]
    assert isinstance(await world.run("go to https://example.org"), Done)
    assert world.deeds == ["Press ctrl+l", "Type “https://example.org”", "Press Enter"]


async def test_dialogs_are_confirmed_and_dismissed() -> None:
    world = World.of()
    world.dialog("Sure?", "Cancel", "Save")
    world.on["click:Sure?-Save"] = lambda: world.close("Sure?")
    assert isinstance(await world.run("confirm the dialog"), Done)
    assert world.deeds == ["Click Sure?-Save"]
    world = World.of()
    world.dialog("Sure?", "Cancel", "Save")
    assert isinstance(await world.run("dismiss the dialog"), Done)
    assert world.deeds == ["Click Sure?-Cancel"]
    world = World.of()
    world.dialog("Note", "Frob", blocks=False)
    assert isinstance(await world.run("dismiss the dialog"), Done)
    assert world.deeds == ["Dismiss the dialog"]
    world = World.of()
    world.dialog("Note", "Frob", "Nob", blocks=False)
    assert isinstance(await world.run("confirm the dialog"), Clarify)
    world = World.of(answers=["Nob"])
    world.dialog("Note", "Frob", "Nob")
    world.on["click:Note-Nob"] = lambda: world.close("Note")
    assert isinstance(await world.run("confirm the dialog"), Done)
    assert world.deeds == ["Click Note-Nob"]
    world = World.of()
    world.dialog("Attention", "Delete", "Cancel")
    assert isinstance(await world.run("confirm the dialog"), Done)
    assert world.deeds == ["Click Attention-Delete"]
    world = World.of(wait_s=1)
    assert isinstance(await world.run("confirm the dialog"), Fail)


async def test_a_dialog_in_the_way_is_the_operators() -> None:
    world = World.of(element("ok", "Refresh"), answers=["Don't save"])
    world.dialog("Save changes?", "Save", "Don't save", "Cancel")
    world.on["click:Save changes?-Don't save"] = lambda: world.close("Save changes?")
    assert isinstance(await world.run("click Refresh"), Done)
    (question,) = world.questions
    assert question.candidates is not None
    assert question.candidates[:3] == ("Save", "Don't save", "Cancel")
    assert world.deeds == ["Click Save changes?-Don't save", "Click ok"]


async def test_a_dialog_that_has_the_thing_is_used() -> None:
    world = World.of(element("save", "Save"))
    world.dialog("Save changes?", "Save", "Cancel")
    assert isinstance(await world.run("click Save"), Done)
    assert world.deeds == ["Click Save changes?-Save"]


async def test_a_dialog_over_something_missing_is_asked_about() -> None:
    world = World.of()
    world.dialog("Update", "Later")
    end = await world.run("click Refresh")
    assert isinstance(end, Clarify)
    assert "“Update”" in end.question


async def test_an_app_that_asks_before_it_closes() -> None:
    asks = AttemptRecord(
        step_purpose="",
        action=Wait(ms=0),
        succeeded=False,
        error="It asks first: “Save changes?”. Answer that dialog.",
        effect=ObservedEffect(status="contradicted"),
    )
    world = World.of(fails={"quit_app:Mousepad": [asks]})
    world.dialog("Save changes?", "Don't save", "Cancel")
    world.on["click:Save changes?-Don't save"] = lambda: world.close("Save changes?")
    assert isinstance(await world.run("quit Mousepad; click “Don't save”"), Done)
    assert world.deeds == ["Click Save changes?-Don't save"]
    world = World.of(fails={"window:close": [asks], "window:": [asks]}, answers=["Cancel"])
    world.fails["window:close"] = [asks]
    world.dialog("Save changes?", "Don't save", "Cancel")
    world.on["click:Save changes?-Cancel"] = lambda: world.close("Save changes?")
    assert isinstance(await world.run("close the window “Notes”"), Done)
    assert world.deeds == ["Click Save changes?-Cancel"]


async def test_a_dialog_of_another_app_is_not_in_the_way() -> None:
    world = World.of(element("r", "Refresh", window="Files"))
    world.windows.append({"title": "Files", "app": "thunar"})
    world.dialog("Note", "OK")
    assert isinstance(await world.run("click Refresh"), Done)
    assert world.questions == []


async def test_a_dialog_without_readable_buttons_is_not_asked_about() -> None:
    world = World.of(wait_s=1)
    world.dialog("Stopped")
    end = await world.run("click OK")
    assert isinstance(end, Fail)
    assert world.questions == []


async def test_a_click_in_a_dialog_that_is_blocked_by_another() -> None:
    world = World.of(element("r", "Refresh"))
    world.dialog("Busy")
    end = await world.run("click Refresh")
    assert isinstance(end, Clarify)
    assert end.candidates == ("Try again", "Give up")


async def test_an_answer_for_a_dialog_that_is_gone_by_then() -> None:
    world = World.of(element("r", "Refresh"), answers=["Save"])
    world.dialog("Save changes?", "Save", "Cancel")
    goal = "click Refresh"
    question = await world.planner.decide_next(goal, (), {}, world.view(), None)
    assert isinstance(question, Clarify)
    world.answer(question, "Save")
    world.drop("Save changes?-Save")
    world.answers = ["give up"]
    assert isinstance(await world.run(goal), Fail)
    world.history.pop()
    world.close("Save changes?")
    assert isinstance(await world.run(goal), Done)
    assert world.deeds == ["Click r"]
