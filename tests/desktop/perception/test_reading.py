"""Reading applications: what is broken, endless, silent or secret in one place does no harm in another."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import pytest

from console.contracts.scene import SceneElement
from console.desktop.accessibility import roles
from console.desktop.accessibility.bus import AccessibilityError
from console.desktop.accessibility.reader import AccessibilityReader, AccessibilitySnapshot

from .fakes import SHOWING, FakeApp, FakeBus, FakeNode, top, window

BUTTON, LABEL, ENTRY, PASSWORD, COMBO, STATIC = 43, 29, 79, 40, 11, 116
EDITABLE = SHOWING | {roles.EDITABLE}
MEMBERS = ("GetRole", "GetState", "Name", "ChildCount", "GetChildren", "GetExtents", "GetActions", "GetText")


def reader_of(*apps: FakeApp) -> tuple[AccessibilityReader, FakeBus]:
    bus: Any = FakeBus(*apps)
    return AccessibilityReader(bus), bus


async def read(*children: FakeNode, windows: Sequence[Any] = (), **more: Any) -> AccessibilitySnapshot:
    reader, _ = reader_of(FakeApp([top(*children)], 7, **more))
    return await reader.read(windows or (window(1, 7, active=True),))


def labels(snapshot: AccessibilitySnapshot) -> list[str]:
    return [element.label for element in snapshot.elements]


def only(snapshot: AccessibilitySnapshot, kind: str) -> SceneElement:
    (found,) = (e for e in snapshot.elements if e.element_type == kind)
    return found


def buttons(count: int, **more: Any) -> list[FakeNode]:
    return [FakeNode(BUTTON, f"B{n}", (10 + 20 * (n // 28), 10 * (n % 28), 18, 9), **more) for n in range(count)]


@pytest.mark.parametrize("member", MEMBERS)
async def test_a_node_that_fails_in_one_thing_does_not_take_its_siblings_along(member: str) -> None:
    ill = FakeNode(BUTTON, "Ill", (10, 10, 60, 20), [FakeNode(LABEL, "Inside")], broken=frozenset({member}))
    seen = await read(FakeNode(BUTTON, "Before"), ill, FakeNode(BUTTON, "After"))
    assert {"Before", "After"} <= set(labels(seen))
    hidden = member in ("GetRole", "GetState", "Name", "ChildCount", "GetChildren")
    assert [a.kind for a in seen.anomalies] == (["unreadable_nodes"] if hidden else [])
    assert not seen.anomalies or "1 element of App7" in seen.anomalies[0].description


async def test_an_empty_window_is_not_a_failed_one() -> None:
    seen = await read()
    assert (seen.elements, seen.anomalies, seen.covered) == ((), (), frozenset())


async def test_a_window_that_cannot_be_read_is_said() -> None:
    reader, _ = reader_of(FakeApp([FakeNode(23, "Window", broken=frozenset({"GetState"}))], 7))
    seen = await reader.read((window(1, 7),))
    assert [(a.kind, a.app) for a in seen.anomalies] == [("unreadable_app", "App7")]


async def test_a_window_that_answers_nonsense_is_said() -> None:
    reader, _ = reader_of(FakeApp([FakeNode(23, "Window", box=(1, 2))], 7))  # type: ignore[arg-type]
    seen = await reader.read((window(1, 7),))
    assert [a.kind for a in seen.anomalies] == ["unreadable_app"]


async def test_a_fault_of_our_own_costs_one_application_and_is_logged(expected_log: Any) -> None:
    expected_log("could not be read")
    reader, bus = reader_of(FakeApp([top(FakeNode(BUTTON, "OK"))], 7), FakeApp([top(FakeNode(BUTTON, "Go"))], 8))
    answer = bus._answer

    def faulty(app: FakeApp, *rest: Any) -> Any:
        if app.pid == 7:
            raise RuntimeError("a bug")
        return answer(app, *rest)

    bus._answer = faulty  # type: ignore[method-assign]
    seen = await reader.read((window(2, 8), window(1, 7)))
    assert labels(seen) == ["Go"]
    assert [(a.kind, a.app) for a in seen.anomalies] == [("unreadable_app", "App7")]


async def test_without_a_bus_it_says_what_is_missing() -> None:
    reader, bus = reader_of()
    bus.missing = AccessibilityError("There is no session bus.", "Start one.")
    (anomaly,) = (await reader.read((window(1, 7),))).anomalies
    assert (anomaly.kind, anomaly.description) == ("no_accessibility", "There is no session bus. Start one.")


@pytest.mark.parametrize("states", [SHOWING, SHOWING | {roles.MANAGES_DESCENDANTS}])
async def test_a_million_children_are_not_read(states: frozenset[int]) -> None:
    sheet = FakeNode(55, "Sheet", (0, 0, 400, 300), states=states, endless=1_000_000)
    reader, bus = reader_of(FakeApp([top(sheet, FakeNode(BUTTON, "OK"))], 7))
    began = time.perf_counter()
    seen = await reader.read((window(1, 7),))
    assert time.perf_counter() - began < 3
    assert bus.asked.total() < 4000
    assert "OK" in labels(seen)
    assert [a.kind for a in seen.anomalies] == ["truncated"]


async def test_a_tree_that_has_itself_as_a_child_ends() -> None:
    loop = FakeNode(20, "", (0, 0, 100, 100))
    loop.children = [FakeNode(BUTTON, "OK"), loop]
    assert labels(await read(loop)) == ["OK"]


async def test_more_nodes_than_the_limit_are_cut_and_said() -> None:
    lists = [FakeNode(31, "", (0, 0, 300, 300), buttons(200)) for _ in range(10)]
    seen = await read(*lists)
    assert 700 < len(seen.elements) <= 900
    assert [a.kind for a in seen.anomalies] == ["truncated"]


async def test_a_slow_application_is_cut_in_time_and_read_on_the_next_time() -> None:
    app = FakeApp([top(*(FakeNode(20, "", (0, 0, 300, 300), buttons(40)) for _ in range(5)))], 7)
    reader, bus = reader_of(app)
    bus.delay_s = 0.04
    began = time.perf_counter()
    first = await reader.read((window(1, 7),))
    assert time.perf_counter() - began < 2.5
    assert len(first.elements) < 200
    assert [a.kind for a in first.anomalies] == ["truncated"]
    bus.delay_s = 0
    assert len((await reader.read((window(1, 7),))).elements) == 200


async def test_a_stopped_application_is_skipped_named_and_remembered() -> None:
    quick, stopped = FakeApp([top(FakeNode(BUTTON, "Go"))], 7), FakeApp([top(FakeNode(BUTTON, "Lost"))], 8)
    windows = (window(2, 8, active=True, app="Stuck"), window(1, 7, box=(500, 0, 400, 300)))
    quick.root.children[0].box = (500, 0, 400, 300)
    quick.root.children[0].children[0].box = (510, 10, 50, 20)
    reader, _ = reader_of(quick, stopped)
    assert set(labels(await reader.read(windows))) == {"Go", "Lost"}
    stopped.stopped = True
    for limit in (0.6, 0.1):
        began = time.perf_counter()
        seen = await reader.read(windows)
        assert time.perf_counter() - began < limit
        assert labels(seen) == ["Go"]
        assert [(a.kind, a.app) for a in seen.anomalies] == [("app_not_answering", "Stuck")]
        assert 2 not in seen.covered


async def test_the_value_of_a_password_is_never_asked_for() -> None:
    leaky = FakeNode(PASSWORD, "Secret", (10, 10, 90, 20), [FakeNode(STATIC, "hunter2!")], EDITABLE, text="hunter2!")
    reader, bus = reader_of(FakeApp([top(leaky)], 7))
    seen = await reader.read((window(1, 7),))
    field = only(seen, "input")
    assert (field.label, field.value, field.protected) == ("Secret", None, True)
    assert "hunter2" not in "".join(e.model_dump_json() for e in seen.elements)
    assert bus.asked["GetText"] == 0


async def test_a_toolkit_that_counts_from_its_window_is_corrected() -> None:
    inside = FakeNode(BUTTON, "OK", (20, 30, 60, 20))
    reader, _ = reader_of(FakeApp([top(inside, box=(0, 0, 400, 300))], 7))
    seen = await reader.read((window(1, 7, box=(300, 200, 400, 300)),))
    box = only(seen, "button").bounds
    assert (box.x, box.y) == (320, 230)


async def test_boxes_of_the_screen_are_left_alone() -> None:
    inside = FakeNode(BUTTON, "OK", (320, 230, 60, 20))
    reader, _ = reader_of(FakeApp([top(inside, box=(299, 180, 402, 322))], 7))
    frame = window(1, 7).bounds.model_copy(update={"x": 299, "y": 180, "width": 402, "height": 322})
    seen = await reader.read((window(1, 7, box=(300, 200, 400, 300), frame=frame),))
    assert (only(seen, "button").bounds.x, only(seen, "button").bounds.y) == (320, 230)


@pytest.mark.parametrize(("toolkit", "app"), [("Chromium", "Slack"), ("gtk", "Chromium")])
async def test_a_bare_frame_of_chromium_says_which_flag_is_missing(toolkit: str, app: str) -> None:
    seen = await read(windows=(window(1, 7, app=app),), toolkit=toolkit)
    (anomaly,) = seen.anomalies
    assert (anomaly.kind, anomaly.app) == ("accessibility_off", app)
    assert "--force-renderer-accessibility" in anomaly.description
    assert seen.covered == frozenset()


async def test_a_browser_that_is_not_on_the_bus_says_so_too() -> None:
    reader, _ = reader_of()
    (anomaly,) = (await reader.read((window(1, 9, app="Chromium"),))).anomalies
    assert anomaly.kind == "accessibility_off"


async def test_hidden_zero_size_and_covered_nodes_are_left_out() -> None:
    nodes = (
        FakeNode(BUTTON, "Hidden", states=frozenset({roles.VISIBLE})),
        FakeNode(BUTTON, "Nothing", (10, 10, 0, 0)),
        FakeNode(BUTTON, "Nowhere", (-(2**31), -(2**31), 1, 1)),
        FakeNode(BUTTON, "Outside", (900, 10, 40, 20)),
        FakeNode(BUTTON, "Covered", (210, 10, 40, 20)),
        FakeNode(BUTTON, "Half", (180, 50, 40, 20)),
        FakeNode(BUTTON, "Free", (10, 50, 40, 20)),
    )
    seen = await read(*nodes, windows=(window(2, 99, box=(200, 0, 300, 300)), window(1, 7)))
    assert labels(seen) == ["Half", "Free"]


async def test_the_items_of_an_open_menu_stand_in_its_window() -> None:
    items = [
        FakeNode(35, name, (0, 320 + 20 * n, 120, 20), actions=("click",)) for n, name in enumerate(("New", "Open"))
    ]
    menu = FakeNode(33, "File", (0, 280, 40, 20), items, actions=("click",))
    popup = window(5, 7, title="", box=(0, 300, 120, 60), menu=True, transient_for=1)
    seen = await read(menu, windows=(popup, window(1, 7, active=True)))
    assert [(e.label, e.window_id) for e in seen.elements] == [("File", 1), ("New", 5), ("Open", 5)]
    assert seen.covered == {1, 5}


async def test_the_focused_element_is_that_of_the_active_window() -> None:
    focused = SHOWING | {roles.FOCUSED}
    one, other = (FakeApp([top(FakeNode(ENTRY, name, states=focused))], pid) for name, pid in (("A", 7), ("B", 8)))
    reader, _ = reader_of(one, other)
    seen = await reader.read((window(2, 8, active=True, box=(0, 0, 50, 20)), window(1, 7)))
    assert seen.focused_id == next(e.id for e in seen.elements if e.label == "B")


async def test_two_windows_of_one_application_are_told_apart() -> None:
    tops = [
        top(FakeNode(BUTTON, name, (x + 5, 5, 50, 20)), title="Doc", box=(x, 0, 100, 100))
        for name, x in (("L", 0), ("R", 200))
    ]
    reader, _ = reader_of(FakeApp(tops, 7))
    windows = (window(1, 7, title="Doc", box=(200, 0, 100, 100)), window(2, 7, title="Doc", box=(0, 0, 100, 100)))
    seen = await reader.read(windows)
    assert {(e.label, e.window_id) for e in seen.elements} == {("R", 1), ("L", 2)}
