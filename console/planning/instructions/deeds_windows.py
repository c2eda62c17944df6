"""Plans apps, windows, dialogs and pages."""

from __future__ import annotations

from console.contracts.actions import (
    ActivateApp,
    Click,
    Dialog,
    KeyCombo,
    LaunchApp,
    Navigate,
    QuitApp,
    TypeText,
    Window,
)
from console.contracts.actions import Key as PressKey
from console.contracts.view import PlanningElement

from .context import Context, Way
from .models import AnswerDialog, ChangeWindow, GoTo, Open, Quit, SwitchTo
from .names import Fit, fit, near_texts
from .outcomes import Act, Finished, Lacking, Outcome
from .sight import SeenWindow

_PRESETS = frozenset(
    {
        "left_half",
        "right_half",
        "top_half",
        "bottom_half",
        "top_left",
        "top_right",
        "bottom_left",
        "bottom_right",
        "center",
    }
)
_BROWSERS = ("chrom", "firefox", "epiphany", "browser", "konqueror", "vivaldi", "brave", "edge", "opera", "falkon")
_ACCEPT = ("OK", "Yes", "Accept", "Confirm", "Continue", "Save", "Apply", "Open", "Allow", "Done", "Close", "Got it")
_DISMISS = ("Cancel", "No", "Dismiss", "Not now", "Close", "Abort", "Later", "Don't save")


def open_app(instruction: Open, context: Context) -> Outcome:
    """Launched, and its window in front: what follows may type without naming a window."""
    app = context.fill(instruction.app)
    over = context.settled()
    if not isinstance(over, Finished):
        return over or context.act(lambda: [("", LaunchApp(app_name=app))])
    entry, windows = context.entry, context.sight.windows_like(app)
    final = entry.final
    seen = final is not None and final.record.effect is not None and final.record.effect.status == "observed"
    if any(window.active for window in windows) or entry.fine:
        return Finished()
    raised = entry.parts > 0
    if windows and not raised:
        return Act((context.step(ActivateApp(app_name=app), ".1", f"Bring {app} to the front"),))
    # The app may call its window by another name; that a window came is then told by the observed effect.
    if (seen or raised) and context.sight.active is not None:
        return Finished()
    titles = tuple(window.title or window.app for window in context.sight.windows)
    listed = ", ".join(f"“{title}”" for title in titles if title) or "none"
    return Lacking(f"window of {app}", ask=False, otherwise=f"the open windows are: {listed}")


def switch_to(instruction: SwitchTo, context: Context) -> Outcome:
    name = context.fill(instruction.name)
    windows = context.sight.windows_like(name)
    if windows and windows[0].active:
        return Finished()
    if not windows:
        return _no_window(name, context)
    over = context.settled()
    if isinstance(over, Finished):
        return Lacking(f"window “{name}” in front", ask=False, otherwise="it did not come to the front")
    window = windows[0]
    app = _app_name(window, name)
    return over or context.act(
        lambda: [("", ActivateApp(app_name=app))],
        lambda: [("", Window(op="focus", app=window.app or app, window_index=_index(window, context)))],
        lambda: [("", ActivateApp(app_name=window.title or name))],
    )


def _app_name(window: SeenWindow, name: str) -> str:
    """The title where the title is what was asked for, else the app."""
    return window.title if fit(name, window.title) < fit(name, window.app) or not window.app else window.app


def _index(window: SeenWindow, context: Context) -> int:
    """Its place among the windows of its app, topmost first."""
    return [other for other in context.sight.windows if other.app == window.app].index(window)


def _no_window(name: str, context: Context) -> Lacking:
    titles = tuple(text for window in context.sight.windows for text in (window.title, window.app) if text)
    listed = ", ".join(f"“{title}”" for title in dict.fromkeys(titles)) or "none"
    near = near_texts(name, titles)
    return Lacking(f"window “{name}”", near=near, ask=bool(near), otherwise=f"the open windows are: {listed}")


def quit_app(instruction: Quit, context: Context) -> Outcome:
    app = context.fill(instruction.app)
    over = _asking_first(context) or context.settled()
    return over or context.act(lambda: [("", QuitApp(app_name=app))])


def _asking_first(context: Context) -> Outcome | None:
    """The window asks before it closes: what follows in the goal answers it, or the operator does."""
    final = context.entry.final
    if final is None or not final.asks_first:
        return None
    title = context.sight.dialog_title()
    return Finished() if title is None or context.next_words else context.ask_about_dialog(title)


def change_window(instruction: ChangeWindow, context: Context) -> Outcome:
    over = _asking_first(context) or context.settled()
    if over is not None:
        return over
    name = context.fill(instruction.name)
    windows = context.sight.windows_like(name) if name else [w for w in (context.sight.active,) if w is not None]
    if not windows:
        return _no_window(name or "in front", context)
    window, how = windows[0], instruction.how
    fields: dict[str, object] = {"op": how, "app": window.app or window.title, "window_index": _index(window, context)}
    if how in _PRESETS:
        fields |= {"op": "place", "preset": how}
    if instruction.numbers:
        keys = ("x", "y") if how == "move" else ("width", "height")
        fields |= dict(zip(keys, instruction.numbers, strict=True))
    return context.act(lambda: [("", Window.model_validate(fields))])


def answer_dialog(instruction: AnswerDialog, context: Context) -> Outcome:
    over = context.settled()
    if over is not None:
        return over
    if any(tried.what == "+" and tried.record.succeeded for tried in context.entry.counted):
        return Finished()
    title = context.sight.dialog_title()
    if title is None:
        return Lacking("dialog", ask=False, otherwise="no dialog is open")
    buttons = [e for e in context.sight.of_window(title) if e.element_type == "button" and e.state.enabled and e.label]
    button = _first_named(buttons, _ACCEPT if instruction.accept else _DISMISS)
    others = [b for b in buttons if _first_named([b], _DISMISS) is None]
    if button is None and instruction.accept and len(others) == 1:
        # “Delete” beside “Cancel”: the only way to agree. Whether it is allowed is for the gate to say.
        button = others[0]
    if button is not None:
        return context.act(lambda: [("", Click(target_id=button.id))])
    if instruction.accept:
        return context.ask_about_dialog(title)
    return context.act(lambda: [("", Dialog(op="dismiss"))], lambda: [("", PressKey(key="Escape"))])


def _first_named(buttons: list[PlanningElement], names: tuple[str, ...]) -> PlanningElement | None:
    hits = (button for name in names for button in buttons if fit(name, button.label or "") <= Fit.PLAIN)
    return next(hits, None)


def go_to(instruction: GoTo, context: Context) -> Outcome:
    """By the browser's own door, and by its address bar where that is closed."""
    over = context.settled()
    if over is not None:
        return over
    url = context.fill(instruction.url)
    active = context.sight.active
    names = f"{active.app} {active.title}".casefold() if active else ""
    ways: list[Way] = [lambda: [("", Navigate(url=url))]]
    if any(browser in names for browser in _BROWSERS):
        ways.append(
            lambda: [
                ("Go to the address bar", KeyCombo(keys=("ctrl", "l"))),
                ("Type the address", TypeText(text=url)),
                ("", PressKey(key="Enter")),
            ]
        )
    return context.act(*ways)
