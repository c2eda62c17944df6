"""The grading of a claim on a fresh view."""

from __future__ import annotations

from console.contracts.actions import Click, Wait
from console.contracts.effects import ObservedEffect
from console.contracts.moves import AttemptRecord, Batch, Done, Fail, NextActionHint

from .world import World, element, rejected


async def graded(
    world: World, goal: str, summary: str = "x", memory: dict[str, object] | None = None
) -> tuple[bool, str]:
    verdict = await world.planner.verify_done(goal, summary, memory or {}, world.view(), None)  # type: ignore[arg-type]
    return verdict.verified, verdict.reason


async def test_an_expectation_that_has_passed_is_rejected_and_waited_for() -> None:
    world = World.of(element("s", "Saved", "text"), wait_s=1)
    goal = "press F5; expect “Saved” is visible"
    world.carry_out(await _batch(world, goal))
    done = await world.planner.decide_next(goal, tuple(world.history), {}, world.view(), None)
    assert isinstance(done, Done)
    world.drop("s")
    verdict = await world.planner.verify_done(goal, done.summary, {}, world.view(), None)
    assert not verdict.verified
    assert "“Saved” is visible" in verdict.reason
    assert verdict.next_action_hint is NextActionHint.DIFFERENT_ACTION
    world.history.append(rejected(done.summary, verdict))
    assert isinstance(await world.run(goal), Fail)


async def _batch(world: World, goal: str) -> Batch:
    move = await world.planner.decide_next(goal, tuple(world.history), dict(world.memory), world.view(), None)
    assert isinstance(move, Batch)
    return move


async def test_an_expectation_before_the_last_action_is_not_checked_again() -> None:
    world = World.of(element("s", "Saved", "text"), on={"key:F5": lambda: world.drop("s")})
    assert isinstance(await world.run("expect “Saved” is visible; press F5"), Done)


async def test_a_value_that_is_missing_is_rejected() -> None:
    world = World.of()
    assert await graded(world, "read Total as total") == (False, "These values were not read: total.")


async def test_without_a_claim_only_evidence_or_the_planners_own_words_count() -> None:
    world = World.of(element("s", "Saved", "text"))
    assert (await graded(world, "press F5; expect “Saved”"))[0]
    assert not (await graded(world, "press F5"))[0]
    assert (await graded(world, "press F5", "The instruction is carried out: Press F5."))[0]


async def test_when_the_steps_are_used_up_what_is_open_decides() -> None:
    world = World.of(element("s", "Saved", "text"))
    goal = "press F5; press F6; expect “Saved”"
    await _batch(world, goal)
    assert await graded(world, goal) == (False, "Instruction 2 is not carried out.")
    goal = "press F5; expect “Saved”"
    await _batch(world, goal)
    assert (await graded(world, goal))[0]
    goal = "press F5"
    await _batch(world, goal)
    assert await graded(world, goal) == (False, "Instruction 1 is not carried out.")
    goal = "ask me “Which?”; press F5"
    await world.planner.decide_next(goal, (), {}, world.view(), None)
    assert await graded(world, goal) == (False, "Instruction 2 is not carried out.")


async def test_effects_that_were_seen_are_counted() -> None:
    world = World.of(element("s", "Save"), effects={"click:s": ObservedEffect(status="observed")})
    await world.run("click Save; press F5")
    assert world.verdicts[-1].reason == "2 acting instructions delivered, 1 seen to have an effect."


async def test_a_claim_rejected_three_times_is_given_up() -> None:
    world = World.of()
    goal = "press F5"
    world.carry_out(await _batch(world, goal))
    for _ in range(3):
        done = await world.planner.decide_next(goal, tuple(world.history), {}, world.view(), None)
        assert isinstance(done, Done)
        verdict = (await world.planner.verify_done("other", "x", {}, world.view(), None)).model_copy(
            update={"next_action_hint": None}
        )
        world.history.append(rejected(done.summary, verdict))
    end = await world.planner.decide_next(goal, tuple(world.history), {}, world.view(), None)
    assert isinstance(end, Fail)
    assert "did not stand the check" in end.reason


async def test_records_of_the_run_itself_are_no_progress() -> None:
    world = World.of(element("s", "Save"))
    for purpose in ("skipped", "phase_gate", "loop_warning", "[9] Nothing of this goal"):
        world.history.append(AttemptRecord(step_purpose=purpose, action=Wait(ms=0), succeeded=True))
    assert (await _batch(world, "click Save")).steps[0].action == Click(target_id="s")


async def test_a_final_expectation_with_a_value_that_is_missing() -> None:
    world = World.of()
    verified, reason = await graded(world, "if “A” is visible, read B as b; expect “{b}” is visible")
    assert not verified
    assert "the value “b”" in reason


async def test_a_last_step_that_failed_speaks_against_the_claim() -> None:
    world = World.of()
    goal = "press F5; press F6"
    world.history = [
        AttemptRecord(step_purpose="[1] Press F5", action=Wait(ms=0), succeeded=False, error="no"),
        AttemptRecord(step_purpose="[2] Press F6", action=Wait(ms=0), succeeded=True),
    ]
    done = await world.planner.decide_next(goal, tuple(world.history), {}, world.view(), None)
    assert isinstance(done, Done)
    assert await graded(world, goal) == (False, "Instruction 1 (Press F5) failed last: no")
