"""The view shows what the goal needs, never hides what blocks, and counts what it left out."""

from __future__ import annotations

import pytest

from console.contracts.geometry import Rect
from console.contracts.scene import Scene, SceneAnomaly
from console.contracts.view import (
    AdapterActionRef,
    AdapterFactRef,
    Blocker,
    ElementState,
    EventRef,
    KnowledgeRef,
    MemoryRef,
    PlanningView,
    RunProgress,
    ViewBudget,
)
from console.core.view import build_view

from .scenes import element, frame, scene, window


def view_of(here: Scene, goal: str = "press it", limit: int = 80, **fields: object) -> PlanningView:
    return build_view(here, goal, budget=ViewBudget(max_elements=limit), progress=RunProgress(max_steps=80), **fields)  # type: ignore[arg-type]


def test_200_matching_buttons_30_kept_170_counted() -> None:
    view = view_of(scene(*(element(f"b{i}", f"Button {i}") for i in range(200))), "press the button", limit=30)
    assert len(view.elements) == 30
    assert view.omitted_counts.elements == 170


def test_nothing_is_dropped_while_there_is_room() -> None:
    view = view_of(
        scene(*(element(label, label) for label in ("OK", "Save", "Open", "Close", "Retry"))), "something else"
    )
    assert len(view.elements) == 5


def test_an_element_without_area_is_absent_and_counted() -> None:
    view = view_of(scene(element("a", "A", bounds=Rect(x=1, y=1, width=0, height=9)), element("b", "B")))
    assert [e.id for e in view.elements] == ["b"]
    assert view.omitted_counts.elements == 1


def test_a_modal_blocker_comes_with_its_buttons_whatever_the_goal() -> None:
    dialog = window(2, "Question", modal=True)
    crowd = [element(f"c{i}", f"quarterly report {i}", window_id=1) for i in range(50)]
    here = scene(
        *crowd,
        element("ok", "OK", window_id=2),
        element("no", "Cancel", window_id=2),
        windows=(dialog, window()),
        blockers=(Blocker(kind="modal_dialog", description="Question", element_id="title"),),
    )
    view = view_of(here, "read the quarterly report", limit=10)
    assert {"ok", "no"} <= {e.id for e in view.elements}
    assert view.blockers[0].kind == "modal_dialog"


def test_the_focused_and_the_pinned_are_always_shown() -> None:
    crowd = [element(f"c{i}", f"invoice {i}") for i in range(50)]
    here = scene(*crowd, element("f", "x", "text", state=ElementState(focused=True)), element("p", "y", "text"))
    shown = {e.id for e in view_of(here, "invoice", limit=5, pinned={"p"}).elements}
    assert {"f", "p"} <= shown


def test_a_quoted_label_of_the_goal_comes_first() -> None:
    here = scene(*(element(f"c{i}", f"save page {i}") for i in range(30)), element("z", "Zap"))
    assert view_of(here, "save the page with “Zap”", limit=3).elements[0].id == "z"


def test_reading_goals_prefer_text_and_spreadsheet_is_not_reading() -> None:
    here = scene(element("b", "total"), element("t", "total", "text", clickable=False))
    assert view_of(here, "read the total").elements[0].id == "t"
    assert view_of(here, "the spreadsheet total").elements[0].id == "b"


def test_a_long_label_counts_for_more() -> None:
    long, medium = "a" * 31, "b" * 16
    here = scene(
        element("s", "cccccc"), element("m", medium), element("l", long), element("lbl", "our total sum", "text")
    )
    assert [e.id for e in view_of(here, "find our total sum now").elements][:3] == ["lbl", "l", "m"]


def test_a_password_has_no_value_in_the_view() -> None:
    secret = element("p", "Password", "input", protected=True, value="hunter2")
    assert "hunter2" not in view_of(scene(secret)).model_dump_json()


def test_bounds_are_pixels_of_the_picture() -> None:
    half = frame(image_width=640, image_height=400)
    here = scene(element("a", "A", bounds=Rect(x=100, y=200, width=80, height=1)), frame=half)
    assert view_of(here).elements[0].bounds == Rect(x=50, y=100, width=40, height=1)


