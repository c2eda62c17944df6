"""A finished run as a program."""

from __future__ import annotations

from typing import Any

from console.contracts import actions as act
from console.contracts.actions import AnyAction
from console.contracts.events import Attempted, RunEvent, RunStarted
from console.contracts.moves import AttemptRecord
from console.contracts.outcome import RunLimits
from console.contracts.safety import Target, TargetPrint
from console.ptc.from_run import program_of
from console.ptc.lisp import validate
from tests.ptc.test_mission_adapter import Model, mission
from tests.ptc.test_mission_adapter import carried_out as mission_carried_out
from tests.ptc.test_programs import carried_out

NAME = TargetPrint(label="Name", element_type="input", window="Order")
OK = TargetPrint(label="OK", element_type="button", window="Order")


def attempted(action: AnyAction, aim: TargetPrint | None = None, **fields: Any) -> Attempted:
    record = AttemptRecord(step_purpose="p", action=action, succeeded=fields.pop("ok", True))
    return Attempted(
        run_id="r",
        seq=1,
        at_ms=1,
        attempt_id="a",
        turn=1,
        batch_purpose="b",
        sentence=action.describe(),
        record=record,
        target=Target(print=aim) if aim else None,
        **fields,
    )


def started(goal: str) -> RunStarted:
    return RunStarted(run_id="r", seq=1, at_ms=1, goal=goal, planner="p", limits=RunLimits(), trace_id="t")


def test_the_steps_that_went_well_are_calls_with_labels() -> None:
    events: list[RunEvent] = [
        started("Order for Ada\n\nand send it"),
        attempted(act.LaunchApp(app_name="Shop")),
        attempted(act.SetValue(target_id="ax:1", value='say "hi"\n'), NAME),
        attempted(act.Click(target_id="ax:9"), TargetPrint(label="Wrong"), ok=False),
        attempted(act.Click(target_id="ax:2", count=2, modifiers=("ctrl",)), OK),
        attempted(act.KeyCombo(keys=("ctrl", "s"))),
        attempted(act.TypeText(text="x")),
    ]
    program = program_of(events)
    assert program.splitlines() == [
        "; Order for Ada",
        "; and send it",
        '(tool/launch-app {:app-name "Shop" :background false})',
        '(tool/wait-for {:label "Name" :role "input" :in "Order"})',
        '(tool/set-value {:label "Name" :role "input" :in "Order" :value "say \\"hi\\"\\n"})',
        '(tool/click {:label "OK" :role "button" :in "Order" :count 2 :modifiers ["ctrl"]})',
        '(tool/key-combo {:keys ["ctrl" "s"]})',
        '(tool/type {:text "x"})',
    ]
    assert validate(program) is None


def test_a_tool_of_a_server_is_called_by_its_name_in_programs() -> None:
    program = program_of(
        [
            attempted(act.Custom(adapter="notes", action="add_note", params={"title": "tea", "tags": ["a", None]})),
            attempted(act.Custom(adapter="notes", action="list_notes")),
        ]
    )
    assert program == '(tool/notes-add-note {:title "tea" :tags ["a" nil]})\n(tool/notes-list-notes)\n'


def test_what_cannot_be_written_as_a_call_is_a_comment_and_a_secret_stays_one() -> None:
    drag = act.Drag(from_target_id="a", to_target_id="b")
    program = program_of(
        [
            started("g"),
            attempted(act.Click(target_id="point:1,2"), TargetPrint(window="Order")),
            attempted(drag),
            attempted(act.Extract(goal="g", data="d")),
            attempted(act.TypeText(target_id="ax:1", text="••••••"), NAME),
        ]
    )
    assert program.splitlines()[1:] == [
        "; not taken over: Click “point:1,2”",
        "; not taken over: Drag “a” to “b”",
        "; not taken over: Note “g”: “d”",
        '(tool/wait-for {:label "Name" :role "input" :in "Order"})',
        '; a secret was typed here, give it as data/secret: (tool/type {:label "Name" :role "input" :in "Order"})',
    ]
    assert validate(program) is None


async def test_a_program_stands_for_itself() -> None:
    source = '(tool/click {:label "OK"})'
    _, _, events = await carried_out(source)
    started_by_hand = [event.model_copy(update={"planner": "program"}) for event in events[:1]]
    assert program_of([*started_by_hand, *events[1:]]) == source + "\n"


async def test_what_a_mission_did_and_what_a_failed_program_did_first_are_steps() -> None:
    source = '(tool/mission-run {:prompt "press OK"}) (tool/key {:key "a"}) (fail "no")'
    model = Model('(tool/click {:label "OK"}) (return 1)')
    _, _, events = await mission_carried_out(model, act.Custom(adapter="ptc", action="run", params={"source": source}))
    assert program_of(events).splitlines()[1:] == [
        '(tool/wait-for {:label "OK" :role "button" :in "Notes"})',
        '(tool/click {:label "OK" :role "button" :in "Notes"})',
        '(tool/key {:key "a"})',
    ]
    again = Model('(tool/click {:label "OK"}) (return 1)')
    _, _, events = await mission_carried_out(again, mission("press OK"))
    assert '(tool/click {:label "OK" :role "button" :in "Notes"})' in program_of(events)


async def test_the_program_of_a_program_does_the_same_again() -> None:
    source = '(tool/set-value {:label "Name" :value "Grace"}) (tool/click {:label "OK"})'
    _, first, events = await carried_out(source)
    children = [event for event in events if isinstance(event, Attempted) and event.parent_id is not None]
    again = program_of([events[0], *(child.model_copy(update={"parent_id": None}) for child in children)])
    _, second, _ = await carried_out(again)
    assert second.performed == first.performed
