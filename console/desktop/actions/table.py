"""Which handler does which kind of action: the one place that knows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from console.contracts import actions as act
from console.contracts.action import Action

from . import apps, data, dialog, keyboard, pointer, refused, values, web, window
from .job import Job, Outcome

# The handler of a kind takes that kind; the table is what makes sure of it.
Handler = Callable[[Any, Job], Awaitable[Outcome]]

HANDLERS: Mapping[type[Action], Handler] = {
    act.Click: pointer.click,
    act.Hover: pointer.hover,
    act.Scroll: pointer.scroll,
    act.Drag: pointer.drag,
    act.Select: pointer.select,
    act.TypeText: keyboard.type_text,
    act.Key: keyboard.key,
    act.KeyCombo: keyboard.key_combo,
    act.SetValue: values.set_value,
    act.AxAction: values.ax_action,
    act.ActivateApp: apps.activate_app,
    act.LaunchApp: apps.launch_app,
    act.QuitApp: apps.quit_app,
    act.Window: window.window,
    act.Dialog: dialog.dialog,
    act.Navigate: web.navigate,
    act.Wait: data.wait,
    act.Extract: data.extract,
    act.ExtractWithFallback: data.extract_with_fallback,
    act.NotebookWrite: data.notebook,
    act.Custom: data.custom,
    act.WriteCells: data.write_cells,
    act.ReadCells: data.read_cells,
    act.Dock: refused.dock,
    act.MenuExtra: refused.menu_extra,
    act.CdpEval: refused.cdp_eval,
    act.Act: refused.instruct,
    act.DoneAction: refused.ending,
    act.FailAction: refused.ending,
}