def test_the_windows_are_facts_and_the_budget_of_facts_holds() -> None:
    windows = (window(), window(2, "Menu", menu=True), window(3, "Other", "Files", minimized=True))
    tool = AdapterFactRef(adapter="tool", kind="k", payload={"a": 1})
    view = build_view(
        scene(windows=windows),
        "g",
        budget=ViewBudget(max_adapter_facts=2),
        progress=RunProgress(),
        facts=[tool],
        actions=[AdapterActionRef(adapter="tool", action="x")],
    )
    assert [f.id for f in view.adapter_facts] == ["window:1", "window:3"]
    assert view.omitted_counts.adapter_facts == 1
    assert view.adapter_actions[0].action == "x"
    assert view.screen.window == "Notes"
    assert view.screen.summary == "0 elements, 1 other window"


def test_of_many_tools_the_likeliest_are_shown_and_the_others_are_counted() -> None:
    some = [AdapterActionRef(adapter="a", action=f"tool_{n}", description="Does a thing.") for n in range(60)]
    few = view_of(scene(), actions=some)
    assert len(few.adapter_actions) == 60
    assert few.omitted_counts.adapter_actions is None
    others = [AdapterActionRef(adapter="b", action=f"tool_{n}", description="Sends a letter.") for n in range(2)]
    late = AdapterActionRef(adapter="c", action="send_invoice", description="Sends an invoice.")
    view = view_of(scene(), "send the invoice", actions=[*some, *others, late])
    assert view.omitted_counts.adapter_actions == 3
    assert [ref.action for ref in view.adapter_actions[-3:]] == ["tool_0", "tool_1", "send_invoice"]
    assert [ref.action for ref in view.adapter_actions[:57]] == [f"tool_{n}" for n in range(57)]


def test_without_an_active_window_the_screen_says_so() -> None:
    view = view_of(scene(windows=(window(active=False), window(2, active=False))))
    assert (view.screen.active_app, view.screen.summary) == ("", "0 elements, 2 other windows")


@pytest.mark.parametrize(
    ("age", "blockers", "anomalies"),
    [(1000, [], []), (1500, [], ["perception_soft_stale"]), (5000, ["stale_perception"], [])],
)
def test_an_old_picture_is_told(age: int, blockers: list[str], anomalies: list[str]) -> None:
    view = view_of(scene(), now_ms=1000 + age)
    assert [b.kind for b in view.blockers] == blockers
    assert [a.kind for a in view.anomalies] == anomalies


def test_anomalies_and_capabilities_of_the_scene_are_passed_on() -> None:
    here = scene(
        anomalies=(SceneAnomaly(kind="app_not_answering", description="Calc does not answer."),), capabilities=("ocr",)
    )
    view = view_of(here)
    assert view.anomalies[0].description == "Calc does not answer."
    assert view.capabilities[0].id == "ocr"


def test_what_is_kept_has_evidence_and_a_rationale_and_without_it_there_is_none() -> None:
    view = view_of(
        scene(),
        memories=[MemoryRef(id=i, kind="outcome", summary=f"m{i}") for i in range(9)],
        knowledge=[KnowledgeRef(id="k", source="s", content="c")],
        recent_events=[EventRef(id="obs:1", kind="observation:low", summary="e")],
        facts=[AdapterFactRef(adapter="tool", kind="k")],
    )
    assert view.omitted_counts.memories == 1
    assert [(e.source, e.id) for e in view.evidence[-4:]] == [
        ("memory", "7"),
        ("knowledge", "k"),
        ("observation", "obs:1"),
        ("adapter", "tool:k"),
    ]
    assert view.selection_rationale == (
        "8 memories, by words of the goal and age. 1 knowledge entries, by words of the goal. "
        "1 recent events, newest first."
    )
    assert view_of(scene()).selection_rationale is None


def test_the_view_round_trips() -> None:
    view = view_of(scene(element("a", "A")))
    assert PlanningView.model_validate_json(view.model_dump_json()) == view
