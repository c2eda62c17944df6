"""What is ambiguous, missing or unknown, and what the answers do, as whole runs on a small made-up desktop."""

from __future__ import annotations

import pytest

from console.contracts.actions import Wait
from console.contracts.moves import Clarify, Done, Fail
from console.contracts.view import AnomalyRef, PlanningElement

from .world import INVOICES, World, element, form


async def test_an_app_that_never_comes_fails_the_run() -> None:
    world = World.of(windows=[{"title": "A", "app": "other", "active": True}], wait_s=2)
    end = await world.run("open Mousepad; type “x”")
    assert isinstance(end, Fail)
    assert "window of Mousepad" in end.reason
    assert "“A”" in end.reason
    assert world.deeds == ["Open Mousepad"]


@pytest.mark.parametrize(
    "answer",
    [
        "Delete in the row “Invoice 77 · Bob · 80 €”",
        "2",
        "the second one",
        "Bob",
        "invoice 77",
        "last",
        "Invoice 77 Bob 80 €",
    ],
)
async def test_two_that_fit_are_asked_about_with_their_rows(answer: str) -> None:
    world = World.of(*INVOICES, answers=[answer])
    assert isinstance(await world.run("click Delete; wait 1 s"), Done)
    (question,) = world.questions
    assert question.candidates is not None
    assert question.candidates[:2] == (
        "Delete in the row “Invoice 7 · Ada · 120 €”",
        "Delete in the row “Invoice 77 · Bob · 80 €”",
    )
    assert "Click “Delete”" in question.question
    assert world.deeds == ["Click d77"]


async def test_an_answer_in_other_words_replaces_the_instruction() -> None:
    world = World.of(*INVOICES, answers=["click the Delete in the row of “Invoice 7”"])
    assert isinstance(await world.run("click Delete"), Done)
    assert world.deeds == ["Click d7"]


async def test_an_answer_that_fits_nothing_is_asked_about_again_and_then_given_up() -> None:
    world = World.of(*INVOICES, answers=["hm", "what", "huh"])
    end = await world.run("click Delete")
    assert isinstance(end, Fail)
    assert len(world.questions) == 3
    assert world.deeds == []


async def test_a_chosen_one_that_is_gone_is_not_replaced_by_the_other() -> None:
    world = World.of(*INVOICES, answers=["Bob"], wait_s=1)
    goal = "click Delete"
    await world.planner.decide_next(goal, (), {}, world.view(), None)
    question = await world.planner.decide_next(goal, (), {}, world.view(), None)
    assert isinstance(question, Clarify)
    world.answer(question, "Bob")
    world.drop("d77")
    world.answers = ["give up"]
    assert isinstance(await world.run(goal), Fail)
    assert world.deeds == []


@pytest.mark.parametrize(
    ("goal", "deed"),
    [
        ("click the Delete next to “Invoice 7”", "Click d7"),
        ("click Delete in the row of “Invoice 77”", "Click d77"),
        ("click the second Delete", "Click d77"),
        ("click the first Delete link", "Click d7"),
        ("click the last Delete", "Click d77"),
        ("click Invoice 7", "Click i7"),
        ("click the Delete below “Invoice 7”", "Click d77"),
        ("click the Delete right of “Invoice 7”", "Click d7"),
        ("click the cell left of “Delete” in the row of “Invoice 77”", "Click i77"),
    ],
)
async def test_ordinal_and_neighbour_tell_equals_apart(goal: str, deed: str) -> None:
    world = World.of(*INVOICES)
    await world.run(goal)
    assert world.deeds in ([deed], []) if "left of" in goal else world.deeds == [deed]


async def test_what_never_comes_is_asked_about_with_what_is_near() -> None:
    world = World.of(element("s", "Save as draft"), element("p", "Settings"), wait_s=2, answers=["Save as draft"])
    assert isinstance(await world.run("click “Save draft”"), Done)
    (question,) = world.questions
    assert question.candidates is not None
    assert "Save as draft" in question.candidates
    assert {"Try again", "Skip this instruction", "Give up"} <= set(question.candidates)
    assert world.deeds == ["Click s"]


async def test_a_misspelling_is_asked_about_early_and_never_guessed() -> None:
    world = World.of(element("s", "Preferences"), answers=["1"])
    assert isinstance(await world.run("click Preferenses"), Done)
    assert sum(action.ms for action in world.done if isinstance(action, Wait)) < 8000


async def test_what_never_comes_and_is_like_nothing_fails() -> None:
    world = World.of(wait_s=1, anomalies=[AnomalyRef(kind="app_stopped", description="Mousepad does not respond.")])
    end = await world.run("click “Save”")
    assert isinstance(end, Fail)
    assert "waited 1 s" in end.reason
    assert "Mousepad does not respond." in end.reason


@pytest.mark.parametrize(("answer", "kind"), [("skip", Done), ("try again", Clarify), ("give up", Fail)])
async def test_missing_things_can_be_skipped_awaited_or_given_up(answer: str, kind: type) -> None:
    world = World.of(element("s", "Save as draft"), wait_s=1, answers=[answer])
    assert isinstance(await world.run("click “Save draft”"), kind)


