"""What the terminal shows and asks, and how pauses end without a window."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import sys
from collections.abc import Callable, Iterator

import pytest

from console.cli import interrupts as interrupts_module
from console.cli import pauses
from console.cli.asking import TerminalOperator, next_line
from console.cli.decisions import ApproveAll, DecisionsOperator
from console.cli.interrupts import interrupts
from console.cli.main import main
from console.cli.output import Output, fitting, harmless
from console.cli.pauses import PauseKeeper
from console.cli.timeline import timeline
from console.contracts.events import Noticed, PhaseChanged, RunPhase
from console.contracts.operator import ClarifyRequest, VerifyRequest
from console.core.control import RunControl
from console.testing.doubles import FakeDesktop
from tests.storage.stories import phase, stamp
from tests.storage.test_export import request

from .fakes import ASK, DONE, FakeWiring, say

QUESTION = ClarifyRequest(request_id="q", question="Which?", candidates=("Invoice 7", "Invoice 8"))
CLAIM = VerifyRequest(request_id="v", summary="It is saved", problem="no grader")


def typing(*lines: str) -> Callable[[], str]:
    waiting: Iterator[str] = iter(lines)
    return lambda: next(waiting, "")


def at_terminal(*lines: str) -> tuple[TerminalOperator, io.StringIO]:
    err = io.StringIO()
    return TerminalOperator(Output(io.StringIO(), err), typing(*lines)), err


@pytest.mark.parametrize(
    ("typed", "verdict", "reason"),
    [
        ("yes\n", "approve", ""),
        (" Y \n", "approve", ""),
        ("no\n", "deny", ""),
        ("\n", "deny", ""),
        ("", "deny", ""),
        ("not that one\n", "deny", "not that one"),
    ],
)
async def test_only_yes_is_a_yes(typed: str, verdict: str, reason: str) -> None:
    operator, err = at_terminal(typed)
    decision = await operator.approve(request())
    assert (decision.verdict, decision.reason) == (verdict, reason)
    assert "It deletes files." in err.getvalue()


@pytest.mark.parametrize(
    ("typed", "text", "declined"),
    [("2\n", "Invoice 8", False), ("9\n", "9", False), ("both\n", "both", False), ("\n", "", True), ("", "", True)],
)
async def test_answers(typed: str, text: str, declined: bool) -> None:
    operator, err = at_terminal(typed)
    answer = await operator.answer(QUESTION)
    assert (answer.text, answer.declined) == (text, declined)
    assert "1 Invoice 7" in err.getvalue()


@pytest.mark.parametrize(("typed", "verdict"), [("yes\n", "accept"), ("n\n", "reject"), ("\n", "unverified")])
async def test_judging(typed: str, verdict: str) -> None:
    assert (await at_terminal(typed)[0].judge(CLAIM)).verdict == verdict


async def test_decisions_hand_on_what_they_do_not_know() -> None:
    person, _ = at_terminal("yes\n", "1\n", "yes\n")
    operator = DecisionsOperator((), person)
    assert (await operator.approve(request())).approves
    assert (await operator.answer(QUESTION)).text == "Invoice 7"
    assert (await operator.judge(CLAIM)).verdict == "accept"
    assert (await DecisionsOperator().judge(CLAIM)).verdict == "unverified"


async def test_yes_to_all_answers_nothing() -> None:
    assert (await ApproveAll().approve(request())).approves
    assert (await ApproveAll().answer(QUESTION)).declined
    assert (await ApproveAll().judge(CLAIM)).verdict == "unverified"


async def test_a_closed_stdin_is_its_end() -> None:
    def closed() -> str:
        raise ValueError("I/O operation on closed file")

    assert await next_line(closed) == ""


async def test_a_line_that_comes_too_late() -> None:
    let_go = asyncio.Event()
    loop = asyncio.get_running_loop()

    def late() -> str:
        asyncio.run_coroutine_threadsafe(let_go.wait(), loop).result()
        return "late\n"

    task = asyncio.create_task(next_line(late))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    let_go.set()
    await asyncio.sleep(0.02)


def test_a_pause_is_a_line_of_the_run() -> None:
    paused = PhaseChanged(**stamp(2), phase=RunPhase.PAUSED, detail="You took the mouse.")
    assert (timeline(paused) or "").endswith("‖  Paused: You took the mouse.")
    assert timeline(phase(3)) is None


async def test_enter_goes_on() -> None:
    control, err = RunControl(), io.StringIO()
    keeper = PauseKeeper(control, Output(io.StringIO(), err), typing("\n"))
    control.pause("You took the mouse.")
    async with asyncio.timeout(2):
        await control.gate()
    assert "Paused: You took the mouse. Press Enter to go on" in err.getvalue()
    keeper.close()


async def test_nobody_there_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pauses, "RETRY_S", 0.001)
    control = RunControl()
    PauseKeeper(control, Output(io.StringIO(), io.StringIO()), None)
    control.pause("You took the mouse.")
    async with asyncio.timeout(2):
        await control.gate()
    assert control.stop_reason == "Paused, and nobody was there to go on: You took the mouse."


async def test_a_journal_is_tried_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pauses, "RETRY_S", 0.001)
    control, tries = RunControl(), 0
    keeper = PauseKeeper(control, Output(io.StringIO(), io.StringIO()), None)
    keeper.saw(phase(1))
    async with asyncio.timeout(5):
        while not control.stopping:
            keeper.saw(Noticed(**stamp(0), severity="error", text="The disk is full."))
            control.pause("The disk is full.")
            await control.gate()
            tries += 1
    assert tries == pauses.RETRIES + 1


async def test_a_pause_that_ended_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pauses, "RETRY_S", 0.01)
    control = RunControl()
    keeper = PauseKeeper(control, Output(io.StringIO(), io.StringIO()), None)
    control.pause("For a moment.")
    control.resume()
    await asyncio.sleep(0.03)
    assert not control.stopping
    control.pause("Again.")
    keeper.close()
    await asyncio.sleep(0)
    assert not control.stopping


async def test_the_second_signal_releases_and_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interrupts_module, "LET_GO_S", 0.001)
    left: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    desktop, reasons, err = FakeDesktop(), [], io.StringIO()
    before = signal.getsignal(signal.SIGTERM)
    async with interrupts(reasons.append, desktop.release_all, Output(io.StringIO(), err), left.set_result):
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.sleep(0.01)
        assert reasons == ["Stopped by the system."]
        os.kill(os.getpid(), signal.SIGTERM)
        assert await asyncio.wait_for(left, 2) == 4
    assert desktop.released == 1
    assert signal.getsignal(signal.SIGTERM) == before


def test_screen_text_cannot_steer_the_terminal() -> None:
    assert harmless("a\x1b]0;title\x07b\n\tc\u202ed\u2028e") == "a ]0;title b cd e"


def test_signs_that_the_terminal_cannot_show() -> None:
    assert fitting("✓ “Zażółć” …", "utf-8") == "✓ “Zażółć” …"
    assert fitting("✓ “Zażółć” … 日", "ascii") == '+ "Za????" ... ?'
    assert fitting("✕ “é”", "latin-1") == 'x "é"'
    assert fitting("✓", "no-such-encoding") == "+"


def test_json_in_any_terminal() -> None:
    for encoding, expected in (("utf-8", '"é"\n'), ("latin-1", '"\\u00e9"\n')):
        raw = io.BytesIO()
        terminal = io.TextIOWrapper(raw, encoding=encoding)
        Output(terminal, io.StringIO()).json("é")
        assert raw.getvalue().decode(encoding) == expected


def test_a_closed_stderr_is_no_failure() -> None:
    err = io.StringIO()
    err.close()
    Output(io.StringIO(), err).problem("Nobody hears it.")
    Output(io.StringIO(), io.StringIO()).mute()


def test_asking_at_a_terminal(wiring: FakeWiring, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal("1\n"))
    wiring.moves = (ASK, DONE)
    said = say(wiring, "run", "x", "--ask")
    assert said.code == 0
    assert "You answered: A" in said.out


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt(), 4), (BrokenPipeError(), 0)])
def test_ends_without_a_word(error: BaseException, code: int) -> None:
    def wiring() -> FakeWiring:
        raise error

    out, err = io.StringIO(), io.StringIO()
    assert main(["runs"], wiring, Output(out, err)) == code
    assert err.getvalue() == ""
