"""The wiring: the only package that knows which concrete parts a console is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .console import Console

if TYPE_CHECKING:
    from console.cli.wiring import Theme


class ConsoleWithWindow(Console):
    """Implements `Wiring`. Qt is imported when the window is wanted."""

    def run_app(self, goal: str | None, theme: Theme | None) -> int:
        """The window, until it is closed."""
        from .window import run_window

        return run_window(self, goal, theme)


def wiring() -> ConsoleWithWindow:
    return ConsoleWithWindow()
