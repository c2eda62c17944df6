"""Whole runs, told as stories."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from console.contracts import actions as act
from console.contracts.errors import CaptureError, ConsoleError, PermitVoid, PlannerError
from console.contracts.events import RunPhase
from console.contracts.moves import Batch, DoneVerdict, NextActionHint, StepErr, StepOk
from console.contracts.operator import ClarifyAnswer
from console.contracts.safety import ApprovalDecision
from console.contracts.view import AdapterActionRef, AdapterFactRef
from console.core.state import fold
from console.testing.doubles import ManualClock, ScriptedOperator, performed

from ..scenes import element, scene, window
from .stories import DELETE, NAME, SAVE, SCENE, Story, ask, batch, click, done, fail, limits, step


async def test_a_batch_then_done_verified_is_a_success_with_all_that_was_read() -> None:
    story = Story(batch(click()), done(data={"a": 1}), results=[StepOk(data="x")])
    ended = await story.tell()
    assert story.kinds == [
        "run_started",
        "phase_changed",
        "observed",
        "phase_changed",
        "decided",
        "phase_changed",
        "action_intended",
        "attempted",
        "memory_changed",
        "phase_changed",
        "observed",
        "phase_changed",
        "decided",
        "phase_changed",
        "observed",
        "done_checked",
        "phase_changed",
        "run_ended",
    ]
    phases = [event.phase.value for event in story.of("phase_changed")]
    assert phases == ["Looking", "Planning", "Acting", "Looking", "Planning", "Checking", "Done"]
    assert ended.outcome.model_dump() == {
        "status": "succeeded",
        "summary": "all tidy",
        "extracted_data": {"work 1": "x", "final": {"a": 1}},
    }
    assert ended.step.return_ == {"a": 1}
    assert ended.step.memory == {"work 1": "x"}
    assert [call.name for call in ended.step.tool_calls] == ["click"]
    assert ended.step.summaries == {"turn 1": "work"}
    assert len(ended.step.trace_id or "") == 32
    assert [e.seq for e in story.events] == list(range(1, len(story.events) + 1))
    assert story.desktop.released == 1
    assert await story.store.events("r") == tuple(story.events)


async def test_without_data_of_its_own_the_step_returns_what_was_read() -> None:
    story = Story(batch(act.ExtractWithFallback(name="sum", selectors=("x",))), done(), results=[StepOk(data="42")])
    assert (await story.tell()).step.return_ == {"sum": "42"}
    assert (await Story(done()).tell()).step.return_ is None


async def test_a_rejected_done_is_a_failed_record_with_hint_and_directive_and_costs_a_step() -> None:
    verdict = DoneVerdict(verified=False, reason="Not saved.", next_action_hint=NextActionHint.RETRY_LAST_ACTION)
    story = Story(done(), done(), verdicts=[verdict])
    ended = await story.tell()
    record = story.history[-1]
    assert (record.step_purpose, record.succeeded) == ("verify_done", False)
    assert record.next_action_hint is NextActionHint.RETRY_LAST_ACTION
    assert record.error.startswith("runtime rejected Done: Not saved.")
    assert "Repeat the last action exactly" in record.error
    assert ended.steps_used == 1


@pytest.mark.parametrize("hint", [*NextActionHint, None])
async def test_every_hint_has_its_paragraph(hint: NextActionHint | None) -> None:
    story = Story(done(), done(), verdicts=[DoneVerdict(verified=False, reason="No.", next_action_hint=hint)])
    await story.tell()
    assert story.history[-1].next_action_hint is hint


async def test_done_is_checked_on_a_view_from_after_the_action() -> None:
    story = Story(batch(click()), done(), scenes=[SCENE, SCENE, scene(element("ax:new", "Saved", "text"))])
    await story.tell()
    assert story.planner.claims[0][1].elements[0].label == "Saved"


async def test_when_nobody_can_check_a_done_the_success_says_so() -> None:
    story = Story(done(), verdicts=[RuntimeError("no grader")])
    ended = await story.tell()
    assert (ended.end, ended.unverified) == ("succeeded", True)
    assert ended.headline() == "Done (unverified): all tidy"
    assert "Nobody could check" in story.of("noticed")[0].text


@pytest.mark.parametrize(
    ("word", "end", "unverified"), [("accept", "succeeded", False), ("unverified", "succeeded", True)]
)
async def test_the_operator_judges_when_the_grader_fails(word: str, end: str, unverified: bool) -> None:
    story = Story(done(), verdicts=[RuntimeError("no grader")], operator=ScriptedOperator(judgements=[word]))
    ended = await story.tell()
    assert (ended.end, ended.unverified) == (end, unverified)
    assert story.operator is not None
    assert story.operator.claims[0].problem == "no grader"


async def test_the_operator_may_reject_what_the_grader_could_not_check() -> None:
    story = Story(done(), fail("no"), verdicts=[RuntimeError("x")], operator=ScriptedOperator(judgements=["reject"]))
    await story.tell()
    assert "The operator says it is not done." in story.history[-1].error


async def test_a_judge_that_breaks_leaves_it_unverified(expected_log: Any) -> None:
    expected_log("could not be asked whether")
    story = Story(done(), verdicts=[RuntimeError("x")], operator=ScriptedOperator(judgements=[RuntimeError("gone")]))
    assert (await story.tell()).unverified


async def test_a_fail_that_claims_success_is_a_done_to_be_verified() -> None:
    story = Story(batch(click()), fail("The task has already been completed."))
    assert (await story.tell()).end == "succeeded"
    assert story.planner.claims[0][0] == "The task has already been completed."


@pytest.mark.parametrize("reason", ["The task has been completed.", "Permission denied."])
async def test_any_other_fail_is_a_failure(reason: str) -> None:
    moves = [fail(reason)] if "task" in reason else [batch(click()), fail(reason)]
    ended = await Story(*moves).tell()
    assert (ended.end, ended.outcome.sentence()) == ("failed", reason)
    assert ended.step.fail is not None
    assert (ended.step.fail.reason, ended.step.fail.op) == ("planner_fail", "<planner fail>")


async def test_a_long_reason_beyond_ascii_is_kept_whole() -> None:
    reason = "żółw " * 60
    assert (await Story(fail(reason)).tell()).outcome.sentence() == reason


async def test_a_clarify_that_is_answered_lets_the_run_go_on() -> None:
    story = Story(ask("Which one?", "a", "b"), done(), operator=ScriptedOperator(answers=["b"]))
    ended = await story.tell()
    record = story.history[-1]
    assert (record.action.goal, record.action.data, record.succeeded) == ("Which one?", "b", True)
    memory = story.planner.asked[-1][1]["operator_answers"]
    assert memory == [{"question": "Which one?", "answer": "b", "at": 1000000}]
    assert story.operator is not None
    assert story.operator.questions[0].candidates == ("a", "b")
    assert ended.steps_used == 0
    assert "operator_answers" not in (ended.step.return_ or {})


async def test_a_secret_answer_is_typed_and_neither_the_planner_nor_a_record_has_it() -> None:
    answer = ClarifyAnswer(text='hunter"2', secret=True)
    typed = act.TypeText(target_id="ax:name", text="my ⟦secret 1⟧!")
    shown = scene(NAME.model_copy(update={"value": 'my hunter"2!'}))
    read = StepOk(data='it says hunter"2')
    operator = ScriptedOperator(answers=[answer, answer])
    moves = (ask("Password?"), ask("Again?"), batch(typed), done())
    story = Story(*moves, operator=operator, scenes=(scene(NAME), scene(NAME), scene(NAME), shown), results=[read])
    await story.tell()
    assert story.desktop.performed == [act.TypeText(target_id="ax:name", text='my hunter"2!')]
    history, memory, view = story.planner.asked[-1]
    assert [record.data for record in history] == ["⟦secret 1⟧", "⟦secret 1⟧", "it says ••••••"]
    assert history[-1].action == typed
    assert memory["operator_answers"][0]["answer"] == "⟦secret 1⟧"
    assert view.elements[0].value == "my ••••••!"
    assert not any("hunter" in event.model_dump_json() for event in story.events)


async def test_a_step_with_a_caution_is_always_put_to_the_operator() -> None:
    cautious = step(click()).model_copy(update={"caution": "The provider sees a risk of fraud."})
    operator = ScriptedOperator(approvals=["approve_kind", "deny"])
    risky = batch().model_copy(update={"steps": (cautious,)})
    story = Story(risky, risky, done(), operator=operator)
    await story.tell()
    assert [request.risk.reasons for request in operator.approvals] == [("The provider sees a risk of fraud.",)] * 2
    assert len(story.desktop.performed) == 1


async def test_a_secret_answer_is_asked_for_again_when_an_interrupted_run_goes_on() -> None:
    answer = ClarifyAnswer(text="hunter2", secret=True)
    first = Story(ask("Password?"), done(), operator=ScriptedOperator(answers=[answer]))
    await first.tell()
    state = fold(first.events[:-6])
    assert (state.asked, state.history, state.shared_memory) == ([], [], {"operator_answers": []})


@pytest.mark.parametrize("operator", [None, ScriptedOperator()])
async def test_a_declined_clarify_refuses_with_the_question(operator: ScriptedOperator | None) -> None:
    ended = await Story(batch(click()), ask("Which one?"), operator=operator).tell()
    assert ended.outcome.model_dump() == {"status": "refused", "summary": "Which one?"}


async def test_a_question_handler_that_breaks_is_a_decline(expected_log: Any) -> None:
    expected_log("could not be asked")
    story = Story(ask("Which one?"), operator=ScriptedOperator(answers=[RuntimeError("gone")]))
    assert (await story.tell()).end == "refused"


async def test_the_same_question_twice_is_refused() -> None:
    story = Story(ask("Which one?"), ask("Which one?"), operator=ScriptedOperator(answers=["a", "b"]))
    assert (await story.tell()).end == "refused"
    assert len(story.of("clarify_asked")) == 1


async def test_waiting_for_the_operator_does_not_count() -> None:
    clock = ManualClock()
    operator = ScriptedOperator(answers=["a"], before=lambda: clock.advance(20 * 60))
    story = Story(ask("Which one?"), done(), operator=operator, clock=clock)
    ended = await story.tell()
    assert ended.end == "succeeded"
    assert ended.active_ms == 0


async def test_a_destructive_step_is_denied_by_default_and_the_end_says_so() -> None:
    story = Story(batch(click("ax:delete"), click()), fail("denied"), operator=ScriptedOperator())
    ended = await story.tell()
    assert story.desktop.performed == []
    assert ended.denied
    errors = [record.error for record in story.history]
    assert errors == ["The operator denied it.", "1 step was not done because the step before them failed."]


async def test_the_reason_of_a_denial_reaches_the_planner() -> None:
    decision = ApprovalDecision(verdict="deny", reason="keep it")
    story = Story(batch(click("ax:delete")), done(), operator=ScriptedOperator([decision]))
    ended = await story.tell()
    assert story.history[0].error == "The operator denied it: keep it"
    assert not ended.denied


async def test_an_approved_step_is_done_with_a_permit_that_says_so() -> None:
    story = Story(batch(click("ax:delete")), done(), operator=ScriptedOperator(["approve"]))
    await story.tell()
    assert story.desktop.permits[0].approved
    assert [e for e in story.kinds if e.startswith("approval")] == ["approval_asked", "approval_given"]
    assert story.kinds.index("action_intended") > story.kinds.index("approval_given")


async def test_an_edited_step_is_done_as_edited_and_says_so() -> None:
    edit = ApprovalDecision(verdict="edit", edited=click())
    story = Story(batch(click("ax:delete")), done(), operator=ScriptedOperator([edit]))
    await story.tell()
    assert story.desktop.performed == [click()]
    assert story.history[0].step_purpose == "work 1 (edited by the operator)"


async def test_what_is_not_allowed_is_not_the_operators_denial() -> None:
    story = Story(batch(act.KeyCombo(keys=("ctrl", "alt", "F1"))), fail("no"), operator=ScriptedOperator())
    ended = await story.tell()
    assert story.history[0].error.startswith("It is not allowed: ")
    assert not ended.denied


async def test_a_target_that_changed_after_the_approval_is_asked_again() -> None:
    changed = scene(element("ax:delete", "Delete all"), SAVE)
    story = Story(
        batch(click("ax:delete")), done(), scenes=[SCENE, changed], operator=ScriptedOperator(["approve", "approve"])
    )
    await story.tell()
    assert story.operator is not None
    assert [(r.target.print.label, r.changed_since_asked) for r in story.operator.approvals] == [
        ("Delete", False),
        ("Delete all", True),
    ]
    assert len(story.desktop.performed) == 1


async def test_a_target_that_never_stays_is_given_up() -> None:
    story = Story(batch(click()), done(), results=[PermitVoid("It moved.")] * 3)
    await story.tell()
    assert story.history[0].error == "The screen kept changing. It moved."


async def test_a_batch_stops_at_its_first_failed_step_and_counts_what_it_skipped() -> None:
    story = Story(batch(click(), click(), click(), click()), done(), results=[StepOk(), StepErr(message="missed")])
    await story.tell()
    assert len(story.desktop.performed) == 2
    assert story.history[-1].error == "2 steps were not done because the step before them failed."


async def test_a_batch_stops_when_another_window_comes_to_the_front() -> None:
    moved = performed(click(), StepOk(), focus_moved="Sure?")
    story = Story(batch(click(), click("point:400,300")), done(), results=[moved])
    await story.tell()
    assert len(story.desktop.performed) == 1
    assert story.history[-1].error == "1 step was not done because “Sure?” came to the front."


async def test_a_target_that_is_gone_before_its_turn_stops_the_batch() -> None:
    story = Story(batch(click(), click("ax:name"), click()), done(), scenes=[SCENE, scene(SAVE)])
    await story.tell()
    assert [record.error for record in story.history][1:] == [
        "There is no element ax:name on the screen. Did you mean ax:save? Some that are there: ax:save.",
        "1 step was not done because a target was gone.",
    ]


async def test_done_inside_a_batch_is_verified_and_nothing_runs_after_it() -> None:
    story = Story(batch(act.DoneAction(summary="ok"), click()))
    ended = await story.tell()
    assert (ended.end, ended.outcome.sentence()) == ("succeeded", "ok")
    assert story.desktop.performed == []
    assert story.of("recorded")[0].record.error == "1 step was not done because Done ends the batch."


async def test_fail_inside_a_batch_ends_the_run() -> None:
    assert (await Story(batch(act.FailAction(reason="no way"))).tell()).outcome.sentence() == "no way"


async def test_an_unknown_id_is_answered_with_the_closest_and_the_rest_is_dropped() -> None:
    story = Story(batch(click("ax:saev"), click()), done())
    ended = await story.tell()
    record = story.history[0]
    assert "Did you mean ax:save?" in record.error
    assert record.next_action_hint is NextActionHint.DIFFERENT_TARGET
    assert story.history[1].error == "1 step was not done because the step before them was refused."
    assert ended.steps_used == 1
    assert story.desktop.performed == []


async def test_a_label_that_nothing_has_is_a_failed_step() -> None:
    story = Story(batch(act.AxAction(action="click", label="Nope")), done())
    await story.tell()
    assert "Nothing on the screen is called “Nope”" in story.history[0].error


async def test_a_tool_that_nobody_offers_is_refused() -> None:
    story = Story(batch(act.Custom(adapter="a", action="b")), done(), adapters=(Tools(),))
    ended = await story.tell()
    assert story.history[0].error == "There is no tool a.b. There are: files.read."
    assert ended.steps_used == 1


async def test_of_many_tools_the_nearest_names_are_said_and_one_that_is_not_shown_can_be_called() -> None:
    tools = Tools(count=100)
    story = Story(
        batch(act.Custom(adapter="files", action="raed_7")),
        batch(act.Custom(adapter="files", action="read_99")),
        done(),
        adapters=(tools,),
    )
    ended = await story.tell()
    assert ended.end == "succeeded"
    error = story.history[0].error
    assert error.startswith("There is no tool files.raed_7. There are: files.read_")
    assert error.endswith("files.read_7 and 92 more.")
    shown = [ref.action for ref in story.planner.asked[0][2].adapter_actions]
    assert "read_99" not in shown
    assert [action.action for action in story.desktop.performed] == ["read_99"]


async def test_tools_and_their_facts_are_in_the_view() -> None:
    story = Story(batch(act.Custom(adapter="files", action="read")), done(), adapters=(Tools(), Tools(broken=True)))
    await story.tell()
    view = story.planner.asked[0][2]
    assert [fact.payload for fact in view.adapter_facts if fact.adapter == "files"] == ["a fact", "broken"]
    assert story.desktop.performed[0].type == "custom"


class Tools:
    """A tool box for the tests."""

    name = "files"

    def __init__(self, broken: bool = False, count: int = 0) -> None:
        self.broken = broken
        self.names = [f"read_{number}" for number in range(count)] or ["read"]

    async def facts(self, goal: str) -> Any:
        if self.broken:
            raise RuntimeError("broken")
        return [AdapterFactRef(adapter="files", kind="k", payload="a fact")]

    def actions(self) -> Any:
        return [AdapterActionRef(adapter="files", action=name) for name in self.names]

    async def call(self, action: str, params: Any) -> Any:
        raise AssertionError


async def test_an_exact_repeat_of_a_failure_is_refused_while_nothing_has_changed_and_costs_nothing() -> None:
    story = Story(batch(click()), batch(click()), done(), results=[StepErr(message="missed")])
    ended = await story.tell()
    assert len(story.desktop.performed) == 1
    assert "This exact action has failed" in story.history[-1].error
    assert ended.steps_used == 1


async def test_a_failed_click_may_be_tried_again_once_the_scene_has_changed() -> None:
    story = Story(
        batch(click()), batch(click()), done(), scenes=[SCENE, scene(SAVE)], results=[StepErr(message="missed")]
    )
    await story.tell()
    assert len(story.desktop.performed) == 2


async def test_keys_and_waits_may_be_repeated() -> None:
    moves = [batch(act.Key(key="a")), batch(act.Key(key="a")), done()]
    story = Story(*moves, results=[StepErr(message="x")])
    await story.tell()
    assert len(story.desktop.performed) == 2


async def test_a_planner_that_offers_only_what_failed_is_ended_after_three_turns() -> None:
    story = Story(*[batch(click())] * 9, results=[StepErr(message="missed")])
    ended = await story.tell()
    assert ended.step.fail is not None
    assert ended.step.fail.reason == "no_progress"
    assert len(story.planner.asked) == 4


async def test_empty_batches_are_told_and_ended() -> None:
    story = Story(*[Batch(purpose="nothing", steps=())] * 9)
    assert (await story.tell()).end == "failed"
    assert "The batch had no steps" in story.history[0].error


async def test_three_equal_failures_in_a_row_end_the_run() -> None:
    story = Story(*[batch(act.Key(key="a"))] * 4, results=[StepErr(message="x")] * 4)
    ended = await story.tell()
    assert ended.outcome.sentence() == "The same action failed three times in a row."
    assert len(story.desktop.performed) == 3


async def test_the_same_success_without_change_is_warned_of_and_then_put_to_the_operator() -> None:
    story = Story(*[batch(click("point:100,100"))] * 5, done(), operator=ScriptedOperator(answers=["go on"]))
    await story.tell()
    assert "was done 3 times" in next(r.error for r in story.history if r.step_purpose == "loop_warning")
    assert story.operator is not None
    assert "was done 5 times and nothing changes" in story.operator.questions[0].question


async def test_a_failure_that_cannot_be_recovered_ends_the_run_at_once() -> None:
    story = Story(batch(click(), click()), results=[StepErr(message="gone", recoverable=False)])
    ended = await story.tell()
    assert ended.outcome.sentence() == "gone"
    assert len(story.desktop.performed) == 1


async def test_a_value_that_cannot_be_read_three_times_is_left_empty_and_the_run_lives() -> None:
    read = act.ExtractWithFallback(name="price", selectors=("x",))
    other = act.ExtractWithFallback(name="price", selectors=("y",))
    story = Story(
        batch(read),
        batch(other),
        batch(read.model_copy(update={"parse_as": "int"})),
        done(),
        results=[StepErr(message="x")] * 3,
    )
    ended = await story.tell()
    assert ended.step.memory == {"price": None}
    assert story.history[-1].step_purpose == "extraction_budget:price"


async def test_the_steps_are_used_up_and_the_goal_holds_all_the_same() -> None:
    story = Story(batch(click()), limits=limits(max_steps=1))
    ended = await story.tell()
    assert ended.outcome.sentence() == "Done when the budget was used up. All 1 steps are used up."


async def test_the_steps_are_used_up_and_the_goal_does_not_hold() -> None:
    story = Story(
        batch(click()), limits=limits(max_steps=1), verdicts=[DoneVerdict(verified=False, reason="Not saved.")]
    )
    ended = await story.tell()
    assert ended.outcome.sentence() == "All 1 steps are used up. Not saved."
    assert ended.outcome.failing_step == "<budget>"  # type: ignore[union-attr]


@pytest.mark.parametrize(("word", "end"), [("accept", "succeeded"), ("reject", "failed"), ("unverified", "failed")])
async def test_the_steps_are_used_up_and_the_grader_fails(word: str, end: str) -> None:
    story = Story(
        batch(click()),
        limits=limits(max_steps=1),
        verdicts=[RuntimeError("x")],
        operator=ScriptedOperator(judgements=[word]),
    )
    assert (await story.tell()).end == end


async def test_the_steps_are_used_up_inside_a_batch_and_the_outcome_is_checked() -> None:
    story = Story(batch(click(), click("ax:name"), click()), limits=limits(max_steps=2))
    ended = await story.tell()
    assert ended.end == "succeeded"
    assert len(story.desktop.performed) == 2


async def test_the_time_is_checked_between_steps() -> None:
    clock = ManualClock()
    story = Story(batch(click(), click("ax:name")), clock=clock, limits=limits(timeout_ms=1000))
    perform = story.desktop.perform

    async def slow(action: Any, permit: Any) -> Any:
        answer = await perform(action, permit)
        clock.advance(2)
        return answer

    story.desktop.perform = slow  # type: ignore[method-assign]
    ended = await story.tell()
    assert "The time of 1 s is used up." in ended.outcome.sentence()
    assert len(story.desktop.performed) == 1


async def test_the_time_interrupts_a_planner_that_thinks_too_long() -> None:
    clock = ManualClock()

    class Slow:
        wants_screenshot = True

        async def decide_next(self, *_: Any) -> Any:
            clock.advance(1)
            await asyncio.Event().wait()

        async def verify_done(self, *args: Any) -> DoneVerdict:
            assert args[-1] == b"picture of f1"
            return DoneVerdict(verified=False, reason="No.")

    story = Story(planner=Slow(), clock=clock, limits=limits(timeout_ms=50))
    assert (await story.tell()).outcome.sentence() == "The time of 0.05 s is used up. No."


@pytest.mark.parametrize(
    "error", [PlannerError("The model is down.", "Try later."), ValueError("odd"), TimeoutError("slow")]
)
async def test_a_planner_error_is_one_clear_failure(error: Exception) -> None:
    ended = await Story(error).tell()
    assert ended.outcome.failing_step == "<planner decide_next>"  # type: ignore[union-attr]
    assert str(error) in ended.outcome.sentence()


async def test_an_answer_that_is_no_move_is_a_planner_error() -> None:
    ended = await Story(lambda view: {"kind": "telepathy"}).tell()
    assert ended.step.fail is not None
    assert ended.step.fail.reason == "planner_error"


async def test_a_wall_ends_the_run_before_the_planner_is_asked() -> None:
    story = Story(scenes=[scene(windows=(window(title="Just a moment... | Cloudflare"),))])
    ended = await story.tell()
    assert ended.outcome.failing_step == "anti_bot_wall:cloudflare"  # type: ignore[union-attr]
    assert story.planner.asked == []


async def test_an_article_about_walls_is_none() -> None:
    story = Story(done(), scenes=[scene(windows=(window(title="Breaking recaptcha: a survey"),))])
    assert (await story.tell()).end == "succeeded"


async def test_the_phase_gate_reminds_at_half_and_takes_over_at_three_quarters() -> None:
    story = Story(
        *[batch(click(f"point:{n},1")) for n in range(1, 16)],
        done(),
        limits=limits(max_steps=20, terminal_app="Calc"),
    )
    await story.tell()
    gates = [record for record in story.history if record.step_purpose == "phase_gate"]
    assert [record.action.type for record in gates] == ["wait", "wait", "activate_app"]
    assert gates[0].error.startswith("50 % of the steps are used and Mousepad is in front. Switch to Calc now")


async def test_the_phase_gate_is_silent_in_the_right_app_and_once_cells_are_written() -> None:
    in_app = Story(
        *[batch(click(f"point:{n},1")) for n in range(1, 7)], done(), limits=limits(max_steps=10, terminal_app="pad")
    )
    await in_app.tell()
    assert not any(record.step_purpose == "phase_gate" for record in in_app.history)
    write = act.WriteCells(writes=({"cell_ref": "A1", "value": "1"},))  # type: ignore[arg-type]
    written = Story(
        batch(write),
        *[batch(click(f"point:{n},1")) for n in range(1, 7)],
        done(),
        limits=limits(max_steps=10, terminal_app="Calc"),
    )
    await written.tell()
    assert not any(record.step_purpose == "phase_gate" for record in written.history)


async def test_the_first_navigation_to_the_open_page_is_skipped_for_free() -> None:
    story = Story(batch(act.Navigate(url="https://a.b/?r=1#x"), click()), done())
    at_page(story)
    ended = await story.tell()
    assert story.history[0].succeeded
    assert [a.type for a in story.desktop.performed] == ["click"]
    assert ended.steps_used == 1


async def test_a_later_navigation_is_done() -> None:
    story = Story(batch(click()), batch(act.Navigate(url="https://a.b/")), done())
    at_page(story)
    await story.tell()
    assert [a.type for a in story.desktop.performed] == ["click", "navigate"]


def at_page(story: Story) -> None:
    """Let the view carry the address of a page, as a browser connection does."""
    look = story.run._looking.look

    async def with_url(*args: Any, **kwargs: Any) -> Any:
        found = await look(*args, **kwargs)
        screen = found.view.screen.model_copy(update={"url": "https://a.b/"})
        view = found.view.model_copy(update={"screen": screen})
        return type(found)(found.scene, view, found.png)

    story.run._looking.look = with_url  # type: ignore[method-assign]


async def test_stop_ends_whatever_is_going_on_with_one_event() -> None:
    for hang in ("planner", "desktop", "approval"):
        story = Story(
            batch(click("ax:delete" if hang == "approval" else "ax:save")),
            operator=Hanging() if hang == "approval" else None,
        )
        story.desktop.hangs = hang == "desktop"
        if hang == "planner":
            story.planner.decide_next = Hanging().hang  # type: ignore[method-assign]
        task = asyncio.create_task(story.tell())
        await asyncio.sleep(0.02)
        for _ in range(5):
            story.control.stop("Stopped by you.")
        ended = await asyncio.wait_for(task, 1)
        assert (ended.end, ended.outcome.failing_step) == ("stopped", "<stopped>")  # type: ignore[union-attr]
        assert ended.step.fail is not None
        assert ended.step.fail.reason == "stopped"
        assert len(story.of("run_ended")) == 1
        assert story.desktop.performed == []
        assert story.desktop.released == 1


class Hanging(ScriptedOperator):
    """Never answers."""

    async def hang(self, *_: Any) -> Any:
        await asyncio.Event().wait()

    approve = hang


async def test_stop_before_the_run_has_begun() -> None:
    story = Story(done())
    story.control.stop()
    assert (await story.tell()).end == "stopped"


async def test_a_reader_that_goes_away_stops_the_run() -> None:
    story = Story(batch(click()))
    story.desktop.hangs = True
    async for event in story.run.events("tidy up"):
        if event.event == "action_intended":
            break
    await asyncio.sleep(0.05)
    assert story.control.stopping


async def test_pause_holds_the_next_step_and_resume_lets_it_go() -> None:
    story = Story(batch(click(), click("ax:name")), done())
    story.control.pause("Wait a moment.")
    story.control.pause("again")
    changes: list[bool] = []
    story.control.on_change(lambda: changes.append(story.control.paused))
    task = asyncio.create_task(story.tell())
    await asyncio.sleep(0.02)
    assert story.desktop.performed == []
    assert story.control.pause_reason == "Wait a moment."
    story.control.resume()
    assert (await task).end == "succeeded"
    assert changes == [False]
    phases = [(event.phase, event.detail) for event in story.of("phase_changed")]
    assert phases[:3] == [
        (RunPhase.PAUSED, "Wait a moment."), (RunPhase.LOOKING, "Resumed."), (RunPhase.PLANNING, ""),
    ]  # fmt: skip
    assert phases.count((RunPhase.PAUSED, "Wait a moment.")) == 1
    assert list(await story.store.events("r")) == story.events


async def test_a_pause_that_is_not_waited_for_leaves_no_trace() -> None:
    story = Story(batch(click()), done())
    task = asyncio.create_task(story.tell())
    story.control.pause("Wait.")
    story.control.resume()
    await task
    assert RunPhase.PAUSED not in [event.phase for event in story.of("phase_changed")]


async def test_a_run_that_is_stopped_while_paused_is_not_resumed() -> None:
    story = Story(batch(click()))
    story.control.pause("Wait.")
    task = asyncio.create_task(story.tell())
    await asyncio.sleep(0.02)
    story.control.stop()
    assert (await asyncio.wait_for(task, 1)).end == "stopped"
    assert [event.phase for event in story.of("phase_changed")] == [RunPhase.PAUSED, RunPhase.STOPPED]


async def test_a_console_that_dies_in_a_pause_goes_on_where_it_was() -> None:
    first = Story(batch(click(), click("ax:name")), done())
    task = asyncio.create_task(first.tell())
    first.control.step_once()
    await asyncio.sleep(0.02)
    left = list(first.events)
    assert left[-1].headline() == "Paused: One step at a time."
    first.control.stop()
    await task
    second = Story(done(), resume=fold(left))
    assert (await second.tell()).end == "succeeded"
    assert second.events[0].seq == left[-1].seq + 1
    assert RunPhase.PAUSED not in [event.phase for event in second.of("phase_changed")]
    assert len(second.planner.asked[0][0]) == 1


async def test_a_pause_is_written_even_when_the_journal_fails_at_it() -> None:
    story = Story(batch(click()), done())
    story.control.pause("Wait.")
    task = asyncio.create_task(story.tell())
    story.store.failures = 1
    await asyncio.sleep(0.02)
    assert story.events[0].headline() == "The disk is full. Free some space."
    story.control.resume()
    await task
    assert [event.seq for event in await story.store.events("r")] == list(range(1, story.events[-1].seq + 1))


async def test_single_steps() -> None:
    story = Story(batch(click(), click("ax:name")), done())
    story.control.pause()
    task = asyncio.create_task(story.tell())
    for count in (1, 2):
        story.control.step_once()
        await asyncio.sleep(0.02)
        assert len(story.desktop.performed) == count
        assert story.control.single_step
    story.control.resume()
    await task


async def test_a_journal_that_cannot_be_written_pauses_the_run_and_loses_nothing() -> None:
    story = Story(batch(click()), done(), failures=1)
    task = asyncio.create_task(story.tell())
    await asyncio.sleep(0.02)
    assert story.control.paused
    assert story.events[0].headline() == "The disk is full. Free some space."
    assert story.desktop.performed == []
    story.control.resume()
    ended = await task
    assert ended.end == "succeeded"
    assert [event.seq for event in await story.store.events("r")] == list(range(1, ended.seq + 1))


async def test_a_journal_that_stays_broken_does_not_hold_up_stop() -> None:
    story = Story(batch(click()), failures=10**6)
    task = asyncio.create_task(story.tell())
    await asyncio.sleep(0.02)
    story.control.stop()
    assert (await asyncio.wait_for(task, 1)).end == "stopped"


async def test_a_picture_that_cannot_be_kept_costs_the_picture_only() -> None:
    from console.contracts.errors import StorageError
    from console.contracts.scene import Frame

    frame = SCENE.frame.model_copy(update={"pixels": b"xxx"})
    seen = SCENE.model_copy(update={"frame": frame})
    story = Story(
        batch(click()), done(), scenes=[seen], results=[performed(click(), StepOk(), before=frame, after=frame)]
    )

    async def full(data: bytes, media: str) -> str:
        raise StorageError("The disk is full.")

    kept = story.store.save_blob
    await story.tell()
    assert story.of("attempted")[0].before in story.store.blobs
    broken = Story(done(), scenes=[seen])
    broken.store.save_blob = full  # type: ignore[method-assign]
    assert (await broken.tell()).end == "succeeded"
    assert broken.of("observed")[0].screenshot is None
    assert isinstance(frame, Frame)
    assert kept


async def test_an_error_of_the_console_ends_the_run_and_is_logged(expected_log: Any) -> None:
    expected_log("The run failed")
    story = Story(batch(click()), results=[ValueError("a bug")])
    ended = await story.tell()
    assert ended.outcome.sentence() == "An error in the console: a bug"


async def test_a_screen_that_cannot_be_captured_ends_the_run_in_words() -> None:
    story = Story(done())

    async def blind(goal: str) -> Any:
        raise CaptureError("The screen could not be captured.", "Check the display.")

    story.desktop.observe = blind  # type: ignore[method-assign]
    ended = await story.tell()
    assert ended.outcome.sentence() == "The screen could not be captured. Check the display."


async def test_a_blind_expectation_is_dropped_and_one_that_can_be_evaluated_is_kept() -> None:
    gone = {"kind": "selector_disappears", "selector": ".success"}
    kept = {"kind": "selector_appears", "selector": 'text="Saved"'}
    changed = {"kind": "dom_changed"}
    actions = [click(expect_after=e) for e in (gone, kept, changed)]
    story = Story(*[batch(a) for a in actions], done())
    await story.tell()
    assert [getattr(a, "expect_after", None) is not None for a in story.desktop.performed] == [False, True, True]
    with_browser = Story(batch(actions[0]), done(), scenes=[scene(SAVE, NAME, DELETE, capabilities=("cdp",))])
    await with_browser.tell()
    assert with_browser.desktop.performed == [actions[0]]


async def test_what_goes_into_a_password_field_is_in_no_event() -> None:
    secret = element("ax:pw", "Password", "input", settable=True, protected=True)
    typing = batch(act.TypeText(target_id="ax:pw", text="hunter2"), act.TypeText(text="hunter2"))
    story = Story(typing, done(), scenes=[scene(secret, SAVE, focused_id="ax:pw")])
    await story.tell()
    assert [a.text for a in story.desktop.performed] == ["hunter2", "hunter2"]  # type: ignore[union-attr]
    assert not any("hunter2" in event.model_dump_json() for event in story.events)


async def test_a_killed_run_goes_on_where_it_was() -> None:
    first = Story(
        batch(click(), purpose="one"),
        ask("Which?"),
        batch(click("ax:name")),
        done(),
        results=[StepOk(data="x")],
        operator=ScriptedOperator(answers=["b"]),
    )
    await first.tell()
    cut = [e for e in first.events if e.seq <= first.of("clarify_answered")[0].seq + 3]
    state = fold(cut)
    assert state.shared_memory["one 1"] == "x"
    assert (len(state.history), state.steps_used, state.asked) == (2, 1, ["Which?"])
    second = Story(done(), resume=state)
    ended = await second.tell("tidy up")
    assert ended.end == "succeeded"
    assert len(second.planner.asked[0][0]) == 2
    assert second.events[0].seq == state.last_seq + 1
    assert second.of("run_started")[0].resumed_from == state.last_seq


async def test_a_run_that_has_ended_or_is_none_or_had_another_goal_is_not_resumed() -> None:
    story = Story(done())
    await story.tell()
    with pytest.raises(ConsoleError, match="has ended"):
        fold(story.events)
    with pytest.raises(ConsoleError, match="no such run"):
        fold([])
    with pytest.raises(ConsoleError, match="no such run"):
        fold(story.events[1:])
    other = Story(done(), resume=fold(story.events[:3]))
    with pytest.raises(ConsoleError, match="another goal"):
        await other.tell("something else")


@pytest.mark.parametrize(
    ("answer", "end", "asked"),
    [
        ("It happened", "succeeded", [True]),
        ("It did not happen", "succeeded", [False]),
        ("End the run", "refused", []),
        (None, "refused", []),
    ],
)
async def test_an_action_of_unknown_outcome_is_put_to_the_operator(
    answer: str | None, end: str, asked: list[bool]
) -> None:
    first = Story(batch(click()), done())
    await first.tell()
    cut = [e for e in first.events if e.seq <= first.of("action_intended")[0].seq]
    operator = ScriptedOperator(answers=[answer] if answer else [])
    second = Story(done(), resume=fold(cut), operator=operator)
    ended = await second.tell()
    assert ended.end == end
    assert second.desktop.performed == []
    assert "was interrupted during “Click “Save” in “Notes””" in operator.questions[0].question
    if asked:
        assert [record.succeeded for record in second.planner.asked[0][0]] == asked


def test_the_phases_of_a_run_are_words() -> None:
    assert RunPhase.WAITING == "Waiting for you"


def test_a_step_has_a_purpose() -> None:
    assert step(act.Wait(ms=1), "rest").purpose == "rest"
