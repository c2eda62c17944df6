"""The ledger of our own input: what we hold, what we held a moment ago, where we put the pointer."""

from __future__ import annotations

import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.contracts.geometry import Point
from console.desktop.input import pressed as module
from console.desktop.input.pressed import REMEMBER_S, Pressed

HERE, THERE = Point(x=10, y=20), Point(x=30, y=40)


@pytest.fixture
def now(monkeypatch):
    """A clock that is moved by hand."""

    class Hand:
        at = 100.0

    monkeypatch.setattr(module.time, "monotonic", lambda: Hand.at)
    return Hand


def test_what_is_held_is_taken_once(now):
    ledger = Pressed()
    ledger.key(37, down=True)
    ledger.button(1, down=True)
    ledger.key(50, down=True)
    ledger.key(50, down=False)
    assert ledger.take() == ([37], [1])
    assert ledger.take() == ([], [])
    assert ledger.last_event_at == 100.0


def test_a_key_is_ours_while_held_and_a_moment_longer(now):
    ledger = Pressed()
    assert not ledger.ours(37)
    ledger.key(37, down=True)
    now.at += 5
    assert ledger.ours(37)
    ledger.key(37, down=False)
    now.at += REMEMBER_S / 2
    assert ledger.ours(37)
    now.at += REMEMBER_S
    assert not ledger.ours(37)


def test_a_key_that_was_let_go_by_a_stop_is_ours_a_moment_longer(now):
    ledger = Pressed()
    ledger.key(37, down=True)
    now.at += 5
    ledger.take()
    assert ledger.ours(37)


def test_the_pointer_is_ours_where_we_put_it_last_and_where_it_just_was(now):
    ledger = Pressed()
    assert not ledger.put_here(HERE)
    ledger.place(HERE)
    ledger.place(THERE)
    assert ledger.put_here(HERE)
    now.at += REMEMBER_S * 2
    assert not ledger.put_here(HERE)
    assert ledger.put_here(THERE)


@given(st.lists(st.tuples(st.booleans(), st.integers(8, 20), st.booleans())))
def test_what_is_taken_is_what_went_down_and_did_not_come_up(events):
    ledger = Pressed()
    keys: set[int] = set()
    buttons: set[int] = set()
    for is_key, number, down in events:
        held = keys if is_key else buttons
        (held.add if down else held.discard)(number)
        (ledger.key if is_key else ledger.button)(number, down=down)
    assert ledger.take() == (sorted(keys), sorted(buttons))


def test_threads_take_each_key_only_once():
    ledger = Pressed()
    taken: list[int] = []
    ended = time.monotonic() + 0.2

    def take() -> None:
        while time.monotonic() < ended:
            taken.extend(ledger.take()[0])

    threads = [threading.Thread(target=take) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(500):
        ledger.key(number, down=True)
    for thread in threads:
        thread.join()
    taken.extend(ledger.take()[0])
    assert sorted(taken) == list(range(500))
