"""Corners of single rules that no story passes."""

from __future__ import annotations

import time

from console.contracts import actions as act
from console.core.clock import SystemClock
from console.core.rules.loops import LoopVerdict, LoopWatch
from console.core.rules.navigation import already_there, without_noops
from console.core.rules.targets_known import closest
from console.core.secrecy import MASK, masked


def test_the_clock_is_that_of_the_machine() -> None:
    clock = SystemClock()
    assert clock.now() <= time.monotonic()
    assert abs(clock.unix_ms() - time.time() * 1000) < 1000


def test_waiting_and_scrolling_again_is_no_loop() -> None:
    watch = LoopWatch()
    verdicts = {watch.saw(act.Scroll(dy=1), succeeded=True, looks="same") for _ in range(9)}
    assert verdicts == {LoopVerdict.FINE}


def test_a_nested_batch_loses_only_the_navigation_it_does_not_need() -> None:
    page = "https://a.b/x/"
    assign = act.CdpEval(expression="window.location.href = 'https://a.b/x?y=1'")
    wait = act.Wait(ms=1)
    nested = act.ActionBatch(actions=(assign, wait))
    assert without_noops(nested, page, ()) == act.ActionBatch(actions=(wait,))
    assert without_noops(act.ActionBatch(actions=(wait,)), page, ()).actions == (wait,)  # type: ignore[union-attr]
    assert already_there(act.CdpEval(expression="1 + 1"), "p", page, ()) is None


def test_nothing_near_is_no_suggestion() -> None:
    assert closest("ax:aaaa", ["dom:zzzzzzzzzzzz"]) is None
    assert closest("ax:aaaa", []) is None


def test_a_batch_into_a_password_field_is_masked_throughout() -> None:
    batch = act.ActionBatch(actions=(act.TypeText(target_id="p", text="hunter2"), act.Wait(ms=1)))
    shown = masked(batch, protected=True)
    assert shown == act.ActionBatch(actions=(act.TypeText(target_id="p", text=MASK), act.Wait(ms=1)))
