"""A desktop at twice the size: what applications report in units of their own is acted on in pixels."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

from console.testing.private_desktop import PrivateDesktop
from tests.support.goals import run_goal

pytestmark = pytest.mark.display
ORDER = ["zenity", "--forms", "--title=Order", "--add-entry=Name", "--add-list=Kind", "--list-values=small|large"]


def test_a_form_on_a_scaled_desktop_is_filled_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with PrivateDesktop(2560, 1600, 2.0) as desktop:
        for name, value in desktop.env.items():
            monkeypatch.setenv(name, value)
        running = desktop.start(ORDER, stdout=subprocess.PIPE)
        time.sleep(2)
        goal = 'Wait for the window "Order"\nClick the field Name\nType “Ada”\nChoose "large" from Kind\nClick OK'
        result = run_goal(goal, tmp_path)
        assert result.code == 0, result.told()
        out, _ = running.communicate(timeout=10)
        assert out.decode().strip() == "Ada|large"
