"""The rules that the test suite puts on every test do catch what they are for."""

from __future__ import annotations

import asyncio
import logging
import textwrap
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
CONFTEST = Path(__file__).with_name("conftest.py").read_text(encoding="utf-8")
INI = """
[pytest]
asyncio_mode = auto
asyncio_default_fixture_loop_scope = function
qt_api = pyside6
qt_log_level_fail = WARNING
markers =
    display: real
"""


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    """Run the given test code under the rules; gives the counts of its outcomes."""
    monkeypatch.delenv("OPERATOR_CONSOLE_TEST_DISPLAY", raising=False)

    def run(code: str) -> dict[str, int]:
        pytester.makeconftest(CONFTEST)
        pytester.makeini(INI)
        pytester.makepyfile(textwrap.dedent(code))
        return pytester.runpytest_subprocess("-p", "no:cacheprovider").parseoutcomes()

    return run


def test_an_unexpected_log_line_fails(run):
    outcomes = run(
        """
        import logging
        def test_quiet(): logging.getLogger("x").info("fine")
        def test_loud(): logging.getLogger("x").warning("oh")
        def test_expected(expected_log):
            expected_log("^oh")
            logging.getLogger("x").warning("oh")
        """
    )
    assert outcomes == {"passed": 3, "errors": 1}


def test_a_leaked_window_and_a_qt_warning_fail(run):
    outcomes = run(
        """
        kept = []
        def test_leak(qtbot):
            from PySide6.QtWidgets import QLabel
            kept.append(QLabel("x"))
            kept[0].show()
        def test_kept_by_qtbot(qtbot):
            from PySide6.QtWidgets import QLabel
            label = QLabel("x")
            qtbot.addWidget(label)
            label.show()
        def test_qt_warning(qtbot):
            from PySide6.QtCore import qWarning
            qWarning("bad")
        """
    )
    assert outcomes == {"passed": 2, "failed": 1, "errors": 1}


def test_a_blocked_loop_fails_the_test_that_watches(run):
    outcomes = run(
        """
        import time
        async def test_unwatched(): time.sleep(0.3)
        async def test_watched(unblocked_loop): time.sleep(0.3)
        async def test_watched_qt(qt_loop, unblocked_loop): time.sleep(0.3)
        async def test_free(unblocked_loop): pass
        """
    )
    assert outcomes == {"passed": 4, "errors": 2}


def test_display_tests_are_skipped_here(run):
    assert run("import pytest\n@pytest.mark.display\ndef test_x(): raise RuntimeError\n") == {"skipped": 1}


async def test_an_async_test_can_run_on_qts_loop(qt_loop, qtbot):
    assert asyncio.get_running_loop() is qt_loop
    assert "QEventLoop" in type(qt_loop).__name__ or "QEventLoop" in str(type(qt_loop).__mro__)
    assert await asyncio.wait_for(asyncio.to_thread(lambda: 7), 5) == 7
    await asyncio.sleep(0.01)


def test_a_plain_test_can_run_on_qts_loop(qt_loop):
    async def seven() -> int:
        await asyncio.sleep(0)
        return 7

    assert qt_loop.run_until_complete(seven()) == 7


async def test_a_plain_async_test_does_not(caplog):
    assert "QEventLoop" not in str(type(asyncio.get_running_loop()).__mro__)
    logging.getLogger("x").info("fine")
