"""What an element is called, what can be done with it, and which row it stands in."""

from __future__ import annotations

import pytest

from console.contracts.geometry import Point, Rect
from console.contracts.scene import SceneElement, WindowInfo
from console.desktop.accessibility import roles
from console.desktop.accessibility.elements import ElementMaker
from console.desktop.accessibility.node import Node, in_order

from .fakes import SHOWING, FakeNode, top, window
from .test_reading import BUTTON, COMBO, EDITABLE, ENTRY, LABEL, STATIC, read

CELL, ROW, TABLE, LINK, LIST, ITEM, PANEL = 56, 90, 55, 88, 31, 32, 39


async def by_label(*nodes: FakeNode) -> dict[str, SceneElement]:
    return {e.label: e for e in (await read(*nodes)).elements}


@pytest.mark.parametrize(
    ("role", "states", "kind"),
    [
        (43, SHOWING, "button"),
        (61, EDITABLE, "input"),
        (61, EDITABLE | {roles.MULTI_LINE}, "textarea"),
        (61, SHOWING, "text"),
        (79, EDITABLE, "input"),
        (7, SHOWING, "checkbox"),
        (44, SHOWING, "radio"),
        (11, SHOWING, "combobox"),
        (32, SHOWING, "listitem"),
        (88, SHOWING, "link"),
        (37, SHOWING, "tab"),
        (35, SHOWING, "menuitem"),
        (83, SHOWING, "heading"),
        (52, SHOWING, "spinbutton"),
        (51, SHOWING, "slider"),
        (2, SHOWING, "alert"),
        (101, SHOWING, "alert"),
        (102, SHOWING, "alert"),
        (10, SHOWING, "columnheader"),
        (47, SHOWING, "rowheader"),
        (98, SHOWING, "list"),
        (91, SHOWING, "treeitem"),
        (130, SHOWING, "switch"),
        (9999, SHOWING, "unknown"),
    ],
)
def test_roles_have_the_words_of_the_contract(role: int, states: frozenset[int], kind: str) -> None:
    assert roles.element_type(role, states) == kind


async def test_a_field_is_called_by_what_labels_it() -> None:
    label = FakeNode(LABEL, "City:", (300, 200, 50, 20))
    found = await by_label(label, FakeNode(ENTRY, "", (10, 10, 90, 20), states=EDITABLE, labelled_by=label))
    assert (found["City:"].element_type, found["City:"].settable) == ("input", True)


async def test_a_field_without_a_name_is_called_by_the_label_beside_it() -> None:
    left, above = FakeNode(LABEL, "Left", (10, 50, 40, 20)), FakeNode(LABEL, "Above", (100, 80, 40, 15))
    one = FakeNode(ENTRY, "", (60, 50, 30, 20), states=EDITABLE)
    other = FakeNode(ENTRY, "", (100, 100, 90, 20), states=EDITABLE)
    elements = [e for e in (await read(left, above, one, other)).elements if e.element_type == "input"]
    assert [e.label for e in elements] == ["Left", "Above"]


async def test_the_label_of_one_field_does_not_name_the_next() -> None:
    label = FakeNode(LABEL, "Password", (10, 50, 60, 20))
    named = FakeNode(ENTRY, "Password", (75, 50, 60, 20), states=EDITABLE)
    (combo,) = (
        e
        for e in (await read(label, named, FakeNode(COMBO, "", (140, 50, 60, 20)))).elements
        if e.element_type == "combobox"
    )
    assert combo.label == ""


async def test_a_picture_button_is_called_by_its_description_and_a_field_by_its_placeholder() -> None:
    found = await by_label(
        FakeNode(BUTTON, "", (10, 10, 20, 20), description="Reload"),
        FakeNode(ENTRY, "", (10, 40, 20, 20), states=EDITABLE, attributes={"placeholder-text": "Search"}),
    )
    assert found["Reload"].element_type == "button"
    assert found["Search"].element_type == "input"


async def test_values_states_and_actions_are_read() -> None:
    found = await by_label(
        FakeNode(7, "Tick", states=SHOWING | {roles.CHECKED}, actions=("toggle",)),
        FakeNode(51, "Volume", (10, 40, 90, 20), number=12.5),
        FakeNode(ENTRY, "Name", (10, 70, 90, 20), states=EDITABLE, text="Ala ął"),
        FakeNode(BUTTON, "Off", (10, 99, 90, 20), states=frozenset({roles.SHOWING})),
    )
    assert (found["Tick"].state.checked, found["Tick"].actions) == (True, ("toggle",))
    assert (found["Volume"].value, found["Volume"].settable) == ("12.5", True)
    assert found["Name"].value == "Ala ął"
    assert found["Off"].state.enabled is False


async def test_the_delete_of_a_row_knows_its_row() -> None:
    def row(number: int) -> FakeNode:
        y = 20 * number
        return FakeNode(
            ROW,
            "",
            (0, y, 300, 20),
            [
                FakeNode(
                    CELL, f"Invoice {number}", (0, y, 90, 20), [FakeNode(STATIC, f"Invoice {number}", (0, y, 80, 20))]
                ),
                FakeNode(CELL, "Delete", (100, y, 90, 20), [FakeNode(LINK, "Delete", (100, y, 50, 20))]),
            ],
        )

    seen = await read(FakeNode(TABLE, "", (0, 0, 300, 100), [row(7), row(8)]))
    deletes = [e.context for e in seen.elements if e.label == "Delete"]
    assert deletes == ["Invoice 7", "Invoice 8"]


