"""Stop ends a run at once, from the window, the bar, the key and the corner, whatever is going on."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.apps import Apps, ReceiverWindow
from tests.support.console_window import ConsoleWindow, wait_for, xdotool
from tests.support.raw_events import RawEvents
from tests.support.screen import Screen

pytestmark = pytest.mark.display
LIMIT_S = 0.25
LONG_TEXT = "x" * 2000
TYPED = ("key_press", "key_release")
WAYS = ["key", "corner", "bar", "window"]
KEY_X = 53


@pytest.fixture
def typing(tmp_path: Path, receiver: ReceiverWindow) -> Iterator[Callable[[bool], ConsoleWindow]]:
    """A console with a goal that types for a long time into the receiver."""
    opened: list[ConsoleWindow] = []

    def open_(compact: bool) -> ConsoleWindow:
        appearance = {"appearance": {"compact_during_run": compact}}
        opened.append(ConsoleWindow(tmp_path / "console", f'Switch to Receiver\nType "{LONG_TEXT}"', appearance))
        return opened[0]

    yield open_
    for console in opened:
        console.close()


@pytest.mark.parametrize("way", WAYS)
def test_stop_while_typing(
    way: str, typing: Callable[[bool], ConsoleWindow], raw_events: RawEvents, x_state: Screen
) -> None:
    _stop_often(way, 2, typing, raw_events, x_state)


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("way", WAYS)
def test_stop_at_many_moments(
    way: str, typing: Callable[[bool], ConsoleWindow], raw_events: RawEvents, x_state: Screen
) -> None:
    _stop_often(way, 13, typing, raw_events, x_state)


def _stop_often(
    way: str, times: int, typing: Callable[[bool], ConsoleWindow], raw_events: RawEvents, x_state: Screen
) -> None:
    console = typing(way != "window")
    chance = random.Random(way)
    slowest, stop = 0.0, _way(console, way)
    for _ in range(times):
        xdotool("mousemove", 640, 400)
        console.start()
        wait_for(lambda: _typed(raw_events), "the first typed key")
        time.sleep(chance.uniform(0.0, 1.2))
        began = time.monotonic()
        stop()
        assert console.wait_ended() == "Stopped"
        last = max((event.t for event in _typed(raw_events)), default=0.0)
        slowest = max(slowest, last - began)
        raw_events.quiet(0.1)
        raw_events.events.clear()
        raw_events._events.clear()
        assert not x_state.held()
    assert slowest <= LIMIT_S, f"the last key came {slowest * 1000:.0f} ms after Stop"


def _typed(raw_events: RawEvents) -> list:  # type: ignore[type-arg]
    """The keys of the text, by the key that was struck most."""
    return [event for event in raw_events.events if event.kind in TYPED and event.detail == KEY_X]


def _way(console: ConsoleWindow, way: str) -> Callable[[], object]:
    """Where a button is does not change, so it is looked up before it is needed."""
    if way == "key":
        return lambda: xdotool("key", "ctrl+alt+Escape")
    if way == "corner":
        return lambda: xdotool("mousemove", 1, 1)
    if way == "window":
        point = console.find("Stop", "button").bounds.center
        return lambda: xdotool("mousemove", point.x, point.y, "click", 1)
    console.start()
    point = console.find("Stop", "button").bounds.center
    xdotool("mousemove", point.x, point.y, "click", 1)
    console.wait_ended()
    return lambda: xdotool("mousemove", point.x, point.y, "click", 1)


def test_stop_while_an_approval_is_open(tmp_path: Path, app: Apps, x_state: Screen) -> None:
    running = app(["zenity", "--question", "--title=Sure", "--text=Really", "--ok-label=Delete"], "^Sure$")
    console = ConsoleWindow(tmp_path / "console", 'Click "Delete" in the window "Sure"')
    try:
        console.start()
        console.wait_phase("Waiting for you")
        xdotool("key", "ctrl+alt+Escape")
        assert console.wait_ended() == "Stopped"
        assert running.process.poll() is None
    finally:
        console.close()
