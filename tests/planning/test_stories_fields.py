"""Forms, lists, ticks, keys, menus and the pointer, as whole runs on a small made-up desktop."""

from __future__ import annotations

from console.contracts.actions import SetValue
from console.contracts.moves import Batch, Done, Fail

from .world import World, element, form


async def test_a_form_is_filled_in_one_batch() -> None:
    world = form()
    end = await world.run(
        "set Name to “Ada”; fill in e-mail with a@b.c; choose Germany in Country; tick remember me; click OK"
    )
    assert isinstance(end, Done)
    assert world.deeds == [
        "Set name to “Ada”", "Set mail to “a@b.c”", "Set list to “de”", "Set tick to “true”", "Click ok",
    ]  # fmt: skip
    assert [len(move.steps) for move in world.moves if isinstance(move, Batch)] == [5]
    assert end.summary.startswith("All 5 instructions are carried out")
    assert end.extracted_data is None
    assert world.verdicts[-1].verified


async def test_a_menu_is_walked_entry_by_entry() -> None:
    world = World.of(
        element("file", "File", "menu"),
        on={
            "click:file": lambda: world.add(
                element("as", "Save As…", "menuitem", window=None), element("s", "Save", "menuitem", window=None)
            )
        },
    )
    assert isinstance(await world.run("choose File > Save As"), Done)
    assert world.deeds == ["Click file", "Click as"]
    assert [record.step_purpose for record in world.history] == [
        "[1.1] Open the menu “File”",
        "[1] Choose File › Save As",
    ]


async def test_a_menu_entry_that_cannot_be_clicked_is_activated() -> None:
    world = World.of(element("file", "File", "menu"), element("s", "Save", "menuitem"), fails={"click:file": ["no"]})
    assert isinstance(await world.run("choose File > Save"), Done)
    assert [action.type for action in world.done] == ["ax_action", "ax_action"]


async def test_options_are_found_in_a_list_without_being_named() -> None:
    world = form()
    assert isinstance(await world.run("choose Germany"), Done)
    assert world.deeds == ["Set list to “de”"]


async def test_an_entry_of_a_list_box_is_clicked() -> None:
    world = World.of(element("a", "Alpha", "listitem"), element("b", "Beta", "listitem", at=(10, 40, 80, 24)))
    assert isinstance(await world.run("select Beta from the list"), Done)
    assert world.deeds == ["Click b"]


async def test_a_tick_that_is_there_needs_nothing_and_one_that_does_not_come_is_clicked() -> None:
    world = form()
    world.elements["tick"] = element("tick", "Remember me", "checkbox", checked=True)
    assert isinstance(await world.run("tick “Remember me”"), Done)
    assert world.done == []
    world = form(fails={"set_value:tick": ["no"]})
    world.on["click:tick"] = lambda: world.add(element("tick", "Remember me", "checkbox", checked=True))
    assert isinstance(await world.run("check “Remember me”"), Done)
    assert world.deeds == ["Click tick"]
    world = form()
    assert isinstance(await world.run("set “Remember me” to on"), Done)
    assert isinstance(world.done[0], SetValue)


async def test_keys_are_pressed_as_often_as_said() -> None:
    world = World.of()
    assert isinstance(await world.run("press Enter twice; press Down 5 times; press Tab, Escape"), Done)
    assert world.deeds == [
        "Press Enter", "Press Enter", "Press Down, then Press Down, then Press Down, then Press Down, then Press Down",
        "Press Tab", "Press Escape",
    ]  # fmt: skip


async def test_scrolling_until_something_is_seen() -> None:
    world = World.of(element("box", "Log", "list"))
    count = iter(range(10))
    world.on["scroll:box"] = lambda: world.add(element("e", "The end", "text")) if next(count) == 2 else None
    assert isinstance(
        await world.run("scroll down in “Log” until “The end” is visible; scroll up 2; scroll right"), Done
    )
    assert world.deeds == [*["Scroll down 5 in box"] * 3, "Scroll up 2", "Scroll right 5"]


async def test_scrolling_has_an_end() -> None:
    world = World.of(element("x", "The ending", "text"))
    end = await world.run("scroll until “The endings of all” is visible")
    assert isinstance(end, Fail)
    assert "did not come into view" in end.reason
    world = World.of(fails={"scroll:": ["no", "no"]})
    assert isinstance(await world.run("scroll until “x” is visible"), Fail)


async def test_dragging_pointing_and_waiting() -> None:
    world = World.of(element("a", "a.txt", "listitem"), element("b", "Archive", "listitem", at=(10, 90, 80, 24)))
    end = await world.run(
        "drag “a.txt” onto “Archive”; hover over “a.txt”; double-click “a.txt”; ctrl-click “Archive”; wait 2 s"
    )
    assert isinstance(end, Done)
    assert world.deeds == ["Drag a to b", "Point at a", "Double-click a", "Ctrl+Click b"]


async def test_a_field_with_options_is_set_by_its_label() -> None:
    world = form()
    assert isinstance(await world.run("set Country to Poland"), Done)
    assert world.deeds == ["Set list to “pl”"]


async def test_the_focused_of_two_texts_is_the_display() -> None:
    world = World.of(
        element("a", None, "textarea", value="4"),
        element("b", None, "textarea", value="5", focused=True, at=(10, 50, 80, 20)),
    )
    end = await world.run("read the display as d; return d")
    assert isinstance(end, Done)
    assert end.extracted_data == 5


async def test_a_batch_has_at_most_five_steps() -> None:
    fields = [element(f"f{n}", f"Field {n}", "input", at=(10, 30 * n, 100, 20)) for n in range(7)]
    world = World.of(*fields)
    assert isinstance(await world.run("; ".join(f"set “Field {n}” to x" for n in range(7))), Done)
    assert [len(move.steps) for move in world.moves if isinstance(move, Batch)] == [5, 2]


async def test_what_is_not_there_yet_does_not_hold_up_what_is() -> None:
    world = World.of(element("a", "A", "input"), on={"set_value:a": lambda: world.add(element("b", "B", "input"))})
    assert isinstance(await world.run("set A to 1; set B to 2"), Done)
    assert world.deeds == ["Set a to “1”", "Set b to “2”"]
