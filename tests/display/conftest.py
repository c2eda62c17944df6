"""What a display test can use: real applications, a window that receives, and the state of the X server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.apps import Apps, ReceiverWindow
from tests.support.raw_events import RawEvents
from tests.support.screen import Screen


@pytest.fixture
def screen() -> Iterator[Screen]:
    """The X server, seen directly."""
    screen = Screen()
    yield screen
    screen.close()


@pytest.fixture
def x_state(screen: Screen) -> Iterator[Screen]:
    """The same; the test fails when it leaves a key or a button pressed."""
    yield screen
    held = screen.held()
    assert not held, f"left pressed: {held}"


@pytest.fixture
def raw_events() -> Iterator[RawEvents]:
    """Every key, button and motion that the X server takes in during the test."""
    with RawEvents() as events:
        yield events


@pytest.fixture
def app(screen: Screen) -> Iterator[Apps]:
    """Call it with a command and a window title; what it starts ends with the test."""
    apps = Apps(screen)
    yield apps
    apps.close()


@pytest.fixture
def new_receiver(app: Apps, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., ReceiverWindow]:
    """Makes receivers; `title` and `delay_ms` may be given."""

    def make(**options: Any) -> ReceiverWindow:
        folder: Path = tmp_path_factory.mktemp("receiver")
        return ReceiverWindow(folder, app, **options)

    return make


@pytest.fixture
def receiver(new_receiver: Callable[..., ReceiverWindow]) -> ReceiverWindow:
    """A window in another process that mirrors its text and logs what it gets."""
    return new_receiver()
