"""What the planner sees: the elements and windows of a view, and the questions that one asks of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from console.contracts.view import PlanningElement, PlanningView

from .names import Fit, fit, has_words, plain


@dataclass(frozen=True)
class SeenWindow:
    title: str
    app: str
    active: bool
    minimized: bool
    dialog: bool


class Sight:
    """A view, read once."""

    def __init__(self, view: PlanningView) -> None:
        self.view = view
        self.elements = view.elements

    @cached_property
    def windows(self) -> tuple[SeenWindow, ...]:
        """Topmost first, as the desktop tells them; never without the one that the screen names."""
        found: list[SeenWindow] = []
        for fact in self.view.adapter_facts:
            payload = fact.payload
            if fact.adapter != "desktop" or fact.kind != "window" or not isinstance(payload, dict):
                continue
            title, app = str(payload.get("title") or ""), str(payload.get("app") or "")
            flags = {name: bool(payload.get(name)) for name in ("active", "minimized", "dialog")}
            found.append(SeenWindow(title, app, **flags))
        screen = self.view.screen
        if not any(window.active for window in found) and (screen.window or screen.active_app):
            found.insert(0, SeenWindow(screen.window, screen.active_app, active=True, minimized=False, dialog=False))
        return tuple(found)

    @property
    def active(self) -> SeenWindow | None:
        return next((window for window in self.windows if window.active), None)

    @cached_property
    def modal(self) -> str | None:
        """The title of the dialog that blocks the rest, if one does; it may be empty."""
        blocker = next((b for b in self.view.blockers if b.kind == "modal_dialog"), None)
        if blocker is None:
            return None
        element = self.view.element(blocker.element_id) if blocker.element_id else None
        if element is not None and element.window is not None:
            return element.window
        dialog = next((w for w in self.windows if w.dialog and w.active), None) or next(
            (w for w in self.windows if w.dialog), None
        )
        if dialog is not None:
            return dialog.title
        return next(
            (w.title for w in self.windows if w.title and has_words(plain(blocker.description), plain(w.title))), None
        )

    def dialog_title(self) -> str | None:
        """The title of the dialog that is open, blocking or not."""
        if self.modal is not None:
            return self.modal
        return next((window.title for window in self.windows if window.dialog and not window.minimized), None)

    def windows_like(self, name: str) -> list[SeenWindow]:
        """The windows whose title or app fits the name, the best first."""
        scored = [
            (min(_window_fit(name, w.title), _app_fit(name, w.app)), not w.active, i)
            for i, w in enumerate(self.windows)
        ]
        return [self.windows[i] for score, _, i in sorted(scored) if score <= Fit.WITHIN]

    def in_window(self, element: PlanningElement, name: str) -> bool:
        """Whether the element stands in a window of that title or app."""
        title = element.window or ""
        if fit(name, title) <= Fit.WITHIN:
            return True
        apps = {window.app for window in self.windows if window.title == title}
        return any(_app_fit(name, app) <= Fit.WITHIN for app in apps)

    def same_app(self, one: str, other: str) -> bool:
        """Whether windows of these titles belong to one app, as far as that is known."""
        apps = [
            {window.app for window in self.windows if window.title == title and window.app} for title in (one, other)
        ]
        return not all(apps) or bool(apps[0] & apps[1])

    def in_active_window(self, element: PlanningElement) -> bool:
        """An element without a window, like an entry of an open menu, counts as in front."""
        return element.window is None or element.window == self.view.screen.window

    def of_window(self, title: str) -> Iterable[PlanningElement]:
        return (element for element in self.elements if element.window == title)


def _window_fit(name: str, title: str) -> Fit:
    return fit(name, title)


def _app_fit(name: str, app: str) -> Fit:
    """“Text Editor”, “mousepad” and “org.xfce.mousepad” are names as good as any."""
    found = fit(name, app)
    if found <= Fit.WITHIN or not app:
        return found
    last = app.rsplit(".", 1)[-1].replace("-", " ").replace("_", " ")
    wanted = name.replace("-", " ").replace("_", " ").removesuffix(".desktop")
    return min(fit(wanted, last), fit(last, wanted) if len(last) > 3 else Fit.NONE)
