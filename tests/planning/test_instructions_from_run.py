"""A finished run as instructions, and those run again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from console.contracts import actions as act
from console.contracts.events import Attempted, Observed, RunEnded, RunEvent, RunStarted
from console.contracts.geometry import Rect
from console.contracts.moves import AttemptRecord, Batch, BatchStep, Done
from console.contracts.outcome import RunLimits
from console.contracts.safety import Target, TargetPrint
from console.contracts.scene import Frame, Scene, SceneElement, WindowInfo
from console.contracts.step import Step
from console.contracts.view import PlanningElement
from console.core.control import RunControl
from console.core.gate import Gate
from console.core.permits import PermitBook
from console.core.policy import Policy
from console.core.run import Run
from console.planning.instructions import InstructionPlanner, parse
from console.planning.instructions.from_run import instructions_of
from console.planning.instructions.models import Unknown
from console.testing.doubles import FakeDesktop, MemoryStore, ScriptedOperator, ScriptedPlanner

from .world import World, element

STAMP: dict[str, Any] = {"run_id": "r", "seq": 1, "at_ms": 1}
WORLD = World.of(
    element("name", "Name", "input"),
    element("first", "Delete", at=(10, 40, 80, 24)),
    element("second", "Delete", at=(10, 80, 80, 24)),
    element("news", "Newsletter", "checkbox", settable=True),
    element("country", "Country", "combobox"),
    element("text", None, "textarea"),
    element("file", "report.txt", "listitem"),
    element("bin", "Bin", "listitem"),
    element("other", "Save", window="Elsewhere"),
    element("save", "Save"),
)


def started(goal: str = "Do it", planner: str = "model") -> RunStarted:
    return RunStarted(**STAMP, goal=goal, planner=planner, limits=RunLimits(), trace_id="t")


def seen() -> Observed:
    return Observed(**STAMP, turn=1, scene_id="s", frame_id="f", view=WORLD.view(), duration_ms=1)


def did(action: act.AnyAction, **fields: Any) -> Attempted:
    """With the target as the desktop resolves it."""
    at = WORLD.elements.get(next(iter(action.targets()), ""))
    aim = (
        TargetPrint(element_id=at.id, element_type=at.element_type, label=at.label or "", window=at.window or "")
        if at
        else None
    )
    record = AttemptRecord(step_purpose="p", action=action, succeeded=fields.pop("ok", True))
    fields = {"sentence": action.describe(), "target": Target(print=aim) if aim else None, **fields}
    return Attempted(**STAMP, attempt_id="a", turn=1, batch_purpose="b", record=record, **fields)


def _print(at: PlanningElement) -> TargetPrint:
    return TargetPrint(element_id=at.id, element_type=at.element_type, label=at.label or "", window=at.window or "")


def lines(*events: RunEvent) -> list[str]:
    text = instructions_of([started(), seen(), *events])
    assert not [one for one in parse(text) if isinstance(one, Unknown)]
    return text.splitlines()[1:]


def test_every_kind_of_step_in_words() -> None:
    assert lines(
        did(act.LaunchApp(app_name="Mousepad")),
        did(act.ActivateApp(app_name="Notes")),
        did(act.Window(op="resize", width=800, height=600)),
        did(act.Window(op="move", x=10, y=20, app="Notes")),
        did(act.Window(op="", preset="left_half")),
        did(act.SetValue(target_id="name", value="Ada")),
        did(act.SetValue(target_id="news", value="true")),
        did(act.SetValue(target_id="country", value="Poland")),
        did(act.TypeText(target_id="text", text="Dear “Ada”,\nhello")),
        did(act.TypeText(text="more")),
        did(act.Click(target_id="second", button="right")),
        did(act.AxAction(target_id="save", action="press")),
        did(act.Hover(target_id="bin")),
        did(act.Drag(from_target_id="file", to_target_id="bin")),
        did(act.Scroll(dy=3, dx=-2, target_id="text")),
        did(act.Key(key="Return")),
        did(act.KeyCombo(keys=("Control", "s"))),
        did(act.Dialog(op="click", button="Discard")),
        did(act.Dialog(op="dismiss")),
        did(act.Navigate(url="https://example.org")),
        did(act.Wait(ms=500)),
        did(act.ExtractWithFallback(name="total", selectors=("name",)), target=did(act.Hover(target_id="name")).target),
        did(act.QuitApp(app_name="Mousepad")),
    ) == [
        "open “Mousepad”",
        "switch to “Notes”",
        "resize the window to 800 x 600",
        "move the window “Notes” to 10, 20",
        "move the window to the left half",
        "set “Name” to “Ada”",
        "tick “Newsletter”",
        "choose “Poland” in “Country”",
        'type "Dear “Ada”,\\nhello" into the second text area',
        "type “more”",
        "right-click the second “Delete”",
        "click “Save”",
        "hover over “Bin”",
        "drag “report.txt” onto “Bin”",
        "scroll down 3 in the second text area",
        "scroll left 2 in the second text area",
        "press Enter",
        "press ctrl+s",
        "click “Discard” in the window “dialog”",
        "dismiss the dialog",
        "go to https://example.org",
        "wait 0.5 seconds",
        "read “Name” as total",
        "quit “Mousepad”",
    ]


def test_a_thing_outside_the_window_in_front_is_named_with_its_window() -> None:
    assert lines(did(act.Click(target_id="other"))) == ["click “Save” in the window “Elsewhere”"]


def test_a_thing_that_is_not_seen_any_more_is_named_by_its_label() -> None:
    gone = Target(print=TargetPrint(element_id="gone", element_type="button", label="Next"))
    assert lines(did(act.Click(target_id="gone"), target=gone)) == ["click “Next”"]


def test_what_no_instruction_can_say_is_a_comment_and_notes_are_left_out() -> None:
    unnamed = Target(print=TargetPrint(element_id="gone", element_type="button"))
    assert lines(
        did(act.Click(target_id="point:1,2")),
        did(act.Click(target_id="gone"), target=unnamed),
        did(act.Click(target_id="save", count=2, modifiers=("ctrl",))),
        did(act.Drag(from_target_id="file", to_target_id="point:1,2")),
        did(act.AxAction(target_id="save", action="expand")),
        did(act.Key(key="XF86AudioMute")),
        did(act.Dock(op="list")),
        did(act.Extract(goal="g", data="d")),
        did(act.Click(target_id="save"), ok=False),
        did(act.Click(target_id="save"), step=Step.ok(1, {})),
    ) == [
        "# not taken over: Click “point:1,2”",
        "# not taken over: Click “gone”",
        "# not taken over: Ctrl+Double-click “save”",
        "# not taken over: Drag “file” to “point:1,2”",
        "# not taken over: Expand “save”",
        "# not taken over: Press XF86AudioMute",
        "# not taken over: Dock",
    ]


def test_several_actions_in_one_are_several_lines_and_programs_are_their_steps() -> None:
    both = act.ActionBatch(actions=(act.Click(target_id="save"), act.Key(key="a"), act.Click(target_id="second")))
    program = act.Custom(adapter="ptc", action="run", params={"source": "…"})
    assert lines(did(both), did(program)) == ["click “Save”", "press a", "click the second “Delete”"]


def test_a_secret_is_asked_for_again() -> None:
    masked = act.TypeText(target_id="name", text="••••••")
    again = act.SetValue(target_id="name", value="••••••")
    assert lines(did(masked), did(again)) == [
        "ask me “What is to be typed into Name?” as secret1",
        "type “{secret1}” into “Name”",
        "ask me “What is to be typed into Name?” as secret2",
        "set “Name” to “{secret2}”",
    ]


def test_a_run_of_instructions_is_what_it_was_told() -> None:
    goal = "open Mousepad\n  type “x”  # as is"
    assert instructions_of([started(goal, "instructions"), seen(), did(act.Key(key="a"))]) == goal + "\n"


def test_the_goal_stands_before_them_unless_it_is_a_program() -> None:
    assert instructions_of([started("Order it\n\nand pay")]) == "# Order it\n# and pay\n"
    assert instructions_of([started("(tool/look)", "program")]) == "\n"


async def test_what_a_planner_did_is_done_again_by_the_instructions() -> None:
    steps = (
        BatchStep(purpose="fill", action=act.SetValue(target_id="ax:name", value="Ada")),
        BatchStep(purpose="save", action=act.Click(target_id="ax:save")),
    )
    first, events = await _carried_out(
        ScriptedPlanner(Batch(purpose="all", steps=steps), Done(summary="done")), "Do it"
    )
    second, _ = await _carried_out(InstructionPlanner(), instructions_of(events))
    assert second.performed == first.performed
    assert len(first.performed) == 2


async def _carried_out(planner: Any, goal: str) -> tuple[FakeDesktop, Sequence[RunEvent]]:
    book = PermitBook()
    screen = Rect(x=0, y=0, width=1280, height=800)
    form = Scene(
        id="s",
        taken_at_ms=0,
        frame=Frame(id="f", bounds=screen, image_width=1280, image_height=800, taken_at_ms=0),
        windows=(WindowInfo(id=1, title="Form", app="form", bounds=screen, active=True),),
        elements=(_part("ax:name", "Name", "input", 10, settable=True), _part("ax:save", "Save", "button", 60)),
    )
    desktop = FakeDesktop(form, office=book)
    operator = ScriptedOperator(approvals=["approve"] * 4)
    run = Run(planner, desktop, Gate(book, Policy(), operator), operator, MemoryStore(), RunControl())
    events = [event async for event in run.events(goal)]
    assert isinstance(events[-1], RunEnded)
    return desktop, events


def _part(id_: str, label: str, kind: str, y: int, **fields: Any) -> SceneElement:
    place = Rect(x=10, y=y, width=80, height=24)
    told = {"clickable": True, "window_id": 1, "window": "Form", "app": "form", **fields}
    return SceneElement(id=id_, element_type=kind, label=label, bounds=place, **told)
