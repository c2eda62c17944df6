"""The rows that a person reads, folded from the events of a run."""

from __future__ import annotations

import pytest

from console.contracts.actions import Click
from console.contracts.events import RunPhase, VerifyAnswered, VerifyAsked
from console.contracts.operator import VerifyDecision, VerifyRequest
from console.core.control import ONE_STEP
from console.ui.rows import Row
from console.ui.run_model import RunModel

from .sample_events import GOAL, Story, aimed, finished_run, long_run, waiting_run
from .sample_events import ROW as PLACE


def folded(story: Story) -> RunModel:
    run = RunModel()
    run.apply_all(story.events)
    return run


def lines(run: RunModel) -> list[str]:
    return [row.title if row.kind == "group" else f"{row.mark} {row.title}" for row in run.rows]


def test_a_run_reads_as_a_story() -> None:
    run = RunModel()
    run.apply_all(waiting_run())
    assert lines(run) == [
        "Open Downloads",
        "✓ Switch to Thunar",
        "✓ Double-click “Downloads”",
        "Find old installers",
        "✓ Click column “Date Modified”",
        "✕ Click “setup-2.1.run”",
        "! The rest of the batch was skipped: 1 step.",
        "✓ Click “setup-2.1.run” in the row “9”",
        "? You answered: only the two in the root folder",
        "Delete the two installers",
        "! Click “Delete” in “Delete File?”",
    ]
    assert (run.goal, run.attempts, run.steps_used, run.limits.max_steps) == (GOAL, 5, 5, 80)


def test_a_failed_attempt_says_why_and_what_is_advised() -> None:
    run = RunModel()
    run.apply_all(waiting_run())
    failed = next(row for row in run.rows if row.mark == "✕")
    assert failed.detail == "The row moved while clicking"
    assert [chip.text for chip in failed.chips] == ["timed out", "hint: different target"]
    assert failed.right == "2.0 s"
    assert failed.spoken().startswith("Failed. Click “setup-2.1.run”. The row moved")


def test_an_attempt_that_was_delivered_and_changed_nothing_is_no_success() -> None:
    story = Story()
    story.started()
    story.attempted("Click “A”", "Nothing changed on the screen.", "timed_out")
    story.attempted("Click “B”", "It is still there.", "contradicted")
    story.attempted("Click “C”", "", "not_checked")
    assert lines(folded(story)) == ["! Click “A”", "! Click “B”", "✓ Click “C”"]


def test_what_waits_for_the_operator_says_so_until_it_is_decided() -> None:
    story = Story()
    story.started()
    story.planned("Tidy up")
    request = story.needs_approval()
    run = folded(story)
    assert (run.rows[-1].waits, run.rows[-1].detail) == (True, "needs your approval")
    assert [chip.text for chip in run.rows[-1].chips] == ["deletes"]
    story.approved(request, "deny", "not that one")
    run = folded(story)
    assert (run.rows[-1].waits, run.rows[-1].detail, run.rows[-1].tone) == (
        False, "Denied: not that one", "danger",
    )  # fmt: skip


def test_the_row_of_an_approved_step_becomes_the_row_of_its_attempt() -> None:
    story = Story()
    story.started()
    story.planned("Tidy up")
    story.approved(story.needs_approval())
    story.attempted("Click “Delete”", "it is gone")
    run = folded(story)
    assert lines(run) == ["Tidy up", "✓ Click “Delete”"]
    assert run.rows[-1].intent is not None


def test_the_step_under_way_is_now_and_what_came_of_it_is_unknown_when_the_run_ends() -> None:
    story = Story()
    story.started()
    story.planned("Tidy up")
    story.intended("Click “Delete”", Click(target_id="ax:1"), aimed("Delete", PLACE))
    run = folded(story)
    assert (run.rows[-1].mark, run.rows[-1].right) == ("▸", "now")
    story.ended("stopped", "Stopped by you.")
    run = folded(story)
    assert lines(run) == ["Tidy up", "■ Click “Delete”", "Result", "■ Stopped by you."]
    assert run.rows[1].detail == "what came of it is not known"