async def test_unknown_wording_is_asked_about_before_anything_is_done() -> None:
    world = World.of(element("ok", "OK"), answers=["click “OK” then press Enter"])
    assert isinstance(await world.run("press Tab; frobnicate; press F5"), Done)
    (question,) = world.questions
    assert "“frobnicate”" in question.question
    assert "nearest form" in question.question
    assert world.deeds == ["Press Tab", "Click ok", "Press Enter", "Press F5"]


async def test_unknown_wording_can_be_skipped() -> None:
    world = World.of(answers=["skip"])
    end = await world.run("press Tab\nfrobnicate")
    assert isinstance(end, Done)
    assert "Left out: 1." in end.summary
    assert world.deeds == ["Press Tab"]


async def test_words_that_stay_unknown_end_the_run() -> None:
    world = World.of(answers=["bla", "blub", "bli", "blo"])
    assert isinstance(await world.run("frobnicate"), Clarify | Fail)
    assert world.deeds == []


async def test_an_empty_goal_is_asked_about() -> None:
    world = World.of(answers=["press F5"])
    assert isinstance(await world.run("  \n# nothing"), Done)
    assert world.deeds == ["Press F5"]


async def test_an_option_that_is_not_there_is_asked_about() -> None:
    world = form(answers=["Germany"])
    assert isinstance(await world.run("choose Germania in Country"), Done)
    assert world.deeds == ["Set list to “de”"]


async def test_a_tick_that_never_comes_fails() -> None:
    world = World.of(element("tick", "A", "radio", checked=False), wait_s=1)
    end = await world.run("tick A")
    assert isinstance(end, Fail)
    world = form(fails={"set_value:tick": ["no"], "click:tick": ["no"]})
    assert isinstance(await world.run("tick “Remember me”"), Fail)


async def test_an_answer_becomes_a_value_but_not_a_result() -> None:
    world = form(answers=["Ada"])
    end = await world.run("ask me “Who are you?” as who; set Name to {who}")
    assert isinstance(end, Done)
    assert world.elements["name"].value == "Ada"
    assert end.extracted_data is None
    world = form(answers=["Ada", "Bob"])
    goal = "ask me “Who?” as a; ask me “Is {a} right?” as b; set Name to “${a} {b} {c}”; return b"
    end = await world.run(goal)
    assert isinstance(end, Done)
    assert world.elements["name"].value == "Ada Bob {c}"
    assert end.extracted_data == "Bob"


async def test_the_operator_is_asked_before_going_on() -> None:
    world = World.of(answers=["yes"])
    assert isinstance(await world.run("ask me before continuing; press F5"), Done)
    assert "Next: Press F5" in world.questions[0].question
    world = World.of(answers=["no"])
    assert isinstance(await world.run("ask me before continuing; press F5"), Fail)
    assert world.deeds == []


async def test_options_of_two_lists_of_the_same_name_are_asked_about() -> None:
    world = form(answers=["2"])
    world.add(element("list2", "Country", "combobox", select_options="fr|France", at=(400, 70, 100, 24)))
    assert isinstance(await world.run("choose France in Country"), Done)
    assert world.deeds == ["Set list2 to “fr”"]


async def test_two_fields_that_may_be_read_are_asked_about() -> None:
    world = World.of(
        element("a", "Total", "text", value="4", context="Net"),
        element("b", "Total", "text", value="5", context="Gross", at=(10, 50, 80, 20)),
        answers=["Gross"],
    )
    end = await world.run("read Total as total; return total")
    assert isinstance(end, Done)
    assert end.extracted_data == 5


async def test_the_same_question_of_the_goal_twice() -> None:
    world = World.of(answers=["a", "b"])
    end = await world.run("ask me “Which?” as one; ask me “Which?” as two; return one and two")
    assert isinstance(end, Done)
    assert end.extracted_data == {"one": "a", "two": "b"}


async def test_text_read_off_the_picture_is_told_apart_by_its_line() -> None:
    def text(id_: str, label: str, x: int, y: int) -> PlanningElement:
        return element(id_, label, "text", at=(x, y, 60, 20), source="ocr", clickable=True)

    world = World.of(
        text("d7", "Delete", 400, 100), text("d8", "Delete", 400, 140), text("i7", "Invoice 7", 10, 102),
        text("i8", "Invoice 8", 10, 138), text("b", "Bob", 100, 140),
        answers=["Bob"],
    )  # fmt: skip
    assert isinstance(await world.run("click Delete; click the Delete next to “Invoice 7”"), Done)
    assert world.questions[0].candidates is not None
    assert world.questions[0].candidates[1] == "Delete in the row “Invoice 8 · Bob”"
    assert world.deeds == ["Click d8", "Click d7"]


async def test_yes_is_no_answer_to_which_one() -> None:
    world = World.of(*INVOICES, answers=["yes", "1"])
    assert isinstance(await world.run("click Delete"), Done)
    assert len(world.questions) == 2
    assert world.deeds == ["Click d7"]


async def test_words_that_are_no_answer_to_go_on_are_asked_about_again() -> None:
    world = World.of(answers=["press F6", "go on"])
    assert isinstance(await world.run("ask me before continuing; press F5"), Done)
    assert world.deeds == ["Press F5"]
