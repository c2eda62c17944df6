"""The list of windows, while windows come and go."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from console.desktop.windows import WindowSystem
from console.desktop.x11 import X11

pytestmark = pytest.mark.display
FLICKER = """
import time, xcffib, xcffib.xproto as xp
c = xcffib.connect(); s = c.get_setup().roots[0]
end = time.monotonic() + 2.5
while time.monotonic() < end:
    w = c.generate_id()
    kind = (xp.WindowClass.InputOutput, s.root_visual, xp.CW.OverrideRedirect, [1])
    c.core.CreateWindow(0, w, s.root, 5, 5, 90, 90, 0, *kind)
    c.core.ChangeProperty(0, w, xp.Atom.WM_CLASS, xp.Atom.STRING, 8, 4, b"a\\0a\\0")
    c.core.MapWindow(w); c.flush(); c.core.GetInputFocus().reply()
    c.core.DestroyWindow(w); c.flush()
"""


async def test_a_window_that_goes_while_it_is_asked_is_left_out() -> None:
    process = subprocess.Popen([sys.executable, "-c", FLICKER])
    windows = WindowSystem()
    try:
        end = time.monotonic() + 2.5
        while time.monotonic() < end:
            await windows.windows()
    finally:
        await windows.close()
        process.wait()


def test_the_properties_of_a_window_that_is_gone_are_empty() -> None:
    x = X11()
    assert x.text(x.ask(0x7FFFFFF, "_NET_WM_NAME")) == ""
    assert x.ints(x.ask(0x7FFFFFF, "_NET_WM_PID")) == ()
    x.close()