def test_a_question_that_the_end_of_the_run_left_open_was_not_answered() -> None:
    story = Story()
    story.started()
    story.asked("Which one?", None, "this", "that")
    run = folded(story)
    assert run.rows[-1].waits
    run.close_open()
    assert (run.rows[-1].detail, run.rows[-1].waits) == ("not answered", False)


@pytest.mark.parametrize(("end", "mark"), [("succeeded", "✓"), ("failed", "✕"), ("refused", "?"), ("stopped", "■")])
def test_the_end_is_a_row_with_its_mark(end: str, mark: str) -> None:
    story = Story()
    story.started()
    story.ended(end, "That was it.")
    run = folded(story)
    assert lines(run)[-2:] == ["Result", f"{mark} That was it."]
    assert run.phase.ended


def test_checks_refusals_and_notices_have_rows_of_their_own() -> None:
    run = RunModel()
    run.apply_all(finished_run())
    told = lines(run)
    assert "! Checked: not yet — “setup-2.0.run” is still there." in told
    assert "! Done was not accepted: “setup-2.0.run” is still there." in told
    assert "! An app does not answer: LibreOffice." in told
    assert told[-1] == "✓ Two installers are gone; four invoices are kept."
    assert "still moving" in [chip.text for row in run.rows for chip in row.chips]


def test_a_question_about_the_end_is_answered_in_its_row() -> None:
    story = Story()
    story.started()
    request = VerifyRequest(request_id="v1", summary="All tidy", problem="The grader is away")
    story.add(VerifyAsked, request=request)
    assert folded(story).rows[-1].waits
    story.add(VerifyAnswered, request_id="v1", decision=VerifyDecision(verdict="accept"))
    row = folded(story).rows[-1]
    assert (row.detail, row.waits) == ("You accepted it", False)


def test_answers_to_nothing_change_nothing() -> None:
    story = Story()
    story.started()
    story.add(VerifyAnswered, request_id="gone", decision=VerifyDecision(verdict="reject"))
    story.approved(Story().needs_approval())
    story.asked("Which?", "this")
    story.events = [event for event in story.events if event.event != "clarify_asked"]
    assert folded(story).rows == []


def test_a_record_that_went_well_is_told_in_the_words_of_its_action() -> None:
    story = Story()
    story.started()
    story.refused("", succeeded=True)
    assert lines(folded(story)) == ["✓ Done: All tidy"]


def test_a_pause_is_told_with_its_reason_but_not_between_single_steps() -> None:
    story = Story()
    story.started()
    story.phase(RunPhase.PAUSED, "You moved the mouse.")
    story.phase(RunPhase.LOOKING, "Resumed.")
    story.phase(RunPhase.PAUSED, ONE_STEP)
    run = folded(story)
    assert [(row.mark, row.title, row.detail) for row in run.rows] == [("‖", "Paused", "You moved the mouse.")]
    assert (run.phase, run.phase_detail) == (RunPhase.PAUSED, ONE_STEP)


def test_the_phase_and_the_look_are_kept_for_the_panels() -> None:
    story = Story()
    story.started()
    story.looked()
    story.phase(RunPhase.PLANNING, "asking the planner")
    run = folded(story)
    assert (run.phase, run.phase_detail) == (RunPhase.PLANNING, "asking the planner")
    assert run.seen is not None
    assert run.seen.turn == 1


def test_twenty_thousand_attempts_are_as_many_rows_and_their_headings() -> None:
    run = RunModel()
    run.apply_all(long_run(200))
    assert run.attempts == 200
    assert len([row for row in run.rows if row.kind == "group"]) == 20


def test_an_empty_row_says_nothing() -> None:
    assert Row("note", "").spoken() == ""
