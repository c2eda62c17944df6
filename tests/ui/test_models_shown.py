"""What a person sees of a model: its words while it thinks, its waits, what it costs; and another planner's answer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from console.contracts.actions import Click, Custom
from console.contracts.checklist import ChecklistItem
from console.contracts.errors import PlannerError
from console.contracts.events import (
    ActionIntended,
    ChecklistChanged,
    ModelCalled,
    ModelSays,
    ModelWaits,
    PhaseChanged,
    RunPhase,
    RunStarted,
)
from console.contracts.model_use import ModelCall, ModelSpent, ModelWait
from console.contracts.moves import Batch, BatchStep, Done
from console.contracts.outcome import RunLimits
from console.contracts.safety import RiskAssessment, RiskLevel, Target, TargetPrint
from console.contracts.view import OmittedCounts, PlanningElement, PlanningScreen, PlanningView, ViewBudget
from console.core.moments import Moment, SecondOpinion
from console.ui.details.receipt import facts
from console.ui.details.saw import SawTab
from console.ui.elided import ElidedLabel
from console.ui.goal_bar import PlannerChoice
from console.ui.run_model import RunModel
from console.ui.second_opinion import SecondOpinionDialog
from console.ui.timeline.model import TimelineModel

GOOD = ModelCall(
    purpose="decide",
    model="anthropic:m",
    latency_ms=3500,
    first_word_ms=800,
    input_tokens=1200,
    output_tokens=80,
    cache_read_tokens=300,
    cost_usd=0.0048,
    request_bytes=210_000,
    words="I see the form.\nI begin with the name.",
)
BAD = ModelCall(
    purpose="decide", model="anthropic:m", latency_ms=100, problem="Anthropic limits how often it is called."
)


def called(call: ModelCall) -> ModelCalled:
    return ModelCalled(run_id="r", seq=2, at_ms=5000, turn=1, call=call)


def waits(seconds: float = 9.0) -> ModelWaits:
    wait = ModelWait(reason=str(BAD.problem), seconds=seconds, attempt=2, attempts=5)
    until = int((time.time() + seconds) * 1000)
    return ModelWaits(run_id="r", seq=3, at_ms=5000, turn=1, wait=wait, until_ms=until)


def says(text: str) -> ModelSays:
    return ModelSays(run_id="r", seq=0, at_ms=5000, turn=1, text=text)


def planning() -> PhaseChanged:
    return PhaseChanged(run_id="r", seq=1, at_ms=int(time.time() * 1000), phase=RunPhase.PLANNING)


def test_each_answer_is_a_row_with_its_words_its_tokens_and_its_cost() -> None:
    run = RunModel()
    run.apply_all([called(GOOD), called(GOOD.model_copy(update={"purpose": "repair", "words": ""}))])
    first, second = run.rows
    assert (first.title, first.right) == ("I see the form. I begin with the name.", "3.5 s")
    assert [chip.text for chip in first.chips] == ["1,280 tokens · $0.0048"]
    assert (second.title, second.chips[0].text) == ("Answered again", "asked again")
    assert run.spent.words() == "2,560 tokens · $0.0096"


def test_trouble_and_its_wait_share_a_row_that_stays_when_it_is_over() -> None:
    run = RunModel()
    assert run.apply(called(BAD)) == []
    assert run.rows[0].detail == "anthropic:m"
    assert run.apply(waits()) == [0]
    assert (run.rows[0].title, run.rows[0].detail) == (BAD.problem, "try 2 of 5 after 9 s")
    run.apply_all([called(BAD), called(GOOD), called(BAD)])
    assert [row.mark for row in run.rows] == ["!", "·", "!"]


def test_while_it_thinks_its_latest_words_are_shown_and_while_it_waits_the_seconds() -> None:
    model = TimelineModel()
    model.run.apply(planning())
    model.run.apply(says("begin " + "x" * 400 + " the end"))
    model.tick()
    assert model.now is not None
    assert model.now.title.startswith("Planning…")
    assert model.now.detail.startswith("…")
    assert model.now.detail.endswith(" the end")
    model.run.apply(waits(8.4))
    model.tick()
    assert model.now.title == "Asks the model again in 8 s"
    assert "Stop ends the wait" in model.now.detail
    model.run.apply(waits(0))
    model.tick()
    assert model.now.title.startswith("Planning…")


def test_the_receipt_of_a_call_says_all_that_is_known() -> None:
    run = RunModel()
    run.apply_all([called(GOOD), called(ModelCall(purpose="verify", model="own:m", latency_ms=1, input_tokens=3))])
    said = dict(facts(run.rows[0]))
    assert said["Asked for"] == "the next move"
    assert said["Tokens in"] == "1,200 (300 of them from the cache)"
    assert (said["First word"], said["Cost"], said["Request"]) == ("0.8 s", "$0.0048", "210 kB")
    other = dict(facts(run.rows[1]))
    assert other["Cost"] == "not known"
    assert "Request" not in other


@pytest.mark.parametrize(
    ("limits", "spent", "words"),
    [
        (RunLimits(max_cost_usd=5), ModelSpent(calls=1, input_tokens=10, cost_usd=0.5), "10 tokens · $0.50 / $5.00"),
        (RunLimits(max_cost_usd=5), ModelSpent(), "none used"),
        (RunLimits(), ModelSpent(calls=1, input_tokens=10, unpriced=1), "10 tokens"),
    ],
)
def test_the_budget_says_what_models_have_used(
    qapp: QApplication, limits: RunLimits, spent: ModelSpent, words: str
) -> None:
    run = RunModel()
    run.apply(RunStarted(run_id="r", seq=1, at_ms=1, goal="g", planner="p", limits=limits, trace_id="t"))
    run.spent = spent
    tab = SawTab()
    tab.show_budget(run)
    assert words in [label.whole for label in tab.findChildren(ElidedLabel)]
    tab.deleteLater()


VIEW = PlanningView(
    goal="g",
    budget=ViewBudget(),
    screen=PlanningScreen(active_app="Files"),
    elements=(PlanningElement(id="ax:1", element_type="button", label="Save"),),
    omitted_counts=OmittedCounts(),
)
CLICK = Batch(purpose="save it", steps=(BatchStep(purpose="p", action=Click(target_id="ax:1")),))
THEN = Moment(1, "g", "model", (), {}, VIEW, None, CLICK, 2000)
LATER = Moment(2, "g", "model", (), {}, VIEW, None, Done(summary="saved"), 100)


class Asked:
    """The dialog on the second of two decisions; `answer` is what the planner says."""

    def __init__(self) -> None:
        self.answer: Any = SecondOpinion("other", CLICK, "", 1500, ModelSpent(calls=1, input_tokens=7))
        self.asked: list[tuple[int, str]] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.go = asyncio.Event()
        self.go.set()
        choices = [PlannerChoice("one", "One"), PlannerChoice("two", "Two")]
        self.dialog = SecondOpinionDialog([THEN, LATER], 0, choices, self.ask, self.spawn)

    async def ask(self, moment: Moment, planner: str) -> SecondOpinion:
        self.asked.append((moment.turn, planner))
        await self.go.wait()
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        self.tasks.append(asyncio.ensure_future(work))

    async def press(self) -> None:
        self.dialog.button.click()
        await asyncio.gather(*self.tasks)


async def test_another_planner_answers_beside_what_was_decided(qt_loop: asyncio.AbstractEventLoop) -> None:
    asked = Asked()
    dialog = asked.dialog
    assert dialog.then_head.text() == "Then · model · 2.0 s"
    assert dialog.then.toPlainText() == "save it\n1. Click “Save”"
    dialog.planner.setCurrentIndex(1)
    await asked.press()
    assert asked.asked == [(1, "two")]
    assert dialog.now_head.text() == "Now · other · 1.5 s · 7 tokens · the same"
    assert dialog.now.toPlainText() == "save it\n1. Click “Save”"
    dialog.turn.setCurrentIndex(1)
    assert dialog.then.toPlainText() == "Done: saved"
    assert dialog.now.toPlainText() == ""
    asked.answer = PlannerError("There is no key.", "Enter one.")
    await asked.press()
    assert dialog.now.toPlainText() == "There is no key. Enter one."
    assert dialog.button.isEnabled()
    dialog.deleteLater()


async def test_an_answer_for_another_decision_is_not_shown(qt_loop: asyncio.AbstractEventLoop) -> None:
    asked = Asked()
    asked.go.clear()
    asked.dialog.button.click()
    await asyncio.sleep(0)
    asked.dialog.turn.setCurrentIndex(1)
    asked.go.set()
    await asyncio.gather(*asked.tasks)
    assert asked.dialog.now.toPlainText() == ""
    asked.dialog.deleteLater()


def test_what_a_mission_does_stands_below_it_with_its_plan() -> None:
    model, stamp = RunModel(), {"run_id": "r", "seq": 1, "at_ms": 5000}
    action = Custom(adapter="mission", action="run", params={"prompt": "Fill in the form"})
    intent = ActionIntended(
        **stamp,
        attempt_id="m",
        turn=1,
        batch_purpose="work",
        purpose="hand it over",
        action=action,
        sentence=action.describe(),
        risk=RiskAssessment(level=RiskLevel.HARMLESS),
        target=Target(print=TargetPrint()),
        step_number=1,
        program=True,
    )
    plan = (ChecklistItem(id="1", text="fill in"), ChecklistItem(id="2", text="send"))
    ticked = (plan[0].model_copy(update={"done": True, "note": "both fields"}), plan[1])
    program = GOOD.model_copy(update={"purpose": "mission", "words": "I look.\n```clojure\n(tool/look)\n```"})
    only_code = program.model_copy(update={"words": "```clojure\n(return 1)\n```"})
    model.apply_all(
        [
            intent,
            ChecklistChanged(**stamp, parent_id="m", items=plan),
            called(program).model_copy(update={"parent_id": "m"}),
            called(only_code).model_copy(update={"parent_id": "m"}),
        ]
    )
    changed = model.apply(ChecklistChanged(**stamp, parent_id="m", items=ticked))
    shown = [(row.depth, row.mark, row.title, row.detail) for row in model.rows[1:]]
    assert shown == [
        (0, "▸", "Hand over “Fill in the form”", "1 of 2 steps done"),
        (1, "✓", "fill in", "both fields"),
        (1, "○", "send", "not done yet"),
        (1, "·", "I look.", ""),
        (1, "·", "Wrote a program", ""),
    ]
    assert changed == [1, 2, 3]
    assert model.rows[3].spoken().startswith("To do. send")
    assert ("Asked for", "the next program of a mission") in facts(model.rows[4])
