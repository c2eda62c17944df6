"""What every test obeys: no real display, no unexpected log line, no leaked window."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping

import pytest
from hypothesis import settings

PRIVATE_DISPLAY = os.environ.get("OPERATOR_CONSOLE_TEST_DISPLAY") == "1"
FORBID_DEVICES = "OPERATOR_CONSOLE_FORBID_DEVICES"
SLOW_CALLBACK_S = 0.25

settings.register_profile(
    "console", deadline=None, derandomize=bool(os.environ.get("CI"))
)  # a busy machine is no fault
settings.load_profile("console")
os.environ[FORBID_DEVICES] = "1"
os.environ["QT_API"] = "pyside6"
if not PRIVATE_DISPLAY:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Display tests run only where the display is a private one."""
    if PRIVATE_DISPLAY:
        return
    skip = pytest.mark.skip(reason="needs the private desktop that packaging/test.py makes")
    for item in items:
        if item.get_closest_marker("display"):
            item.add_marker(skip)


@pytest.fixture(autouse=True)
def devices_only_for_display_tests(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The devices refuse to be built, but for the tests that are marked for it."""
    if request.node.get_closest_marker("display"):
        monkeypatch.delenv(FORBID_DEVICES, raising=False)
    else:
        monkeypatch.setenv(FORBID_DEVICES, "1")


class _Collector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


class ExpectedLog:
    """Call it with a pattern to say that a log line at WARNING or above may come."""

    def __init__(self) -> None:
        self.patterns: list[str] = []

    def __call__(self, pattern: str) -> None:
        self.patterns.append(pattern)


@pytest.fixture
def expected_log() -> ExpectedLog:
    return ExpectedLog()


@pytest.fixture(autouse=True)
def no_unexpected_log(expected_log: ExpectedLog) -> Iterator[None]:
    """Fails the test that logs at WARNING or above without saying so."""
    collector = _Collector()
    logging.getLogger().addHandler(collector)
    yield
    logging.getLogger().removeHandler(collector)
    lines = [record.getMessage() for record in collector.records]
    unexpected = [line for line in lines if not any(re.search(pattern, line) for pattern in expected_log.patterns)]
    assert not unexpected, f"unexpected log lines: {unexpected}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """Fails the test that leaves a window on the screen, once every fixture has had its chance to close its own."""
    result = yield
    for name in _close_windows():
        pytest.fail(f"{item.nodeid} left a window open: {name}", pytrace=False)
    return result


def _close_windows() -> list[str]:
    """Close what is still visible and say what it was. Does not load Qt where no test did."""
    widgets = sys.modules.get("PySide6.QtWidgets")
    if widgets is None or widgets.QApplication.instance() is None:
        return []
    leaked = [widget for widget in widgets.QApplication.topLevelWidgets() if widget.isVisible()]
    names = [f"{type(widget).__name__} “{widget.windowTitle()}”" for widget in leaked]
    for widget in leaked:
        widget.hide()
        widget.deleteLater()
    return names


def _qt_event_loop() -> asyncio.AbstractEventLoop:
    from PySide6.QtWidgets import QApplication
    from qasync import QEventLoop  # after PySide6, so that it takes that binding and no other

    loop: asyncio.AbstractEventLoop = QEventLoop(QApplication.instance() or QApplication([]))
    return loop


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """An async test that asks for `qt_loop` runs on Qt's loop, every other on a plain one."""
    if "qt_loop" in getattr(item, "fixturenames", ()):
        return {"qt": _qt_event_loop}
    return {"asyncio": asyncio.new_event_loop}


@pytest.fixture
def qt_loop(request: pytest.FixtureRequest) -> Iterator[asyncio.AbstractEventLoop]:
    """asyncio on Qt. An async test runs on it; a plain test calls `qt_loop.run_until_complete(…)`."""
    request.getfixturevalue("qapp")
    if request.node.get_closest_marker("asyncio"):
        yield request.getfixturevalue("_function_scoped_runner").get_loop()
        return
    loop = _qt_event_loop()
    asyncio.set_event_loop(loop)
    yield loop
    loop.run_until_complete(_cancel_rest())
    loop.close()
    asyncio.set_event_loop(None)


async def _cancel_rest() -> None:
    rest = asyncio.all_tasks() - {asyncio.current_task()}
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)


@pytest.fixture
async def unblocked_loop() -> asyncio.AbstractEventLoop:
    """Fails the async test that asks for it when one callback keeps the loop for more than a quarter of a second."""
    loop = asyncio.get_running_loop()
    loop.slow_callback_duration = SLOW_CALLBACK_S
    loop.set_debug(True)
    return loop