async def test_a_row_that_no_role_calls_one_is_a_row_all_the_same() -> None:
    def strip(number: int) -> FakeNode:
        y, word = 30 * number, f"Invoice {number}"
        inner = [FakeNode(85, word, (0, y, 90, 20), [FakeNode(STATIC, word, (0, y, 80, 20))])]
        inner.append(FakeNode(85, "Delete", (100, y, 90, 20), [FakeNode(LINK, "Delete", (100, y, 50, 20))]))
        return FakeNode(85, "", (0, y, 300, 22), inner)

    seen = await read(FakeNode(85, "", (0, 0, 300, 200), [strip(1), strip(2)]))
    assert [(e.label, e.context) for e in seen.elements if e.element_type == "link"] == [
        ("Delete", "Invoice 1"),
        ("Delete", "Invoice 2"),
    ]
    assert [e.label for e in seen.elements if e.element_type == "text"] == ["Invoice 1", "Invoice 2"]


async def test_cells_of_a_table_without_rows_go_by_their_height() -> None:
    cells = [
        FakeNode(CELL, text, (x, y, 50, 20), actions=("activate",))
        for y, words in ((0, ("a", "b")), (20, ("c", "d")))
        for x, text in zip((0, 60), words, strict=True)
    ]
    found = await by_label(FakeNode(TABLE, "", (0, 0, 200, 100), cells))
    assert (found["a"].context, found["d"].context) == ("a · b", "c · d")


async def test_the_parts_of_one_cell_are_one_element() -> None:
    parts = [FakeNode(CELL, "", (0, 0, 16, 20)), FakeNode(CELL, "Trash", (20, 0, 50, 20))]
    seen = await read(FakeNode(TABLE, "", (0, 0, 200, 100), [FakeNode(CELL, "", (0, 0, 100, 20), parts)]))
    assert [e.label for e in seen.elements] == ["Trash"]


async def test_a_cell_that_toggles_is_a_checkbox() -> None:
    cell = FakeNode(CELL, "", (0, 0, 20, 20), states=SHOWING | {roles.CHECKED}, actions=("Toggle",))
    words = FakeNode(CELL, "Apples", (30, 0, 90, 20))
    found = (await read(FakeNode(TABLE, "", (0, 0, 200, 100), [cell, words]))).elements
    assert [(e.element_type, e.label, e.state.checked) for e in found] == [
        ("checkbox", "Apples", True),
        ("cell", "Apples", None),
    ]


async def test_a_list_names_its_choices() -> None:
    items = [FakeNode(ITEM, name, (0, 20 * n, 50, 20)) for n, name in enumerate(("Red", "Green"))]
    (chosen,) = (
        e for e in (await read(FakeNode(LIST, "Colour", (0, 0, 60, 60), items))).elements if e.element_type == "list"
    )
    assert chosen.select_options == ("Red|Red", "Green|Green")


async def test_a_row_of_a_list_is_called_by_its_words_and_they_are_not_repeated() -> None:
    row = FakeNode(
        ITEM, "", (0, 0, 90, 30), [FakeNode(20, "", (0, 0, 90, 30), [FakeNode(LABEL, "Home", (30, 0, 50, 30))])]
    )
    row.description = "Open your personal folder"
    seen = await read(FakeNode(LIST, "", (0, 0, 90, 90), [row]))
    assert [(e.element_type, e.label) for e in seen.elements] == [("listitem", "Home")]


async def test_a_group_gives_its_name_to_what_stands_in_it() -> None:
    found = await by_label(FakeNode(PANEL, "Billing", (0, 0, 300, 200), [FakeNode(ENTRY, "Street", states=EDITABLE)]))
    assert found["Street"].context == "Billing"


def test_a_tree_lists_itself_in_the_order_of_the_document() -> None:
    root = Node((":1", "/r"), None)
    for name in ("a", "b"):
        child = Node((":1", f"/{name}"), root)
        child.children.append(Node((":1", f"/{name}1"), child))
        root.children.append(child)
    assert [node.ref[1] for node in in_order(root)] == ["/r", "/a", "/a1", "/b", "/b1"]
    assert ElementMaker(window(1, 7), root.bounds).elements([], []) == []
    assert top().role == 23


@pytest.mark.parametrize("scale", [1.25, 1.5, 2.0, 3.0])
def test_a_toolkit_with_units_of_its_own_is_brought_to_pixels(scale: float) -> None:
    """Qt and GTK report so where the desktop is scaled: the frame is smaller than its window, by one factor."""
    size = {"width": round(400 * scale), "height": round(300 * scale)}
    window = WindowInfo(id=1, title="Order", bounds=Rect(x=300, y=120, **size))
    frame = Rect(x=round(300 / scale), y=round(120 / scale), width=400, height=300)
    maker = ElementMaker(window, frame)
    placed = maker.place(Rect(x=frame.x + 100, y=frame.y + 50, width=80, height=20))
    assert (placed.x, placed.y) == (300 + round(100 * scale), 120 + round(50 * scale))
    assert abs(placed.width - 80 * scale) <= 1
    back = maker.toolkit_point(placed.center)
    assert abs(back.x - (frame.x + 140)) <= 1
    assert abs(back.y - (frame.y + 60)) <= 1


@pytest.mark.parametrize("frame", [(300, 120, 400, 300), (300, 120, 200, 300), (0, 0, 390, 290), (300, 120, 0, 0)])
def test_one_that_reports_pixels_is_left_alone(frame: tuple[int, int, int, int]) -> None:
    window = WindowInfo(id=1, title="Order", bounds=Rect(x=300, y=120, width=400, height=300))
    x, y, width, height = frame
    maker = ElementMaker(window, Rect(x=x, y=y, width=width, height=height))
    placed = maker.place(Rect(x=x + 10, y=y + 10, width=20, height=20))
    assert placed.width == 20
    assert maker.toolkit_point(placed.center) == Point(x=x + 20, y=y + 20)
