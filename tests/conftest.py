"""What every test obeys: no real display, no unexpected log line, no leaked window."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator

import pytest

PRIVATE_DISPLAY = os.environ.get("OPERATOR_CONSOLE_TEST_DISPLAY") == "1"
if not PRIVATE_DISPLAY:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["OPERATOR_CONSOLE_FORBID_DEVICES"] = "1"
os.environ["QT_API"] = "pyside6"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Display tests run only where the display is a private one."""
    if PRIVATE_DISPLAY:
        return
    skip = pytest.mark.skip(reason="needs the private desktop that packaging/test.py makes")
    for item in items:
        if item.get_closest_marker("display"):
            item.add_marker(skip)


class _Collector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


class ExpectedLog:
    """Call it with a pattern to say that a log line at WARNING or above is meant to come."""

    def __init__(self) -> None:
        self.patterns: list[str] = []

    def __call__(self, pattern: str) -> None:
        self.patterns.append(pattern)


@pytest.fixture
def expected_log() -> ExpectedLog:
    return ExpectedLog()


@pytest.fixture(autouse=True)
def no_unexpected_log(expected_log: ExpectedLog) -> Iterator[None]:
    collector = _Collector()
    logging.getLogger().addHandler(collector)
    yield
    logging.getLogger().removeHandler(collector)
    lines = [record.getMessage() for record in collector.records]
    unexpected = [line for line in lines if not any(re.search(pattern, line) for pattern in expected_log.patterns)]
    assert not unexpected, f"unexpected log lines: {unexpected}"


@pytest.fixture(autouse=True)
def no_leaked_window(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "qtbot" not in request.fixturenames:
        return
    from PySide6.QtWidgets import QApplication

    leaked = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()]
    known = (
        {id(widget) for widget, _ in getattr(request.node, "qt_widgets", [])}
        if hasattr(request.node, "qt_widgets")
        else set()
    )
    leaked = [widget for widget in leaked if id(widget) not in known]
    assert not leaked, f"windows left open: {leaked}"
